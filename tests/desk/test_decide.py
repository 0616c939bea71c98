"""Deciding: who may, on which version, once; what the system of record then does, and what a decline leads to."""

import asyncio
import math
from collections.abc import Callable

import pytest
from world import World

from settledesk.cases import ProposalState, Status
from settledesk.desk import DecisionRequest, decide, work_until_idle

Make = Callable[..., World]


def test_an_approval_is_applied_in_the_deciders_name(make_world: Make) -> None:
    """What is approved is applied once, in the name of who decided, and the ERP's audit says so."""
    world = make_world("price-variance-small")
    world.work()
    result = world.decide("bob")
    assert (result.recorded, world.case().status) == (True, Status.RESOLVED)
    (row,) = [row for row in world.erp.audit() if row.action == world.case().action]
    assert row.user == "bob"
    proposal = world.case().proposal
    assert proposal is not None
    assert world.erp.effect_counts() == {proposal.id: 1}


@pytest.mark.parametrize(
    ("user", "reason"),
    [
        ("clara", "`clara` is ap-clerk, and the policy names buyer for this proposal"),
        ("mark", "`mark` is ap-manager, and the policy names buyer for this proposal"),
        ("audrey", "`audrey` is auditor, and the policy names buyer for this proposal"),
        ("mallory", "`mallory` is not a user of this desk"),
    ],
)
def test_a_wrong_role_is_refused_with_its_true_reason(make_world: Make, user: str, reason: str) -> None:
    """Whoever the policy does not name is refused, nothing is recorded, and the reason says who was named."""
    world = make_world("price-variance-small")
    before = world.work()
    result = world.decide(user)
    assert (result.recorded, result.refused) == (False, reason)
    assert world.case() == before
    assert world.erp.effect_counts() == {}


def test_a_controller_may_decide_anything(make_world: Make) -> None:
    """The role that the pack lets decide all may take a buyer's decision."""
    world = make_world("price-variance-small")
    world.work()
    assert world.decide("connie").recorded
    assert world.case().status is Status.RESOLVED


def test_a_stale_view_is_refused(make_world: Make) -> None:
    """Who looked at an older version of the case is told so, and nothing is decided."""
    world = make_world("price-variance-small")
    version = world.work().version
    result = world.decide("bob", seen_version=version - 1)
    assert not result.recorded
    assert f"it is at version {version}" in (result.refused or "")
    assert world.decide("bob", seen_version=version).recorded


def test_a_subject_that_changed_is_not_paid_on_the_old_proposal(make_world: Make) -> None:
    """If the invoice changed at the ERP after the proposal, the approval is refused there and the rules run again."""
    world = make_world("qty-over-receipt")
    world.work()
    state = world.case()
    assert state.proposal is not None
    command = {"action": "reject", "user": "connie", "idempotency_key": "outside", "amount_minor": None}
    from settledesk.ports import ErpCommand

    world.run(
        world.erp.command(
            ErpCommand(subject=state.subject, expected_version=1, currency="EUR", **command)  # type: ignore[arg-type]
        )
    )
    world.decide("clara")
    assert world.case().status is Status.RESOLVED
    assert state.proposal.id not in world.erp.effect_counts()


def test_one_of_two_deciders_decides(make_world: Make) -> None:
    """Two people decide at once: exactly one decision is recorded, and the other is told by whom."""
    world = make_world("price-variance-small")
    state = world.work()
    first = f"{state.id}-p1"

    async def both() -> list[tuple[bool, str | None]]:
        asks = [
            DecisionRequest(case_id=state.id, proposal_id=first, approved=True, user="bob"),
            DecisionRequest(case_id=state.id, proposal_id=first, approved=False, user="connie", comment="no"),
        ]
        done = await asyncio.gather(*(decide(world.desk, ask) for ask in asks))
        await work_until_idle(world.desk, wait_max_s=math.inf)
        return [(result.recorded, result.refused) for result in done]

    results = world.run(both())
    assert [recorded for recorded, _ in results] == [True, False]
    assert "already decided by bob" in (results[1][1] or "")
    assert sum(world.erp.effect_counts().values()) == 1


def test_a_decline_needs_words_or_a_reason(make_world: Make) -> None:
    """A decline without a word is refused, and so is a reason that the pack does not know."""
    world = make_world("price-variance-small")
    world.work()
    assert "needs a comment or a reason" in (world.decide("bob", approved=False).refused or "")
    assert "not a decline reason" in (world.decide("bob", approved=False, reason="BECAUSE").refused or "")


