"""How a value is written in the vectors, whichever engine gave it.

Texts stand in quotes, numbers without trailing zeros, dates, times and durations behind `@`; inside lists and contexts
they are texts, because an engine that answers in JSON tells no more. A range is `range`, a function `function`.
"""

import json
from decimal import Context, Decimal
from typing import Any

import regex

from settledesk.feel import FeelError, Function, Range, compile_expression
from settledesk.feel.builtins.conversions import text_of
from settledesk.feel.run import Run

_DURATION = regex.compile(r"-?P[0-9TDHMSY.]+")
DIGITS_MAX = 60
_WIDE = Context(prec=100, Emin=-999999, Emax=999999, traps=[])


def shown(value: Any) -> str:
    """Return how the vectors write a FEEL value of our engine."""
    if isinstance(value, list):
        return f"[{', '.join(map(_inner, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_quoted(str(key))}: {_inner(value[key])}' for key in sorted(value))}}}"
    if isinstance(value, Decimal):
        return number_text(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return _quoted(value)
    return type(value).__name__.lower() if isinstance(value, Range | Function) else f"@{text_of(value, Run())}"


def _inner(value: Any) -> str:
    """Return how a value is written inside a list or a context: as a text where JSON has no such value."""
    text = shown(value)
    if isinstance(value, Range | Function):
        return _quoted(text)
    return _quoted(text.removeprefix("@")) if text.startswith("@") else text


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def number_text(number: Decimal) -> str:
    """Return a number without trailing zeros; with an exponent if it would be long."""
    if not number.is_finite():
        return "null"
    plain = number.normalize(_WIDE)
    if not plain:
        return "0"
    exponent = plain.as_tuple().exponent
    assert isinstance(exponent, int)
    return f"{plain:f}" if abs(exponent) < DIGITS_MAX else str(plain)


def temporal_text(text: str) -> str:
    """Return a date, time or duration as our engine writes it, or the text itself where ours has no such value."""
    try:
        value = compile_expression(f"@{json.dumps(text)}").evaluate()
    except FeelError:
        return text
    return text if value is None else text_of(value, Run())


def nested_text(text: str) -> str:
    """Return a text inside a list or a context; one that is a duration in our engine's form."""
    return temporal_text(text) if _DURATION.fullmatch(text) else text


def from_json(value: Any) -> Any:
    """Return what another engine answered in JSON as a value that `shown` takes."""
    if isinstance(value, list):
        return [from_json(item) for item in value]
    if isinstance(value, dict):
        return {key: from_json(item) for key, item in value.items()}
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    return nested_text(value) if isinstance(value, str) else value
