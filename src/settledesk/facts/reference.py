"""The shape of a reference: what an outsider wrote is shown only if it looks like a document number or item code."""

import hashlib

import regex

_SHAPE = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}./_#\-]{0,31}")
_SPACED = regex.compile(
    r"(\p{L}{1,5}|[\p{L}./_#\-]*\p{N}[\p{L}\p{N}./_#\-]*)( ([./_#\-]|[\p{L}./_#\-]*\p{N}[\p{L}\p{N}./_#\-]*)){1,2}"
)


_ADDRESS = regex.compile(r"[\w.+\-]{1,64}@[a-zA-Z0-9\-]{1,63}(\.[a-zA-Z0-9\-]{1,63}){1,4}")


def is_address(text: str) -> bool:
    """Tell whether `text` is exactly one plain mail address: no list, no name, no line break."""
    return _ADDRESS.fullmatch(text) is not None


def is_reference(text: str) -> bool:
    """Tell whether `text` is shaped as a reference: 1 to 32 letters, digits and `. / _ # -`, no spaces."""
    return _SHAPE.fullmatch(text) is not None


def display_reference(text: str) -> str:
    """Return `text` if a person may see it as a reference, else a fixed note with a short hash to tell two apart.

    People also see document numbers with up to two single spaces whose parts carry digits ("018304 / 28865",
    "INV 1"); a sentence never fits.
    """
    if is_reference(text) or (len(text) <= 32 and _SPACED.fullmatch(text)):
        return text
    return f"(withheld {hashlib.sha256(text.encode()).hexdigest()[:8]})"
