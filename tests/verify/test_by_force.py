"""Random small tables: what the check says is what trying all values that matter says."""

from datetime import date
from decimal import Decimal
from itertools import combinations, product

from hypothesis import given, settings
from hypothesis import strategies as st
from verify_tables import model_bytes

from settledesk.decisions import load_model
from settledesk.feel.values import to_feel
from settledesk.verify.tables import check_model
from settledesk.verify.tables.examined import Examined
from settledesk.verify.tables.gaps import gap_boxes
from settledesk.verify.tables.partition import Subject
from settledesk.verify.tables.replay import Replayer

NUMBER_CELLS = [
    "-",
    "< 1",
    "<= 1",
    "1",
    "[1..2]",
    "(1..2)",
    "> 2",
    ">= 1",
    "not(1)",
    "null",
    "not(null)",
    "1, 3",
    "[2..3)",
]
TEXT_CELLS = ["-", '"a"', '"b"', '"a", "b"', 'not("a")', "null", "not(null)", 'not("a", "b")']
FLAG_CELLS = ["-", "true", "false", "null", "not(true)", "not(null)", "true, false"]
DAY_CELLS = ["-", '< @"2024-01-02"', '@"2024-01-02"', '>= date("2024-01-02")', '[@"2024-01-02"..@"2024-01-03"]', "null"]
CELLS = {"number": NUMBER_CELLS, "string": TEXT_CELLS, "boolean": FLAG_CELLS, "date": DAY_CELLS}
VALUES = {
    "number": [None, *map(Decimal, ("0", "1", "1.5", "2", "2.5", "3", "4"))],
    "string": [None, "a", "b", "something else"],
    "boolean": [None, True, False],
    "date": [None, *[date(2024, 1, day) for day in (1, 2, 3, 4)]],
}


@st.composite
def tables(draw):
    """Draw a table of up to three columns and six rows under a policy that gives one answer."""
    kinds = draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=3))
    hit = draw(st.sampled_from(["UNIQUE", "ANY", "FIRST", "PRIORITY"]))
    count = draw(st.integers(min_value=1, max_value=6))
    rows = [
        [
            f"r{row}",
            *[draw(st.sampled_from(CELLS[kind])) for kind in kinds],
            draw(st.sampled_from(['"x"', '"y"', '"z"'])),
        ]
        for row in range(count)
    ]
    inputs = {f"c{place}": kind for place, kind in enumerate(kinds)}
    return {"hit": hit, "inputs": inputs, "outputs": {"out": {"values": '"x", "y", "z"'}}, "rows": rows}


def tried(model, table):
    """Return (input, matching rows, fired rows, finding kinds) for every combination of the values that matter."""
    names = list(table["inputs"])
    found = []
    for values in product(*[VALUES[kind] for kind in table["inputs"].values()]):
        facts = dict(zip(names, values, strict=True))
        evaluation = model.evaluate("d", facts, trace=True)
        matched = frozenset(row.row for row in evaluation.trace if row.fired)
        found.append((facts, matched, evaluation.fired, {finding.kind for finding in evaluation.findings}))
    return found


def piece_of(dimension, value):
    """Return the place of the piece that holds a value."""
    value = to_feel(value)
    pieces = dimension.pieces
    for place, piece in enumerate(pieces):
        if piece.point and piece.value == value and type(piece.value) is type(value):
            return place
    for place, piece in enumerate(pieces):
        if not piece.point and type(piece.value) is type(value):
            low, high = piece.low, piece.high
            if type(value) is str or ((low is None or low < value) and (high is None or value < high)):
                return place
    raise AssertionError(f"no piece of {dimension.name} holds {value!r}")


def rows_of(report, *kinds):
    """Return the rows of the findings of some kinds, as sets."""
    return {frozenset(finding.rows) for finding in report.findings if finding.kind in kinds}


@settings(max_examples=150, deadline=None)
@given(tables())
def test_overlaps_and_dead_rows_are_those_that_trying_everything_finds(table):
    """The check finds the pairs in conflict and the rows that never decide though they match, and no others."""
    model = load_model(model_bytes(table))
    report = check_model(model)
    force = tried(model, table)
    assert report.unconfirmed == 0
    if table["hit"] in ("UNIQUE", "ANY"):
        outputs = {row[0]: row[-1] for row in table["rows"]}
        pairs = {
            frozenset(pair)
            for _, matched, _, _ in force
            for pair in combinations(sorted(matched), 2)
            if table["hit"] == "UNIQUE" or outputs[pair[0]] != outputs[pair[1]]
        }
        assert rows_of(report, "overlap") == pairs
    if table["hit"] in ("FIRST", "PRIORITY"):
        matching = {row for _, matched, _, _ in force for row in matched}
        deciding = {row for _, _, fired, _ in force for row in fired}
        dead = {finding.rows[0] for finding in report.findings if finding.kind == "unreachable"}
        assert dead == matching - deciding
    never = {row[0] for row in table["rows"]} - {row for _, matched, _, _ in force for row in matched}
    assert {row for rows in rows_of(report, "contradiction") for row in rows} == never


@settings(max_examples=150, deadline=None)
@given(tables())
def test_gaps_are_those_that_trying_everything_finds(table):
    """Every input without a row lies in a reported box, and no input with a row does."""
    model = load_model(model_bytes(table))
    subject = Subject(decision="d", table=model.table("d"), input_types=model.input_types)
    examined = Examined(subject, Replayer(model, "d", subject.table, subject.input_types))
    boxes = list(gap_boxes(examined))
    assert not any(isinstance(box, str) for box in boxes)
    for facts, matched, _, _ in tried(model, table):
        places = [piece_of(dimension, facts[dimension.name]) for dimension in examined.dimensions]
        inside = [gap for gap in boxes if all(bits >> place & 1 for bits, place in zip(gap.box, places, strict=True))]
        assert bool(inside) == (not matched)
        if inside and None not in facts.values():
            assert any(gap.severity == "warning" for gap in inside)
    for gap in boxes:
        places = [piece_of(dimension, gap.played.input[dimension.name]) for dimension in examined.dimensions]
        assert all(bits >> place & 1 for bits, place in zip(gap.told, places, strict=True))
        assert (gap.severity == "info") == (None in gap.played.input.values())


@settings(max_examples=100, deadline=None)
@given(tables())
def test_every_input_shows_what_its_finding_says(table):
    """Evaluating the input of a finding gives just that: a conflict, no row, both rows, or a row that another beats."""
    model = load_model(model_bytes(table))
    for finding in check_model(model).findings:
        evaluation = model.evaluate("d", finding.input, trace=True)
        matched = {row.row for row in evaluation.trace if row.fired}
        kinds = {found.kind for found in evaluation.findings}
        assert "wrong_type" not in kinds
        if finding.kind == "overlap":
            assert "conflict" in kinds
            assert set(finding.rows) <= set(evaluation.fired)
        elif finding.kind == "gap":
            assert not matched
        elif finding.kind in ("subsumed", "duplicate"):
            assert set(finding.rows) <= matched
        elif finding.kind == "unreachable":
            assert finding.rows[0] in matched
            assert evaluation.fired != (finding.rows[0],)
        else:
            assert finding.kind == "contradiction"
            assert not set(finding.rows) & matched
