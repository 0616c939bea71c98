"""The simulator's own file: restart, kill -9, a second process."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from settledesk.ports import ErpApplied, IntakeDocument
from settledesk.simulator import LedgerError

CHILD = Path(__file__).parent / "kill_child.py"


def test_everything_is_there_after_a_restart(make_desk, tmp_path) -> None:
    """Records, events, answers, effects and audit are the same after closing and opening, and numbering goes on."""
    path = str(tmp_path / "erp.db")
    desk = make_desk(path)
    subject = desk.simulator.seed("price-variance-small", "A1").subject_id
    first = desk.command("hold", subject, "clara", key="k")
    before = (desk.invoice(subject), desk.events(), desk.simulator.audit(), desk.simulator.effect_counts())
    desk.simulator.close()
    again = make_desk(path)
    assert (again.invoice(subject), again.events(), again.simulator.audit(), again.simulator.effect_counts()) == before
    assert again.command("hold", subject, "clara", key="k") == first
    assert again.simulator.effects("k") == 1
    assert again.command("release-hold", subject, "mark", key="k2", version=2) == ErpApplied(
        status="EXCEPTION", version=3
    )
    assert again.events()[-1].seq == before[1][-1].seq + 1


def test_a_document_taken_in_before_a_restart_is_known_after_it(make_desk, tmp_path) -> None:
    """A delivery repeated after a restart has no second effect."""
    path = str(tmp_path / "erp.db")
    desk = make_desk(path)
    invoice = {**desk.invoice(desk.simulator.seed("clean-match", "A1").subject_id), "id": "invoice:new"}
    document = IntakeDocument(key="mail-1", collection="invoices", record=invoice)
    assert desk.intake(document) == 1
    desk.simulator.close()
    again = make_desk(path)
    events = len(again.events())
    assert again.intake(document) == 0
    assert len(again.events()) == events
    assert again.read("/api/invoices?number=INV-A1&issue_date=2026-10-01")[1:] == (again.invoice("invoice:new"),)


def test_a_batch_that_fails_leaves_nothing(make_desk, tmp_path) -> None:
    """A batch is one commit: if its last document cannot be taken in, the ones before it are not there, nor later."""
    path = str(tmp_path / "erp.db")
    desk = make_desk(path)
    good = {**desk.invoice(desk.simulator.seed("clean-match", "A1").subject_id), "id": "invoice:good"}
    events = desk.events()
    with pytest.raises(Exception, match="numbers travel as decimal text"):
        desk.intake(
            IntakeDocument(key="1", collection="invoices", record=good),
            IntakeDocument(key="2", collection="invoices", record={**good, "id": "invoice:bad", "total": 10.5}),
        )
    assert desk.read("/api/invoices/invoice:good") == ()
    desk.simulator.close()
    again = make_desk(path)
    assert again.read("/api/invoices/invoice:good") == ()
    assert again.events() == events


def test_a_second_process_is_told_that_the_file_is_in_use(make_desk, tmp_path, monkeypatch) -> None:
    """Two simulators on one file would each work on a stale copy, so the second one is refused at once."""
    monkeypatch.setattr("settledesk.simulator.ledger.BUSY_TIMEOUT_S", 0.05)
    path = str(tmp_path / "erp.db")
    make_desk(path)
    with pytest.raises(LedgerError, match="cannot be opened: database is locked"):
        make_desk(path)


def test_a_file_of_another_version_is_refused(make_desk, tmp_path) -> None:
    """A file that another version wrote is not touched."""
    path = tmp_path / "erp.db"
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version=99")
    other.close()
    with pytest.raises(LedgerError, match="has version 99"):
        make_desk(str(path))


@pytest.mark.parametrize("run_for_s", [0.15, 0.3, 0.6])
def test_what_was_acknowledged_survives_kill_9(make_desk, tmp_path, run_for_s: float) -> None:
    """After kill -9 every acknowledged command is there once, none took half an effect, numbers have no gap."""
    path = str(tmp_path / "erp.db")
    child = subprocess.Popen([sys.executable, str(CHILD), path], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(run_for_s)
    os.kill(child.pid, signal.SIGKILL)
    acknowledged = [line.split() for line in child.stdout.read().splitlines() if line.endswith(" .")]
    child.wait()
    assert acknowledged, "the child was killed before it acknowledged anything"
    desk = make_desk(path)
    counts = desk.simulator.effect_counts()
    for key, subject, _ in acknowledged:
        assert counts[key] == 1
        assert desk.invoice(subject)["status"] == "ON_HOLD"
    assert set(counts.values()) == {1}
    held = {record["id"] for record in desk.read("/api/invoices?status=ON_HOLD")}
    assert held == {row.entity for row in desk.simulator.audit()}
    assert len(held) == len(counts) <= len(acknowledged) + 1
    events = desk.events()
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert sum(event.type == "subject.changed" for event in events) == len(counts)
