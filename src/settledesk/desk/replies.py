"""What people and outsiders say: a typed reading of a reply, a colleague's answer, a note. Each is one commit."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from settledesk.cases import CaseState, EntryKind, Handler, LogEntry, Status, StopReason
from settledesk.desk.desk import RULES_MOMENT, Desk, because, entry, handed_over, moment_key
from settledesk.facts import CaseId, EvidenceId, Unknown, fact_from_json, fact_to_json
from settledesk.packs import UNCLEAR, ReadingSpec, facts_of_reading
from settledesk.ports import Transaction

SOURCE = "reply"

INSTRUCTIONS = "contains_instructions"
"""The field of every reading that says whether the text tried to tell the desk what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply that was read: who sent it, its own message id, and the typed reading (never its text)."""

    case_id: CaseId
    message_id: str
    sender: str
    reading: Mapping[str, Any]


async def take_in_reply(desk: Desk, reply: Reply) -> bool:
    """Take in a reply; `False` if the same message came before or the case is unknown (nothing changes then).

    A reading with values that are neither text nor yes or no is taken in as unclear, since nothing can rest on it.
    """
    now = desk.clock.now()
    if not all(_is_plain(value) for value in reply.reading.values()):
        reply = replace(reply, reading={"intent": UNCLEAR})
    return await desk.store.tx(lambda tx: _take_in(desk, tx, reply, now))


async def note(desk: Desk, case_id: CaseId, *, user: str, text: str) -> str | None:
    """Write a person's note on a case: the rules hand it over to a person. Returns why not, or `None`."""
    now = desk.clock.now()
    if user not in desk.pack.people:
        return f"`{user}` is not a user of this desk"
    if not text.strip():
        return "the note is empty: write what the next person should know"
    return await desk.store.tx(lambda tx: _note(tx, case_id, user, text, now))


def _is_plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(item, str) and _is_plain(item) for item in value)
    return value is None or isinstance(value, bool) or (isinstance(value, str) and value.isprintable())


def _take_in(desk: Desk, tx: Transaction, reply: Reply, now: datetime) -> bool:
    state = tx.case(reply.case_id)
    if state is None:
        return False
    payload = {"case": state.id, "sender": reply.sender, "reading": dict(reply.reading)}
    if not tx.add_inbox(source=SOURCE, message_id=reply.message_id, payload=payload, at=now):
        return False
    instructions = bool(reply.reading.get(INSTRUCTIONS, False))
    intent = str(reply.reading.get("intent"))
    entries = [entry(EntryKind.REPLIED, now, SOURCE, intent=intent, sender=reply.sender, instructions=instructions)]
    asked = _question_of(state, reply.sender)
    if asked is None:
        if state.handled_by is Handler.RULES and not state.is_final:
            stop = StopReason.REPLY
            entries.append(handed_over(now, stop, "nobody at this address was asked anything that is still open"))
        tx.append(state, entries)
        return True
    entries.extend(_answers(desk, state, asked, reply, now))
    tx.append(state, entries)
    _rules(tx, state, f"{SOURCE}:{reply.message_id}", f"reply {reply.message_id}", now)
    return True


def _question_of(state: CaseState, sender: str) -> str | None:
    """Return the fact that this sender was asked for and has not answered, wherever the case stands meanwhile."""
    if state.handled_by is not Handler.RULES or state.is_final:
        return None
    for fact, asked in state.asked.items():
        if fact not in state.answers and str(asked["to"]).casefold() == sender.casefold():
            return fact
    return None


def _answers(desk: Desk, state: CaseState, asked: str, reply: Reply, now: datetime) -> list[LogEntry]:
    spec = _spec_for(desk, asked)
    known = {name: fact_from_json(fact) for name, fact in state.facts.items()}
    evidence = EvidenceId(f"reply:{reply.message_id}")
    facts = facts_of_reading(spec, reply.reading, known=known, evidence=evidence)
    if asked not in facts:
        facts[asked] = Unknown(reason="the answer does not say it")
    return [entry(EntryKind.ANSWERED, now, SOURCE, name=name, fact=fact_to_json(fact)) for name, fact in facts.items()]


def _spec_for(desk: Desk, fact: str) -> ReadingSpec:
    return next(spec for spec in desk.pack.readings.values() if spec.fact == fact)


def _note(tx: Transaction, case_id: CaseId, user: str, text: str, now: datetime) -> str | None:
    state = tx.case(case_id)
    if state is None:
        return "there is no such case"
    entries = [entry(EntryKind.NOTED, now, user, text=text)]
    if state.handled_by is Handler.RULES and not state.is_final and state.status is not Status.MATCHED:
        entries.append(handed_over(now, StopReason.PERSON, f"{user} wrote a note"))
    tx.append(state, entries)
    return None


def _rules(tx: Transaction, state: CaseState, what: str, event: str, now: datetime) -> None:
    payload = because(SOURCE, event)
    key = moment_key(RULES_MOMENT, state, what)
    tx.add_moment(case_id=state.id, kind=RULES_MOMENT, key=key, payload=payload, not_before=now)
