"""Types as an expression names them, and whether a value is of one."""

from typing import Any

from settledesk.feel.tree import TypeExpression
from settledesk.feel.values import Range, type_name

_SYNONYMS = {
    "day time duration": "days and time duration",
    "dayTimeDuration": "days and time duration",
    "year month duration": "years and months duration",
    "yearMonthDuration": "years and months duration",
    "dateTime": "date and time",
}
BASE_TYPES = frozenset(
    (
        "any",
        "null",
        "number",
        "string",
        "boolean",
        "date",
        "time",
        "date and time",
        "days and time duration",
        "years and months duration",
        "list",
        "context",
        "range",
        "function",
    )
)


def base_name(name: str) -> str:
    """Return the standard name of a built-in type; `Any` is `any`."""
    return "any" if name in ("Any", "any") else _SYNONYMS.get(name, name)


def known_type(wanted: TypeExpression) -> bool:
    """Tell whether the type is built in, with all that it is made of."""
    inner = (*wanted.arguments, *(member for _, member in wanted.members))
    return base_name(wanted.name) in BASE_TYPES and all(known_type(part) for part in inner)


def is_instance(value: Any, wanted: TypeExpression) -> bool:
    """Tell whether the value is of the type. Null is of the type `null` alone."""
    name = base_name(wanted.name)
    if name == "any":
        return value is not None
    if type_name(value) != name:
        return False
    if name == "list" and wanted.arguments:
        return all(_accepts(item, wanted.arguments[0]) for item in value)
    if name == "context" and wanted.members:
        return all(key in value and _accepts(value[key], member) for key, member in wanted.members)
    if name == "range" and wanted.arguments:
        return _range_of(value, wanted.arguments[0])
    return True


def _accepts(value: Any, wanted: TypeExpression) -> bool:
    return base_name(wanted.name) == "any" or is_instance(value, wanted)


def _range_of(value: Range, wanted: TypeExpression) -> bool:
    ends = [end for end in (value.low, value.high) if end is not None]
    return bool(ends) and all(is_instance(end, wanted) for end in ends)
