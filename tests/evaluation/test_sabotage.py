"""A pack with one thing wrong fails the scenario that concerns it, and the report says which check and why."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from settledesk.adapters.opa.build import build_policy, write_policy
from settledesk.evaluation import Report, evaluate_pack

RESOLUTION = "decisions/resolution.dmn"
OPA = Path(os.environ.get("SETTLEDESK_OPA") or Path(__file__).parents[2] / "build" / "bin" / "opa")

FAULTS = [
    pytest.param(
        (RESOLUTION, '"reject"', '"approve-variance"', '<rule id="duplicate">'),
        "duplicate",
        id="a row pays a duplicate",
    ),
    pytest.param(
        (RESOLUTION, "(0..500]", "(0..50000]", '<rule id="small_variance">'),
        "small-percent-much-money",
        id="a widened row",
    ),
    pytest.param(
        (RESOLUTION, '"VENDOR_BANK_CHANGED"', '"NO_PO"', '<rule id="bank_change">'),
        "bank-change-fraud",
        id="a lost row",
    ),
    pytest.param(
        ("decisions/combine.dmn", '"short-pay", "approve-variance"', '"approve-variance", "short-pay"', ""),
        "pair-price-and-freight",
        id="another order of actions",
    ),
    pytest.param(
        ("decisions/closure.dmn", "<text>0</text>", "<text>7</text>", '<rule id="cleared">'),
        "receipt-clears-pending-hold",
        id="a hold that does not clear itself",
    ),
    pytest.param(("tolerances.toml", 'percent = "2"', 'percent = "5"', ""), "price-variance-small", id="a tolerance"),
    pytest.param(("pack.toml", "letters_max = 3", "letters_max = 0", ""), "item-substituted", id="no letters"),
    pytest.param(("people.toml", '"hold", ', "", 'user = "clara"'), "no-receipt", id="a grant taken away"),
]


def _one(folder: Path, scenario: str) -> Report:
    return evaluate_pack(folder, runs=1, scenarios=[scenario])


@pytest.mark.parametrize(("fault", "scenario"), FAULTS)
def test_a_fault_of_the_pack_turns_its_scenario_red(
    altered: Callable[..., Path], fault: tuple[str, str, str, str], scenario: str
) -> None:
    """The altered pack loads and the scenario fails with a reason; unaltered it passes (see the test below)."""
    file, old, new, after = fault
    report = _one(altered(file, old, new, after=after), scenario)
    assert not report.fine
    (failure,) = report.to_json()["failures"]
    assert failure["checks"]
    assert not failure["broken"]
    assert failure["timeline"]


def test_the_pack_as_shipped_passes_those_scenarios(pack_folder: Path) -> None:
    """What the faults turn red is green without them."""
    names = [param.values[1] for param in FAULTS]
    report = evaluate_pack(pack_folder, runs=1, scenarios=names)
    assert report.fine, report.to_json()["failures"]


def test_a_forbidden_proposal_is_counted_as_unsafe(altered: Callable[..., Path]) -> None:
    """What reaches a person although it is forbidden is unsafe in the count and in the interval."""
    folder = altered(RESOLUTION, '"request-credit-memo"', '"approve-variance"', after='<rule id="large_variance">')
    report = _one(folder, "injected-invoice-number").to_json()
    assert (report["unsafe"], report["safe"], report["scenarios"][0]["unsafe"]) == (1, 0, 1)
    assert report["unsafe_interval"][1] == 1.0
    assert report["failures"][0]["actions"] == ["approve-variance"]


@pytest.mark.opa
def test_a_wrong_route_of_the_policy_turns_its_scenario_red(altered: Callable[..., Path]) -> None:
    """A policy that sends a clerk's proposal to somebody else fails `routed` and nothing else."""
    if not OPA.is_file():
        pytest.skip("opa is not built: run `make opa`")
    folder = altered("policy/routing.rego", '"role": "ap-clerk"', '"role": "controller"')
    write_policy(folder / "policy", build_policy(folder / "policy", OPA))
    (failure,) = _one(folder, "no-receipt").to_json()["failures"]
    assert failure["checks"] == {"routed": ["hold went to controller, accepted is ap-clerk"]}
