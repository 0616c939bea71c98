"""News at an awkward moment: nothing is decided on what has changed, nothing is lost, nobody is written to."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from test_stop_reasons import VENDOR, BrokenMailbox
from world import World

from settledesk.cases import Handler, ProposalState, Status, StopReason
from settledesk.desk import DecisionRequest, decide, note, take_in_events, work_once, work_until_idle
from settledesk.policy import Forbidden, PolicyQuestion
from settledesk.ports import ErpCommand, ErpEvent

Make = Callable[..., World]


def credit_all(world: World) -> None:
    """Post a credit note over the whole invoice."""
    invoice = world.run(world.erp.read(f"/api/invoices/{world.case().subject}"))[0]
    kept = {
        key: value for key, value in invoice.items() if key not in ("status", "version", "intake_seq", "number_key")
    }
    own = {"id": "credit-note:C", "kind": "credit-note", "number": "C-1", "invoice_numbers": [invoice["number"]]}
    world.erp.post("credit-notes", {**kept, **own, "content_hash": None})


def receive_rest(world: World) -> None:
    """Post a receipt of the 40 units that were missing."""
    invoice = world.run(world.erp.read(f"/api/invoices/{world.case().subject}"))[0]
    receipt = world.run(world.erp.read(f"/api/receipts?po_number={invoice['po_number']}"))[0]
    line = {**receipt["lines"][0], "accepted": "40"}
    world.erp.post("receipts", {**receipt, "id": f"{receipt['id']}-rest", "number": "REST", "lines": [line]})


def kinds(world: World) -> list[str]:
    """Return the kinds of the case's entries."""
    return [entry.kind.value for entry in world.desk.store.reader.log(world.case().id)]


def test_nothing_is_decided_before_the_rules_have_seen_the_news(make_world: Make) -> None:
    """While an event that was taken in waits for the rules, an approval is refused; then the case closes by itself."""
    world = make_world("price-variance-small")
    world.work()
    credit_all(world)
    world.run(take_in_events(world.desk))
    proposal = world.case().proposal
    assert proposal is not None
    request = DecisionRequest(
        case_id=world.case().id,
        proposal_id=proposal.id,
        approved=True,
        user="bob",
        seen_version=world.case().version,
    )
    result = world.run(decide(world.desk, request))
    assert not result.recorded
    assert "the rules look at it first" in (result.refused or "")
    assert (world.work().row, world.erp.effect_counts()) == ("credited", {})


def test_an_approval_is_of_the_proposal_that_was_seen(make_world: Make) -> None:
    """Who saw one proposal never approves the one that took its place."""
    world = make_world("price-variance-small")
    state = world.work()
    seen = f"{state.id}-p1"
    world.decline("bob")
    request = DecisionRequest(case_id=state.id, proposal_id=seen, approved=True, user="connie")
    result = world.run(decide(world.desk, request))
    assert not result.recorded
    assert "another proposal has taken its place: request-credit-memo" in (result.refused or "")


class ForbiddingPolicy:
    """A policy of another revision, which forbids everything."""

    policy_hash = "f" * 12

    async def decide(self, question: PolicyQuestion) -> Forbidden:
        """Forbid."""
        return Forbidden(why="nothing is allowed any more")


def test_an_approval_under_another_policy_is_void(make_world: Make) -> None:
    """If the policy changed since the proposal, the approval is refused, says why, and the rules look again."""
    world = make_world("price-variance-small")
    world.work()
    world.change(policy=ForbiddingPolicy())
    result = world.decide("bob")
    assert not result.recorded
    assert "the policy changed since this was proposed" in (result.refused or "")
    assert world.case().stop_reason is StopReason.REFUSED
    assert world.erp.effect_counts() == {}


def test_instructions_in_a_reply_stop_the_money(make_world: Make) -> None:
    """A reply that tried to give instructions is remembered, and the policy is told so for good."""
    world = make_world("item-substituted")
    world.work()
    reading = {"intent": "SUBSTITUTED_ITEM", "substitution_reason": "UPGRADE", "shipped_item": "M8-HEX-SS-100"}
    state = world.reply(VENDOR, **reading, contains_instructions=True)
    assert state.instructions_seen
    assert state.status is Status.NEEDS_PERSON
    assert state.action not in ("approve-variance", "short-pay")


def test_a_closed_case_is_not_reopened_by_a_letter_that_failed(make_world: Make) -> None:
    """A letter that is still being tried when a credit note closes the case is given up, and the case stays closed."""
    world = make_world("item-substituted").change(mailbox=BrokenMailbox())
    world.run(work_until_idle(world.desk))
    credit_all(world)
    state = world.work_for(24 * 3_600)
    assert (state.status, state.row) == (Status.RESOLVED, "credited")


