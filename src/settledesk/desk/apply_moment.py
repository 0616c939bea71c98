"""Apply what a person approved, in that person's name: intent, command, outcome, each its own commit.

The system of record checks the person's authority again. The call's key is the proposal's id, so a repeat after a crash
is the same command and takes effect once. Once the intent is recorded, the effect is brought to an end and its outcome
is written down, whatever else happens to the case meanwhile.
"""

from datetime import datetime

from settledesk.cases import CaseState, EntryKind, Handler, LogEntry, Proposal, ProposalState, StopReason
from settledesk.desk.desk import RULES_MOMENT, Desk, because, entry, handed_over, moment_key
from settledesk.ports import Claimed, ErpApplied, ErpCommand, ErpRefused, ErpUnavailableError, Transaction

TARGET = "erp"

STALE = "STALE_VERSION"
"""The refusal code of a subject that changed since the proposal was made: the rules run again on what it is now."""


async def apply_decision(desk: Desk, claimed: Claimed) -> None:
    """Do an apply moment."""
    proposal, now = claimed.case.proposal, desk.clock.now()
    if proposal is None or not await desk.store.tx(lambda tx: _intend(tx, claimed, proposal, now)):
        return
    desk.probe("before_command")
    try:
        result = await desk.erp.command(_command(claimed, proposal))
    except ErpUnavailableError as error:
        await _unsure(desk, claimed, proposal.id, str(error), now)
        return
    desk.probe("after_command")
    match result:
        case ErpApplied():
            await _applied(desk, claimed, proposal, result, now)
        case ErpRefused():
            await _refused(desk, claimed, proposal.id, result, now)


def _intend(tx: Transaction, claimed: Claimed, proposal: Proposal, now: datetime) -> bool:
    """Record the intent, unless the approval was overtaken before anything was sent; then end the moment."""
    if tx.call(proposal.id) is not None:
        return True
    state = tx.case(claimed.case.id)
    stands = state is not None and state.proposal is not None and state.proposal.id == proposal.id
    if not stands or state is None or state.proposal is None or not _approved(state, state.proposal):
        tx.finish(claimed)
        return False
    request = {"action": proposal.action, "user": proposal.decided_by, "amount_minor": proposal.amount_minor}
    tx.intend(key=proposal.id, case_id=state.id, moment_id=claimed.id, target=TARGET, request=request, at=now)
    return True


def _approved(state: CaseState, proposal: Proposal) -> bool:
    return proposal.state is ProposalState.APPROVED and state.handled_by is Handler.RULES


def _command(claimed: Claimed, proposal: Proposal) -> ErpCommand:
    assert proposal.decided_by is not None, "an approved proposal names who decided"
    return ErpCommand(
        action=proposal.action,
        subject=claimed.case.subject,
        user=proposal.decided_by,
        idempotency_key=proposal.id,
        expected_version=proposal.subject_version,
        amount_minor=proposal.amount_minor,
        currency=proposal.currency,
    )


async def _applied(desk: Desk, claimed: Claimed, proposal: Proposal, result: ErpApplied, now: datetime) -> None:
    done = entry(
        EntryKind.APPLIED,
        now,
        TARGET,
        action=proposal.action,
        user=proposal.decided_by,
        status=result.status,
        version=result.version,
        after=desk.pack.file.actions[proposal.action].after,
        findings=[item.finding for item in claimed.case.exceptions],
    )

    def finish(tx: Transaction) -> None:
        tx.finish(claimed)
        response = {"status": result.status, "version": result.version}
        tx.settle_call(proposal.id, state="done", response=response, at=now)
        state = _append(tx, claimed, [done])
        if not state.is_final:
            _run_rules_again(tx, state, f"applied:{proposal.id}", f"the effect of {proposal.id}", now)

    await desk.store.tx(finish)
    desk.probe("after_apply_commit")


async def _refused(desk: Desk, claimed: Claimed, key: str, result: ErpRefused, now: datetime) -> None:
    entries = [entry(EntryKind.REFUSED, now, TARGET, by_whom="the ERP", code=result.code, detail=result.detail)]
    stale = result.code == STALE
    if not stale:
        entries.append(handed_over(now, StopReason.REFUSED, result.detail))

    def finish(tx: Transaction) -> None:
        tx.finish(claimed)
        tx.settle_call(key, state="failed", response={"code": result.code, "detail": result.detail}, at=now)
        state = _append(tx, claimed, entries)
        if stale:
            _run_rules_again(tx, state, f"refused:{key}", f"the refusal of {key}", now)

    await desk.store.tx(finish)


def _append(tx: Transaction, claimed: Claimed, entries: list[LogEntry]) -> CaseState:
    """Append to the case as it is now: the outcome of an effect is a fact, whatever was written meanwhile."""
    state = tx.case(claimed.case.id)
    assert state is not None, "a case is never deleted"
    return tx.append(state, entries)


def _run_rules_again(tx: Transaction, state: CaseState, what: str, event: str, now: datetime) -> None:
    payload = because("document", event)
    for cause, earlier in (state.unseen or {}).get("causes", {}).items():
        payload |= because(cause, earlier)
    key = moment_key(RULES_MOMENT, state, what)
    tx.add_moment(case_id=state.id, kind=RULES_MOMENT, key=key, payload=payload, not_before=now)


async def _unsure(desk: Desk, claimed: Claimed, key: str, why: str, now: datetime) -> None:
    """Try the identical command again later; at the limit nobody knows whether it took effect, so a person looks."""
    if claimed.failures + 1 < desk.pack.file.limits.apply_attempts_max:
        later = desk.retry_at(now, claimed.failures + 1)
        await desk.store.tx(lambda tx: tx.retry(claimed, payload=claimed.payload, not_before=later, failed=True))
        return
    await desk.store.tx(lambda tx: give_up(tx, claimed, key, why, now))


def give_up(tx: Transaction, claimed: Claimed, key: str, why: str, now: datetime) -> None:
    """End an effect of which nobody knows whether it happened: the call is `unknown` and a person decides."""
    tx.finish(claimed)
    tx.settle_call(key, state="unknown", response={"why": why}, at=now)
    detail = f"it is not known whether the system of record applied it: {why}"
    _append(tx, claimed, [handed_over(now, StopReason.FAILED, detail)])
