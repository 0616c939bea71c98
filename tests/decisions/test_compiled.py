"""The generated function of a table and the long way, which runs each column in turn, are one and the same."""

from copy import deepcopy
from dataclasses import replace
from decimal import Decimal, localcontext
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from settledesk.decisions import load_model
from settledesk.feel import compile_unary_tests

TABLES = yaml.safe_load((Path(__file__).parent / "cases" / "tables.yaml").read_text(encoding="utf-8"))
PACKS = sorted((Path(__file__).parents[2] / "packs").glob("*/decisions/*.dmn"))
ODD = [None, "", "A", "B", True, False, 0, 1, 10, 11, -1, 10.0, 10.01, 0.1, Decimal(10), Decimal("10.000000000001")]
ODDER = [
    *ODD,
    Decimal("NaN"),
    Decimal("-Infinity"),
    float("nan"),
    float("inf"),
    10**400,
    2**53 + 1,
    [],
    ["A"],
    [10],
    {},
]
CELLS = ["-", "null", "not(null)", '"A"', '"A", "B"', 'not("A")', 'not("A", 5)', '"A", 5', "10", "< 10", "[1..10)"]
CELLS += [
    "(1..10]",
    "not(5)",
    "!= 10",
    "<= 0.1",
    "not([1..5], > 9)",
    "true",
    "false",
    "not(true)",
    '["B".."C"]',
    "[5..1]",
]
CELLS += [
    '["A", "B"]',
    "[1, 10]",
    "> b",
    "? = b",
    "<= b * 2",
    'date("2024-01-02")',
    "= null",
    "!= null",
    "not(!= null)",
]
BY_KIND = {
    "string": ["-", "null", '"A"', '"A", "B"', 'not("A")', '["B".."C"]'],
    "number": ["-", "null", "10", "< 10", "[1..10)", "(1..10]", "not(5)", "<= 0.1", "> 10", ">= 10"],
    "boolean": ["-", "true", "false", "not(true)"],
    "Any": CELLS,
}


def interpreted(model):
    """Return the model without generated functions."""
    return replace(model, compiled={})


def same(one, other):
    """Compare evaluations; a value that is not a number is equal to none, not even to itself."""
    return repr(one._replace(trace=tuple(one.trace))) == repr(other._replace(trace=tuple(other.trace)))


@pytest.mark.parametrize("standard", [False, True])
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table["name"])
def test_both_ways_say_the_same_of_any_input(one_table, table, standard):
    """Value, fired rows, findings and trace agree on usual, missing, unknown and odd inputs."""
    model = load_model(one_table(table), standard=standard)
    slow = interpreted(model)
    names = list(table.get("inputs", {}))
    values = ODDER if len(names) < 3 else ODD[:6]
    inputs = [dict(zip(names, chosen, strict=True)) for chosen in product(values, repeat=len(names))]
    inputs += [{}, *[dict.fromkeys(names[:count], "A") for count in range(len(names))]]
    for given_inputs in inputs:
        for trace in (False, True):
            expected = slow.evaluate("d", given_inputs, trace=trace)
            assert same(model.evaluate("d", given_inputs, trace=trace), expected), given_inputs
    for found, one in zip(model.evaluate_many("d", inputs), inputs, strict=True):
        assert same(found, slow.evaluate("d", one)), one