def test_nobody_is_written_to_after_a_handover(make_world: Make) -> None:
    """A letter that waits when a person takes the case is not sent."""
    world = make_world("item-substituted")

    async def story() -> None:
        await take_in_events(world.desk)
        await work_once(world.desk)
        await note(world.desk, world.case().id, user="mark", text="do not write to them")
        await work_until_idle(world.desk)

    world.run(story())
    assert world.case().handled_by is Handler.PERSON
    assert world.mailbox.letters == ()


def test_an_answer_counts_wherever_the_case_stands(make_world: Make) -> None:
    """A right answer that comes while a hold is proposed meanwhile is kept as a fact, not called unasked."""
    world = make_world("item-substituted")
    world.work()
    invoice = world.run(world.erp.read(f"/api/invoices/{world.case().subject}"))[0]
    account = {
        "id": "bank-account:NEW",
        "iban": "XX00NEW",
        "name": "Acme Fasteners",
        "proposed_by_email": "a@b.example",
    }
    world.erp.propose_change("bank-change", invoice["vendor_id"], account)
    assert world.work().action == "hold"
    reading = {"intent": "SUBSTITUTED_ITEM", "substitution_reason": "UPGRADE", "shipped_item": "M8-HEX-SS-100"}
    state = world.reply(VENDOR, **reading)
    assert state.stop_reason is None
    assert "substitution_reason" in state.answers


def test_a_bank_change_after_intake_is_noticed(make_world: Make) -> None:
    """A change of the vendor's account that is proposed while an approval waits turns it into a hold."""
    world = make_world("price-variance-small")
    world.work()
    invoice = world.run(world.erp.read(f"/api/invoices/{world.case().subject}"))[0]
    account = {
        "id": "bank-account:NEW",
        "iban": "XX00NEW",
        "name": "Acme Fasteners",
        "proposed_by_email": "a@b.example",
    }
    world.erp.propose_change("bank-change", invoice["vendor_id"], account)
    state = world.work()
    assert (state.action, state.proposals_made) == ("hold", 2)


def test_a_note_before_the_effect_stops_it(make_world: Make) -> None:
    """A note written after the approval and before anything was sent stops the effect."""
    world = make_world("price-variance-small")
    world.work()

    async def story() -> None:
        state = world.case()
        request = DecisionRequest(case_id=state.id, proposal_id=f"{state.id}-p1", approved=True, user="bob")
        assert (await decide(world.desk, request)).recorded
        await note(world.desk, state.id, user="mark", text="stop, fraud suspected")
        await work_until_idle(world.desk)

    world.run(story())
    assert world.erp.effect_counts() == {}
    state = world.case()
    assert state.proposal is not None
    assert (state.status, state.proposal.state) == (Status.NEEDS_PERSON, ProposalState.WITHDRAWN)


def test_an_effect_that_was_sent_is_brought_to_its_end(make_world: Make) -> None:
    """A note written while the command is on its way changes nothing of what happened: it is written down."""
    world = make_world("qty-over-receipt")
    world.work()
    real = world.erp.command

    async def command(wanted: ErpCommand) -> Any:
        await note(world.desk, world.case().id, user="mark", text="wait")
        return await real(wanted)

    world.erp.command = command  # type: ignore[method-assign]
    world.decide("clara")
    state = world.case()
    assert sum(world.erp.effect_counts().values()) == 1
    assert "applied" in kinds(world)
    assert (state.status, state.handled_by) == (Status.NEEDS_PERSON, Handler.PERSON)


def test_news_during_an_effect_is_seen_after_it(make_world: Make) -> None:
    """A receipt that arrives between the approval of a hold and its effect is not lost."""
    world = make_world("qty-over-receipt")
    world.work()
    world.erp.set_fault("/api/subjects/", error_rate=1.0)

    async def approve() -> None:
        state = world.case()
        request = DecisionRequest(case_id=state.id, proposal_id=f"{state.id}-p1", approved=True, user="clara")
        assert (await decide(world.desk, request)).recorded
        await work_until_idle(world.desk)

    world.run(approve())
    receive_rest(world)
    world.run(work_until_idle(world.desk))
    assert world.case().unseen is not None
    world.erp.clear_faults()
    world.work()
    assert sum(world.erp.effect_counts().values()) == 1
    assert world.case().stop_reason is StopReason.RECEIPT


