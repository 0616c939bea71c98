"""How two ranges, or a range and a point, lie to each other (DMN 1.5, table 78). A point is a range of one value."""

from collections.abc import Callable
from typing import Any

from settledesk.feel.builtins.registry import builtin
from settledesk.feel.operators import order
from settledesk.feel.run import Run
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
    strictly = not _ends_no_earlier(other, one, run)
    return strictly and _overlaps(one, other, run) and _starts_no_later(other, one, run)


def _finishes(one: Range, other: Range, run: Run) -> bool:
    same_end = _ordered(one.high, other.high, run) == 0 and one.high_included == other.high_included
    return same_end and _includes(other, one, run)


def _starts(one: Range, other: Range, run: Run) -> bool:
    same_start = _ordered(one.low, other.low, run) == 0 and one.low_included == other.low_included
    return same_start and _includes(other, one, run)


def _coincides(one: Range, other: Range, run: Run) -> bool:
    return _includes(one, other, run) and _includes(other, one, run)


def _register(name: str, relation: Callable[[Range, Range, Run], bool], *, turned: bool = False) -> None:
    def related(run: Run, one: Any, other: Any) -> Any:
        if one is None or other is None:
            return run.note("null", f"`{name}` needs two values")
        first, second = _as_range(one), _as_range(other)
        try:
            return relation(second, first, run) if turned else relation(first, second, run)
        except _NoOrderError:
            return None

    builtin(name, "range1: any, range2: any")(related)


_register("before", _before)
_register("after", _before, turned=True)
_register("meets", _meets)
_register("met by", _meets, turned=True)
_register("includes", _includes)
_register("during", _includes, turned=True)
_register("overlaps", _overlaps)
_register("overlaps before", _overlaps_before)
_register("overlaps after", _overlaps_after)
_register("finishes", _finishes)
_register("finished by", _finishes, turned=True)
_register("starts", _starts)
_register("started by", _starts, turned=True)
_register("coincides", _coincides)
