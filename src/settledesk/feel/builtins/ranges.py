"""How two ranges, or a range and a point, lie to each other (DMN 1.5, table 78), and `range`.

A point is a range of one value.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from settledesk.feel.builtins.registry import BUILTINS, builtin
from settledesk.feel.errors import FeelError
from settledesk.feel.names import NameTable
from settledesk.feel.operators import order
from settledesk.feel.parser import Parser
from settledesk.feel.run import Run
from settledesk.feel.tree import Invoke, Literal, Name, Negate, Node, RangeLiteral
from settledesk.feel.values import Range


class _NoOrderError(Exception):
    """The ends cannot be compared; the diagnostic is already noted."""


def _as_range(value: Any) -> Range:
    if type(value) is Range:
        return value
    return Range(low=value, high=value, low_included=True, high_included=True)


def _ordered(left: Any, right: Any, run: Run) -> int:
    found: int | None = order(left, right, run)
    if found is None:
        raise _NoOrderError
    return found


def _before(one: Range, other: Range, run: Run) -> bool:
    found = _ordered(one.high, other.low, run)
    return found < 0 or (found == 0 and not (one.high_included and other.low_included))


def _meets(one: Range, other: Range, run: Run) -> bool:
    return one.high_included and other.low_included and _ordered(one.high, other.low, run) == 0


def _starts_no_later(one: Range, other: Range, run: Run) -> bool:
    found = _ordered(one.low, other.low, run)
    return found < 0 or (found == 0 and (one.low_included or not other.low_included))


def _ends_no_earlier(one: Range, other: Range, run: Run) -> bool:
    found = _ordered(one.high, other.high, run)
    return found > 0 or (found == 0 and (one.high_included or not other.high_included))


def _includes(one: Range, other: Range, run: Run) -> bool:
    return _starts_no_later(one, other, run) and _ends_no_earlier(one, other, run)


def _overlaps(one: Range, other: Range, run: Run) -> bool:
    return not _before(one, other, run) and not _before(other, one, run)


def _overlaps_before(one: Range, other: Range, run: Run) -> bool:
    strictly = not _starts_no_later(other, one, run)
    return strictly and _overlaps(one, other, run) and _ends_no_earlier(other, one, run)


def _overlaps_after(one: Range, other: Range, run: Run) -> bool:
    strictly = not _starts_no_later(one, other, run)
    return strictly and _overlaps(one, other, run) and _ends_no_earlier(one, other, run)


def _finishes(one: Range, other: Range, run: Run) -> bool:
    same_end = _ordered(one.high, other.high, run) == 0 and one.high_included == other.high_included
    return same_end and _includes(other, one, run)


def _starts(one: Range, other: Range, run: Run) -> bool:
    same_start = _ordered(one.low, other.low, run) == 0 and one.low_included == other.low_included
    return same_start and _includes(other, one, run)


def _coincides(one: Range, other: Range, run: Run) -> bool:
    return _includes(one, other, run) and _includes(other, one, run)


_RANGES = "range1: range, range2: range"
_POINTS = "point1: point, point2: point"
_POINT_RANGE = "point: point, range: range"
_RANGE_POINT = "range: range, point: point"


def _register(name: str, relation: Callable[[Range, Range, Run], bool], *signatures: str, turned: bool = False) -> None:
    def related(run: Run, one: Any, other: Any) -> Any:
        first, second = _as_range(one), _as_range(other)
        try:
            return relation(second, first, run) if turned else relation(first, second, run)
        except _NoOrderError:
            return None

    for signature in signatures:
        builtin(name, signature)(related)


_register("before", _before, _POINTS, _POINT_RANGE, _RANGE_POINT, _RANGES)
_register("after", _before, _POINTS, _POINT_RANGE, _RANGE_POINT, _RANGES, turned=True)
_register("meets", _meets, _RANGES)
_register("met by", _meets, _RANGES, turned=True)
_register("overlaps", _overlaps, _RANGES)
_register("overlaps before", _overlaps_before, _RANGES)
_register("overlaps after", _overlaps_after, _RANGES)
_register("finishes", _finishes, _POINT_RANGE, _RANGES)
_register("finished by", _finishes, _RANGE_POINT, _RANGES, turned=True)
_register("includes", _includes, _RANGE_POINT, _RANGES)
_register("during", _includes, _POINT_RANGE, _RANGES, turned=True)
_register("starts", _starts, _POINT_RANGE, _RANGES)
_register("started by", _starts, _RANGE_POINT, _RANGES, turned=True)
_register("coincides", _coincides, _POINTS, _RANGES)


_MAKERS = ("date", "time", "date and time", "duration")
"""Functions that may stand at an end of a range that is text, with one string as their argument."""


@builtin("range", "from: string")
def _range(run: Run, text: str) -> Any:
    place = run.place
    try:
        tree = Parser(text, NameTable(_MAKERS), NameTable(), run.limits).whole_expression()
    except FeelError as error:
        return run.note("argument", f"`{text[:80]}` is not a range: {error.message}", place)
    if not isinstance(tree, RangeLiteral) or tree.low is None or tree.high is None or tree.operator is not None:
        return run.note("argument", f"`{text[:80]}` is not a range with two ends", place)
    low, high = _end(tree.low, run, place), _end(tree.high, run, place)
    if low is None or high is None:
        return run.note("argument", f"an end of `{text[:80]}` is not a constant", place)
    found = order(low, high, run)
    if found is None or found > 0:
        return run.note("argument", f"the ends of `{text[:80]}` have no order", place)
    return Range(low=low, high=high, low_included=tree.low_included, high_included=tree.high_included)


def _end(node: Node, run: Run, place: int) -> Any:
    """Return the constant at an end, or `None`."""
    match node:
        case Literal():
            return node.value
        case Negate(operand=Literal(value=Decimal() as number)):
            return -number
        case Invoke(function=Name(name=name), arguments=(Literal(value=str() as text),), names=()):
            return BUILTINS[name].invoke(run, [text], (), place) if name in _MAKERS else None
    return None
