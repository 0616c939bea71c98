"""What a cell of constants is true of: for each type of value, the points and open intervals between its constants.

A cell is a list of tests; each test of constants looks at values of one type. Three-valued logic decides the rest: a
test is null on a value of another type, so a cell under `not` that holds such a test is never true there.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from settledesk.feel.temporal import Date, Days, Months
from settledesk.feel.tree import CompareTest, ListLiteral, Literal, Node, RangeLiteral, Test, Tests, ValueTest

Span: TypeAlias = tuple[int, int]
"""Elementary cells `first` to `last` of an axis, both included: `2 * i + 1` is the constant `i`, `2 * i` lies below."""

AXIS_TYPES: tuple[type, ...] = (Decimal, str, bool, Date, Days, Months)
"""Types whose values of one kind Python orders and hashes as FEEL does.

Times, and dates with times, are not among them: a local one stands among zoned ones as if it were in the zone of each.
"""
_ORDERED = frozenset(AXIS_TYPES) - {bool}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantTest:
    """One test of constants. `kind` is the type of its constants, `None` for a null, which no value equals.

    `complement` is the test `!=`. A bound of `None` is open.
    """

    kind: type | None
    low: Any = None
    high: Any = None
    low_included: bool = True
    high_included: bool = True
    complement: bool = False


def constant_tests(tests: Tests) -> list[ConstantTest] | None:
    """Return the tests of a cell that holds constants only, or `None` for one that has to be run."""
    found: list[ConstantTest] = []
    for test in tests.tests:
        made = _constant_test(test)
        # What a value of another type is to a list differs between the readings, and shows under `not` alone.
        if made is None or (tests.negated and isinstance(test, ValueTest) and isinstance(test.value, ListLiteral)):
            return None
        found.extend(made)
    return found


def _constant_test(test: Test) -> list[ConstantTest] | None:
    if isinstance(test, CompareTest):
        return _comparison(test)
    return None if test.mentions_input or test.mentions_variables else _value(test.value)


def _value(node: Node) -> list[ConstantTest] | None:
    match node:
        case Literal(value=None):
            return [ConstantTest(kind=None)]
        case Literal(value=value) if type(value) in AXIS_TYPES:
            return [ConstantTest(kind=type(value), low=value, high=value)]
        case RangeLiteral():
            return _range(node)
        case ListLiteral(items=items) if items and not any(isinstance(item, ListLiteral) for item in items):
            parts = [_value(item) for item in items]
            return None if None in parts else [test for part in parts if part is not None for test in part]
    return None


def _range(node: RangeLiteral) -> list[ConstantTest] | None:
    ends = [end.value if isinstance(end, Literal) else end for end in (node.low, node.high)]
    kinds = {type(end) for end, written in zip(ends, (node.low, node.high), strict=True) if written is not None}
    if len(kinds) != 1 or not kinds <= _ORDERED or node.operator == "!=":
        return None
    low, high = ends
    return [
        ConstantTest(
            kind=kinds.pop(), low=low, high=high, low_included=node.low_included, high_included=node.high_included
        )
    ]


def _comparison(test: CompareTest) -> list[ConstantTest] | None:
    if not isinstance(test.operand, Literal):
        return None
    value, operator = test.operand.value, test.operator
    kind = type(value)
    if operator in ("=", "!="):
        if value is None:
            return [ConstantTest(kind=None, complement=operator == "!=")]
        if kind not in AXIS_TYPES:
            return None
        return [ConstantTest(kind=kind, low=value, high=value, complement=operator == "!=")]
    if kind not in _ORDERED:
        return None
    included = operator in ("<=", ">=")
    if operator in ("<", "<="):
        return [ConstantTest(kind=kind, high=value, high_included=included)]
    return [ConstantTest(kind=kind, low=value, low_included=included)]


def constants(tests: Iterable[ConstantTest], kind: type) -> set[Any]:
    """Return the constants of a type."""
    return {end for test in tests if test.kind is kind for end in (test.low, test.high) if end is not None}


def true_spans(tests: list[ConstantTest], negated: bool, kind: type, places: dict[Any, int]) -> list[Span]:
    """Return the elementary cells of an axis on which the cell is true.

    `places` gives the index of each constant of the axis. With `negated` these are the cells on which every test is
    false; a test of constants of another type is null there, and then there is none.
    """
    last = 2 * len(places)
    spans: list[Span] = []
    for test in tests:
        if test.kind is kind:
            spans.extend(_spans(test, last, places))
        elif test.kind is None:
            spans.extend([(0, last)] if test.complement else [])
        elif negated:
            return []
    joined = _joined(spans)
    return _gaps(joined, last) if negated else joined


def _spans(test: ConstantTest, last: int, places: dict[Any, int]) -> list[Span]:
    first = 0
    if test.low is not None:
        first = 2 * places[test.low] + (1 if test.low_included else 2)
    final = last
    if test.high is not None:
        final = 2 * places[test.high] + (1 if test.high_included else 0)
    inside = [(first, final)] if first <= final else []
    return _gaps(inside, last) if test.complement else inside


def _joined(spans: list[Span]) -> list[Span]:
    made: list[Span] = []
    for first, final in sorted(spans):
        if made and first <= made[-1][1] + 1:
            made[-1] = (made[-1][0], max(final, made[-1][1]))
        else:
            made.append((first, final))
    return made


def _gaps(spans: list[Span], last: int) -> list[Span]:
    made: list[Span] = []
    start = 0
    for first, final in spans:
        if first > start:
            made.append((start, first - 1))
        start = final + 1
    if start <= last:
        made.append((start, last))
    return made
