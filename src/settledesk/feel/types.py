"""Types as an expression names them, and whether a value is of one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from settledesk.feel import temporal
from settledesk.feel.tree import TypeExpression
from settledesk.feel.values import Function, Range, type_name

_SYNONYMS = {
    "Null": "null",
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


def resolved(wanted: TypeExpression, named: Mapping[str, TypeExpression]) -> TypeExpression:
    """Replace the names of types that a model defines by what they stand for."""
    if wanted.name in named:
        return named[wanted.name]
    arguments = tuple(resolved(part, named) for part in wanted.arguments)
    members = tuple((key, resolved(part, named)) for key, part in wanted.members)
    return replace(wanted, arguments=arguments, members=members)


def known_type(wanted: TypeExpression) -> bool:
    """Tell whether the type is built in, with all that it is made of."""
    inner = (*wanted.arguments, *(member for _, member in wanted.members))
    return base_name(wanted.name) in BASE_TYPES and all(known_type(part) for part in inner)


def is_instance(value: Any, wanted: TypeExpression) -> bool:
    """Tell whether the value is of the type (DMN 1.5, table 45). Null is of the type `null` alone."""
    name = base_name(wanted.name)
    if name == "any":
        return value is not None
    if type_name(value) != name:
        return False
    match name:
        case "list" if wanted.arguments:
            return all(conforms(item, wanted.arguments[0]) for item in value)
        case "context" if wanted.members:
            return all(key in value and conforms(value[key], member) for key, member in wanted.members)
        case "range" if wanted.arguments:
            return _range_of(value, wanted.arguments[0])
        case "function" if wanted.arguments:
            return _takes(value, wanted.arguments[:-1])
    return True


def conforms(value: Any, wanted: TypeExpression) -> bool:
    """Tell whether the value may stand where the type is wanted: null may stand everywhere."""
    return value is None or base_name(wanted.name) == "any" or is_instance(value, wanted)


def coerced(value: Any, wanted: TypeExpression) -> tuple[bool, Any]:
    """Return whether the value can be made one of the type, and that value (DMN 1.5, 10.3.2.9.4).

    A list of one stands for its element, a value for a list of itself, and a date for the midnight it begins with.
    """
    if conforms(value, wanted):
        return True, value
    name = base_name(wanted.name)
    if name == "list":
        single = [value]
        return (True, single) if conforms(single, wanted) else (False, None)
    if type(value) is list and len(value) == 1 and conforms(value[0], wanted):
        return True, value[0]
    if name == "date and time" and type_name(value) == "date":
        return True, temporal.as_moment(value)
    return False, None


def _range_of(value: Range, wanted: TypeExpression) -> bool:
    ends = [end for end in (value.low, value.high) if end is not None]
    return bool(ends) and all(is_instance(end, wanted) for end in ends)


def _takes(function: Function, wanted: tuple[TypeExpression, ...]) -> bool:
    """Tell whether the function takes arguments of these types: each parameter takes at least what is wanted."""
    if len(function.parameters) != len(wanted):
        return False
    return all(
        declared is None or _covers(declared, one) for declared, one in zip(function.types, wanted, strict=False)
    )


def _covers(wide: TypeExpression, narrow: TypeExpression) -> bool:
    """Tell whether every value of the narrow type is one of the wide type."""
    if base_name(wide.name) == "any":
        return True
    if base_name(wide.name) != base_name(narrow.name):
        return False
    members = dict(narrow.members)
    return (
        len(wide.arguments) <= len(narrow.arguments)
        and all(_covers(one, other) for one, other in zip(wide.arguments, narrow.arguments, strict=False))
        and all(key in members and _covers(member, members[key]) for key, member in wide.members)
    )


def text_of_type(wanted: TypeExpression) -> str:
    """Return the type as an expression writes it."""
    if wanted.name == "function" and wanted.arguments:
        parameters = ", ".join(text_of_type(part) for part in wanted.arguments[:-1])
        return f"function<{parameters}> -> {text_of_type(wanted.arguments[-1])}"
    if wanted.arguments:
        return f"{wanted.name}<{', '.join(text_of_type(part) for part in wanted.arguments)}>"
    if wanted.members:
        return f"{wanted.name}<{', '.join(f'{key}: {text_of_type(part)}' for key, part in wanted.members)}>"
    return wanted.name
