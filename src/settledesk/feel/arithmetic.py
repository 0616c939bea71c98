"""`+ - * / **` over all pairs of types that have them. The evaluation's decimal context is set by the caller."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from settledesk.feel import temporal
from settledesk.feel.errors import FeelLimitError
from settledesk.feel.run import Run
from settledesk.feel.temporal import Days, Months
from settledesk.feel.values import type_name

_LENGTHS = (Days, Months)


def add(left: Any, right: Any, run: Run, position: int) -> Any:
    """Sum of numbers, of strings, of durations of one kind, or of a date or time and a duration."""
    kinds = (type(left), type(right))
    if kinds == (Decimal, Decimal):
        return _finite(left + right, run, position)
    if kinds == (str, str):
        run.made_string(len(left) + len(right))
        return left + right
    if kinds[0] in temporal.MOMENTS and kinds[1] in _LENGTHS:
        return _moved(left, right, 1, run, position)
    if kinds[1] in temporal.MOMENTS and kinds[0] in _LENGTHS:
        return _moved(right, left, 1, run, position)
    if kinds == (Days, Days):
        return _days(left.nanoseconds + right.nanoseconds, run, position)
    if kinds == (Months, Months):
        return _months(Decimal(left.total + right.total), run, position)
    return _refuse("added to", left, right, run, position)


def subtract(left: Any, right: Any, run: Run, position: int) -> Any:
    """Difference of numbers, of durations, of two dates or times, or a date or time moved back."""
    kinds = (type(left), type(right))
    if kinds == (Decimal, Decimal):
        return _finite(left - right, run, position)
    if kinds[0] in temporal.MOMENTS and kinds[1] in _LENGTHS:
        return _moved(left, right, -1, run, position)
    if kinds[0] in temporal.MOMENTS and kinds[1] in temporal.MOMENTS:
        if (kinds[0] in temporal.TIMES) != (kinds[1] in temporal.TIMES):
            return _refuse("subtracted with", left, right, run, position)
        apart = temporal.difference(left, right)
        return apart if apart is not None else run.note("arithmetic", "only one of two times has a zone", position)
    if kinds == (Days, Days):
        return _days(left.nanoseconds - right.nanoseconds, run, position)
    if kinds == (Months, Months):
        return _months(Decimal(left.total - right.total), run, position)
    return _refuse("subtracted with", left, right, run, position)


def multiply(left: Any, right: Any, run: Run, position: int) -> Any:
    """Product of numbers, or of a number and a duration."""
    kinds = (type(left), type(right))
    if kinds == (Decimal, Decimal):
        return _finite(left * right, run, position)
    if kinds[0] is Decimal:
        left, right, kinds = right, left, (kinds[1], kinds[0])
    if kinds == (Days, Decimal):
        return _seconds(temporal.seconds_of(left) * right, run, position)
    if kinds == (Months, Decimal):
        return _months(left.total * right, run, position)
    return _refuse("multiplied with", left, right, run, position)


def divide(left: Any, right: Any, run: Run, position: int) -> Any:
    """Quotient of numbers, of durations of one kind (a number), or of a duration and a number."""
    kinds = (type(left), type(right))
    if left is None or right is None:
        return _refuse("divided by", left, right, run, position)
    divisor = _size(right)
    if divisor is None or (kinds[0] is not kinds[1] and kinds[1] is not Decimal):
        return _refuse("divided by", left, right, run, position)
    if not divisor:
        return run.note("arithmetic", "a number cannot be divided by zero", position)
    if kinds[0] is kinds[1]:
        return _finite((_size(left) or Decimal(0)) / divisor, run, position)
    if kinds[0] is Days:
        return _seconds(temporal.seconds_of(left) / divisor, run, position)
    if kinds[0] is Months:
        return _months(left.total / divisor, run, position)
    return _refuse("divided by", left, right, run, position)


_POWER_STEPS = 150
"""What a power with a fraction as its exponent takes, beside a product."""


def power(left: Any, right: Any, run: Run, position: int) -> Any:
    """A number to the power of a number."""
    if type(left) is not Decimal or type(right) is not Decimal:
        return _refuse("raised to the power of", left, right, run, position)
    if abs(right) > run.limits.exponent_max:
        raise FeelLimitError("exponent_max", f"an exponent may be at most {run.limits.exponent_max}")
    run.spend(_POWER_STEPS if right.as_tuple().exponent else 1)
    # IEEE 754, 9.2.1: anything to the power of zero is one, which `decimal` leaves undefined for zero itself.
    return _finite(left**right if right else Decimal(1), run, position)


ARITHMETIC: dict[str, Callable[[Any, Any, Run, int], Any]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "**": power,
}


def _finite(number: Decimal, run: Run, position: int) -> Any:
    if number.is_finite():
        return number
    return run.note("arithmetic", "the result is not a number that can be represented", position)


def _refuse(verb: str, left: Any, right: Any, run: Run, position: int) -> Any:
    if left is None or right is None:
        return run.note("null", f"null cannot be {verb} another value", position)
    return run.note("type", f"a {type_name(left)} cannot be {verb} a {type_name(right)}", position)


def _size(value: Any) -> Decimal | None:
    match value:
        case Decimal():
            return value
        case Days():
            return temporal.seconds_of(value)
        case Months():
            return Decimal(value.total)
    return None


def _moved(moment: Any, length: Any, sign: int, run: Run, position: int) -> Any:
    if type(length) is Days:
        moved = temporal.add_days(moment, Days(length.nanoseconds * sign))
    elif type(moment) in temporal.TIMES:
        return _refuse("moved by", moment, length, run, position)
    else:
        moved = temporal.add_months(moment, length.total * sign)
    return moved if moved is not None else run.note("arithmetic", "the date is out of range", position)


def _seconds(seconds: Decimal, run: Run, position: int) -> Any:
    length = temporal.from_seconds(seconds) if seconds.is_finite() else None
    return length if length is not None else run.note("arithmetic", "the duration is out of range", position)


def _days(nanoseconds: int, run: Run, position: int) -> Any:
    length = temporal.make_days(nanoseconds)
    return length if length is not None else run.note("arithmetic", "the duration is out of range", position)


def _months(total: Decimal, run: Run, position: int) -> Any:
    if not total.is_finite() or abs(total) > temporal.MONTHS_MAX:
        return run.note("arithmetic", "the duration is out of range", position)
    return Months(int(total))
