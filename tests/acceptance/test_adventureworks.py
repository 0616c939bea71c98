"""AdventureWorks orders as documents: every class of invoice ends where the tables say. The whole set: `make bench`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.adventureworks.ends import wrong_ends
from benchmarks.adventureworks.write import write_folder

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.shared_data
ORDERS = 250


def test_every_class_ends_where_the_tables_say(shared_data: Path, tmp_path: Path) -> None:
    """The first orders go through `settledesk run`; reasons, outcome and action are those of each class."""
    folder = tmp_path / "documents"
    manifest = json.loads(write_folder(shared_data / "adventureworks-purchasing", folder, orders=ORDERS).read_text())
    classes = {item["class"] for item in manifest["invoices"].values()}
    assert classes == {"clean", "+2.00 %", "+2.01 %", "+10.00 %", "+10.01 %", "short", "duplicate"}
    done = subprocess.run(
        [sys.executable, "-m", "settledesk", "run", str(folder), "--json", "--store", str(tmp_path / "desk.db")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["documents"]["unread"] == []
    assert wrong_ends(manifest, report) == []
    assert report["matched"] + len(report["cases"]) == len(manifest["invoices"])
