"""The one pure fold: `apply_entry(state, entry) -> state`. A case is nothing but its log, folded."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from settledesk.cases.log import EntryKind, LogEntry
from settledesk.cases.outcome import Handler, Outcome, ProposalState, Status, StopReason
from settledesk.cases.state import CaseState, exception_from_json, proposal_from_json
from settledesk.facts import CaseId


def fold(case_id: CaseId, entries: Iterable[LogEntry]) -> CaseState:
    """Fold a whole log, which starts with its `opened` entry, into the state of the case."""
    iterator = iter(entries)
    first = next(iterator)
    assert first.kind is EntryKind.OPENED, "a log starts with its opening entry"
    state = apply_entry(
        CaseState(
            id=case_id,
            pack=first.data["pack"],
            subject=first.data["subject"],
            display=first.data["display"],
            opened_at=first.at,
            updated_at=first.at,
        ),
        first,
    )
    for entry in iterator:
        state = apply_entry(state, entry)
    return state


def apply_entry(state: CaseState, entry: LogEntry) -> CaseState:
    """Return the case after one more entry."""
    moved = _APPLY[entry.kind](state, entry)
    return replace(moved, version=state.version + 1, updated_at=entry.at)


def _unchanged(state: CaseState, entry: LogEntry) -> CaseState:  # noqa: ARG001 - one signature for all
    return state


def _woken(state: CaseState, entry: LogEntry) -> CaseState:
    approved = state.proposal is not None and state.proposal.state is ProposalState.APPROVED
    return replace(state, unseen=entry.data) if approved else state


def _ruled(state: CaseState, entry: LogEntry) -> CaseState:
    data = entry.data
    exceptions = tuple(exception_from_json(item) for item in data["exceptions"])
    reasons = tuple(dict.fromkeys((*state.reasons, *(item.reason for item in exceptions))))
    in_force = data["status"] == Status.ON_HOLD.value and bool(state.applied)
    ruled = replace(
        state,
        display=data["display"],
        exceptions=exceptions,
        reasons=reasons,
        outcome=Outcome(data["outcome"]) if data["outcome"] else None,
        row=data["row"],
        action=state.applied[-1]["action"] if in_force else data["action"],
        amount_minor=data["amount_minor"],
        currency=data["currency"],
        evidence=tuple(data["evidence"]),
        facts=data["facts"],
        tables=tuple(data["tables"]),
        policy=data["policy"],
        status=Status(data["status"]) if data["status"] else state.status,
        closed_by=state.closed_by if data["status"] is None else None,
        unseen=None,
    )
    return replace(ruled, waiting_for=_awaited(ruled)) if in_force else ruled


def _proposed(state: CaseState, entry: LogEntry) -> CaseState:
    proposal = proposal_from_json(entry.data["proposal"])
    return replace(
        state,
        proposal=proposal,
        proposals_made=state.proposals_made + 1,
        status=Status.AWAITING_DECISION,
        closed_by=None,
        decider=proposal.user or proposal.role,
        waiting_for=f"decision of {_decider(proposal.role, proposal.user)}",
        outcome=Outcome.RESOLVED,
    )


def _decider(role: str, user: str | None) -> str:
    return f"{role} {user}" if user else role


def _withdrawn(state: CaseState, entry: LogEntry) -> CaseState:
    if state.proposal is None:
        return state
    proposal = replace(state.proposal, state=ProposalState.WITHDRAWN, comment=entry.data["why"])
    return replace(state, proposal=proposal, decider=None, waiting_for=None, status=Status.INVESTIGATING)


def _asked(state: CaseState, entry: LogEntry) -> CaseState:
    data = entry.data
    return replace(
        state,
        asked={**state.asked, data["fact"]: data},
        status=Status.AWAITING_ANSWER,
        closed_by=None,
        outcome=Outcome.NEEDS_FACT,
        waiting_for=f"{data['fact']} from {data['from']}",
        decider=None,
    )


def _letter_sent(state: CaseState, entry: LogEntry) -> CaseState:
    fact = entry.data["fact"]
    return replace(state, asked={**state.asked, fact: {**state.asked.get(fact, {}), "sent": True}})


def _replied(state: CaseState, entry: LogEntry) -> CaseState:
    seen = replace(state, instructions_seen=state.instructions_seen or bool(entry.data.get("instructions")))
    if state.status is not Status.AWAITING_ANSWER:
        return seen
    return replace(seen, status=Status.INVESTIGATING, waiting_for=None)


def _answered(state: CaseState, entry: LogEntry) -> CaseState:
    return replace(state, answers={**state.answers, entry.data["name"]: entry.data["fact"]})


def _decided(state: CaseState, entry: LogEntry) -> CaseState:
    assert state.proposal is not None, "a decision answers a proposal"
    data = entry.data
    approved = bool(data["approved"])
    proposal = replace(
        state.proposal,
        state=ProposalState.APPROVED if approved else ProposalState.DECLINED,
        decided_by=entry.by,
        comment=data["comment"],
        reason=data["reason"],
    )
    declined = state.declined
    if not approved:
        line = {"action": proposal.action, "reason": data["reason"], "comment": data["comment"], "by": entry.by}
        declined = (*declined, {**line, "proposal": proposal.id})
    return replace(
        state,
        proposal=proposal,
        declined=declined,
        status=Status.INVESTIGATING,
        waiting_for=None,
        touches=state.touches + 1,
    )


def _applied(state: CaseState, entry: LogEntry) -> CaseState:
    assert state.proposal is not None, "what is applied was proposed"
    data = entry.data
    proposal = replace(state.proposal, state=ProposalState.APPLIED)
    line = {"action": proposal.action, "by": proposal.decided_by, "findings": data["findings"]}
    after = Status(data["after"])
    if after is not Status.RESOLVED and state.handled_by is not Handler.RULES:
        # A person took the case while this was under way: it is still that person's move.
        return replace(state, proposal=proposal, applied=(*state.applied, line))
    waiting = None if after is Status.RESOLVED else _awaited(state)
    return replace(
        state, proposal=proposal, applied=(*state.applied, line), status=after, waiting_for=waiting, decider=None
    )


def _awaited(state: CaseState) -> str:
    return f"what clears {', '.join(item.reason for item in state.exceptions)}"


def _refused(state: CaseState, entry: LogEntry) -> CaseState:
    if state.proposal is None:
        return state
    proposal = replace(state.proposal, state=ProposalState.REFUSED, comment=entry.data["detail"])
    return replace(state, proposal=proposal, status=Status.INVESTIGATING, waiting_for=None, decider=None)


def _handed_over(state: CaseState, entry: LogEntry) -> CaseState:
    if state.is_final:
        return state
    data = entry.data
    proposal = state.proposal
    if proposal is not None and proposal.state in (ProposalState.PENDING, ProposalState.APPROVED):
        proposal = replace(proposal, state=ProposalState.WITHDRAWN, comment="the rules handed the case over")
    return replace(
        state,
        proposal=proposal,
        handled_by=Handler(data["to"]),
        status=Status.NEEDS_PERSON,
        closed_by=None,
        outcome=Outcome.ESCALATE,
        stop_reason=StopReason(data["why"]),
        stop_detail=data["detail"],
        decider=None,
        waiting_for=f"{data['to']} ({data['why']})",
    )


def _closed(state: CaseState, entry: LogEntry) -> CaseState:
    proposal = state.proposal
    if proposal is not None and proposal.state is ProposalState.PENDING:
        proposal = replace(proposal, state=ProposalState.WITHDRAWN, comment="the case closed by itself")
    return replace(
        state,
        proposal=proposal,
        status=Status(entry.data["status"]),
        outcome=Outcome.RESOLVED,
        row=entry.data["row"],
        closed_by=entry.data["row"],
        action=None,
        amount_minor=None,
        decider=None,
        waiting_for=None,
        stop_reason=None,
        stop_detail=None,
    )


def _noted(state: CaseState, entry: LogEntry) -> CaseState:  # noqa: ARG001 - one signature for all
    return replace(state, touches=state.touches + 1)


_Apply = Callable[[CaseState, LogEntry], CaseState]

_APPLY: Mapping[EntryKind, _Apply] = {
    EntryKind.OPENED: _unchanged,
    EntryKind.WOKEN: _woken,
    EntryKind.READ_FAILED: _unchanged,
    EntryKind.RULED: _ruled,
    EntryKind.PROPOSED: _proposed,
    EntryKind.WITHDRAWN: _withdrawn,
    EntryKind.ASKED: _asked,
    EntryKind.LETTER_SENT: _letter_sent,
    EntryKind.REPLIED: _replied,
    EntryKind.ANSWERED: _answered,
    EntryKind.DECIDED: _decided,
    EntryKind.APPLIED: _applied,
    EntryKind.REFUSED: _refused,
    EntryKind.HANDED_OVER: _handed_over,
    EntryKind.CLOSED: _closed,
    EntryKind.NOTED: _noted,
    EntryKind.PARKED: _unchanged,
}


def entry_kinds() -> Mapping[EntryKind, Any]:
    """Return the kinds that the fold knows, for the test that none is missing."""
    return _APPLY
