"""The command line as scripts rely on it: exit codes, exactly one JSON document, the keys of the output contract."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from settledesk.cli import main

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "accounts_payable"
PACK = ROOT / "packs" / "accounts_payable"
CASE_KEYS = (
    "id pack subject reasons status handled_by outcome stop_reason row action amount_minor currency decider waiting_for"
    " evidence"
)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run one command in this process; returns exit code, standard output and standard error."""

    def command(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(list(arguments))
        out, err = capfd.readouterr()
        return int(stop.value.code or 0), out, err

    return command


@pytest.fixture
def store(run: Run, tmp_path: Path) -> str:
    """A store after a run over the examples."""
    path = str(tmp_path / "desk.db")
    code, _, err = run("run", str(EXAMPLES), "--store", path)
    assert code == 0, err
    return path


def document(out: str) -> Any:
    """Return the one JSON document of an output."""
    return json.loads(out)


def case(run: Run, store: str, row: str) -> dict[str, Any]:
    """Return the case whose row fired."""
    found = document(run("cases", "--json", "--store", store)[1])["cases"]
    return next(item for item in found if item["row"] == row)


def test_run_has_its_keys(run: Run, tmp_path: Path) -> None:
    """`run --json` prints documents read and unread with place and reason, the cases, and a rate."""
    code, out, _ = run("run", str(EXAMPLES), "--json", "--store", str(tmp_path / "desk.db"))
    printed = document(out)
    assert code == 0
    assert {"documents", "cases", "documents_per_s"} <= set(printed)
    assert all({"path", "place", "reason"} <= set(item) for item in printed["documents"]["unread"])
    assert all(set(CASE_KEYS.split()) <= set(item) for item in printed["cases"])


def test_a_second_run_changes_nothing(run: Run, store: str) -> None:
    """The same folder again has no second effect."""
    before = run("cases", "--json", "--store", store)[1]
    assert run("run", str(EXAMPLES), "--store", store)[0] == 0
    assert run("cases", "--json", "--store", store)[1] == before


def test_show_has_its_keys(run: Run, store: str) -> None:
    """`show --json` prints the case with facts, tables, the policy's answer and the timeline."""
    found = case(run, store, "small_variance")
    code, out, _ = run("show", found["id"], "--json", "--store", store)
    printed = document(out)
    assert code == 0
    assert set(CASE_KEYS.split()) | {"facts", "tables", "policy", "timeline"} <= set(printed)
    assert all(set(item) == {"name", "value", "unknown", "evidence"} for item in printed["facts"])
    assert all({"decision", "fired", "near"} <= set(item) for item in printed["tables"])
    assert {"effect", "decider", "reason", "policy_hash"} <= set(printed["policy"])
    assert all(set(item) == {"at", "kind", "by", "text"} for item in printed["timeline"])
    resolution = next(item for item in printed["tables"] if item["decision"] == "resolution")
    assert resolution["fired"] == ["small_variance"]
    assert {"row", "cell", "value"} <= set(resolution["near"][0])


def test_a_case_is_found_by_its_documents_number(run: Run, store: str) -> None:
    """A person may name a case by the invoice's number, and `show` marks the row that fired."""
    code, out, _ = run("show", "QF-2201", "--store", store)
    assert code == 0
    assert any(line.lstrip().startswith(">") and "small_variance" in line for line in out.splitlines())


def test_an_applied_decision(run: Run, store: str) -> None:
    """An approval by the named person is applied, and says so in text and in JSON."""
    code, out, _ = run("decide", "QF-2201", "approve", "--as", "bob", "--json", "--store", store)
    printed = document(out)
    assert code == 0
    assert (printed["applied"], printed["status"], printed["refused"], printed["by"]) == (True, "resolved", None, "bob")


def test_a_hold_in_force_is_shown_as_such(run: Run, store: str) -> None:
    """After an applied hold the case says what is in force and what is awaited."""
    assert run("decide", "QF-2203", "approve", "--as", "clara", "--store", store)[0] == 0
    held = case(run, store, "over_receipt")
    assert (held["status"], held["action"]) == ("on_hold", "hold")
    assert held["waiting_for"] == "what clears QTY_OVER_RECEIPT"
    assert "hold (in force)" in run("cases", "--store", store)[1]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("approve", "--as", "mark"), "the policy names buyer"),
        (("approve", "--as", "nobody"), "is not a user of this desk"),
        (("approve", "--as", "bob", "--seen-version", "1"), "the case has changed"),
        (("decline", "--as", "bob"), "needs a comment or a reason"),
        (("decline", "--as", "bob", "--reason", "WHIM"), "is not a decline reason"),
    ],
)
def test_a_refused_decision_is_exit_code_1(run: Run, store: str, arguments: tuple[str, ...], reason: str) -> None:
    """A refusal is bad news and no failure: exit code 1, one document, the true reason."""
    code, out, _ = run("decide", "QF-2201", *arguments, "--json", "--store", store)
    printed = document(out)
    assert (code, printed["applied"]) == (1, False)
    assert reason in printed["refused"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("run", "nowhere"), "is not a folder"),
        (("cases", "--store", "nowhere.db"), "there is no store"),
        (("show", "X", "--store", "nowhere.db"), "there is no store"),
        (("decide", "X", "approve", "--as", "bob", "--store", "nowhere.db"), "there is no store"),
        (("note", "X", "text", "--as", "bob", "--store", "nowhere.db"), "there is no store"),
        (("decide", "X", "maybe", "--as", "bob"), "is not a verdict"),
        (("table", "eval", "nowhere.dmn", "--decision", "d", "--facts", "{}"), "there is no file"),
        (("table", "eval", str(PACK / "decisions" / "combine.dmn"), "--decision", "combin", "--facts", "{}"), "combin"),
        (("table", "eval", str(PACK / "decisions" / "combine.dmn"), "--decision", "combine", "--facts", "["), "JSON"),
        (("table", "show", str(ROOT / "README.md")), "README.md"),
        (("run", str(EXAMPLES), "--pack", "nowhere"), "is not a pack"),
        (("eval", "nowhere"), "nowhere"),
        (("eval", str(PACK), "--model", "oracle"), "oracle"),
        (("simulator", "--port", "0"), "is not a port"),
    ],
)
def test_wrong_use_is_exit_code_2(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
) -> None:
    """Wrong use says what is wrong in one line on standard error, leaves nothing behind, and exits with 2."""
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_an_error_is_one_document_too(run: Run) -> None:
    """With `--json` an error is one document on standard output, with its exit code."""
    code, out, err = run("cases", "--json", "--store", "nowhere/desk.db")
    assert code == 2
    assert document(out)["exit"] == 2
    assert "no store" in err


