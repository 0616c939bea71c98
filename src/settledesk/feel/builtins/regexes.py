"""`matches`, `replace` and `split`: XPath regular expressions, run by `regex` with a time-out."""

from typing import Any

import regex

from settledesk.feel.builtins.registry import builtin
from settledesk.feel.builtins.xpath import PatternError, compiled
from settledesk.feel.errors import FeelLimitError
from settledesk.feel.run import Run

_REPLACEMENT = regex.compile(r"(?:[^\\$]|\\\\|\\\$|\$[0-9])*+")
_MARK = regex.compile(r"\\\\|\\\$|\$([0-9]+)")


def _prepared(run: Run, pattern: str, flags: str | None) -> Any:
    run.spend(4 * len(pattern))
    try:
        return compiled(pattern, flags or "")
    except PatternError as error:
        return run.note("regex", f"`{pattern[:80]}` is not a regular expression: {error}")


def _timed_out(run: Run) -> FeelLimitError:
    return FeelLimitError("regex_time_s", f"a regular expression takes more than {run.limits.regex_time_s} seconds")


def _matches_nothing(run: Run, prepared: "regex.Pattern[str]", pattern: str) -> bool:
    """Tell whether the pattern matches the empty text, of which there would be endlessly many, and note it."""
    if prepared.search("", timeout=run.regex_timeout_s()) is None:
        return False
    run.note("regex", f"`{pattern[:80]}` matches the empty text")
    return True


@builtin("matches", "input: string, pattern: string, flags?: string?")
def _matches(run: Run, text: str, pattern: str, flags: str | None) -> Any:
    prepared = _prepared(run, pattern, flags)
    if prepared is None:
        return None
    try:
        return prepared.search(text, timeout=run.regex_timeout_s()) is not None
    except TimeoutError as error:
        raise _timed_out(run) from error


@builtin("replace", "input: string, pattern: string, replacement: string, flags?: string?")
def _replace(run: Run, text: str, pattern: str, replacement: str, flags: str | None) -> Any:
    prepared = _prepared(run, pattern, flags)
    if prepared is None:
        return None
    literal = "q" in (flags or "")
    if not literal and _REPLACEMENT.fullmatch(replacement) is None:
        return run.note("regex", "in a replacement a `$` names a group, and a `\\` stands before a `$` or a `\\`")
    budget = run.limits.string_max

    def inserted(found: "regex.Match[str]") -> str:
        nonlocal budget
        made = replacement if literal else _MARK.sub(lambda mark: _group(mark, found), replacement)
        budget -= len(made)
        if budget < 0:
            run.made_string(run.limits.string_max + 1)
        return made

    try:
        if _matches_nothing(run, prepared, pattern):
            return None
        replaced = prepared.sub(inserted, text, timeout=run.regex_timeout_s())
    except TimeoutError as error:
        raise _timed_out(run) from error
    run.made_string(len(replaced))
    return replaced


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
    made: list[str] = []
    start = 0
    try:
        if _matches_nothing(run, prepared, delimiter):
            return None
        for found in prepared.finditer(text, timeout=run.regex_timeout_s()):
            if found.end() > found.start():
                made.append(text[start : found.start()])
                start = found.end()
    except TimeoutError as error:
        raise _timed_out(run) from error
    run.made_string(len(text))
    run.made_list(len(made) + 1)
    return [*made, text[start:]]
