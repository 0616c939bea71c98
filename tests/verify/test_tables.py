"""Seeded faults of every kind: `cases/tables.yaml` holds tables and what the check says of each."""

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from verify_tables import model_bytes, told

from settledesk.cli.commands.table_check import report_to_json
from settledesk.cli.table import table_eval
from settledesk.decisions import load_model
from settledesk.verify.tables import check_model, linear

TABLES = yaml.safe_load((Path(__file__).parent / "cases" / "tables.yaml").read_text(encoding="utf-8"))
BY_NAME = {table["name"]: table for table in TABLES}
needs_solver = pytest.mark.skipif(
    not linear.solver_is_there(), reason="the extra `verify` (z3-solver) is not installed"
)


def across(table):
    """Mark a table that only a solver decides. Which of many inputs it finds depends on its version."""
    return [needs_solver] if table["name"].startswith("across") else []


@pytest.mark.parametrize("table", [pytest.param(table, id=table["name"], marks=across(table)) for table in TABLES])
def test_a_table_has_the_findings_of_its_case_and_no_others(table):
    """Kind, severity, rows and the one input of each finding are those of the case, in this order, all confirmed."""
    report = check_model(load_model(model_bytes(table)))
    lines = [told(finding) for finding in report.findings]
    if across(table):
        lines = [line.partition(": ")[0] for line in lines]
    assert lines == table["findings"]
    assert len(report.notes) == table.get("notes", 0)
    assert report.unconfirmed == 0


@pytest.mark.parametrize("table", [pytest.param(table, id=table["name"]) for table in TABLES])
def test_every_printed_input_can_be_pasted(table, tmp_path):
    """The input in the JSON of a finding, given to `table eval`, shows what the finding says."""
    file = tmp_path / "table.dmn"
    file.write_bytes(model_bytes(table))
    printed = json.loads(json.dumps(report_to_json(check_model(load_model(file))), default=str))
    for finding in printed["findings"]:
        if not finding["pasteable"]:
            continue
        facts = json.loads(json.dumps(finding["input"]), parse_float=Decimal, parse_int=Decimal)
        result = table_eval(file, "d", facts)
        matched = {row["row"] for row in result["trace"] if row["fired"]}
        kinds = {found["kind"] for found in result["findings"]}
        rows = set(finding["rows"])
        match finding["kind"]:
            case "overlap":
                assert "conflict" in kinds
                assert rows <= set(result["fired"])
            case "gap":
                assert "no_match" in kinds
                assert not matched
                assert result["value"] is None
            case "subsumed" | "duplicate":
                assert rows <= matched
            case "unreachable":
                assert finding["rows"][0] in matched
                assert result["fired"] != finding["rows"][:1]
            case "contradiction" | "type":
                assert not rows & matched or finding["outputs"]
            case "domain":
                assert "wrong_type" in kinds or rows <= matched


def test_each_finding_has_what_both_rows_give():
    """An overlap carries the outputs of its rows on the input, in the order of the rows."""
    finding = check_model(load_model(model_bytes(BY_NAME["unique_overlap"]))).findings[0]
    assert finding.outputs == ("x", "y")
    assert finding.message == '`small` and `wide` both match: code = "A" and amount in [5..10]'


def test_a_box_is_as_large_as_it_can_be():
    """A gap is told as one box over all values that it holds for, not as its pieces."""
    rows = [[f"r{place}", f"[{place}..{place + 1})", "1"] for place in range(0, 20, 2)]
    report = check_model(load_model(model_bytes({"inputs": {"n": "number", "b": "boolean"}, "rows": []})))
    assert [finding.message for finding in report.findings] == ["no row takes any input"]
    table = {"inputs": {"n": "number", "b": "boolean"}, "rows": [[row[0], row[1], "-", "1"] for row in rows]}
    warnings = [found.message for found in check_model(load_model(model_bytes(table))).findings]
    assert warnings[0].startswith("no row takes n in (< 0, [1..2), [3..4), [5..6)")
    assert warnings[0].endswith(", >= 19)")
    assert warnings[1:] == ["no row takes n = null"]


def test_without_a_solver_conditions_across_columns_stay_open_and_that_is_said_once(monkeypatch):
    """No pair is called an error that no input shows, what trials show is found, and one note tells of the extra."""
    monkeypatch.setattr(linear, "solver_is_there", lambda: False)
    monkeypatch.setattr("settledesk.verify.tables.check.solver_is_there", lambda: False)
    report = check_model(load_model(model_bytes(BY_NAME["across_columns"])))
    found = [told(finding) for finding in report.findings]
    assert "error overlap at below: x = 0, y = 0" in found
    assert "info overlap above below: no input" in found
    assert not [line for line in found if line.startswith("error overlap above")]
    assert [note for note in report.notes if "z3-solver" in note] == list(report.notes[-1:]) != []


def test_a_finding_that_the_engine_does_not_bear_out_is_withheld_and_counted(monkeypatch):
    """If the run time disagrees with the search, the finding is not reported but counted as a fault of the check."""
    from settledesk.verify.tables.replay import Replayer

    play = Replayer.play

    def blind(self, values, others=None):
        played = play(self, values, others)
        object.__setattr__(played, "kinds", frozenset())
        return played

    monkeypatch.setattr(Replayer, "play", blind)
    report = check_model(load_model(model_bytes(BY_NAME["unique_overlap"])))
    assert not [finding for finding in report.findings if finding.kind in ("overlap", "gap")]
    assert report.unconfirmed == 2


def test_the_check_says_the_same_each_time():
    """Two checks of the same table give the same findings in the same order."""
    for table in TABLES:
        first, second = (report_to_json(check_model(load_model(model_bytes(table)))) for _ in range(2))
        assert first == second


@needs_solver
def test_the_check_says_the_same_in_every_process(tmp_path):
    """The order in which Python keeps a set, which differs from process to process, changes nothing."""
    file = tmp_path / "table.dmn"
    file.write_bytes(model_bytes(BY_NAME["across_columns_between"]))
    printed = {
        subprocess.run(
            [sys.executable, "-m", "settledesk", "table", "check", str(file), "--json"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            timeout=60,
            check=False,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    assert json.loads(printed.pop())["findings"]
