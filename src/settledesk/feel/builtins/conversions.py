"""`string` and `number`."""

import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

import regex

from settledesk.feel import temporal
from settledesk.feel.builtins.registry import builtin
from settledesk.feel.names import IDENTIFIER, pieces
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.temporal import Date, Days, LocalDateTime, LocalTime, Months, ZonedDateTime, ZonedTime
from settledesk.feel.values import Range, number_text

_NUMBER = regex.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?")
_NESTING_MAX = 50


@builtin("string", "from: any")
def _string(run: Run, value: Any) -> Any:
    if value is None:
        return run.note("null", "null has no text")
    if type(value) is str:
        return value
    text = text_of(value, run)
    run.made_string(len(text))
    return text


def text_of(value: Any, run: Run, depth: int = 0) -> str:
    """Return how FEEL writes a value, also one that was handed to a caller; texts in a list or context are quoted."""
    run.spend()
    if depth > _NESTING_MAX:
        return "…"
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            run.made_string(len(value))
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case Decimal():
            text = number_text(value)
            run.made_string(len(text))
            return text
        case Date() | LocalDateTime() | ZonedDateTime() | LocalTime() | ZonedTime() | Days() | Months():
            return temporal.to_text(value)
        case list():
            return "[" + ", ".join(text_of(item, run, depth + 1) for item in value) + "]"
        case dict():
            run.made_string(sum(map(len, value)))
            entries = (f"{_key_text(key)}: {text_of(item, run, depth + 1)}" for key, item in value.items())
            return "{" + ", ".join(entries) + "}"
        case datetime.date() | datetime.time() | datetime.timedelta():
            return temporal.to_text(temporal.from_python(value))
        case Range():
            return _range_text(value, run, depth)
    return "function"


def _key_text(key: str) -> str:
    """Return a key as a context is written: as it is if it is a name, else in quotes."""
    named = IDENTIFIER.match(key) is not None and "".join(pieces(key)) == "".join(key.split())
    return key if named else '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _range_text(value: Range, run: Run, depth: int) -> str:
    if value.operator is not None:
        return f"({value.operator}{text_of(value.low, run, depth + 1)})"
    if value.low is None:
        return f"({'<=' if value.high_included else '<'} {text_of(value.high, run, depth + 1)})"
    if value.high is None:
        return f"({'>=' if value.low_included else '>'} {text_of(value.low, run, depth + 1)})"
    low, high = (text_of(end, run, depth + 1) for end in (value.low, value.high))
    return f"{'[' if value.low_included else '('}{low}..{high}{']' if value.high_included else ')'}"


@builtin("number", "from: string, grouping separator?: string?, decimal separator?: string?")
def _number(run: Run, text: str, grouping: str | None, point: str | None) -> Any:
    if grouping not in (None, " ", ",", ".") or point not in (None, ",", ".") or (grouping and grouping == point):
        return run.note("argument", "the separators of a number must be different and one of ` `, `,`, `.`")
    plain = text.replace(grouping, "") if grouping else text
    if point == ",":
        plain = plain.replace(",", ".")
    if len(plain) > 10_000 or _NUMBER.fullmatch(plain) is None:
        return run.note("argument", f"`{text[:80]}` is not a number")
    try:
        number = DECIMAL_CONTEXT.create_decimal(plain)
    except InvalidOperation:
        return run.note("argument", f"`{text[:80]}` is not a number")
    return number if number.is_finite() else run.note("arithmetic", "the number is too large")
