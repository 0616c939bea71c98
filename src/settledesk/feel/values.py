"""The values of FEEL as Python values, and how a caller's value becomes one."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, TypeAlias

from settledesk.feel.errors import FeelError
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.temporal import (
    PYTHON_TYPES,
    Date,
    Days,
    LocalDateTime,
    LocalTime,
    Months,
    ZonedDateTime,
    ZonedTime,
    from_python,
    to_python,
)
from settledesk.feel.tree import TypeExpression

NESTING_MAX = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """A range. A bound of `None` is open: `(< 5)` has no `low`.

    `operator` is that of `(=5)` and `(!=5)`, whose bounds are the same value; `(!=5)` holds all but that value.
    """

    low: Any
    high: Any
    low_included: bool
    high_included: bool
    operator: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Function:
    """A function: the names of its parameters and what it does with as many values. Equal only to itself.

    `types` are the declared types of the parameters (`None` where there is none), empty if nothing is declared.
    `takes` tells whether a number of arguments fits, where it is not the number of the parameters that must be given.
    """

    parameters: tuple[str, ...]
    call: Callable[[Run, list[Any]], Any]
    types: "tuple[TypeExpression | None, ...]" = ()
    takes: Callable[[int], bool] | None = None


FeelValue: TypeAlias = (
    bool
    | str
    | Decimal
    | Date
    | LocalDateTime
    | ZonedDateTime
    | LocalTime
    | ZonedTime
    | Days
    | Months
    | Range
    | Function
    | list[Any]
    | dict[str, Any]
    | None
)

_TYPE_NAMES: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    str: "string",
    Decimal: "number",
    Date: "date",
    LocalDateTime: "date and time",
    ZonedDateTime: "date and time",
    LocalTime: "time",
    ZonedTime: "time",
    Days: "days and time duration",
    Months: "years and months duration",
    Range: "range",
    Function: "function",
    list: "list",
    dict: "context",
}
_PLAIN = frozenset(_TYPE_NAMES) - {list, dict, Decimal}


def type_name(value: Any) -> str:
    """Return the FEEL name of the value's type."""
    return _TYPE_NAMES.get(type(value), "unknown type")


def to_feel(value: Any, depth: int = 0) -> Any:
    """Turn a caller's value into a FEEL value: whole numbers and floats to `Decimal`, sequences to lists.

    A float is taken by its shortest text, so 0.1 is 0.1; not-a-number and infinity are null. Raises `FeelError` for a
    type that FEEL does not have.
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is Decimal:
        return value if value.is_finite() else None
    if kind in _PYTHON:
        return from_python(value)
    if depth > NESTING_MAX:
        raise FeelError(f"a value is nested more than {NESTING_MAX} levels deep")
    if kind is list or isinstance(value, tuple):
        return [to_feel(item, depth + 1) for item in value]
    if isinstance(value, Mapping):
        return {str(key): to_feel(item, depth + 1) for key, item in value.items()}
    return _from_subclass(value)


def _from_subclass(value: Any) -> Any:
    if isinstance(value, int):
        number = DECIMAL_CONTEXT.create_decimal(value)
        return number if number.is_finite() else None
    if isinstance(value, float):
        number = Decimal(repr(value))
        return number if number.is_finite() else None
    if isinstance(value, PYTHON_TYPES):
        return from_python(value)
    for kind in (str, Decimal):
        if isinstance(value, kind):
            return value
    raise FeelError(f"a value of the Python type `{type(value).__name__}` has no counterpart in FEEL")


def number_text(number: Decimal) -> str:
    """Return the number without an exponent: `1E+2` is `100`."""
    return format(number, "f")


_PYTHON = frozenset({date, datetime, time, timedelta})
_TEMPORAL = frozenset({Date, LocalDateTime, ZonedDateTime, LocalTime, ZonedTime, Days})
_NESTED = frozenset({list, dict, Range})
_CHANGED = _TEMPORAL | _NESTED


def from_feel(value: Any) -> Any:
    """Return a FEEL value for a Python caller: dates, times and durations as Python's own where these hold them.

    A year beyond 1 to 9999, nanoseconds and the like stay as FEEL has them. What holds nothing of the kind is returned
    as it is, and what several places share they share still: a value may be far larger written out than it is.
    """
    kind = type(value)
    if kind in _TEMPORAL:
        return to_python(value)
    return _nested_from_feel(value) if kind in _NESTED else value


def _nested_from_feel(root: Any) -> Any:
    """Convert without recursion: an evaluation may nest lists deeper than Python's stack reaches."""
    made: dict[int, Any] = {}
    path = [(root, _nested(root))]
    while path:
        value, rest = path[-1]
        for item in rest:
            if id(item) not in made:
                path.append((item, _nested(item)))
                break
        else:
            path.pop()
            made[id(value)] = _rebuilt(value, made)
    return made[id(root)]


def _nested(value: Any) -> Iterator[Any]:
    return (item for item in _parts(value) if type(item) in _NESTED)


def _parts(value: Any) -> Collection[Any]:
    if type(value) is Range:
        return (value.low, value.high)
    parts: Collection[Any] = value.values() if type(value) is dict else value
    return parts


def _rebuilt(value: Any, made: dict[int, Any]) -> Any:
    """Return the value with its parts converted, or the value itself if none of them is another then."""

    def part(item: Any) -> Any:
        return to_python(item) if type(item) in _TEMPORAL else made.get(id(item), item)

    if all(part(item) is item for item in _parts(value) if type(item) in _CHANGED):
        return value
    if type(value) is Range:
        return replace(value, low=part(value.low), high=part(value.high))
    if type(value) is dict:
        return {key: part(item) for key, item in value.items()}
    return [part(item) for item in value]