@pytest.mark.parametrize("kind", ["string", "number", "boolean"])
def test_one_column_of_any_two_cells_is_compiled_as_it_is_interpreted(one_table, kind):
    """On and between the bounds of all pairs of cells of one type, both ways find the same rows."""
    for cells in combinations_with_replacement(BY_KIND[kind], 2):
        rows = [[f"r{index}", cell, "1"] for index, cell in enumerate(cells)]
        model = load_model(one_table({"hit": "COLLECT", "inputs": {"a": kind}, "outputs": {"o": None}, "rows": rows}))
        slow = interpreted(model)
        for value in ODDER:
            assert same(model.evaluate("d", {"a": value}), slow.evaluate("d", {"a": value})), (cells, value)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_table_of_any_cells_is_compiled_as_it_is_interpreted(one_table, data):
    """Whatever cells stand in a table of three columns, both ways agree, in both readings, alone and in a batch."""
    kinds = data.draw(st.lists(st.sampled_from(["string", "number", "boolean", "Any"]), min_size=3, max_size=3))
    columns = [st.sampled_from(BY_KIND[kind]) if data.draw(st.booleans()) else st.sampled_from(CELLS) for kind in kinds]
    rows = data.draw(st.lists(st.tuples(*columns), min_size=0, max_size=5))
    hit = data.draw(st.sampled_from(["UNIQUE", "ANY", "FIRST", "RULE ORDER", "COLLECT"]))
    outputs = data.draw(st.lists(st.sampled_from(["1", "2", "a", '[1, {x: "y"}]', "{x: 1}"]), min_size=5, max_size=5))
    table = {
        "hit": hit,
        "inputs": dict(zip("abc", kinds, strict=True)),
        "outputs": {"o": None},
        "rows": [[f"r{index}", *cells, outputs[index]] for index, cells in enumerate(rows)],
    }
    model = load_model(one_table(table), standard=data.draw(st.booleans()))
    slow = interpreted(model)
    one_input = st.fixed_dictionaries({}, optional={name: st.sampled_from(ODDER) for name in "abc"})
    inputs = data.draw(st.lists(one_input, min_size=1, max_size=12))
    for one in inputs:
        assert same(model.evaluate("d", one, trace=True), slow.evaluate("d", one, trace=True)), one
    for found, one in zip(model.evaluate_many("d", inputs), inputs, strict=True):
        assert same(found, slow.evaluate("d", one)), one


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("standard", [False, True])
def test_the_index_says_of_a_value_what_its_cell_says(one_table, cell, standard):
    """A cell of constants in the index is true exactly where the cell alone is, also beside cells that cut finer."""
    if "b" in cell:
        pytest.skip("the cell looks at another column, so it is run and not in the index")
    table = {"inputs": {"a": "Any"}, "outputs": {"o": None}}
    table["rows"] = [["it", cell, "1"], *[[f"r{number}", other, "1"] for number, other in enumerate(CELLS[3:22])]]
    column = load_model(one_table(table), standard=standard).table("d").columns[0]
    tests = compile_unary_tests(cell, unknown_nulls=not standard)
    for value in (None, "", "A", "AA", "B", "Z", True, False, *(Decimal(number) / 2 for number in range(-2, 24))):
        if not any(opaque.mask & 1 for opaque in column.index.opaque):
            assert bool(column.index.mask(value) & 1) is (tests.test(value) is True), value


@pytest.mark.parametrize("file", PACKS, ids=lambda file: f"{file.parents[1].name}/{file.stem}")
def test_the_tables_of_the_packs_are_compiled(file):
    """Every table over inputs that a pack ships has its generated function."""
    model = load_model(file)
    assert model.compiled.keys() == model.decisions.keys()


def test_what_a_caller_does_to_a_value_stays_with_the_caller(one_table):
    """Changing a value that holds a list changes no later answer, and a shared one of plain values refuses a change."""
    table = {"inputs": {"a": "number"}, "outputs": {"x": None, "y": None}}
    table["rows"] = [["lists", "1", "[1]", "2"], ["plain", "2", "1", "2"]]
    for model in (made := load_model(one_table(table)), interpreted(made)):
        first = model.evaluate("d", {"a": 1}).value
        first["x"].append(5)
        first["y"] = 0
        assert model.evaluate("d", {"a": 1}).value == {"x": [1], "y": 2}
        plain = model.evaluate("d", {"a": 2}).value
        for change in ("update", "pop", "clear", "setdefault"):
            with pytest.raises(TypeError, match="cannot be changed"):
                getattr(plain, change)("x")
        mine = deepcopy(plain)
        mine["x"] = 3
        assert model.evaluate("d", {"a": 2}).value == {"x": 1, "y": 2} == dict(plain)


def test_the_caller_s_decimal_context_plays_no_part(one_table):
    """A caller with few digits and with traps on everything gets the same answers as another."""
    table = {"inputs": {"a": "number"}, "outputs": {"o": None}, "rows": [["r", "[1..10)", "1"], ["s", ">= 10", "2"]]}
    model = load_model(one_table(table))
    with localcontext() as context:
        context.prec = 2
        context.traps = dict.fromkeys(context.traps, True)
        inputs = [{"a": value} for value in (Decimal("9.999"), 9.999, Decimal("NaN"), Decimal("sNaN"), None, 10)]
        found = [evaluation.fired for evaluation in map(model.evaluate, ["d"] * 6, inputs)]
        assert found == [evaluation.fired for evaluation in model.evaluate_many("d", inputs)]
    assert found == [("r",), ("r",), (), (), (), ("s",)]
