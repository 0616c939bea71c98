"""The values of FEEL as Python values, and how a caller's value becomes one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, TypeAlias

from settledesk.feel.errors import FeelError
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.tree import TypeExpression

NESTING_MAX = 100


@dataclass(frozen=True, slots=True, order=True)
class Months:
    """A years and months duration, in months."""

    total: int


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
    """

    parameters: tuple[str, ...]
    call: Callable[[Run, list[Any]], Any]
    types: "tuple[TypeExpression | None, ...]" = ()


FeelValue: TypeAlias = (
    bool
    | str
    | Decimal
    | date
    | datetime
    | time
    | timedelta
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
    date: "date",
    datetime: "date and time",
    time: "time",
    timedelta: "days and time duration",
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
    for kind in (str, Decimal, datetime, date, time, timedelta):
        if isinstance(value, kind):
            return value
    raise FeelError(f"a value of the Python type `{type(value).__name__}` has no counterpart in FEEL")


def number_text(number: Decimal) -> str:
    """Return the number without an exponent: `1E+2` is `100`."""
    return format(number, "f")
