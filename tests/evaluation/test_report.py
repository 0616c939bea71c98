"""The report counts what happened: intervals, settlers, actions, determinism, and every failed run."""

from dataclasses import replace

from settledesk.cases import TimelineLine
from settledesk.evaluation import NO_ACTION, Report, RunResult, ScenarioReport
from settledesk.evaluation.score import Scores

RUN = RunResult(
    scenario="one",
    run=1,
    scores=Scores(),
    status="resolved",
    settled_by="rules",
    actions=("pay",),
    final_action="pay",
    touches=1,
    fingerprint="f",
    cpu_s=0.5,
    wall_s=1.0,
)


def _report(*results: RunResult) -> Report:
    return Report(
        pack="example",
        pack_version="example 1",
        policy_hash="0",
        model="none",
        scenarios=(ScenarioReport(name="one", results=results),),
        cpu_s=1.0,
        wall_s=2.0,
    )


def test_the_report_has_the_keys_of_the_output_contract() -> None:
    """Scripts rely on these names; more may be added."""
    document = _report(RUN).to_json()
    assert {"pack", "model", "runs", "passed", "unsafe", "settled_by", "cpu_s", "wall_s", "scenarios"} <= set(document)
    assert set(document["settled_by"]) == {"rules", "rules_facts", "agent", "person"}
    wanted = {"name", "runs", "passed", "unsafe", "interval", "settled_by", "actions", "deterministic", "delivered"}
    assert wanted | {"touches_mean", "usage"} <= set(document["scenarios"][0])


def test_runs_are_counted_by_check_settler_and_action() -> None:
    """Each count is of the runs for which it is true, and failed runs are listed with reasons and timeline."""
    line = TimelineLine(at="2026-10-01", kind="opened", by="erp", text="opened")
    unsafe = replace(RUN, run=2, scores=Scores(safe=("paid twice",)), settled_by="person", timeline=(line,))
    waiting = replace(RUN, run=3, settled_by="rules_facts", final_action=None, touches=3, missed=("no call failed",))
    document = _report(RUN, unsafe, waiting).to_json()
    assert (document["runs"], document["passed"], document["unsafe"]) == (3, 2, 1)
    assert (document["correct"], document["evidence"], document["safe"], document["routed"]) == (3, 3, 2, 3)
    assert document["settled_by"] == {"rules": 1, "rules_facts": 1, "agent": 0, "person": 1}
    scenario = document["scenarios"][0]
    assert scenario["actions"] == {"pay": 2, NO_ACTION: 1}
    assert (scenario["delivered"], scenario["touches_mean"], scenario["passed"]) == (2, 1.67, 2)
    assert 0 < scenario["interval"][0] < 2 / 3 < scenario["interval"][1] < 1
    (failure,) = document["failures"]
    assert (failure["run"], failure["checks"], failure["timeline"][0]["text"]) == (
        2,
        {"safe": ["paid twice"]},
        "opened",
    )


def test_rules_that_end_one_scenario_in_two_ways_are_a_fault() -> None:
    """Another action or another fingerprint among the rules' runs breaks determinism, even if all runs passed."""
    assert _report(RUN, replace(RUN, run=2)).fine
    for other in (replace(RUN, run=2, final_action="wait"), replace(RUN, run=2, fingerprint="g")):
        report = _report(RUN, other)
        assert not report.failures
        assert not report.fine
        assert report.to_json()["deterministic"] is False


def test_runs_that_the_rules_did_not_settle_are_no_break_of_determinism() -> None:
    """An agent or a person may go another way each time."""
    assert _report(RUN, replace(RUN, run=2, settled_by="agent", fingerprint="g", final_action="wait")).fine


def test_a_broken_run_stays_in_the_denominator() -> None:
    """It counts as a run, as failed in every check, as broken, and as settled by nobody."""
    broken = RunResult(scenario="one", run=2, scores=Scores(correct=("the run broke",)), broken="the run broke")
    document = _report(RUN, broken).to_json()
    assert (document["runs"], document["passed"], document["unsafe"]) == (2, 1, 0)
    assert (document["correct"], document["evidence"], document["safe"], document["routed"]) == (1, 1, 1, 1)
    assert sum(document["settled_by"].values()) == 1
    assert (document["scenarios"][0]["broken"], document["scenarios"][0]["delivered"]) == (1, 1)