def test_events_during_an_outage_use_up_no_attempt(make_world: Make) -> None:
    """However many events arrive while a read fails, the case is given its full time before it counts as unread."""
    world = make_world()
    world.erp.set_fault("/api/receipts", error_rate=1.0)
    world.seed("price-variance-small")
    world.run(work_until_idle(world.desk))
    for number in range(6):
        world.erp.post("despatches", _despatch(number))
        world.run(work_until_idle(world.desk))
    assert kinds(world).count("read_failed") == 1
    world.erp.clear_faults()
    assert world.work().action == "approve-variance"


def _despatch(number: int) -> dict[str, object]:
    order = "PO-0000A001"
    own = {"id": f"despatch:{number}", "kind": "despatch", "number": f"D-{number}", "lines": []}
    return {**own, "po_number": order, "despatched_on": "2026-10-02"}


def test_lost_fences_are_no_failures(make_world: Make) -> None:
    """A case that changes under the worker, again and again, is worked on again and never called poison."""
    world = make_world("price-variance-small")
    real = world.desk.policy
    rounds = 0

    class Meddling:
        policy_hash = real.policy_hash

        async def decide(self, question: PolicyQuestion) -> object:
            nonlocal rounds
            rounds += 1
            if rounds <= 8:
                await world.desk.store.tx(lambda tx: tx.append(tx.case(world.case().id), [_note()]))  # type: ignore[arg-type]
            return await real.decide(question)

    world.change(policy=Meddling())
    state = world.work()
    assert (state.stop_reason, state.action) == (None, "approve-variance")


def _note() -> Any:
    from settledesk.cases import EntryKind, LogEntry

    return LogEntry(kind=EntryKind.NOTED, data={"text": "n"}, by="mark", at="2026-10-01T08:00:00+00:00")


def test_a_lost_command_that_breaks_is_unknown_and_said_so(make_world: Make) -> None:
    """If the call to the system of record breaks in an unforeseen way, nobody claims to know what it did."""
    world = make_world("price-variance-small")
    world.work()

    async def command(wanted: ErpCommand) -> Any:
        raise ValueError("a client with a fault of its own")

    world.erp.command = command  # type: ignore[method-assign]
    world.decide("bob")
    state = world.case()
    assert "not known whether the system of record applied it" in (state.stop_detail or "")
    assert [call.state for call in world.desk.store.reader.calls()] == ["unknown"]


def test_an_event_that_cannot_be_stored_holds_up_no_other(make_world: Make) -> None:
    """One unusable event is put aside; those before and behind it are taken in."""
    world = make_world("price-variance-small")
    real = world.erp.events

    async def events(*, after: int, limit: int) -> tuple[ErpEvent, ...]:
        found = await real(after=after, limit=limit)
        return tuple(replace(one, payload={**one.payload, "x": float("nan")}) if one.seq == 2 else one for one in found)

    world.erp.events = events  # type: ignore[method-assign]
    assert world.work().action == "approve-variance"


def test_a_case_that_cannot_be_read_stops_nobody(make_world: Make) -> None:
    """A damaged case row is put aside and shown, and the other cases go on."""
    world = make_world("duplicate")
    world.run(take_in_events(world.desk))
    damaged = world.desk.store.reader.cases()[0].id
    writer = world.desk.store._writer  # type: ignore[attr-defined]
    writer.execute(
        "update cases set state_json = replace(state_json, 'investigating', 'dreaming') where id = ?", (damaged,)
    )
    asyncio.run(work_until_idle(world.desk))
    assert [case for case, _ in world.desk.store.reader.parked()] == [damaged]
    row = writer.execute("select status from cases where id <> ?", (damaged,)).fetchone()
    assert row[0] == "awaiting_decision"


def test_a_closed_case_is_judged_again_when_it_no_longer_holds(make_world: Make) -> None:
    """Goods that cleared a case and then go back to the vendor open it again."""
    world = make_world("qty-over-receipt")
    world.work()
    receive_rest(world)
    assert world.work().row == "cleared"
    invoice = world.run(world.erp.read(f"/api/invoices/{world.case().subject}"))[0]
    receipt = world.run(world.erp.read(f"/api/receipts?po_number={invoice['po_number']}"))[0]
    line = {**receipt["lines"][0], "accepted": "40"}
    back = {**receipt, "id": "receipt:back", "number": "BACK", "returned": True, "lines": [line]}
    world.erp.post("receipts", back)
    state = world.work()
    assert (state.status, state.action, state.row) == (Status.AWAITING_DECISION, "hold", "over_receipt")


@pytest.mark.parametrize("text", ["", "   "])
def test_a_note_needs_words(make_world: Make, text: str) -> None:
    """An empty note takes no case away from the rules."""
    world = make_world("price-variance-small")
    world.work()
    assert world.note("mark", text) is not None
    assert world.case().handled_by is Handler.RULES
