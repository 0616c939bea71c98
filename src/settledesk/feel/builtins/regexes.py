"""`matches`, `replace` and `split`: XPath regular expressions, run by `regex` with a time-out."""

from functools import lru_cache
from typing import Any

import regex

from settledesk.feel.builtins.registry import builtin
from settledesk.feel.errors import FeelLimitError
from settledesk.feel.run import Run

PATTERN_MAX = 1000
_FLAGS = {"s": regex.DOTALL, "m": regex.MULTILINE, "i": regex.IGNORECASE, "x": regex.VERBOSE}
_NAME_START = r"\p{L}_:"
_NAME_PART = r"\p{L}\p{N}\p{M}_:.\-·"
_CLASSES = {"i": f"[{_NAME_START}]", "I": f"[^{_NAME_START}]", "c": f"[{_NAME_PART}]", "C": f"[^{_NAME_PART}]"}
_IN_CLASS = {"i": _NAME_START, "c": _NAME_PART}
_GROUP = regex.compile(r"\\\\|\\\$|\$([0-9]+)")
_REPETITION_MAX = 1000


@lru_cache(maxsize=256)
def _compiled(pattern: str, flags: str) -> "regex.Pattern[str]":
    """Compile; raises `regex.error` or `ValueError` for a pattern or flags that are not XPath's."""
    if len(pattern) > PATTERN_MAX or set(flags) - set("smixq"):
        raise ValueError(pattern)
    options = regex.VERSION1
    for flag in flags:
        options |= _FLAGS.get(flag, regex.VERSION1)
    return regex.compile(regex.escape(pattern) if "q" in flags else _translate(pattern), options)


def _translate(pattern: str) -> str:
    """Write the pattern as `regex` reads it: class subtraction has two dashes, and set operators are escaped."""
    for found in regex.finditer(r"\{([0-9]+)(?:,([0-9]*))?\}", pattern):
        if any(len(number) > 4 or int(number) > _REPETITION_MAX for number in found.groups() if number):
            raise ValueError(pattern)
    if regex.search(r"\(\?(?!:)", pattern):
        raise ValueError(pattern)
    made: list[str] = []
    depth = index = 0
    while index < len(pattern):
        piece, depth, width = _piece(pattern, index, depth)
        made.append(piece)
        index += width
    return "".join(made)


def _piece(pattern: str, index: int, depth: int) -> tuple[str, int, int]:
    character = pattern[index]
    if character == "\\":
        escaped = pattern[index + 1 : index + 2]
        table = _IN_CLASS if depth else _CLASSES
        return table.get(escaped, character + escaped), depth, 2
    if not depth:
        return character, int(character == "["), 1
    if pattern.startswith("-[", index):
        return "--[", depth + 1, 2
    if character == "]":
        return character, depth - 1, 1
    if character == "[" or (character in "&|~-" and pattern[index + 1 : index + 2] == character):
        return "\\" + character, depth, 1
    return character, depth, 1


def _prepared(run: Run, pattern: str, flags: str | None) -> Any:
    try:
        return _compiled(pattern, flags or "")
    except (regex.error, ValueError, OverflowError, RecursionError):
        return run.note("regex", f"`{pattern[:80]}` with the flags `{flags or ''}` is not a regular expression")


def _timed_out() -> FeelLimitError:
    return FeelLimitError("regex_time_s", "a regular expression takes too long")


@builtin("matches", "input: string, pattern: string, flags?: string")
def _matches(run: Run, text: str, pattern: str, flags: str | None) -> Any:
    prepared = _prepared(run, pattern, flags)
    if prepared is None:
        return None
    try:
        return prepared.search(text, timeout=run.regex_timeout_s()) is not None
    except TimeoutError as error:
        raise _timed_out() from error


@builtin("replace", "input: string, pattern: string, replacement: string, flags?: string")
def _replace(run: Run, text: str, pattern: str, replacement: str, flags: str | None) -> Any:
    prepared = _prepared(run, pattern, flags)
    if prepared is None:
        return None
    budget = run.limits.string_max

    def inserted(found: "regex.Match[str]") -> str:
        nonlocal budget
        made = replacement if "q" in (flags or "") else _GROUP.sub(lambda mark: _group(mark, found), replacement)
        budget -= len(made)
        if budget < 0:
            run.made_string(run.limits.string_max + 1)
        return made

    try:
        return prepared.sub(inserted, text, timeout=run.regex_timeout_s())
    except TimeoutError as error:
        raise _timed_out() from error


def _group(mark: "regex.Match[str]", found: "regex.Match[str]") -> str:
    """Return the text of a group; of `$12` only as many digits count as there are groups."""
    digits = mark.group(1)
    if digits is None:
        return str(mark.group()[1])
    groups = found.re.groups
    used = digits[:3]
    while len(used) > 1 and int(used) > groups:
        used = used[:-1]
    text = found.group(int(used)) if int(used) <= groups else ""
    return f"{text or ''}{digits[len(used) :]}"


@builtin("split", "string: string, delimiter: string")
def _split(run: Run, text: str, delimiter: str) -> Any:
    prepared = _prepared(run, delimiter, None)
    if prepared is None:
        return None
    try:
        parts = prepared.split(text, timeout=run.regex_timeout_s())
    except TimeoutError as error:
        raise _timed_out() from error
    run.made_list(len(parts))
    return [part for part in parts if part is not None]
