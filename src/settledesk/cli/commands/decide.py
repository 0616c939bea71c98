"""`settledesk decide CASE approve|decline --as USER`: one decision, carried out at once."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from settledesk import desk as use_cases
from settledesk.bootstrap import Places, open_desk, places
from settledesk.cases import CaseState, ProposalState
from settledesk.cli.case_table import says, waits
from settledesk.cli.one_case import one_case
from settledesk.cli.output import EXIT_BAD_NEWS, EXIT_FINE, WrongUseError, console, print_json
from settledesk.facts import CaseId

VERDICTS = {"approve": True, "decline": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What was typed."""

    case: str
    verdict: str
    user: str
    comment: str | None
    reason: str | None
    seen_version: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of it."""

    applied: bool
    refused: str | None
    state: CaseState


def decide(wanted: Wanted, *, store: str | None, pack: Path | None, erp: str | None, as_json: bool) -> int:
    """Record the decision, carry it out, and print what really happened; exit code 1 if it was refused."""
    if wanted.verdict not in VERDICTS:
        raise WrongUseError(f"`{wanted.verdict}` is not a verdict: write `approve` or `decline`")
    done = asyncio.run(_open_and_decide(places(pack=pack, store=store, erp=erp), wanted))
    if as_json:
        print_json(
            {
                "applied": done.applied,
                "status": done.state.status.value,
                "refused": done.refused,
                "by": wanted.user,
                "case": done.state.id,
                "action": done.state.action,
                "waiting_for": done.state.waiting_for,
            }
        )
    else:
        _print(wanted, done)
    return EXIT_FINE if done.refused is None else EXIT_BAD_NEWS


async def _open_and_decide(where: Places, wanted: Wanted) -> Done:
    async with open_desk(where, create=False) as desk:
        return await _decide(desk, wanted)


async def _decide(desk: use_cases.Desk, wanted: Wanted) -> Done:
    """Decide on the proposal that stood before any news was taken in: that is the one the person has seen."""
    seen = one_case(desk.store.reader, wanted.case)
    await use_cases.work_until_idle(desk)
    request = use_cases.DecisionRequest(
        case_id=seen.id,
        proposal_id=seen.proposal.id if seen.proposal else "",
        approved=VERDICTS[wanted.verdict],
        user=wanted.user,
        comment=wanted.comment,
        reason=wanted.reason,
        seen_version=wanted.seen_version,
    )
    result = await use_cases.decide(desk, request)
    state = _case(desk, seen.id)
    if not result.recorded and not _decided_so_before(state, request):
        return Done(applied=False, refused=result.refused, state=state)
    await use_cases.work_until_idle(desk)
    call = next((call for call in desk.store.reader.calls(seen.id) if call.key == request.proposal_id), None)
    refused = None
    if call is not None and call.state in ("failed", "unknown"):
        response = call.response or {}
        refused = str(response.get("detail") or response.get("why") or "the system of record did not answer")
    return Done(applied=call is not None and call.state == "done", refused=refused, state=_case(desk, seen.id))


def _case(desk: use_cases.Desk, case_id: CaseId) -> CaseState:
    state = desk.store.reader.case(case_id)
    assert state is not None, "a case is never deleted"
    return state


def _decided_so_before(state: CaseState, request: use_cases.DecisionRequest) -> bool:
    """Tell whether this person said this of this proposal before (and did not hear the answer, after a crash, say)."""
    proposal = state.proposal
    if proposal is None or proposal.id != request.proposal_id or proposal.decided_by != request.user:
        return False
    approved = proposal.state in (ProposalState.APPROVED, ProposalState.APPLIED)
    return approved if request.approved else proposal.state is ProposalState.DECLINED


def _print(wanted: Wanted, done: Done) -> None:
    out = console()
    if done.refused is not None:
        out.print(f"refused: {done.refused}", markup=False)
        return
    out.print(f"{_made(wanted, done)} by {wanted.user}; the case is now {done.state.status.value}", markup=False)
    if done.state.proposal is not None and done.state.proposal.state is ProposalState.PENDING:
        out.print(f"the rules now say: {says(done.state)}; waiting for {waits(done.state)}", markup=False)


def _made(wanted: Wanted, done: Done) -> str:
    if not VERDICTS[wanted.verdict]:
        return "declined"
    if done.applied:
        return "approved and applied"
    return "approved, but the system of record did not answer yet (the next run tries again, under the same key)"
