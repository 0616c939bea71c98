"""Functions over strings. Positions count characters from 1, or from the end if negative."""

from decimal import Decimal
from typing import Any

from settledesk.feel.builtins.positions import part_of
from settledesk.feel.builtins.registry import builtin
from settledesk.feel.run import Run
from settledesk.feel.values import type_name


@builtin("string length", "string: string")
def _length(_run: Run, string: str) -> Decimal:
    return Decimal(len(string))


@builtin("substring", "string: string, start position: number, length?: number")
def _substring(run: Run, string: str, start: Decimal, length: Decimal | None) -> Any:
    part = part_of(len(string), start, length)
    if part is None:
        return run.note("argument", f"a string of {len(string)} characters has no such part")
    run.made_string(part.stop - part.start)
    return string[part]


@builtin("substring before", "string: string, match: string")
def _before(run: Run, string: str, match: str) -> str:
    run.made_string(len(string))
    return string.partition(match)[0] if match and match in string else ""


@builtin("substring after", "string: string, match: string")
def _after(run: Run, string: str, match: str) -> str:
    run.made_string(len(string))
    if not match:
        return string
    return string.partition(match)[2]


@builtin("upper case", "string: string")
def _upper(run: Run, string: str) -> str:
    run.made_string(len(string))
    return string.upper()


@builtin("lower case", "string: string")
def _lower(run: Run, string: str) -> str:
    run.made_string(len(string))
    return string.lower()


@builtin("contains", "string: string, match: string")
def _contains(run: Run, string: str, match: str) -> bool:
    run.made_string(len(string))
    return match in string


@builtin("starts with", "string: string, match: string")
def _starts(_run: Run, string: str, match: str) -> bool:
    return string.startswith(match)


@builtin("ends with", "string: string, match: string")
def _ends(_run: Run, string: str, match: str) -> bool:
    return string.endswith(match)


@builtin("string join", "list: list, delimiter?: string?")
def _join(run: Run, items: list[Any], delimiter: str | None) -> Any:
    run.spend(len(items))
    for item in items:
        if item is not None and type(item) is not str:
            return run.note("argument", f"only strings can be joined, not a {type_name(item)}")
    texts = [item for item in items if item is not None]
    between = delimiter or ""
    run.made_string(sum(map(len, texts)) + len(between) * len(texts))
    return between.join(texts)
