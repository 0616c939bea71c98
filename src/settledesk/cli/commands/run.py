"""`settledesk run FOLDER`: documents in, cases out."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from settledesk.adapters.documents import FolderReading, Unread, read_folder
from settledesk.bootstrap import Places, open_desk, places
from settledesk.cases import CaseState, Status, case_to_json
from settledesk.cli.case_table import case_table
from settledesk.cli.output import EXIT_FINE, WrongUseError, console, print_json, progress
from settledesk.desk import Desk, work_until_idle

INTAKE_BATCH = 500
"""Documents are posted in batches of this size, each all or none."""


WAIT_MAX_S = 600.0
"""How long a run waits in all for what is tried again later; what is due after that stays queued for the next run."""

SAME_REASON_MAX = 10
"""Up to this many unread files with one reason are listed one by one for people."""


def run(folder: Path, *, store: str | None, pack: Path | None, erp: str | None, as_json: bool) -> int:
    """Read the folder, post what is new, work until nothing is due, and print the cases."""
    if not folder.is_dir():
        raise WrongUseError(f"`{folder}` is not a folder: give the folder that holds the documents")
    started = time.perf_counter()
    reading, cases = asyncio.run(_run(folder, places(pack=pack, store=store, erp=erp)))
    progress("")
    rate = len(reading.documents) / max(time.perf_counter() - started, 1e-9)
    if as_json:
        print_json(_document(reading, cases, rate))
    else:
        _print(reading, cases, rate)
    return EXIT_FINE


async def _run(folder: Path, where: Places) -> tuple[FolderReading, tuple[CaseState, ...]]:
    async with open_desk(where) as desk:
        reading = read_folder(folder, lambda count: progress(f"{count} files read"))
        await _work(desk, reading)
        return reading, desk.store.reader.cases()


async def _work(desk: Desk, reading: FolderReading) -> None:
    documents = reading.documents
    for first in range(0, len(documents), INTAKE_BATCH):
        await desk.erp.intake(documents[first : first + INTAKE_BATCH])
        progress(f"{min(first + INTAKE_BATCH, len(documents))} of {len(documents)} documents posted")
    await work_until_idle(desk, wait_max_s=WAIT_MAX_S, progress=lambda count: progress(f"{count} moments done"))


def _document(reading: FolderReading, cases: tuple[CaseState, ...], rate: float) -> dict[str, object]:
    unread = [{"path": item.path, "place": item.place, "reason": item.reason} for item in reading.unread]
    return {
        "documents": {"read": len(reading.documents), "unread": unread},
        "cases": [case_to_json(state) for state in cases if state.status is not Status.MATCHED],
        "matched": sum(state.status is Status.MATCHED for state in cases),
        "documents_per_s": round(rate, 1),
    }


def _print(reading: FolderReading, cases: tuple[CaseState, ...], rate: float) -> None:
    out = console()
    exceptions = [state for state in cases if state.status is not Status.MATCHED]
    out.print(case_table(exceptions))
    matched = len(cases) - len(exceptions)
    out.print(
        f"{len(reading.documents)} documents read ({rate:.0f} per second): {matched} matched,"
        f" {len(exceptions)} {'case' if len(exceptions) == 1 else 'cases'}."
    )
    if reading.unread:
        out.print(f"\n{len(reading.unread)} files were not read, and nothing of them was used:")
        for line in _unread_lines(reading.unread):
            out.print(f"  {line}", markup=False)


def _unread_lines(unread: Sequence[Unread]) -> list[str]:
    """Return one line per file; where many are unread for the same reason, one line that counts them."""
    by_reason: dict[str, list[Unread]] = {}
    for item in unread:
        by_reason.setdefault(item.reason, []).append(item)
    lines: list[str] = []
    for reason, items in by_reason.items():
        shown = items if len(items) <= SAME_REASON_MAX else items[:1]
        lines.extend(f"{item.path}{f' at {item.place}' if item.place else ''}: {reason}" for item in shown)
        if len(shown) < len(items):
            lines.append(f"and {len(items) - len(shown)} more: {reason} (--json lists every one)")
    return lines
