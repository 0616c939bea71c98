"""`settledesk tck`: run a folder in the layout of the DMN conformance kit and count what passes."""

from pathlib import Path

from rich import box
from rich.table import Table

from settledesk.cli.output import EXIT_BAD_NEWS, EXIT_FINE, WrongUseError, console, print_json, say
from settledesk.conformance import KitReport, Ratchet, Verdict, run_kit
from settledesk.conformance.report import LevelFigures

SHOWN_MAX = 40
"""Failed cases that are printed for people; `--json` has all of them."""


def tck(folder: Path, *, passing: Path | None, update: bool, as_json: bool) -> int:
    """Run the kit; with a ratchet file the answer is bad news if a listed case fails, without if any case does."""
    if not folder.is_dir():
        raise WrongUseError(f"there is no folder `{folder}`")
    if update and passing is None:
        raise WrongUseError("--update writes into the file of --passing, which is missing")
    report = run_kit(folder)
    if not report.outcomes:
        raise WrongUseError(f"`{folder}` holds no test cases of the conformance kit")
    broken, gained = _turn(report, passing, update=update)
    failed = report.with_verdict(Verdict.FAILED)
    if as_json:
        ratchet = {} if passing is None else {"broken": broken, "gained": gained}
        print_json(report.to_json() | ratchet)
    else:
        _show(report)
        for case in broken:
            say(f"it passed before and fails: {case}")
        if gained:
            say(f"{len(gained)} case{'s' if len(gained) > 1 else ''} added to {passing}")
    bad = bool(broken) if passing is not None else bool(failed or report.unread)
    return EXIT_BAD_NEWS if bad else EXIT_FINE


def _turn(report: KitReport, file: Path | None, *, update: bool) -> tuple[list[str], list[str]]:
    """Return the listed cases that fail, and those that were added to the list."""
    if file is None:
        return [], []
    ratchet = Ratchet(file)
    passed = [outcome.id for outcome in report.with_verdict(Verdict.PASSED)]
    broken = ratchet.broken(passed, (outcome.id for outcome in report.outcomes))
    return broken, ratchet.add(passed) if update else []


def _show(report: KitReport) -> None:
    out = console()
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    drawn.add_column("level")
    for heading in ("cases", "passed", "", "substantive", "passed", "", "folder mean", "unsupported"):
        drawn.add_column(heading, justify="right")
    for figures in report.levels():
        drawn.add_row(*_row(figures))
    out.print(drawn)
    failed = report.with_verdict(Verdict.FAILED)
    for outcome in failed[:SHOWN_MAX]:
        out.print(f"failed: {outcome.id}: {outcome.reason}", markup=False, soft_wrap=True)
    if len(failed) > SHOWN_MAX:
        out.print(f"and {len(failed) - SHOWN_MAX} more failed cases", markup=False)
    for item in report.unread:
        out.print(f"unread: {item.path}: {item.reason}", markup=False, soft_wrap=True)


def _row(figures: LevelFigures) -> list[str]:
    return [
        figures.level,
        str(figures.cases),
        str(figures.passed),
        _percent(figures.passed, figures.cases),
        str(figures.substantive),
        str(figures.substantive_passed),
        _percent(figures.substantive_passed, figures.substantive),
        f"{figures.folder_mean * 100:.2f} %",
        str(figures.unsupported),
    ]


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "-"
