"""Decision tables by their cases: `cases/tables.yaml` holds tables and what they answer."""

from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from settledesk.decisions import load_model

TABLES = yaml.safe_load((Path(__file__).parent / "cases" / "tables.yaml").read_text(encoding="utf-8"))
CASES = [
    pytest.param(table, case, id=f"{table['name']}-{number}")
    for table in TABLES
    for number, case in enumerate(table["cases"], 1)
]


def exact(value):
    """Return a YAML value with its numbers as decimals."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    return Decimal(str(value))


@pytest.mark.parametrize(("table", "case"), CASES)
def test_a_table_answers_as_its_case_says(one_table, table, case):
    """Value, fired rows and findings are exactly those of the case, with and without a trace."""
    model = load_model(one_table(table))
    for trace in (False, True):
        evaluation = model.evaluate("d", case["in"], trace=trace)
        assert evaluation.value == exact(case["value"])
        assert list(evaluation.fired) == case.get("fired", [])
        assert [[finding.kind, *finding.rows] for finding in evaluation.findings] == case.get("findings", [])


@pytest.mark.parametrize(("table", "case"), CASES)
def test_a_trace_says_of_every_row_whether_it_fired_or_which_cell_failed(one_table, table, case):
    """Each row either matched or names its first failing cell with the cell's text and the value it failed on."""
    model = load_model(one_table(table))
    evaluation = model.evaluate("d", case["in"], trace=True)
    assert [row.row for row in evaluation.trace] == [row[0] for row in table["rows"]]
    names = list(table.get("inputs", {}))
    for trace, (_, *cells) in zip(evaluation.trace, table["rows"], strict=True):
        assert trace.fired == (trace.cell is None)
        if not trace.fired:
            assert trace.test == str(cells[names.index(trace.cell)])
            assert set(evaluation.fired).isdisjoint({trace.row})
    assert set(evaluation.fired) <= {trace.row for trace in evaluation.trace if trace.fired}


def test_a_trace_names_the_first_failing_cell_and_the_value(one_table):
    """A row that came near shows on which value of which input it failed."""
    trace = load_model(one_table(TABLES[0])).evaluate("d", {"code": "A", "amount": 20}, trace=True).trace
    near = trace[0]
    assert (near.row, near.fired, near.cell, near.test, near.value) == ("small", False, "amount", "<= 10", Decimal(20))


def test_a_conflict_names_both_rows_in_words(one_table):
    """Two rows that match under UNIQUE are named in the message as well."""
    finding = load_model(one_table(TABLES[1])).evaluate("d", {"amount": 10}).findings[0]
    assert finding.message == "the rows `low` and `high` and `same` of `d` match, but only one may"


VALUES = st.one_of(st.none(), st.booleans(), st.integers(-3, 12), st.sampled_from(["A", "B", "c", "0", ""]))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(TABLES), st.data())
def test_an_unknown_input_never_makes_a_row_fire_that_needs_it(one_table, table, data):
    """Setting an input to unknown never adds a firing row, unless the row's cell says `-`, `null` or is a condition."""
    names = list(table.get("inputs", {}))
    if not names:
        return
    model = load_model(one_table(table))
    given_inputs = {name: data.draw(VALUES) for name in names}
    lost = data.draw(st.sampled_from(names))
    before = {row.row for row in model.evaluate("d", given_inputs, trace=True).trace if row.fired}
    after = {row.row for row in model.evaluate("d", {**given_inputs, lost: None}, trace=True).trace if row.fired}
    for name, *cells in table["rows"]:
        if name in after:
            assert cells[names.index(lost)] in ("-", "null")
            assert cells[names.index(lost)] == "null" or name in before


def test_the_same_inputs_give_the_same_evaluation_a_thousand_times(one_table):
    """Nothing is carried from one evaluation to the next."""
    model = load_model(one_table(TABLES[0]))
    first = model.evaluate("d", {"code": "A", "amount": 10.01}, trace=True)
    assert all(model.evaluate("d", {"code": "A", "amount": 10.01}, trace=True) == first for _ in range(1000))
