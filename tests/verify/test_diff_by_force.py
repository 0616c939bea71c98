"""Random pairs of small tables: the comparison finds what trying all values that matter finds, and nothing else."""

from datetime import date
from decimal import Decimal
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from verify_tables import model_bytes

from settledesk.decisions import load_model
from settledesk.feel.values import to_feel, type_name
from settledesk.verify.diff import compare_models
from settledesk.verify.diff.joint import joined
from settledesk.verify.diff.pair import evaluated
from settledesk.verify.tables.partition import Subject
from settledesk.verify.tables.samples import lies_between

CELLS = {
    "number": ["-", "< 1", "<= 1", "1", "[1..2]", "(1..2)", "> 2", "not(1)", "null", "not(null)", "1, 3"],
    "string": ["-", '"a"', '"b"', '"a", "b"', 'not("a")', "null", "not(null)"],
    "boolean": ["-", "true", "false", "null", "not(true)", "not(null)"],
    "date": ["-", '< @"2024-01-02"', '@"2024-01-02"', '[@"2024-01-02"..@"2024-01-03"]', "null"],
}
VALUES = {
    "number": [None, *map(Decimal, ("-1", "0", "0.5", "1", "1.5", "2", "2.5", "3", "4"))],
    "string": [None, "a", "b", "something else"],
    "boolean": [None, True, False],
    "date": [None, *[to_feel(date(2024, 1, day)) for day in (1, 2, 3, 4)]],
}
DECLARED = {"number": "[0..3]", "string": '"a", "b"', "boolean": "true", "date": '>= @"2024-01-02"'}
POLICIES = ["UNIQUE", "ANY", "FIRST", "PRIORITY", "RULE ORDER", "OUTPUT ORDER", "COLLECT", "COUNT"]


@st.composite
def tables(draw):
    """Draw a table of up to three columns and five rows, under any policy, some columns with declared values."""
    names = draw(st.lists(st.sampled_from(["n number", "s string", "f boolean", "d date"]), max_size=3, unique=True))
    kinds = dict(name.split() for name in names)
    hit = draw(st.sampled_from(POLICIES))
    inputs = {
        name: {"type": kind, "values": DECLARED[kind]} if draw(st.integers(0, 5)) == 0 else kind
        for name, kind in kinds.items()
    }
    rows = [
        [
            draw(st.sampled_from("abc")) + str(row),
            *[draw(st.sampled_from(CELLS[kind])) for kind in kinds.values()],
            draw(st.sampled_from(['"x"', '"y"', '"z"'])),
        ]
        for row in range(draw(st.integers(1, 5)))
    ]
    output = {"values": '"x", "y", "z"'}
    if draw(st.booleans()):
        output["default"] = '"z"'
    table = {"hit": hit, "inputs": inputs, "outputs": {"out": output}, "rows": rows}
    return {**table, "hit": "COLLECT", "aggregation": "COUNT"} if hit == "COUNT" else table


@st.composite
def pairs(draw):
    """Draw two tables: one and what an edit makes of it, or two that have little in common."""
    old = draw(tables())
    if draw(st.integers(0, 2)) == 0:
        return old, draw(tables())
    rows = [list(row) for row in old["rows"]]
    row = draw(st.integers(0, len(rows) - 1))
    kinds = [kind if isinstance(kind, str) else kind["type"] for kind in old["inputs"].values()]
    place = draw(st.integers(0, len(kinds)))
    what = draw(st.sampled_from(["cell", "cell", "drop", "copy", "move"]))
    if what == "cell":
        cells = CELLS[kinds[place]] if place < len(kinds) else ['"x"', '"y"', '"z"']
        rows[row][place + 1] = draw(st.sampled_from(cells))
    elif what == "drop" and len(rows) > 1:
        del rows[row]
    elif what == "copy":
        rows.insert(0, ["copy", *rows[row][1:]])
    else:
        rows.reverse()
    return old, {**old, "rows": rows}


def piece_of(dimension, value):
    """Return the place of the piece that holds a value."""
    pieces = dimension.pieces
    for place, piece in enumerate(pieces):
        if piece.point and piece.value == value and type(piece.value) is type(value):
            return place
    fitting = [place for place, piece in enumerate(pieces) if not piece.point and piece.kind == type_name(value)]
    return next(
        place
        for place in fitting
        if pieces[place].kind == "string" or lies_between(value, pieces[place].low, pieces[place].high)
    )


def is_declared(tables, facts):
    """Tell whether each value is declared by one of the tables that has its column."""
    for name, value in facts.items():
        clauses = [table["inputs"][name] for table in tables if name in table["inputs"]]
        if value is None or any(isinstance(clause, str) for clause in clauses):
            continue
        kind = clauses[0]["type"]
        allowed = {
            "number": lambda x: 0 <= x <= 3,
            "string": lambda x: x in "ab",
            "boolean": lambda x: x,
            "date": lambda x: x != VALUES["date"][1],
        }
        if not allowed[kind](value):
            return False
    return True


@settings(max_examples=300, deadline=None)
@given(pairs())
def test_the_changed_classes_are_those_that_trying_everything_finds(pair):
    """Each declared input lies in a class of the comparison if and only if its outcome changes, and to just that."""
    models = [load_model(model_bytes(table)) for table in pair]
    found = compare_models(*models)
    assert found.complete, found.notes
    subjects = [Subject(decision="d", table=model.table("d"), input_types=model.input_types) for model in models]
    dimensions = joined(*subjects, same_context=True).dimensions
    names = list(dict.fromkeys(name for table in pair for name in table["inputs"]))
    kinds = {name: kind if isinstance(kind, str) else kind["type"] for t in pair for name, kind in t["inputs"].items()}
    told = {(change.old.said, change.new.said) for change in found.changes}
    seen = set()
    for values in product(*[VALUES[kinds[name]] for name in names]):
        facts = dict(zip(names, values, strict=True))
        if not is_declared(pair, facts):
            continue
        old, new = (evaluated(model, "d", facts).said for model in models)
        spots = [piece_of(dimension, facts[dimension.name]) for dimension in dimensions]
        classes = {
            (change.old.said, change.new.said)
            for change in found.changes
            if all(bits >> spot & 1 for bits, spot in zip(change.box, spots, strict=True))
        }
        assert classes == ({(old, new)} if old != new else set()), facts
        seen |= classes
    assert seen == told


@settings(max_examples=60, deadline=None)
@given(tables())
def test_other_names_of_rows_are_no_change(table):
    """A table whose rows are renamed gives the same, and the comparison says so without a reserve."""
    renamed = {**table, "rows": [[f"renamed{place}", *row[1:]] for place, row in enumerate(table["rows"])]}
    found = compare_models(*[load_model(model_bytes(one)) for one in (table, renamed)])
    assert found.complete
    assert not found.differs
