"""Record a person's decision: who may, on which version, once. The effect is a moment of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from settledesk.cases import CaseState, EntryKind, Proposal, ProposalState
from settledesk.desk.desk import APPLY_MOMENT, RULES_MOMENT, Desk, because, entry, moment_key
from settledesk.facts import CaseId
from settledesk.ports import Transaction

SOURCE = "decision"

REVISIONS = ("pack", "tables", "policy")
"""The parts of a proposal's provenance that must still be in force when it is decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRequest:
    """What a person wants: the verdict on the very proposal that was looked at, and the case's version if known."""

    case_id: CaseId
    proposal_id: str
    approved: bool
    user: str
    comment: str | None = None
    reason: str | None = None
    seen_version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionResult:
    """Whether the decision was recorded; `refused` is the true reason when it was not."""

    recorded: bool
    refused: str | None
    state: CaseState | None


async def decide(desk: Desk, request: DecisionRequest) -> DecisionResult:
    """Record the decision in one commit with the moment that carries it out; nothing is kept of a refused one."""
    now = desk.clock.now()
    desk.probe("before_decision_commit")
    current = desk.provenance()
    result = await desk.store.tx(lambda tx: _decide(desk, tx, request, current, now))
    desk.probe("after_decision_commit")
    return result


def _decide(
    desk: Desk, tx: Transaction, request: DecisionRequest, current: Mapping[str, str], now: datetime
) -> DecisionResult:
    state = tx.case(request.case_id)
    refused = _refusal(desk, state, request)
    if refused is None and state is not None:
        refused = _overtaken(tx, state, current, now)
    if refused is not None or state is None or state.proposal is None:
        return DecisionResult(recorded=False, refused=refused, state=state)
    proposal = state.proposal
    payload = {"approved": request.approved, "by": request.user, "case": state.id}
    tx.add_inbox(source=SOURCE, message_id=proposal.id, payload=payload, at=now)
    decided = entry(
        EntryKind.DECIDED,
        now,
        request.user,
        approved=request.approved,
        action=proposal.action,
        proposal=proposal.id,
        comment=request.comment,
        reason=request.reason,
    )
    state = tx.append(state, [decided])
    kind = APPLY_MOMENT if request.approved else RULES_MOMENT
    work = {} if request.approved else because(SOURCE, f"the decline of {proposal.id}")
    key = moment_key(kind, state, f"{SOURCE}:{proposal.id}")
    tx.add_moment(case_id=state.id, kind=kind, key=key, payload=work, not_before=now)
    return DecisionResult(recorded=True, refused=None, state=state)


def _overtaken(tx: Transaction, state: CaseState, current: Mapping[str, str], now: datetime) -> str | None:
    """Say why the proposal no longer stands as it was made: news that the rules have not seen, or other rules."""
    if tx.has_moment(state.id, kind=RULES_MOMENT):
        return "news about this case has arrived and the rules look at it first: look again"
    assert state.proposal is not None, "only a pending proposal gets here"
    changed = [name for name in REVISIONS if state.proposal.provenance.get(name) != current[name]]
    if not changed:
        return None
    key = moment_key(RULES_MOMENT, state, f"revision:{state.proposal.id}:{current['policy']}:{current['tables']}")
    payload = because("document", f"a change of {' and '.join(changed)}")
    tx.add_moment(case_id=state.id, kind=RULES_MOMENT, key=key, payload=payload, not_before=now)
    return f"the {' and '.join(changed)} changed since this was proposed, so the rules look at it again: look again"


def _refusal(desk: Desk, state: CaseState | None, request: DecisionRequest) -> str | None:
    if state is None:
        return "there is no such case"
    proposal = state.proposal
    if proposal is None:
        return "nothing is proposed on this case, so there is nothing to decide"
    if proposal.id != request.proposal_id:
        return f"another proposal has taken its place: {proposal.action}, for {proposal.user or proposal.role}"
    if proposal.state is not ProposalState.PENDING:
        return _no_longer_open(proposal)
    if request.seen_version is not None and request.seen_version != state.version:
        return (
            f"the case has changed: it is at version {state.version}, and version {request.seen_version} was decided on"
        )
    return _not_entitled(desk, proposal, request.user) or _ill_formed(desk, request)


def _no_longer_open(proposal: Proposal) -> str:
    if proposal.state is ProposalState.WITHDRAWN:
        return f"the proposal was withdrawn: {proposal.comment}"
    return f"the proposal was already decided by {proposal.decided_by} ({proposal.state.value})"


def _not_entitled(desk: Desk, proposal: Proposal, user: str) -> str | None:
    person = desk.pack.people.get(user)
    if person is None:
        return f"`{user}` is not a user of this desk"
    if person.role in desk.pack.file.decides_all:
        return None
    if person.role != proposal.role:
        return f"`{user}` is {person.role}, and the policy names {proposal.role} for this proposal"
    if proposal.user is not None and proposal.user != user:
        return f"the policy names {proposal.role} `{proposal.user}` for this proposal, not `{user}`"
    return None


def _ill_formed(desk: Desk, request: DecisionRequest) -> str | None:
    if request.approved:
        return None
    if not (request.comment or "").strip() and request.reason is None:
        return "a decline needs a comment or a reason, so that the rules and the next person know why"
    if request.reason is not None and request.reason not in desk.pack.file.decline_reasons:
        return f"`{request.reason}` is not a decline reason, choose one of {', '.join(desk.pack.file.decline_reasons)}"
    return None
