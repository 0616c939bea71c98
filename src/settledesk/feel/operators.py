"""What the operators do with two values. An error is null with a diagnostic; only `FeelLimitError` is raised."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from settledesk.feel import temporal
from settledesk.feel.run import Run
from settledesk.feel.temporal import Days, Months
from settledesk.feel.values import Function, Range, type_name

_ORDERED = (Decimal, str, *temporal.MOMENTS, Days, Months)


def equal(left: Any, right: Any, run: Run) -> Any:
    """Compare for equality; null equals null alone, unlike types are null with a diagnostic."""
    if left is None or right is None:
        return left is right
    kind = type(left)
    if kind is not type(right):
        # A local and a zoned time are two of FEEL's values of one type.
        return False if type_name(left) == type_name(right) else _unlike(left, right, run)
    if kind is list:
        return _equal_lists(left, right, run)
    if kind is dict:
        if left.keys() != right.keys():
            return False
        return _equal_lists(list(left.values()), [right[key] for key in left], run)
    if kind is Function:
        return left is right
    if kind is Range:
        return _equal_ranges(left, right, run)
    return bool(left == right)


def _unlike(left: Any, right: Any, run: Run) -> Any:
    return run.note("type", f"a {type_name(left)} cannot be compared with a {type_name(right)}")


def _equal_ranges(left: Range, right: Range, run: Run) -> bool | None:
    if (left.low_included, left.high_included) != (right.low_included, right.high_included):
        return False
    if left.operator != right.operator:
        return False
    return _equal_lists([left.low, left.high], [right.low, right.high], run)


def _equal_lists(left: list[Any], right: list[Any], run: Run) -> bool | None:
    if len(left) != len(right):
        return False
    run.spend(len(left))
    unknown = False
    for one, other in zip(left, right, strict=True):
        same = equal(one, other, run)
        if same is False:
            return False
        unknown = unknown or same is None
    return None if unknown else True


def order(left: Any, right: Any, run: Run) -> Any:
    """Return -1, 0 or 1; null if either is null, if the types differ, or if the type has no order."""
    if left is None or right is None:
        return _note_null(run)
    if type(left) is not type(right):
        left, right = temporal.in_one_zone(left, right)
    if type(left) is not type(right) or type(left) not in _ORDERED:
        return _unlike(left, right, run)
    return (left > right) - (left < right)


def _note_null(run: Run) -> Any:
    return run.note("null", "null has no order")


def less(left: Any, right: Any, run: Run) -> bool | None:
    """`left < right`."""
    if type(left) is Decimal and type(right) is Decimal:
        return left < right
    found = order(left, right, run)
    return None if found is None else found < 0


def less_or_equal(left: Any, right: Any, run: Run) -> bool | None:
    """`left <= right`."""
    if type(left) is Decimal and type(right) is Decimal:
        return left <= right
    found = order(left, right, run)
    return None if found is None else found <= 0


def greater(left: Any, right: Any, run: Run) -> bool | None:
    """`left > right`."""
    return less(right, left, run)


def greater_or_equal(left: Any, right: Any, run: Run) -> bool | None:
    """`left >= right`."""
    return less_or_equal(right, left, run)


def not_equal(left: Any, right: Any, run: Run) -> bool | None:
    """`left != right`."""
    same = equal(left, right, run)
    return None if same is None else not same


COMPARISONS: dict[str, Callable[[Any, Any, Run], bool | None]] = {
    "=": equal,
    "!=": not_equal,
    "<": less,
    "<=": less_or_equal,
    ">": greater,
    ">=": greater_or_equal,
}


def in_range(value: Any, bounds: Range, run: Run) -> Any:
    """Tell whether the value lies within; null if it cannot be compared with the bounds."""
    if bounds.operator == "!=":
        return not_equal(value, bounds.low, run)
    if bounds.low is not None:
        above = less_or_equal(bounds.low, value, run) if bounds.low_included else less(bounds.low, value, run)
        if above is not True:
            return above
    if bounds.high is None:
        return True if bounds.low is not None else run.note("null", "a range has no ends")
    return less_or_equal(value, bounds.high, run) if bounds.high_included else less(value, bounds.high, run)


def belongs(value: Any, test: Any, run: Run) -> Any:
    """Tell whether the value meets a test that is itself a value: a range, a list, or something to be equal to."""
    if type(test) is Range and type(value) is not Range:
        return in_range(value, test, run)
    if type(test) is list:
        run.spend(len(test))
        return _equals_list(value, test, run) or any_of([_meets_element(value, element, run) for element in test])
    return equal(value, test, run)


def belongs_by_letter(value: Any, test: Any, run: Run) -> Any:
    """As `belongs`, but a list is searched as `list contains` does: what is of another type is not in it."""
    if type(test) is not list:
        return belongs(value, test, run)
    noted = len(run.diagnostics)
    found = belongs(value, test, run) is True
    del run.diagnostics[noted:]
    return found


def _meets_element(value: Any, element: Any, run: Run) -> Any:
    if type(element) is Range and type(value) is not Range:
        return in_range(value, element, run)
    return equal(value, element, run)


def _equals_list(value: Any, tests: list[Any], run: Run) -> bool:
    if type(value) is not list:
        return False
    noted = len(run.diagnostics)
    same = equal(value, tests, run)
    del run.diagnostics[noted:]
    return same is True


def any_of(results: list[bool | None]) -> bool | None:
    """Three-valued or."""
    if True in results:
        return True
    return None if None in results else False


def negate(value: Any, run: Run, position: int) -> Any:
    """`-value`."""
    kind = type(value)
    if kind is Decimal:
        return -value
    if kind is Days:
        return Days(-value.nanoseconds)
    if kind is Months:
        return Months(-value.total)
    if value is None:
        return run.note("null", "null cannot be negated", position)
    return run.note("type", f"a {type_name(value)} cannot be negated", position)
