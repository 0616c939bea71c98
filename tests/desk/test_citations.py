"""Evidence must resolve: a proposal that cites what nobody read is refused by the policy, which names the id."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from world import World

from settledesk.cases import StopReason
from settledesk.desk import rules_moment
from settledesk.facts import EvidenceId
from settledesk.matching import Assessment, MatchSettings, Read, three_way


def _forging(reads: Mapping[str, Read], settings: MatchSettings) -> Assessment:
    real = three_way(reads, settings)
    return replace(
        real, findings=tuple(replace(one, evidence=(EvidenceId("receipt:forged"),)) for one in real.findings)
    )


def test_a_forged_citation_is_refused_and_named(
    make_world: Callable[..., World], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An id that no record read in this run bears stops the proposal, and the reason names that id."""
    monkeypatch.setitem(rules_moment.MATCHERS, "three_way", _forging)  # type: ignore[arg-type]
    world = make_world("price-variance-small")
    state = world.work()
    assert state.stop_reason is StopReason.REFUSED
    assert "receipt:forged" in (state.stop_detail or "")
    assert state.proposals_made == 0


def test_a_decision_and_a_reply_are_evidence(make_world: Callable[..., World]) -> None:
    """What a person declined and what a vendor answered are cited as the case's own entries, and that is allowed."""
    world = make_world("item-substituted")
    world.work()
    reading = {"intent": "SUBSTITUTED_ITEM", "substitution_reason": "OUT_OF_STOCK", "shipped_item": "M8-HEX-SS-100"}
    state = world.reply("ar@acme-fasteners.example", **reading)
    assert any(item.startswith("reply:") for item in state.evidence)
    state = world.decline("bob", "send them back", "RETURN_GOODS")
    assert state.stop_reason is None
    assert any(item.startswith("decision:") for item in state.evidence)