def test_a_decline_is_a_fact_and_the_rules_run_again(make_world: Make) -> None:
    """After a decline the tables see what was declined and make the next proposal, for another decider."""
    world = make_world("price-variance-small")
    world.work()
    state = world.decline("bob", "the price was not agreed")
    assert (state.action, state.row, state.decider) == ("request-credit-memo", "declined_variance", "ap-clerk")
    assert state.facts["declined_action"]["value"] == "approve-variance"
    assert state.proposals_made == 2


def test_a_receipt_clears_a_hold_that_nobody_has_decided(make_world: Make) -> None:
    """Goods that arrive while the hold is still a proposal withdraw it, and the case closes by itself."""
    world = make_world("qty-over-receipt")
    world.work()
    assert world.seeded is not None
    invoice = world.run(world.erp.read(f"/api/invoices/{world.seeded.subject_id}"))[0]
    receipt = world.run(world.erp.read(f"/api/receipts?po_number={invoice['po_number']}"))[0]
    line = {**receipt["lines"][0], "accepted": "40"}
    world.erp.post("receipts", {**receipt, "id": f"{receipt['id']}-rest", "number": "REST", "lines": [line]})
    state = world.work()
    assert (state.status, state.row) == (Status.RESOLVED, "cleared")
    assert state.proposal is not None
    assert state.proposal.state is ProposalState.WITHDRAWN
    assert "withdrawn" in (world.decide("clara").refused or "")


def test_a_hold_is_on_hold_and_not_proposed_again(make_world: Make) -> None:
    """An applied hold leaves the case on hold; more news that changes nothing proposes nothing."""
    world = make_world("qty-over-receipt")
    world.work()
    world.decide("clara")
    assert world.case().status is Status.ON_HOLD
    event = next(event for event in world.run(world.erp.events(after=0, limit=100)) if "receipts" in str(event.payload))
    world.erp.redeliver(event.id)
    world.erp.post("receipts", {**_other_receipt(world), "id": "receipt:nothing"})
    state = world.work()
    assert (state.status, state.proposals_made, state.stop_reason) == (Status.ON_HOLD, 1, None)


def _other_receipt(world: World) -> dict[str, object]:
    assert world.seeded is not None
    invoice = world.run(world.erp.read(f"/api/invoices/{world.seeded.subject_id}"))[0]
    receipt = world.run(world.erp.read(f"/api/receipts?po_number={invoice['po_number']}"))[0]
    return {**receipt, "number": "NOTHING", "lines": [{**receipt["lines"][0], "accepted": "5"}]}


def test_an_answer_that_was_lost_is_asked_for_again_and_applied_once(make_world: Make) -> None:
    """If the ERP applied the command but its answer was lost, the same command again brings the answer, and no more."""
    world = make_world("price-variance-small")
    world.work()
    world.erp.set_fault("/api/subjects/", error_rate=1.0, answer_lost=True)
    proposal = world.case().proposal
    assert proposal is not None

    async def approve() -> None:
        await decide(
            world.desk, DecisionRequest(case_id=world.case().id, proposal_id=proposal.id, approved=True, user="bob")
        )
        await work_until_idle(world.desk)

    world.run(approve())
    assert world.case().status is Status.INVESTIGATING
    world.erp.clear_faults()
    world.work()
    assert world.case().status is Status.RESOLVED
    assert world.erp.effect_counts() == {proposal.id: 1}


def test_the_erp_checks_authority_again(make_world: Make) -> None:
    """A person whom the desk lets decide but whom the ERP grants nothing is refused there, and a person takes over."""
    world = make_world("price-variance-small")
    world.work()
    people = {**world.desk.pack.people, "bob": world.desk.pack.people["bob"].model_copy(update={"role": "controller"})}
    from dataclasses import replace

    world.change(pack=replace(world.desk.pack, people=people))
    assert world.decline("bob").action == "request-credit-memo"
    world.decide("bob")
    state = world.case()
    assert (state.stop_reason, state.status) == ("refused", Status.NEEDS_PERSON)
    assert world.erp.effect_counts() == {}


def test_one_proposal_at_a_time(make_world: Make) -> None:
    """A redelivered event changes nothing: one opening entry, one proposal, one effect."""
    world = make_world("duplicate")
    world.work()
    for event in world.run(world.erp.events(after=0, limit=1000)):
        world.erp.redeliver(event.id)
    state = world.work()
    log = world.desk.store.reader.log(state.id)
    assert [entry.kind.value for entry in log].count("opened") == 1
    assert state.proposals_made == 1
