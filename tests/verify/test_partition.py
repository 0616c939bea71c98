"""The joint partition of two tables, which a comparison of tables stands on."""

from decimal import Decimal

from verify_tables import model_bytes

from settledesk.decisions import load_model
from settledesk.verify.tables.partition import Subject, partition, values_of
from settledesk.verify.tables.search import reachable


def subject(rows, **inputs):
    """Return a table as a subject."""
    model = load_model(model_bytes({"inputs": inputs, "rows": rows}))
    return Subject(decision="d", table=model.table("d"), input_types=model.input_types)


def test_two_tables_are_cut_at_the_constants_of_both():
    """A column of both tables is one dimension whose pieces are cut by the cells of both."""
    old = subject([["a", "< 5", "1"]], n="number")
    new = subject([["a", "< 7", "1"]], n="number")
    (dimension,) = partition([old, new])
    assert [piece.value for piece in dimension.pieces] == [*map(Decimal, ("0", "5", "6", "7", "8")), None]
    assert dimension.masks == ((1, 0, 0, 0, 0, 0), (1, 1, 1, 0, 0, 0))


def test_every_pair_of_outcomes_has_one_input():
    """The reachable pairs of row masks are those that some input has, each with an input that has it."""
    old = subject([["a", "< 5", "-", "1"], ["b", ">= 5", '"x"', "2"]], n="number", code="string")
    new = subject([["a", "< 7", "-", "1"], ["b", ">= 7", '"x"', "2"]], n="number", code="string")
    dimensions = partition([old, new])
    found, complete = reachable(dimensions)
    assert complete
    assert set(found) == {(1, 1), (2, 1), (0, 1), (2, 2), (0, 0)}
    assert values_of(dimensions, found[2, 1]) == {"n": Decimal(5), "code": "x"}


def test_a_column_that_one_table_lacks_leaves_all_its_rows():
    """A dimension of a column that only one table has keeps the rows of the other alive on all pieces."""
    old = subject([["a", "< 5", "1"]], n="number")
    new = subject([["a", "-", "true", "1"]], n="number", flag="boolean")
    dimensions = partition([old, new])
    assert [dimension.name for dimension in dimensions] == ["n", "flag"]
    assert dimensions[1].masks[0] == (1, 1, 1)


def test_a_search_that_is_cut_says_that_it_is_not_complete():
    """With too few nodes the second value is false."""
    table = subject([[f"r{place}", str(place), "1"] for place in range(20)], n="number")
    _, complete = reachable(partition([table, table]), nodes_max=5)
    assert not complete
