"""Apply what a person approved, in that person's name: intent, command, outcome, each its own commit.

The system of record checks the person's authority again. The call's key is the proposal's id, so a repeat after a crash
is the same command and takes effect once.
"""

from datetime import datetime

from settledesk.cases import CaseState, EntryKind, Proposal, ProposalState, StopReason
from settledesk.desk.desk import RULES_MOMENT, Desk, entry, handed_over, moment_key
from settledesk.ports import Claimed, ErpApplied, ErpCommand, ErpRefused, ErpUnavailableError, Transaction

TARGET = "erp"

STALE = "STALE_VERSION"
"""The refusal code of a subject that changed since the proposal was made: the rules run again on what it is now."""


async def apply_decision(desk: Desk, claimed: Claimed) -> None:
    """Do an apply moment."""
    proposal, now = claimed.case.proposal, desk.clock.now()
    if proposal is None or proposal.state is not ProposalState.APPROVED:
        await desk.store.tx(lambda tx: tx.finish(claimed))
        return
    command = _command(claimed, proposal)
    request = {"action": command.action, "user": command.user, "amount_minor": command.amount_minor}
    key = command.idempotency_key
    await desk.store.tx(
        lambda tx: tx.intend(
            key=key, case_id=claimed.case.id, moment_id=claimed.id, target=TARGET, request=request, at=now
        )
    )
    desk.probe("before_command")
    try:
        result = await desk.erp.command(command)
    except ErpUnavailableError as error:
        await _unsure(desk, claimed, key, str(error), now)
        return
    desk.probe("after_command")
    match result:
        case ErpApplied():
            await _applied(desk, claimed, proposal, result, now)
        case ErpRefused():
            await _refused(desk, claimed, key, result, now)


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
    after = desk.pack.file.actions[proposal.action].after
    done = entry(
        EntryKind.APPLIED,
        now,
        TARGET,
        action=proposal.action,
        user=proposal.decided_by,
        status=result.status,
        version=result.version,
        after=after,
        findings=[item.finding for item in claimed.case.exceptions],
    )

    def finish(tx: Transaction) -> None:
        tx.finish(claimed)
        tx.settle_call(proposal.id, state="done", response={"status": result.status, "version": result.version}, at=now)
        state = tx.append(claimed.case, [done])
        if not state.status.is_final:
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
        state = tx.append(claimed.case, entries)
        if stale:
            _run_rules_again(tx, state, f"refused:{key}", f"the refusal of {key}", now)

    await desk.store.tx(finish)


def _run_rules_again(tx: Transaction, state: CaseState, what: str, event: str, now: datetime) -> None:
    payload = {"cause": "document", "event": event}
    key = moment_key(RULES_MOMENT, state, what)
    tx.add_moment(case_id=state.id, kind=RULES_MOMENT, key=key, payload=payload, not_before=now)


async def _unsure(desk: Desk, claimed: Claimed, key: str, why: str, now: datetime) -> None:
    """Try the identical command again later; at the limit nobody knows whether it took effect, so a person looks."""
    limits = desk.pack.file.limits
    if claimed.attempt < limits.apply_attempts_max:
        later = desk.retry_at(now, claimed.attempt)
        await desk.store.tx(lambda tx: tx.retry(claimed, payload=claimed.payload, not_before=later))
        return
    over = handed_over(now, StopReason.FAILED, f"it is not known whether the system of record applied it: {why}")

    def give_up(tx: Transaction) -> None:
        tx.finish(claimed)
        tx.settle_call(key, state="unknown", response={"why": why}, at=now)
        tx.append(claimed.case, [over])

    await desk.store.tx(give_up)
