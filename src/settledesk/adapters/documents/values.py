"""Values as they stand in a document, turned into the text of a record; what is doubtful is refused, never guessed."""

from datetime import date
from decimal import Decimal

import regex

DIGITS_MAX = 18
"""Digits before the decimal point, and decimals, that an amount, price or quantity may have."""
TEXT_CHARACTERS_MAX = 100_000
CODE_CHARACTERS_MAX = 200

_DECIMAL = regex.compile(r"[+-]?(?:[0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18})(?:[eE][+-]?[0-9]{1,2})?")
_SEPARATED = regex.compile(r"[+-]?[0-9]+(?:[.,' \u00a0\u202f][0-9]+)+")
_DATE = regex.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME_ZONE = regex.compile(r"(?:Z|[+-][0-9]{2}:[0-9]{2})")
_CURRENCY = regex.compile(r"[A-Z]{3}")


class ValueRefusedError(ValueError):
    """A value cannot be taken over. The text is the reason, as one lower-case sentence."""


def decimal_of(text: str) -> Decimal:
    """Read a number with a decimal point; refuses NaN, infinities, huge exponents and separators of thousands."""
    stripped = text.strip()
    if _DECIMAL.fullmatch(stripped) is None:
        if _SEPARATED.fullmatch(stripped):
            raise ValueRefusedError(
                f"`{_short(text)}` is ambiguous as a number, write a decimal point and no separators of thousands"
            )
        raise ValueRefusedError(f"`{_short(text)}` is not a number that can be read exactly")
    number = Decimal(stripped)
    exponent = number.as_tuple().exponent
    if number.adjusted() >= DIGITS_MAX or (isinstance(exponent, int) and exponent < -DIGITS_MAX):
        raise ValueRefusedError(f"`{_short(text)}` has more than {DIGITS_MAX} digits on one side of the decimal point")
    return number


def decimal_text(number: Decimal) -> str:
    """Write a number as plain decimal text, with the decimals it has."""
    return format(number if number else abs(number), "f")


def canonical(number: Decimal) -> str:
    """Write a number so that equal numbers are equal text: `100.00` and `1E+2` are both `100`."""
    text = format(number, "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text) if number else "0"


def date_text(text: str) -> str:
    """Read an ISO date, with or without a time zone, and return it without."""
    stripped = text.strip()
    day = stripped[:10]
    if _DATE.fullmatch(day) is None or (stripped[10:] and _TIME_ZONE.fullmatch(stripped[10:]) is None):
        raise ValueRefusedError(f"`{_short(text)}` is not a date, write it as YYYY-MM-DD")
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError as error:
        raise ValueRefusedError(f"`{_short(text)}` is not a day of the calendar") from error


def currency_text(text: str) -> str:
    """Read a currency code: three capital letters."""
    if _CURRENCY.fullmatch(text.strip()) is None:
        raise ValueRefusedError(f"`{_short(text)}` is not a currency code of three capital letters")
    return text.strip()


def code_text(text: str) -> str:
    """Read a number, id or code: one line, without the space around it."""
    joined = " ".join(text.split())
    if not joined:
        raise ValueRefusedError("a number or code is blank")
    if len(joined) > CODE_CHARACTERS_MAX:
        raise ValueRefusedError(f"a number or code has more than {CODE_CHARACTERS_MAX} characters")
    return joined


def free_text(text: str) -> str | None:
    """Read text for people: white space collapsed, nothing if blank."""
    if len(text) > TEXT_CHARACTERS_MAX:
        raise ValueRefusedError(f"a text has more than {TEXT_CHARACTERS_MAX} characters")
    return " ".join(text.split()) or None


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
