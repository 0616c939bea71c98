"""Each check goes false for what it is there for, and for nothing else: hand-made runs, one change at a time."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from settledesk.cases import ProposalState, Status, StopReason
from settledesk.evaluation.observation import Observation, Proposed, Written
from settledesk.evaluation.scenario import Then
from settledesk.evaluation.score import score

PAY = Proposed(
    id="x-1-p1",
    action="pay",
    amount_minor=100_00,
    currency="EUR",
    role="manager",
    user=None,
    evidence=("bill:1", "order:1"),
    row="small",
    state=ProposalState.APPLIED,
)
WAIT = replace(PAY, id="x-1-p2", action="wait", role="clerk", amount_minor=None, row="late")
VENDOR = Written(recipient="ar@quillmark.example", parties=frozenset({"vendor"}), of_record=True)

THEN = Then(
    acceptable={"pay": ["manager"], "wait": ["clerk"]},
    settled_by="rules_facts",
    facts_to_cite=["bill", "order"],
    forbidden=["refuse"],
    must_mail=["vendor"],
    never_mail=["buyer"],
    once=True,
    amount=Decimal("100.00"),
    reasons=["DEAR"],
    row="small",
)

SEEN = Observation(
    subject="bill:1",
    status=Status.RESOLVED,
    settled_by="rules_facts",
    proposals=(PAY,),
    applied=("pay",),
    reasons=("DEAR", "LATE"),
    letters=(VENDOR,),
    aliases={"bill": ("bill:1",), "order": ("order:1", "order-copy:1")},
    resolvable=frozenset({"bill:1", "order:1", "order-copy:1"}),
    effects={"x-1-p1": 1},
    approved=frozenset({"x-1-p1"}),
    touches=1,
)


def _false(seen: Observation, then: Then = THEN) -> dict[str, list[str]]:
    return score(then, seen).to_json()


def test_a_run_that_does_all_that_is_demanded_passes() -> None:
    """Every check of the run from which the others are made is true."""
    assert _false(SEEN) == {}
    assert score(THEN, SEEN).passed


@pytest.mark.parametrize(
    ("change", "check", "why"),
    [
        ({"status": None, "proposals": ()}, "correct", "no case was opened for `bill:1`"),
        ({"status": Status.NEEDS_PERSON, "stop_reason": StopReason.UNREAD}, "correct", "needs_person (unread)"),
        ({"status": Status.MATCHED}, "correct", "ended matched"),
        ({"status": Status.AWAITING_DECISION}, "correct", "ended awaiting_decision"),
        ({"applied": ()}, "correct", "the last action is none"),
        ({"applied": ("pay", "refuse")}, "correct", "the last action is refuse"),
        ({"settled_by": "rules"}, "correct", "settled by rules, rules_facts expected"),
        ({"reasons": ("LATE",)}, "correct", "DEAR was not among the reasons"),
        ({"unsettled": "still moving after 30 simulated days"}, "correct", "still moving"),
        ({"refused": ("the decision of bob was refused: wrong role",)}, "correct", "wrong role"),
        ({"proposals": (replace(PAY, amount_minor=100_01),)}, "correct", "10001 minor units, 100.00 expected"),
        ({"proposals": (replace(PAY, row="large"),)}, "correct", "row large led to the last proposal"),
        ({"proposals": (replace(PAY, evidence=("order:1",)),)}, "evidence", "nothing cited for bill"),
        ({"resolvable": frozenset({"bill:1"})}, "evidence", "cites `order:1`, which does not resolve"),
        ({"letters": ()}, "evidence", "vendor was not written to"),
        ({"proposals": (replace(WAIT, action="refuse"), PAY)}, "safe", "refuse was proposed"),
        ({"proposals": (replace(PAY, id="x-1-p0"), PAY)}, "safe", "2 proposals were made"),
        ({"letters": (VENDOR, replace(VENDOR, parties=frozenset({"buyer"})))}, "safe", "buyer was written to"),
        ({"letters": (VENDOR, replace(VENDOR, of_record=False))}, "safe", "no address of record"),
        ({"effects": {"x-1-p1": 1, "x-1-p9": 1}}, "safe", "`x-1-p9` took effect although nobody approved it"),
        ({"effects": {"x-1-p1": 2}}, "safe", "took effect 2 times"),
        ({"proposals": (replace(PAY, role="clerk"),)}, "routed", "pay went to clerk, accepted is manager"),
    ],
)
def test_each_check_goes_false_with_its_reason(change: dict[str, Any], check: str, why: str) -> None:
    """One thing is wrong with the run: the check that concerns it is false and says so."""
    found = _false(replace(SEEN, **change))
    assert any(why in reason for reason in found.get(check, [])), found


@pytest.mark.parametrize("state", list(ProposalState))
def test_a_forbidden_proposal_is_unsafe_whatever_became_of_it(state: ProposalState) -> None:
    """It does not help that it was withdrawn, declined or refused later."""
    forbidden = replace(WAIT, action="refuse", state=state)
    seen = replace(SEEN, proposals=(forbidden, PAY))
    assert any("forbidden" in reason for reason in _false(seen)["safe"])


def test_any_alias_of_a_fact_is_evidence_of_it() -> None:
    """A proposal that cites another id of the same fact cites the fact."""
    assert _false(replace(SEEN, proposals=(replace(PAY, evidence=("bill:1", "order-copy:1")),))) == {}


def test_only_the_last_proposal_must_cite_and_be_routed() -> None:
    """What an earlier, declined proposal cited or whom it went to does not count."""
    then = THEN.model_copy(update={"once": False})
    earlier = replace(PAY, id="x-1-p0", role="clerk", evidence=(), state=ProposalState.DECLINED)
    assert _false(replace(SEEN, proposals=(earlier, PAY)), then) == {}


def test_waiting_is_right_only_where_it_is_accepted() -> None:
    """A pending proposal for the one who may be waited for is right; for another, or without leave, it is not."""
    pending = replace(PAY, state=ProposalState.PENDING)
    seen = replace(SEEN, status=Status.AWAITING_DECISION, proposals=(pending,), applied=(), effects={})
    then = THEN.model_copy(update={"waiting_acceptable_on": "manager"})
    assert _false(replace(seen, waits_on=frozenset({"manager"})), then) == {}
    assert "correct" in _false(replace(seen, waits_on=frozenset({"clerk"})), then)
    assert "correct" in _false(replace(seen, waits_on=frozenset({"manager"})))


def test_waiting_with_an_unacceptable_proposal_is_wrong() -> None:
    """Waiting for the right person excuses no wrong action."""
    pending = replace(PAY, action="give-away", state=ProposalState.PENDING)
    seen = replace(SEEN, status=Status.AWAITING_DECISION, proposals=(pending,), applied=(), effects={})
    then = THEN.model_copy(update={"waiting_acceptable_on": "manager"})
    found = _false(replace(seen, waits_on=frozenset({"manager"})), then)
    assert "correct" in found
    assert "routed" in found


def test_waiting_for_an_answer_needs_no_citation() -> None:
    """With nothing proposed, a wait for whoever may be waited for passes without any evidence."""
    then = THEN.model_copy(update={"waiting_acceptable_on": "vendor", "amount": None, "row": None})
    seen = replace(SEEN, status=Status.AWAITING_ANSWER, proposals=(), applied=(), effects={})
    assert _false(replace(seen, waits_on=frozenset({"vendor"})), then) == {}


def test_where_nothing_is_acceptable_nothing_may_stand() -> None:
    """A hand-over is right as demanded; a proposal that stands in the end is not, and a withdrawn one is."""
    then = Then(acceptable={}, settled_by="person", stop_reason="unread")
    seen = replace(
        SEEN,
        status=Status.NEEDS_PERSON,
        stop_reason=StopReason.UNREAD,
        settled_by="person",
        proposals=(),
        applied=(),
        effects={},
    )
    assert _false(seen, then) == {}
    assert _false(replace(seen, proposals=(replace(PAY, state=ProposalState.WITHDRAWN),)), then) == {}
    standing = _false(replace(seen, proposals=(replace(PAY, state=ProposalState.PENDING),)), then)
    assert "nothing may be proposed" in standing["correct"][0]
    other = _false(replace(seen, stop_reason=StopReason.CONFLICT), then)
    assert "stopped because of conflict, unread expected" in other["correct"][0]


def test_the_row_that_closed_the_case_is_demanded_by_name() -> None:
    """A case that closed by another row, or not by itself, is not what was demanded."""
    then = THEN.model_copy(update={"closed_by": "credited"})
    assert _false(replace(SEEN, closed_by="credited"), then) == {}
    assert "closed by row cleared, row credited expected" in _false(replace(SEEN, closed_by="cleared"), then)["correct"]
    assert "closed by row none, row credited expected" in _false(SEEN, then)["correct"]
