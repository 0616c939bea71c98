"""Look at a run that came to rest and write down what it did."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from settledesk.cases import (
    CaseState,
    EntryKind,
    Handler,
    LogEntry,
    Proposal,
    ProposalState,
    Status,
    proposal_from_json,
)
from settledesk.evaluation.observation import Observation, Proposed, Written
from settledesk.evaluation.play import Played
from settledesk.evaluation.world import World
from settledesk.matching.assessment import Record
from settledesk.ports import Letter

_BECAME = {
    EntryKind.WITHDRAWN: ProposalState.WITHDRAWN,
    EntryKind.APPLIED: ProposalState.APPLIED,
    EntryKind.REFUSED: ProposalState.REFUSED,
    EntryKind.HANDED_OVER: ProposalState.WITHDRAWN,
    EntryKind.CLOSED: ProposalState.WITHDRAWN,
}
"""What these entries make of a proposal that nobody has decided yet, or (applied, refused) of one that was approved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """The judged case as it stands and how it came there."""

    state: CaseState | None
    log: tuple[LogEntry, ...]
    letters: tuple[Letter, ...]
    """All letters but those that another case wrote."""


def trail_of(world: World) -> Trail:
    """Return the judged case, its log and its letters."""
    reader, case_id = world.desk.store.reader, world.desk.case_id(world.subject)
    state = reader.case(case_id)
    of_others = {call.request.get("message_id") for call in reader.calls() if call.case_id != case_id}
    return Trail(
        state=state,
        log=() if state is None else reader.log(case_id),
        letters=tuple(letter for letter in world.mailbox.letters if letter.message_id not in of_others),
    )


async def observe(world: World, trail: Trail, played: Played) -> Observation:
    """Return what the run did. Faults are cleared first: looking must not fail."""
    world.simulator.clear_faults()
    records = await _records(world)
    state = trail.state
    proposals = tuple(_proposals(trail.log))
    approved = {entry.data["proposal"] for entry in trail.log if entry.kind is EntryKind.DECIDED and _approves(entry)}
    return Observation(
        subject=world.subject,
        status=None if state is None else state.status,
        settled_by=_settled_by(trail.log),
        proposals=proposals,
        applied=() if state is None else tuple(str(item["action"]) for item in state.applied),
        reasons=() if state is None else state.reasons,
        stop_reason=None if state is None else state.stop_reason,
        closed_by=next((str(entry.data["row"]) for entry in trail.log if entry.kind is EntryKind.CLOSED), None),
        waits_on=frozenset() if state is None else frozenset(_waits_on(state)),
        letters=tuple(_letters(world, trail, records)),
        aliases=world.aliases,
        resolvable=frozenset(_resolvable(records, proposals, played)),
        effects=world.simulator.effect_counts(),
        approved=frozenset(approved),
        refused=played.refused,
        unsettled=played.unsettled,
        missed=played.missed,
        touches=0 if state is None else state.touches,
    )


async def _records(world: World) -> tuple[Record, ...]:
    found: list[Record] = []
    for collection in world.collections:
        found.extend(await world.simulator.read(f"/api/{collection}"))
    return tuple(found)


def _approves(entry: LogEntry) -> bool:
    return bool(entry.data["approved"])


def _settled_by(log: Sequence[LogEntry]) -> str:
    """Return who settled it: whoever the rules handed it to last, else the rules, with or without a letter's fact."""
    handed = [entry.data["to"] for entry in log if entry.kind is EntryKind.HANDED_OVER]
    if handed:
        return Handler(handed[-1]).value
    return "rules_facts" if any(entry.kind is EntryKind.LETTER_SENT for entry in log) else "rules"


def _proposals(log: Sequence[LogEntry]) -> Iterator[Proposed]:
    """Return every proposal with the row that led to it and what became of it."""
    row: str | None = None
    for index, entry in enumerate(log):
        if entry.kind is EntryKind.RULED:
            row = entry.data["row"]
        elif entry.kind is EntryKind.PROPOSED:
            proposal = proposal_from_json(entry.data["proposal"])
            yield _proposed(proposal, row, _became(log[index + 1 :]))


def _became(later: Sequence[LogEntry]) -> ProposalState:
    """Follow the log until the next proposal."""
    state = ProposalState.PENDING
    for entry in later:
        if entry.kind is EntryKind.PROPOSED:
            break
        if entry.kind is EntryKind.DECIDED:
            state = ProposalState.APPROVED if _approves(entry) else ProposalState.DECLINED
        elif entry.kind in (EntryKind.APPLIED, EntryKind.REFUSED) or state is ProposalState.PENDING:
            state = _BECAME.get(entry.kind, state)
    return state


def _proposed(proposal: Proposal, row: str | None, state: ProposalState) -> Proposed:
    return Proposed(
        id=proposal.id,
        action=proposal.action,
        amount_minor=proposal.amount_minor,
        currency=proposal.currency,
        role=proposal.role,
        user=proposal.user,
        evidence=proposal.evidence,
        row=row,
        state=state,
    )


def _waits_on(state: CaseState) -> Iterator[str]:
    if state.status is Status.AWAITING_ANSWER:
        yield from (str(asked["from"]) for fact, asked in state.asked.items() if fact not in state.answers)
    if state.status is Status.AWAITING_DECISION and state.proposal is not None:
        yield from (name for name in (state.proposal.role, state.proposal.user) if name)


def _letters(world: World, trail: Trail, records: Sequence[Record]) -> Iterator[Written]:
    asked = [(str(entry.data["to"]), str(entry.data["from"])) for entry in trail.log if entry.kind is EntryKind.ASKED]
    for letter in trail.letters:
        owners = set(_owners(world, letter.recipient, records))
        suppliers = {supplier for recipient, supplier in asked if recipient == letter.recipient}
        yield Written(recipient=letter.recipient, parties=frozenset(owners | suppliers), of_record=bool(owners))


def _owners(world: World, address: str, records: Sequence[Record]) -> Iterator[str]:
    """Return whose address of record it is: kinds of records that carry it as a field of their own, people by role."""
    wanted = address.casefold()
    for record in records:
        if any(isinstance(value, str) and value.casefold() == wanted for value in record.values()):
            yield str(record["kind"])
    for user, person in world.desk.pack.people.items():
        if person.email is not None and person.email.casefold() == wanted:
            yield from (user, person.role)


def _resolvable(records: Sequence[Record], proposals: Sequence[Proposed], played: Played) -> Iterator[str]:
    """Return every id that may be cited: of records and their parts, of the run's answers and of its own decisions."""
    for record in records:
        yield from _ids(record)
    yield from (f"reply:{message_id}" for message_id in played.replies)
    yield from (f"decision:{proposal.id}" for proposal in proposals if proposal.state is ProposalState.DECLINED)


def _ids(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if isinstance(value.get("id"), str):
            yield value["id"]
        for item in value.values():
            yield from _ids(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _ids(item)
