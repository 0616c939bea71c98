"""Documents per second: all AdventureWorks orders as UBL files through `settledesk run`, beside reading them alone.

Both are processes of their own, one after the other in the same run, so that only their ratio counts. Each invoice's
end is compared with what its class must lead to, worked out without the matcher.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.adventureworks.ends import wrong_ends
from benchmarks.adventureworks.write import write_folder
from benchmarks.result import Result

MULTIPLE_MAX = 10.0
READ_ALONE = (
    "import sys, pathlib; from settledesk.adapters.documents import read_folder;"
    " print(len(read_folder(pathlib.Path(sys.argv[1])).documents))"
)


def measure(data: Path) -> list[Result]:
    """Write the documents, read them alone, run them, and compare."""
    with tempfile.TemporaryDirectory(prefix="settledesk-bench-") as name:
        folder = Path(name) / "documents"
        manifest = json.loads(write_folder(data / "adventureworks-purchasing", folder).read_text(encoding="utf-8"))
        alone_s, counted = _timed([sys.executable, "-c", READ_ALONE, str(folder)])
        command = [sys.executable, "-m", "settledesk", "run", str(folder), "--json"]
        run_s, printed = _timed([*command, "--store", str(Path(name) / "desk.db")])
    documents, report = int(counted), json.loads(printed)
    wrong = wrong_ends(manifest, report)
    for line in wrong[:10]:
        print(f"  wrong end: {line}")
    multiple = run_s / alone_s
    return [
        Result(name="documents read alone", value=documents / alone_s, unit="documents/s"),
        Result(
            name="documents through the desk",
            value=documents / run_s,
            unit="documents/s",
            ratio=multiple,
            against="the time of reading alone",
            floor=MULTIPLE_MAX,
            passed=multiple <= MULTIPLE_MAX,
        ),
        Result(name="time of the whole run", value=run_s, unit="s"),
        Result(
            name="invoices that end where the tables say",
            value=len(manifest["invoices"]) - len(wrong),
            unit=f"of {len(manifest['invoices'])}",
            ratio=1 - len(wrong) / len(manifest["invoices"]),
            against="all",
            floor=1.0,
            passed=not wrong,
        ),
    ]


def _timed(command: list[str]) -> tuple[float, str]:
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"`{' '.join(command[:4])} …` failed: {done.stderr[-2000:]}")
    return time.perf_counter() - started, done.stdout
