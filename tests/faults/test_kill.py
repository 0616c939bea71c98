"""Kill -9 at every named point, start again on the same store: the same final table, and each effect once."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "accounts_payable"
POINTS_OF_A_RUN = (
    "before_inbox_commit",
    "after_inbox_commit",
    "after_claim",
    "before_rules_commit",
    "after_rules_commit",
    "before_letter",
    "after_letter",
)
POINTS_OF_A_DECISION = (
    "before_decision_commit",
    "after_decision_commit",
    "before_command",
    "after_command",
    "after_apply_commit",
)


def desk(store: Path, *arguments: str, kill_at: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run one command of the desk in a process of its own."""
    environment = {**os.environ, "SETTLEDESK_STORE": str(store)}
    if kill_at is not None:
        environment["SETTLEDESK_KILL_AT"] = kill_at
    command = [sys.executable, "-m", "settledesk", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False, timeout=120)


def final_table(store: Path) -> list[dict[str, Any]]:
    """Return the cases without what counts attempts or time."""
    done = desk(store, "cases", "--json")
    assert done.returncode == 0, done.stderr
    cases = json.loads(done.stdout)["cases"]
    return sorted(({k: v for k, v in case.items() if k != "version"} for case in cases), key=lambda case: case["id"])


def check_invariants(store: Path) -> None:
    """Every event has one inbox row and one opening entry, no log has a gap, and nothing is left half done."""
    db = sqlite3.connect(store)
    erp = sqlite3.connect(store.with_suffix(".erp.db"))
    opened = Counter(row[0] for row in db.execute("select case_id from case_log where kind = 'opened'"))
    assert set(opened.values()) == {1}
    assert len(opened) == db.execute("select count(*) from cases").fetchone()[0]
    gaps = db.execute(
        "select case_id from case_log group by case_id having count(*) <> max(seq) or min(seq) <> 1"
    ).fetchall()
    assert gaps == []
    events = erp.execute("select count(distinct id) from events").fetchone()[0]
    assert db.execute("select count(*) from inbox where source = 'erp'").fetchone()[0] == events
    assert db.execute("select count(*) from moments where state in ('ready', 'leased')").fetchone()[0] == 0
    assert db.execute("select count(*) from calls where state = 'intent'").fetchone()[0] == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Undisturbed:
    """A run that nobody kills: how long it takes and what it ends with."""

    seconds: float
    table: list[dict[str, Any]]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The measure of all others."""
    store = tmp_path_factory.mktemp("clean") / "desk.db"
    started = time.monotonic()
    done = desk(store, "run", str(EXAMPLES))
    seconds = time.monotonic() - started
    assert done.returncode == 0, done.stderr
    check_invariants(store)
    return Undisturbed(seconds=seconds, table=final_table(store))


@pytest.mark.parametrize(
    ("point", "count"),
    [
        *((point, 1) for point in POINTS_OF_A_RUN),
        ("before_rules_commit", 5),
        ("after_rules_commit", 7),
        ("after_claim", 3),
    ],
)
def test_a_run_killed_at_a_point_ends_the_same(
    tmp_path: Path, undisturbed: Undisturbed, point: str, count: int
) -> None:
    """Killed at a named point and started again, a run ends with the table of a run that was never killed."""
    store = tmp_path / "desk.db"
    killed = desk(store, "run", str(EXAMPLES), kill_at=f"{point}:{count}")
    reached = killed.returncode == -signal.SIGKILL
    assert reached or count > 1, f"the point `{point}` is never passed: {killed.stderr}"
    again = desk(store, "run", str(EXAMPLES))
    assert again.returncode == 0, again.stderr
    check_invariants(store)
    assert final_table(store) == undisturbed.table


@pytest.mark.parametrize("share", [0.45, 0.65, 0.85])
def test_a_run_killed_at_any_time_ends_the_same(tmp_path: Path, undisturbed: Undisturbed, share: float) -> None:
    """Killed from outside at no particular point, twice, a run still ends with the same table."""
    store = tmp_path / "desk.db"
    for _ in range(2):
        environment = {**os.environ, "SETTLEDESK_STORE": str(store)}
        process = subprocess.Popen(
            [sys.executable, "-m", "settledesk", "run", str(EXAMPLES)],
            env=environment,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(undisturbed.seconds * share)
        process.kill()
        process.wait()
    assert desk(store, "run", str(EXAMPLES)).returncode == 0
    check_invariants(store)
    assert final_table(store) == undisturbed.table


@pytest.mark.parametrize("point", POINTS_OF_A_DECISION)
def test_a_decision_killed_at_a_point_takes_effect_once(tmp_path: Path, point: str) -> None:
    """Killed while a decision is carried out, the approved action takes effect exactly once at the system of record."""
    store = tmp_path / "desk.db"
    assert desk(store, "run", str(EXAMPLES)).returncode == 0
    case = next(case for case in final_table(store) if case["row"] == "small_variance")
    arguments = ("decide", case["id"], "approve", "--as", "bob", "--json")
    killed = desk(store, *arguments, kill_at=f"{point}:1")
    assert killed.returncode == -signal.SIGKILL, f"the point `{point}` is never passed: {killed.stderr}"
    again = desk(store, *arguments)
    answer = json.loads(again.stdout)
    assert answer["status"] == "resolved", answer
    erp = sqlite3.connect(store.with_suffix(".erp.db"))
    counts = [row[0] for row in erp.execute("select count(*) from effects group by key")]
    assert counts == [1]
    check_invariants(store)
