"""The conformance kit of the DMN TCK: a ratchet. A case in `tck.passing` may never fail again."""

from pathlib import Path

import pytest

from settledesk.conformance import Ratchet, Verdict, run_kit

KIT = Path(__file__).parents[2].parent / "shared" / "data" / "dmn-tck"
PASSING = Path(__file__).with_name("tck.passing")
LEVELS = ("compliance-level-2", "compliance-level-3")


@pytest.mark.shared_data
@pytest.mark.parametrize("level", LEVELS)
def test_a_case_that_passed_once_passes_for_ever(level):
    """Every case of the kit that `tck.passing` lists gives the kit's answer."""
    if not KIT.is_dir():
        pytest.skip(f"the conformance kit is not at {KIT}")
    listed = [case for case in Ratchet(PASSING).ids if case.startswith(f"{level}/")]
    assert listed
    report = run_kit(KIT / level)
    assert report.unread == []
    passed = {outcome.id for outcome in report.with_verdict(Verdict.PASSED)}
    failed = {outcome.id: outcome.reason for outcome in report.with_verdict(Verdict.FAILED)}
    assert [(case, failed.get(case, "it was not run")) for case in listed if case not in passed] == []


def test_the_ratchet_is_sorted_and_names_each_case_once():
    """The list has one line per case in a fixed order, so that two branches that gain cases merge line by line."""
    ids = Ratchet(PASSING).ids
    assert list(ids) == sorted(set(ids))
