"""Constants to text: how a value of FEEL is written, so that reading it gives the value again."""

from decimal import Decimal
from typing import Any

from settledesk.feel import temporal
from settledesk.feel.names import IDENTIFIER, KEYWORDS
from settledesk.feel.values import Function, Range, number_text

_SHORT_NUMBER = 40
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def text_literal(text: str) -> str:
    """Return a text as FEEL writes it: in quotes, with what cannot be seen as escapes."""
    return f'"{"".join(_escaped(character) for character in text)}"'


def _escaped(character: str) -> str:
    simple = _ESCAPES.get(character)
    if simple is not None:
        return simple
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:06X}"


def value_text(value: Any) -> str:
    """Return a value as FEEL writes it. A function, which no text can be read back as, is `function`."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return text_literal(value)
        case Decimal():
            return _number(value)
        case list():
            return f"[{', '.join(value_text(item) for item in value)}]"
        case dict():
            entries = (f"{_key_text(key)}: {value_text(item)}" for key, item in value.items())
            return f"{{{', '.join(entries)}}}"
        case Range():
            return _range_text(value)
        case Function():
            return "function"
    return f"@{text_literal(temporal.to_text(value))}"


def _key_text(key: str) -> str:
    return key if IDENTIFIER.fullmatch(key) and key not in KEYWORDS else text_literal(key)


def _number(value: Decimal) -> str:
    """Return the number, with an exponent where the digits would be many."""
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return number_text(value) if -_SHORT_NUMBER < exponent < _SHORT_NUMBER else str(value)


def _range_text(value: Range) -> str:
    if value.operator is not None:
        return f"({value.operator} {value_text(value.low)})"
    if value.low is None:
        return f"({'<=' if value.high_included else '<'} {value_text(value.high)})"
    if value.high is None:
        return f"({'>=' if value.low_included else '>'} {value_text(value.low)})"
    low, high = value_text(value.low), value_text(value.high)
    return f"{'[' if value.low_included else '('}{low}..{high}{']' if value.high_included else ')'}"
