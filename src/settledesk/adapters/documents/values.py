"""Values as they stand in a document, turned into the text of a record; what is doubtful is refused, never guessed."""

from datetime import date
from decimal import Decimal

import regex

from settledesk.facts import MoneyError, minor_unit_exponent

DIGITS_MAX = 18
"""Digits before the decimal point, and decimals, that an amount, price or quantity may have."""
TEXT_CHARACTERS_MAX = 100_000
CODE_CHARACTERS_MAX = 200
NUMBER_CHARACTERS_MAX = 100
SHOWN_CHARACTERS_MAX = 40
"""How much of what stands in a document an error text repeats."""
ID_CHARACTERS_MAX = 120

_DECIMAL = regex.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?")
_SEPARATED = regex.compile(r"[+-]?[0-9]+(?:[.,' \u00a0\u202f][0-9]+)+")
_DATE = regex.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME_ZONE = regex.compile(r"(?:Z|[+-][0-9]{2}:[0-9]{2})")
_CURRENCY = regex.compile(r"[A-Z]{3}")
_UNSHOWN = regex.compile(r"[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]")
"""Characters that a terminal obeys, that turn the direction of writing, or that nobody sees."""
_CONTROLS = regex.compile(r"\p{Cc}")
_KEY = regex.compile(rf"[\p{{L}}\p{{N}}./_#~\-]{{1,{ID_CHARACTERS_MAX}}}")


class ValueRefusedError(ValueError):
    """A value cannot be taken over. The text is the reason, as one lower-case sentence."""


def decimal_of(text: str) -> Decimal:
    """Read a number with a decimal point; refuses NaN, infinities, huge exponents and separators of thousands."""
    stripped = text.strip()
    if len(stripped) > NUMBER_CHARACTERS_MAX:
        raise ValueRefusedError(f"a number has more than {NUMBER_CHARACTERS_MAX} characters")
    if _DECIMAL.fullmatch(stripped) is None:
        if _SEPARATED.fullmatch(stripped):
            raise ValueRefusedError(
                f"`{shown(text)}` is ambiguous as a number, write a decimal point and no separators of thousands"
            )
        raise ValueRefusedError(f"`{shown(text)}` is not a number that can be read exactly")
    number = Decimal(stripped)
    exponent = number.as_tuple().exponent
    if number.adjusted() >= DIGITS_MAX:
        raise ValueRefusedError(f"`{shown(text)}` has more than {DIGITS_MAX} digits before the decimal point")
    if isinstance(exponent, int) and exponent < -DIGITS_MAX:
        raise ValueRefusedError(f"`{shown(text)}` has more than {DIGITS_MAX} decimals")
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
        raise ValueRefusedError(f"`{shown(text)}` is not a date, write it as YYYY-MM-DD")
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError as error:
        raise ValueRefusedError(f"`{shown(text)}` is not a day of the calendar") from error


def currency_text(text: str) -> str:
    """Read a currency code of ISO 4217: three capital letters that name a currency with a minor unit."""
    stripped = text.strip()
    if _CURRENCY.fullmatch(stripped) is None:
        raise ValueRefusedError(f"`{shown(text)}` is not a currency code of three capital letters")
    try:
        minor_unit_exponent(stripped)
    except MoneyError as error:
        raise ValueRefusedError(str(error)) from error
    return stripped


def id_text(text: str, kind: str) -> str:
    """Read the id of a record of that kind: `kind:key`, so that records of two kinds never claim one id."""
    prefix, _, key = text.partition(":")
    if prefix != kind or _KEY.fullmatch(key) is None:
        raise ValueRefusedError(
            f"`{shown(text)}` is not an id of this record, write `{kind}:` and at most {ID_CHARACTERS_MAX} letters, "
            "digits or `. / _ # - ~`"
        )
    return text


def code_text(text: str) -> str:
    """Read a number, id or code: one line, without the space around it."""
    joined = " ".join(text.split())
    if not joined:
        raise ValueRefusedError("a number or code is blank")
    if _CONTROLS.search(joined):
        raise ValueRefusedError(f"`{shown(joined)}` holds control characters, which no number or code has")
    if len(joined) > CODE_CHARACTERS_MAX:
        raise ValueRefusedError(f"a number or code has more than {CODE_CHARACTERS_MAX} characters")
    return joined


def free_text(text: str) -> str | None:
    """Read text for people: white space and control characters collapsed, nothing if blank."""
    if len(text) > TEXT_CHARACTERS_MAX:
        raise ValueRefusedError(f"a text has more than {TEXT_CHARACTERS_MAX} characters")
    return " ".join(_CONTROLS.sub(" ", text).split()) or None


def printable(text: str) -> str:
    """Return text from outside with everything that a terminal would obey or not show written as an escape."""
    return str(_UNSHOWN.sub(lambda found: ascii(found.group())[1:-1], text))


def shown(text: str) -> str:
    """Return the beginning of a text from outside as an error text may repeat it."""
    cut = text if len(text) <= SHOWN_CHARACTERS_MAX else f"{text[:SHOWN_CHARACTERS_MAX]}…"
    return printable(cut)
