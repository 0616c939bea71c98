"""Normal forms of document numbers and names, so that one number written in several ways is recognised as one."""

import unicodedata
from functools import lru_cache

import regex

_RUNS = regex.compile(r"\p{Nd}+|\p{L}+")
_DIGITS = regex.compile(r"\p{Nd}+")
_NUMERO = regex.compile(r"№|\bno\b\.?", regex.IGNORECASE)
_LOOK_ALIKES = str.maketrans({"l": "1", "i": "1", "|": "1", "!": "1", "o": "0", "s": "5", "b": "8", "z": "2"})
_LEGAL_FORMS = frozenset(
    {
        "ag",
        "bv",
        "co",
        "corp",
        "corporation",
        "company",
        "gmbh",
        "inc",
        "incorporated",
        "kg",
        "limited",
        "llc",
        "llp",
        "ltd",
        "nv",
        "oy",
        "plc",
        "sa",
        "sarl",
        "sas",
        "se",
        "spa",
        "srl",
    }
)
DIGITS_MIN = 3
"""A number with fewer digits than this is too common to be compared by its digits alone."""


@lru_cache(maxsize=65_536)
def number_key(text: str) -> str:
    """Return the normal form of a document number, empty only for a text without letters and digits.

    NFKC and case folded; runs of letters and of digits joined by `-`, leading zeros of each run of digits dropped:
    `INV-1`, `INV 1` and `INV1` are one, `003411` is `3411`, and `12-3` is not `1-23`. A look-alike letter stays itself.
    """
    # The numero sign would fold to the letters "no" and become part of the number.
    folded = unicodedata.normalize("NFKC", text.replace("№", " ")).casefold()
    return "-".join(_plain_run(run) for run in _RUNS.findall(folded))


@lru_cache(maxsize=65_536)
def look_alike_key(text: str) -> str:
    """Return a coarser form in which look-alike characters are one (`lNV-001` and `INV-001`): only ever a suspicion."""
    folded = unicodedata.normalize("NFKC", _NUMERO.sub(" ", text)).casefold().translate(_LOOK_ALIKES)
    return "".join(_plain_run(run) for run in _RUNS.findall(folded))


@lru_cache(maxsize=65_536)
def digits_key(text: str) -> str:
    """Return all digits of a number without leading zeros, or an empty text if there are too few to compare by."""
    digits = "".join(_DIGITS.findall(unicodedata.normalize("NFKC", text)))
    return _plain_run(digits) if len(digits) >= DIGITS_MIN else ""


@lru_cache(maxsize=65_536)
def name_key(text: str) -> str:
    """Return the normal form of a company's name: folded, without punctuation, accents and the legal form."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    words = _RUNS.findall("".join(char for char in folded if not unicodedata.combining(char) and char != "."))
    kept = [word for word in words if word not in _LEGAL_FORMS]
    return " ".join(kept or words)


def _plain_run(run: str) -> str:
    # `int` reads the decimal digits of every script, so that full-width digits are digits.
    return (run.lstrip("0") or "0") if run.isdecimal() and run.isascii() else _foreign_run(run)


def _foreign_run(run: str) -> str:
    return "".join(str(unicodedata.decimal(char)) for char in run).lstrip("0") or "0" if run.isdecimal() else run