def test_an_unknown_option_is_exit_code_2(run: Run) -> None:
    """An option that does not exist is wrong use."""
    assert run("cases", "--colour")[0] == 2


def test_table_eval_has_its_keys(run: Run) -> None:
    """`table eval --json` prints value, fired rows, findings and trace."""
    table = str(PACK / "decisions" / "combine.dmn")
    facts = '{"actions": ["hold", "short-pay"], "subject_status": null, "applied_action": null}'
    code, out, _ = run("table", "eval", table, "--decision", "combine", "--facts", facts, "--json")
    printed = document(out)
    assert code == 0
    assert {"value", "fired", "findings", "trace"} <= set(printed)
    assert (printed["value"], printed["fired"]) == ("hold", ["hold"])


def test_doctor_has_its_keys(run: Run, store: str) -> None:
    """`doctor --json` prints each check with its message, and all are fine here."""
    code, out, _ = run("doctor", "--json", "--store", store)
    checks = document(out)["checks"]
    assert code == 0
    assert all(set(check) == {"name", "ok", "message"} and check["ok"] for check in checks)


def test_a_store_in_use_is_exit_code_3(run: Run, store: str) -> None:
    """A store that another owner holds is refused at once, with a sentence."""
    from settledesk.adapters.sqlite import open_store

    owner = open_store(Path(store))
    try:
        code, _, err = run("decide", "QF-2201", "approve", "--as", "bob", "--store", store)
    finally:
        owner.close()
    assert code == 3
    assert "in use by another process" in err


def test_news_is_taken_in_before_a_decision_and_voids_it(run: Run, tmp_path: Path) -> None:
    """If a receipt reached the ERP after the case was last looked at, the approval of the old proposal is refused."""
    import asyncio
    from dataclasses import replace

    from settledesk.bootstrap import open_desk, places
    from settledesk.ports import IntakeDocument

    path = str(tmp_path / "desk.db")
    run("run", str(EXAMPLES), "--store", path)

    async def receive() -> None:
        async with open_desk(places(store=path)) as desk:
            (old,) = [one for one in await desk.erp.read("/api/receipts?po_number=4103") if one["po_number"] == "4103"]
            lines = [{**line, "accepted": "1000"} for line in old["lines"]]
            record = {**old, "id": "receipt:late", "number": "LATE", "lines": lines}
            document = IntakeDocument(key="late", collection="receipts", record=record)
            await desk.erp.intake([replace(document)])

    asyncio.run(receive())
    code, out, _ = run("decide", "QF-2203", "approve", "--as", "clara", "--json", "--store", path)
    printed = document(out)
    assert (code, printed["applied"]) == (1, False)
    assert "withdrawn" in printed["refused"] or "has taken its place" in printed["refused"]
