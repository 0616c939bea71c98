"""The evaluation as a whole and its command: the same result however many processes, and errors that say what to do."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from settledesk.cli.commands.evaluate import evaluate
from settledesk.cli.output import WrongUseError
from settledesk.evaluation import EvaluationError, RunResult, evaluate_pack

SOME = ["price-variance-small", "flaky-erp", "injected-invoice-number", "item-substituted"]


def _untimed(result: RunResult) -> RunResult:
    return replace(result, cpu_s=0.0, wall_s=0.0)


def test_two_processes_give_the_same_result_as_one(pack_folder: Path) -> None:
    """Every run is equal to the last field, fingerprint included, in processes that hash text differently."""
    told: list[tuple[int, int]] = []
    serial = evaluate_pack(pack_folder, runs=3, scenarios=SOME, progress=lambda done, total: told.append((done, total)))
    parallel = evaluate_pack(pack_folder, runs=3, scenarios=SOME, parallel=2)
    assert [_untimed(result) for result in serial.results] == [_untimed(result) for result in parallel.results]
    assert serial.fine, serial.to_json()["failures"]
    assert told == [(done, 12) for done in range(1, 13)]
    for scenario in serial.scenarios:
        assert len({result.fingerprint for result in scenario.results}) == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"model": "oracle"}, "`oracle` is not a model of this evaluation yet: use `none`"),
        ({"runs": 0}, "`0` is not a number of runs"),
        ({"parallel": 0}, "`0` is not a number of processes"),
        ({"parallel": 1000}, "`1000` is not a number of processes"),
        ({"scenarios": ["nothing"]}, "`nothing` is not a scenario of this pack"),
    ],
)
def test_wrong_use_is_refused_before_anything_runs(pack_folder: Path, options: dict[str, object], says: str) -> None:
    """The error names what was wrong and what to give instead."""
    with pytest.raises(EvaluationError, match=says):
        evaluate_pack(pack_folder, **options)  # type: ignore[arg-type]


def _command(pack: Path, *, as_json: bool, scenario: str = "duplicate", model: str = "none") -> int:
    return evaluate(pack, runs=1, parallel=1, scenarios=[scenario], model=model, as_json=as_json)


def test_the_command_prints_one_json_document(pack_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output is the document and nothing else, and the exit code is 0 when every run passed."""
    assert _command(pack_folder, as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["pack"], document["model"], document["runs"], document["passed"]) == (
        pack_folder.name,
        "none",
        1,
        1,
    )
    assert document["scenarios"][0]["actions"] == {"reject": 1}


def test_the_command_prints_a_table_and_why_a_run_failed(altered, capsys: pytest.CaptureFixture[str]) -> None:
    """A failed run is exit code 1, with the check, the reason and the timeline for a person."""
    folder = altered("tolerances.toml", 'percent = "2"', 'percent = "5"')
    assert _command(folder, as_json=False, scenario="price-variance-small") == 1
    out = capsys.readouterr().out
    assert "0/1" in out
    assert "price-variance-small, run 1:" in out
    assert "not correct: ended matched" in out
    assert "0 of 1 runs passed (0.0-79.3 %)" in out


def test_the_command_refuses_wrong_use(pack_folder: Path, tmp_path: Path) -> None:
    """A model that is not there yet, an unknown scenario and a folder that is no pack are wrong use."""
    with pytest.raises(WrongUseError, match="`scripted` cannot be chosen yet: use --model none"):
        _command(pack_folder, as_json=True, model="scripted")
    with pytest.raises(WrongUseError, match="`nothing` is not a scenario of this pack"):
        _command(pack_folder, as_json=True, scenario="nothing")
    with pytest.raises(WrongUseError, match="is not a pack"):
        _command(tmp_path, as_json=True)
