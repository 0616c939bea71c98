"""Record a person's decision: who may, on which version, once. The effect is a moment of its own."""

from dataclasses import dataclass
from datetime import datetime

from settledesk.cases import CaseState, EntryKind, Proposal, ProposalState
from settledesk.desk.desk import APPLY_MOMENT, RULES_MOMENT, Desk, entry, moment_key
from settledesk.facts import CaseId
from settledesk.ports import Transaction

SOURCE = "decision"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRequest:
    """What a person wants: the case, the verdict, and the version of the case that was looked at (if it is known)."""

    case_id: CaseId
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
    result = await desk.store.tx(lambda tx: _decide(desk, tx, request, now))
    desk.probe("after_decision_commit")
    return result


def _decide(desk: Desk, tx: Transaction, request: DecisionRequest, now: datetime) -> DecisionResult:
    state = tx.case(request.case_id)
    refused = _refusal(desk, state, request)
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
    work = {} if request.approved else {"cause": SOURCE, "event": f"the decline of {proposal.id}"}
    key = moment_key(kind, state, f"{SOURCE}:{proposal.id}")
    tx.add_moment(case_id=state.id, kind=kind, key=key, payload=work, not_before=now)
    return DecisionResult(recorded=True, refused=None, state=state)


def _refusal(desk: Desk, state: CaseState | None, request: DecisionRequest) -> str | None:
    if state is None:
        return "there is no such case"
    proposal = state.proposal
    if proposal is None:
        return "nothing is proposed on this case, so there is nothing to decide"
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
