"""Texts, attributes and numbers as dmn-js spells them in XML."""

from decimal import Decimal

import regex

_NUMBER = regex.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)\s*")
DIGITS_MAX = 15
"""Digits that a binary number holds for certain: a longer number is left as it is written."""

_BODY = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;", "\r": "&#13;"})
_ATTRIBUTE = str.maketrans(
    {"<": "&#60;", ">": "&#62;", "&": "&#38;", '"': "&#34;", "'": "&#39;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)


def body_text(text: str) -> str:
    """Return a text as it stands between tags."""
    return text.translate(_BODY)


def attribute_text(value: str) -> str:
    """Return a text as it stands in an attribute."""
    return value.translate(_ATTRIBUTE)


def number_text(value: str) -> str:
    """Return a number without the zeros and signs that say nothing; what is not a short decimal stays as it is."""
    if _NUMBER.fullmatch(value) is None or sum(sign.isdigit() for sign in value) > DIGITS_MAX:
        return value
    number = Decimal(value.strip())
    return f"{number.normalize():f}" if number else "0"
