"""The worker: takes in events, claims moments, does them side by side, and puts poison aside.

A moment is claimed, worked on with no transaction open, and ended by one fenced commit. A worker that was too slow
loses the fence and its result is thrown away.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import structlog

from settledesk.cases import EntryKind, Handler, StopReason
from settledesk.desk.apply_moment import apply_decision, give_up
from settledesk.desk.desk import APPLY_MOMENT, LETTER_MOMENT, RULES, RULES_MOMENT, Desk, entry, handed_over
from settledesk.desk.feed import take_in_events
from settledesk.desk.letter_moment import send_letter
from settledesk.desk.rules_moment import run_rules
from settledesk.ports import Claimed, ErpUnavailableError, FenceLostError, Transaction

IN_FLIGHT = 64
"""How many moments one worker has in hand at once; what shares a commit shares one wait for the disk."""

Progress = Callable[[int], None]

_log = structlog.get_logger(__name__)

CLAIMS_MAX = 50
"""How often a moment may be begun at all. Lost fences and kills are no failures of it, but they have a limit too."""

_SAME_EVERY_TIME = (ValueError, TypeError, LookupError, AttributeError, AssertionError, ArithmeticError)

_HANDLERS: Mapping[str, Callable[[Desk, Claimed], Awaitable[None]]] = {
    RULES_MOMENT: run_rules,
    LETTER_MOMENT: send_letter,
    APPLY_MOMENT: apply_decision,
}


async def work_until_idle(desk: Desk, *, progress: Progress | None = None, wait_max_s: float = 0.0) -> int:
    """Take in events and do moments until nothing is due; returns how many moments were done.

    Moments that are put off (a read that failed, say) are waited for on the desk's clock, up to `wait_max_s` seconds in
    all; what is due later stays queued for the next worker.
    """
    done, waited_s = 0, 0.0
    while True:
        taken = await _take_in(desk)
        worked = await work_once(desk)
        done += worked
        if progress is not None and worked:
            progress(done)
        if taken or worked:
            continue
        due = desk.store.reader.next_moment_at()
        pause_s = 0.0 if due is None else max(0.0, (due - desk.clock.now()).total_seconds())
        if due is None or waited_s + pause_s > wait_max_s:
            return done
        await desk.clock.sleep(pause_s)
        waited_s += pause_s


async def work_once(desk: Desk) -> int:
    """Claim one batch of due moments and do them side by side; returns how many."""
    claimed = await desk.store.claim(limit=IN_FLIGHT, now=desk.clock.now())
    desk.probe("after_claim")
    await asyncio.gather(*(_do(desk, moment) for moment in claimed))
    return len(claimed)


async def _take_in(desk: Desk) -> int:
    try:
        return await take_in_events(desk)
    except ErpUnavailableError as error:
        _log.warning("events_unavailable", reason=str(error))
        return 0


async def _do(desk: Desk, claimed: Claimed) -> None:
    try:
        if claimed.attempt > CLAIMS_MAX:
            raise PoisonError(f"it was begun {claimed.attempt - 1} times and never ended, the process died each time")
        await _HANDLERS[claimed.kind](desk, claimed)
    except FenceLostError as lost:
        _log.info("fence_lost", moment=claimed.id, case=claimed.case.id, reason=str(lost))
        await _release(desk, claimed)
    except Exception as error:
        _log.error("moment_failed", moment=claimed.id, case=claimed.case.id, kind=claimed.kind, error=repr(error))
        await _failed(desk, claimed, error)


class PoisonError(ValueError):
    """A moment was begun too often; it must not block its case without anybody knowing."""


async def _release(desk: Desk, claimed: Claimed) -> None:
    """Give back a moment whose case changed under it; if it was taken over, it is another worker's and stays so."""
    now = desk.clock.now()
    try:
        await desk.store.tx(lambda tx: tx.retry(claimed, payload=claimed.payload, not_before=now))
    except FenceLostError:
        return


async def _failed(desk: Desk, claimed: Claimed, error: Exception) -> None:
    """Try again later what another time may mend; put aside at once what fails on the same facts every time."""
    limits, now = desk.pack.file.limits, desk.clock.now()
    failures = claimed.failures + 1
    if not isinstance(error, _SAME_EVERY_TIME) and failures < limits.moment_attempts_max:
        later = desk.retry_at(now, failures)
        await desk.store.tx(lambda tx: tx.retry(claimed, payload=claimed.payload, not_before=later, failed=True))
        return
    reason = f"{type(error).__name__}: {error}"
    if claimed.kind == APPLY_MOMENT and claimed.case.proposal is not None:
        key = claimed.case.proposal.id
        await desk.store.tx(lambda tx: give_up(tx, claimed, key, reason, now))
        return
    entries = [
        entry(EntryKind.PARKED, now, RULES, reason=reason, attempts=failures, moment=claimed.kind),
        handed_over(now, StopReason.FAILED, reason),
    ]

    def park(tx: Transaction) -> None:
        current = tx.case(claimed.case.id)
        tx.park(claimed, reason=reason)
        if current is not None:
            tx.append(current, entries if current.handled_by is Handler.RULES else entries[:1])

    await desk.store.tx(park)
