"""All twelve reasons for which the rules give a case away, each reached by what really causes it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from world import World, changed_pack

from settledesk.cases import Handler, ProposalState, Status, StopReason
from settledesk.ports import Letter, MailboxUnavailableError

Make = Callable[..., World]
VENDOR = "ar@acme-fasteners.example"
PAST_LIMIT = 1.0


def stopped(world: World, reason: StopReason) -> None:
    """Assert that the case was handed over, one way, for exactly this reason, and nothing waits for a decision."""
    state = world.case()
    assert (state.stop_reason, state.status, state.handled_by) == (reason, Status.NEEDS_PERSON, Handler.PERSON)
    assert state.proposal is None or state.proposal.state is not ProposalState.PENDING
    assert state.decider is None
    over = [entry for entry in world.desk.store.reader.log(state.id) if entry.kind.value == "handed_over"]
    assert [entry.data["why"] for entry in over] == [reason.value]


def test_unhandled(make_world: Make) -> None:
    """An invoice whose order does not exist has no row."""
    world = make_world("no-po")
    world.work()
    stopped(world, StopReason.UNHANDLED)


def test_declined(make_world: Make) -> None:
    """After a second decline no row says what follows."""
    world = make_world("price-variance-small")
    world.work()
    assert world.decline("bob").action == "request-credit-memo"
    world.decline("clara")
    stopped(world, StopReason.DECLINED)


def test_conflict_names_both_rows(make_world: Make, tmp_path: Path) -> None:
    """Two matching rows are a conflict, and the reason names both of them."""

    def overlap(pack: Path) -> None:
        table = pack / "decisions" / "resolution.dmn"
        text = table.read_text()
        start = text.index('<rule id="small_variance">')
        end = text.index("</rule>", start) + len("</rule>")
        twin = text[start:end].replace("small_variance", "another_variance")
        table.write_text(text[:end] + twin + text[end:])
        sentences = pack / "rationales.toml"
        sentences.write_text(sentences.read_text() + '\nanother_variance = "Another row."\n')

    world = make_world("price-variance-small", changed_pack(tmp_path, overlap))
    world.work()
    stopped(world, StopReason.CONFLICT)
    detail = world.case().stop_detail or ""
    assert "small_variance" in detail
    assert "another_variance" in detail


def test_exhausted_by_an_unclear_answer(make_world: Make) -> None:
    """A fact that was asked for and is still unknown after the answer is not asked for again."""
    world = make_world("item-substituted")
    assert world.work().status is Status.AWAITING_ANSWER
    world.reply(VENDOR, intent="UNCLEAR")
    stopped(world, StopReason.EXHAUSTED)
    assert len(world.mailbox.letters) == 1


def test_exhausted_by_a_reason_that_is_none(make_world: Make) -> None:
    """The answer OTHER is read, but it is not a reason that a row knows."""
    world = make_world("item-substituted")
    world.work()
    reading = {"intent": "SUBSTITUTED_ITEM", "substitution_reason": "OTHER", "shipped_item": "M8-HEX-SS-100"}
    world.reply(VENDOR, **reading)
    assert world.case().stop_reason in (StopReason.EXHAUSTED, StopReason.UNHANDLED, StopReason.REPLY)
    assert world.case().status is Status.NEEDS_PERSON


def test_refused_by_the_policy(make_world: Make) -> None:
    """With the vendor unreadable no money may move, and the reason says unreadable, never fraud."""
    world = make_world("price-variance-small")
    world.erp.set_fault("/api/vendors", error_rate=PAST_LIMIT)
    world.work()
    stopped(world, StopReason.REFUSED)
    detail = world.case().stop_detail or ""
    assert "could not be read" in detail
    assert "unverified" not in detail.partition("(")[0]


def test_unread(make_world: Make) -> None:
    """A row fired, but the cited order was never read: nothing is proposed."""
    world = make_world("duplicate")
    world.erp.set_fault("/api/purchase-orders", error_rate=PAST_LIMIT)
    world.work()
    stopped(world, StopReason.UNREAD)
    assert world.case().proposals_made == 0


def test_invariant(make_world: Make) -> None:
    """A short payment of nothing is never proposed."""
    world = make_world("unplanned-freight")
    assert world.seeded is not None
    subject = world.seeded.subject_id
    record = dict(world.run(world.erp.read(f"/api/invoices/{subject}"))[0])
    own = {"po_line": None, "item": "PALLET", "description": "pallet", "quantity": "7", "line_amount": "70.00"}
    line = {**record["lines"][0], **own, "unit_price": "10.00"}
    again = {
        **{key: value for key, value in record.items() if key not in ("status", "version", "intake_seq")},
        "id": f"{subject}-only-charges",
        "number": f"{record['number']}-C",
        "number_key": None,
        "content_hash": None,
        "issue_date": "2026-12-01",
        "line_total": "70.00",
        "total": "155.00",
        "lines": [line],
    }
    world.erp.post("invoices", again)
    world.work()
    state = world.case_of(f"{subject}-only-charges")
    assert state.stop_reason is StopReason.INVARIANT
    assert state.proposals_made == 0


class BrokenMailbox:
    """A mailbox that never takes a letter."""

    async def send(self, letter: Letter) -> None:
        """Fail."""
        raise MailboxUnavailableError("the mail server does not answer")


def test_unsent(make_world: Make) -> None:
    """A letter that cannot be sent, however often it is tried, leaves the case to a person."""
    world = make_world("item-substituted").change(mailbox=BrokenMailbox())
    world.work()
    stopped(world, StopReason.UNSENT)
    (call,) = world.desk.store.reader.calls()
    assert call.state == "failed"


@pytest.mark.parametrize("sender", [VENDOR, "stranger@elsewhere.example"])
def test_reply_that_nobody_asked_for(make_world: Make, sender: str) -> None:
    """A reply to a case that asked nothing goes to a person, whoever sent it."""
    world = make_world("price-variance-small")
    world.work()
    world.reply(sender, intent="CONFIRMS_PRICE_AGREED")
    stopped(world, StopReason.REPLY)


def test_reply_from_another_address(make_world: Make) -> None:
    """An answer that does not come from the address that was written to is no answer."""
    world = make_world("item-substituted")
    world.work()
    reading = {"intent": "SUBSTITUTED_ITEM", "substitution_reason": "UPGRADE", "shipped_item": "M8-HEX-SS-100"}
    world.reply("ar@acme-fastenerz.example", **reading)
    stopped(world, StopReason.REPLY)
    assert "substitution_reason" not in world.case().answers


def test_receipt(make_world: Make) -> None:
    """Goods that arrive after a hold was applied clear the finding, and no row says what follows."""
    world = make_world("qty-over-receipt")
    world.work()
    world.decide("clara")
    assert world.case().status is Status.ON_HOLD
    _receive_the_rest(world)
    stopped(world, StopReason.RECEIPT)


def _receive_the_rest(world: World) -> None:
    assert world.seeded is not None
    invoice = world.run(world.erp.read(f"/api/invoices/{world.seeded.subject_id}"))[0]
    receipt = world.run(world.erp.read(f"/api/receipts?po_number={invoice['po_number']}"))[0]
    line = {**receipt["lines"][0], "accepted": "40"}
    world.erp.post("receipts", {**receipt, "id": f"{receipt['id']}-rest", "number": "REST", "lines": [line]})
    world.work()


def test_person(make_world: Make) -> None:
    """A note of a person hands the case over and withdraws what waits."""
    world = make_world("price-variance-small")
    world.work()
    assert world.note("mark", "let me look at this one") is None
    stopped(world, StopReason.PERSON)


class BrokenPolicy:
    """A policy engine with a fault of its own."""

    policy_hash = "0" * 12

    async def decide(self, question: object) -> object:
        """Fail."""
        raise RuntimeError("boom")


def test_failed(make_world: Make) -> None:
    """A fault of the rules' own is tried again, then put aside and shown to a person, never a loop."""
    world = make_world("price-variance-small").change(policy=BrokenPolicy())
    world.work()
    stopped(world, StopReason.FAILED)
    assert [case for case, _ in world.desk.store.reader.parked()] == [world.case().id]


def test_the_list_is_complete() -> None:
    """Every stop reason has a test in this file that is named after it."""
    names = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert all(any(name.startswith(reason.value) for name in names) for reason in StopReason)
