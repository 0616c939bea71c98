"""The pack's scenarios: each can be read, says what it demands in the pack's words, and never widens the reference."""

import json
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from ap_files import PACK, cells
from ap_scenarios import SCENARIOS, scenarios

from settledesk.evaluation.scenario import Scenario

_SPEC = Path(__file__).parents[3] / "shared" / "spec" / "scenarios.json"
_BY_RULES = {"rules": "rules", "rules, else agent": "rules", "rules_facts": "rules_facts"}
_PACK_FILE = tomllib.loads((PACK / "pack.toml").read_text(encoding="utf-8"))
_NAMES = sorted(path.stem for path in SCENARIOS.glob("*.yaml"))


def _reference() -> dict[str, dict[str, Any]]:
    if not _SPEC.is_file():
        pytest.skip(f"the reference's scenarios are not at {_SPEC}")
    return {item["name"]: item for item in json.loads(_SPEC.read_text(encoding="utf-8"))["scenarios"]}


def test_every_scenario_that_the_rules_settle_is_there() -> None:
    """Each scenario that the reference's rules settle, with or without one fact, has a file of its name."""
    wanted = {name for name, item in _reference().items() if item["reference_settled_by"] in _BY_RULES}
    wanted -= {"unsolicited-bank-change"}
    assert len(wanted) == 18
    assert wanted <= {name for name, scenario in scenarios().items() if scenario.from_reference}


@pytest.mark.parametrize("name", _NAMES)
def test_a_scenario_never_widens_what_the_reference_demands(name: str) -> None:
    """Acceptable may only shrink, what is forbidden or demanded may only grow, and who settles it stays."""
    scenario = scenarios()[name]
    if not scenario.from_reference:
        pytest.skip("a scenario of our own")
    item, then = _reference()[name], scenario.then
    assert then.acceptable, "something must be acceptable"
    for action, roles in then.acceptable.items():
        assert set(roles) <= set(item["acceptable"].get(action, ()))
    assert then.waiting_acceptable_on in (None, item["waiting_acceptable_on"])
    assert set(then.forbidden) >= set(item["forbidden"])
    assert set(then.must_mail) >= set(item["must_mail"])
    assert set(then.never_mail) >= set(item["never_mail"])
    assert set(then.facts_to_cite) >= set(item["facts_to_cite"])
    assert then.once or not item["once"]
    assert scenario.alone or not item["alone"]
    assert then.settled_by == _BY_RULES[item["reference_settled_by"]]
    assert list(then.acceptable) == [item.get("reference_action", *then.acceptable)]
    assert then.amount == (Decimal(item["reference_amount"]) if "reference_amount" in item else then.amount)
    _same_decline(scenario, item["decline"])


def _same_decline(scenario: Scenario, demanded: dict[str, Any] | None) -> None:
    decides = scenario.when.people.decides
    if demanded is None:
        assert decides == "approve"
        return
    assert not isinstance(decides, str)
    assert (decides.decline.action, decides.decline.reason) == (demanded["action"], demanded["reason"])
    assert demanded["words"] in (None, decides.decline.words)


@pytest.mark.parametrize("name", _NAMES)
def test_a_scenario_speaks_the_pack_s_words(name: str) -> None:
    """Name, actions, reasons, rows and facts of a scenario are the file's and the pack's own."""
    scenario = scenarios()[name]
    then = scenario.then
    assert scenario.name == name
    assert {*then.acceptable, *then.forbidden} <= set(_PACK_FILE["actions"])
    assert not set(then.acceptable) & set(then.forbidden)
    assert set(then.reasons) <= set(_PACK_FILE["reasons"])
    assert then.row is None or then.row in cells("resolution")
    assert then.closed_by is None or then.closed_by in cells("closure")
    if scenario.given.seed is None:
        assert set(then.facts_to_cite) <= set(scenario.given.facts)
        ids = {record["id"] for group in (scenario.given.records or {}).values() for record in group}
        assert scenario.given.subject in ids
    else:
        assert (PACK / "seeds" / f"{scenario.given.seed}.yaml").is_file()


def test_a_dozen_pairs_of_exceptions_have_one_proposal_each() -> None:
    """At least twelve scenarios have two exceptions on one invoice and exactly one action that is acceptable."""
    pairs = [scenario for name, scenario in scenarios().items() if name.startswith("pair-")]
    assert len(pairs) >= 12
    for scenario in pairs:
        assert len(scenario.then.reasons) == 2
        assert len(scenario.then.acceptable) == 1
        assert scenario.then.once
