"""`settledesk table diff`: the classes of inputs whose outcome changes, each with one input that shows it."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from settledesk.cli.output import EXIT_BAD_NEWS, EXIT_FINE, WrongUseError, console, print_json
from settledesk.cli.table import to_json
from settledesk.decisions import Model, ModelError, load_model
from settledesk.verify.diff import Change, Comparison, Outcome, compare_models
from settledesk.verify.tables import input_text, value_text

SHOWN_MAX = 20
"""Changes of a decision that are printed for a person unless all are asked for."""
_WORDS = {"conflict": "conflict", "no_match": "no match", "wrong_type": "wrong type"}


def diff(old: Path, new: Path, *, decision: str | None, show_all: bool, as_json: bool) -> int:
    """Compare two files; exit code 1 if an outcome changes, or a decision is only in one of them."""
    before, after = _loaded(old), _loaded(new)
    try:
        found = compare_models(before, after, decision)
    except ModelError as error:
        raise WrongUseError(str(error)) from error
    if as_json:
        print_json(comparison_to_json(found))
    else:
        console().print("\n".join(_lines(found, show_all=show_all)), markup=False, soft_wrap=True)
    return EXIT_BAD_NEWS if found.differs else EXIT_FINE


def _loaded(file: Path) -> Model:
    if not file.is_file():
        raise WrongUseError(f"there is no file `{file}`")
    try:
        return load_model(file)
    except ModelError as error:
        raise WrongUseError(str(error)) from error


def comparison_to_json(found: Comparison) -> dict[str, Any]:
    """Return the comparison as `settledesk table diff --json` prints it."""
    return {
        "changes": [
            {
                "decision": change.decision,
                "where": change.where,
                "input": to_json(dict(change.input)),
                "old": to_json(change.old.value),
                "new": to_json(change.new.value),
                "old_rows": list(change.old.rows),
                "new_rows": list(change.new.rows),
                "old_findings": sorted(change.old.kinds),
                "new_findings": sorted(change.new.kinds),
                "tried": change.tried,
                "pasteable": change.pasteable,
            }
            for change in found.changes
        ],
        "complete": found.complete,
        "only_old": list(found.only_old),
        "only_new": list(found.only_new),
        "more": found.more,
        "notes": list(found.notes),
    }


def _lines(found: Comparison, *, show_all: bool) -> Iterator[str]:
    printed: Counter[str] = Counter()
    total = Counter(change.decision for change in found.changes)
    for change in found.changes:
        if not printed[change.decision]:
            yield f"{change.decision}:"
        printed[change.decision] += 1
        if show_all or printed[change.decision] <= SHOWN_MAX:
            yield from _change(change)
        elif printed[change.decision] == total[change.decision]:
            yield f"    and {total[change.decision] - SHOWN_MAX} more (--all shows them)"
    yield from (f"{name}: only in the old file" for name in found.only_old)
    yield from (f"{name}: only in the new file" for name in found.only_new)
    yield from (f"note: {note}" for note in found.notes)
    yield _conclusion(found)


def change_text(change: Change) -> str:
    """Return a change as `class: old -> new`."""
    where = f"such as {change.where}" if change.tried else change.where
    return f"{where}: {outcome_text(change.old)} -> {outcome_text(change.new)}"


def _change(change: Change) -> Iterator[str]:
    yield f"    {change_text(change)}"
    given = input_text(change.input) or "no input"
    yield f"        {'input' if change.pasteable else 'values of the columns'}: {given}"


def outcome_text(outcome: Outcome) -> str:
    """Return an outcome: the value, or what is in its place, and the rows that it rests on."""
    words = [_WORDS.get(kind, kind) for kind in sorted(outcome.kinds - {"missing_input"})]
    rows = outcome.rows[:5]
    named = f"{', '.join(rows)}{', …' if len(outcome.rows) > len(rows) else ''}"
    behind = f" (row{'s' if len(outcome.rows) > 1 else ''} {named})" if rows else ""
    if outcome.value is None and words:
        return f"{' and '.join(words)}{behind}"
    noted = f" with {' and '.join(words)}" if words else ""
    return f"{value_text(outcome.value)}{noted}{behind}"


def _conclusion(found: Comparison) -> str:
    count = len(found.changes)
    said = "no outcome changes" if not count else f"{count} class{'' if count == 1 else 'es'} of inputs change"
    if count == 1:
        said = "one class of inputs changes"
    ground = "proven over the declared domains" if found.complete else "sampled, there may be others"
    return f"{said} ({ground})"
