"""`settledesk run FOLDER`: documents in, cases out."""

import asyncio
import time
from pathlib import Path

from settledesk.adapters.documents import FolderReading, read_folder
from settledesk.bootstrap import embedded_desk, places
from settledesk.cases import CaseState, Status, case_to_json
from settledesk.cli.case_table import case_table
from settledesk.cli.output import EXIT_FINE, WrongUseError, console, print_json, progress
from settledesk.desk import Desk, work_until_idle

INTAKE_BATCH = 500
"""Documents are posted in batches of this size, each all or none."""


def run(folder: Path, *, store: str | None, pack: Path | None, as_json: bool) -> int:
    """Read the folder, post what is new, work until nothing is due, and print the cases."""
    if not folder.is_dir():
        raise WrongUseError(f"`{folder}` is not a folder: give the folder that holds the documents")
    started = time.perf_counter()
    with embedded_desk(places(pack=pack, store=store)) as desk:
        reading = read_folder(folder, lambda count: progress(f"{count} files read"))
        asyncio.run(_work(desk, reading))
        cases = desk.store.reader.cases()
    progress("")
    rate = len(reading.documents) / max(time.perf_counter() - started, 1e-9)
    if as_json:
        print_json(_document(reading, cases, rate))
    else:
        _print(reading, cases, rate)
    return EXIT_FINE


async def _work(desk: Desk, reading: FolderReading) -> None:
    documents = reading.documents
    for first in range(0, len(documents), INTAKE_BATCH):
        await desk.erp.intake(documents[first : first + INTAKE_BATCH])
        progress(f"{min(first + INTAKE_BATCH, len(documents))} of {len(documents)} documents posted")
    await work_until_idle(desk, wait=True, progress=lambda count: progress(f"{count} moments done"))


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
        for item in reading.unread:
            place = f" at {item.place}" if item.place else ""
            out.print(f"  {item.path}{place}: {item.reason}", markup=False)
