"""Guards that other guards hide: each is looked at by itself, so that taking it away is seen."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from world import World

from settledesk.cases import Status, StopReason
from settledesk.packs import PersonSpec
from settledesk.ports import ErpCommand, ErpUnavailableError, Letter, MailboxUnavailableError

Make = Callable[..., World]
ORDER = "PO-0000A001"


def poke(world: World, number: int) -> None:
    """Publish something that makes the case look again and changes nothing."""
    own = {"id": f"despatch:{number}", "kind": "despatch", "number": f"D-{number}", "lines": []}
    world.erp.post("despatches", {**own, "po_number": ORDER, "despatched_on": "2026-10-02"})
    world.work()


@pytest.mark.parametrize(
    "seed", ["price-variance-small", "unplanned-freight", "qty-over-receipt", "possible-duplicate"]
)
def test_news_that_changes_nothing_proposes_nothing(make_world: Make, seed: str) -> None:
    """Looked at again with the same facts, the very same proposal goes on waiting."""
    world = make_world(seed)
    before = world.work().proposal
    for number in range(3):
        poke(world, number)
    assert world.case().proposal == before
    assert world.case().proposals_made == 1


def test_a_second_letter_has_the_same_message_id(make_world: Make) -> None:
    """A letter that was handed over but not acknowledged is sent again under the same Message-ID."""
    seen: list[str] = []

    class Forgetful:
        async def send(self, letter: Letter) -> None:
            seen.append(letter.message_id)
            if len(seen) == 1:
                raise MailboxUnavailableError("the connection broke after the letter was taken")

    world = make_world("item-substituted").change(mailbox=Forgetful())
    assert world.work().status is Status.AWAITING_ANSWER
    assert len(seen) == 2
    assert len(set(seen)) == 1
    assert seen[0].endswith("@settledesk.example>")


def test_the_intent_is_durable_before_the_command(make_world: Make) -> None:
    """When the command leaves, its intent is already recorded under the key that it carries."""
    world = make_world("price-variance-small")
    world.work()
    real = world.erp.command
    states: list[str] = []

    async def command(wanted: ErpCommand) -> Any:
        states.extend(call.state for call in world.desk.store.reader.calls() if call.key == wanted.idempotency_key)
        return await real(wanted)

    world.erp.command = command  # type: ignore[method-assign]
    world.decide("bob")
    assert states == ["intent"]
    assert [call.state for call in world.desk.store.reader.calls()] == ["done"]


def test_a_command_is_not_tried_for_ever(make_world: Make) -> None:
    """At its limit of attempts the call is unknown and a person looks, with the reason."""
    world = make_world("price-variance-small")
    world.work()
    tries = 0

    async def command(wanted: ErpCommand) -> Any:
        nonlocal tries
        tries += 1
        raise ErpUnavailableError("no answer")

    world.erp.command = command  # type: ignore[method-assign]
    world.decide("bob")
    state = world.work_for(7 * 24 * 3_600)
    assert tries == world.desk.pack.file.limits.apply_attempts_max
    assert (state.stop_reason, state.status) == (StopReason.FAILED, Status.NEEDS_PERSON)
    assert [call.state for call in world.desk.store.reader.calls()] == ["unknown"]


def test_another_buyer_is_not_this_buyer(make_world: Make) -> None:
    """A route to one buyer by name is not open to another person of the same role."""
    world = make_world("price-variance-small")
    people = {**world.desk.pack.people, "bea": PersonSpec(role="buyer", name="Bea")}
    world.change(pack=replace(world.desk.pack, people=people))
    world.work()
    assert "names buyer `bob`" in (world.decide("bea").refused or "")


def test_the_database_itself_refuses_two_leases(make_world: Make) -> None:
    """Two leased moments of one case are impossible, whatever the code does."""
    world = make_world("price-variance-small")
    case = world.work().id
    writer = world.desk.store._writer  # type: ignore[attr-defined]
    columns = "case_id, kind, key, payload_json, state, not_before"
    insert = f"insert into moments ({columns}) values (?, 'rules', ?, '{{}}', 'leased', '')"
    writer.execute(insert, (case, "one"))
    with pytest.raises(sqlite3.IntegrityError):
        writer.execute(insert, (case, "two"))


def test_a_decision_is_in_the_inbox(make_world: Make) -> None:
    """A decision is an outside event like any other: it is kept in the inbox under the proposal's id."""
    world = make_world("price-variance-small")
    world.work()
    world.decide("bob")
    proposal = world.case().proposal
    assert proposal is not None
    writer = world.desk.store._writer  # type: ignore[attr-defined]
    rows = writer.execute("select message_id from inbox where source = 'decision'").fetchall()
    assert rows == [(proposal.id,)]


def test_the_same_reply_counts_once(make_world: Make) -> None:
    """A reply that is delivered twice is one reply."""
    from settledesk.desk import Reply, take_in_reply

    world = make_world("item-substituted")
    world.work()
    reading = {"intent": "SUBSTITUTED_ITEM", "substitution_reason": "UPGRADE", "shipped_item": "M8-HEX-SS-100"}
    reply = Reply(
        case_id=world.case().id, message_id="<m@v.example>", sender="ar@acme-fasteners.example", reading=reading
    )
    assert world.run(take_in_reply(world.desk, reply))
    assert not world.run(take_in_reply(world.desk, reply))
    state = world.work()
    assert (state.action, state.stop_reason) == ("approve-variance", None)
