"""The rules on one case: read, assess, frame, ask the policy, end in one fenced commit. No transaction is open before.

The pure rooms decide; this module only carries their answers into log entries and further moments.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from settledesk.cases import (
    CaseState,
    EntryKind,
    Handler,
    LogEntry,
    Outcome,
    ProposalState,
    Status,
    StopReason,
)
from settledesk.desk.desk import LETTER_MOMENT, RULES, Desk, causes, entry, handed_over, moment_key
from settledesk.desk.facts_of_case import Sources, facts_of_subject, table_value
from settledesk.desk.frame import CLOSURE, Framed, TableRun, evaluate_table, frame
from settledesk.desk.gather import Gathered, gather
from settledesk.desk.proposing import Put, put_to_policy
from settledesk.desk.ruling import ruling_data
from settledesk.facts import Fact, Known, is_address
from settledesk.matching import MATCHERS
from settledesk.ports import Claimed, Transaction


@dataclass(slots=True)
class Work:
    """What one moment will commit: entries in order, moments to queue, references under which the case is found."""

    at: datetime
    entries: list[LogEntry] = field(default_factory=list)
    moments: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    references: tuple[str, ...] = ()

    def add(self, kind: EntryKind, by: str = RULES, **data: Any) -> None:
        """Add a log entry."""
        self.entries.append(entry(kind, self.at, by, **data))

    def commit(self, tx: Transaction, claimed: Claimed) -> None:
        """Write everything under the moment's fence and the case's version."""
        tx.finish(claimed)
        tx.refer(claimed.case.id, self.references)
        if self.entries:
            tx.append(claimed.case, self.entries)
        for kind, what, payload in self.moments:
            key = moment_key(kind, claimed.case, what)
            tx.add_moment(case_id=claimed.case.id, kind=kind, key=key, payload=payload, not_before=self.at)


async def run_rules(desk: Desk, claimed: Claimed) -> None:
    """Do a rules moment; raises only what is a fault of ours, and `FenceLostError` when the work came too late."""
    if _is_being_applied(claimed.case):
        await _after_the_effect(desk, claimed)
        return
    limits = desk.pack.file.limits
    gathered = await gather(
        desk.erp, tuple(desk.pack.file.reads), subject=claimed.case.subject, tries_max=limits.read_tries_max
    )
    attempt = int(claimed.payload.get("read_attempt", 0)) + 1
    now = desk.clock.now()
    if gathered.failed and (attempt < limits.read_attempts_max or _is_settled(claimed.case)):
        await _read_again_later(desk, claimed, gathered, attempt, now)
        return
    work = Work(at=now)
    if gathered.failed:
        work.add(EntryKind.READ_FAILED, reads=list(gathered.failed), attempt=attempt)
    await _rule(desk, claimed, gathered, work)
    desk.probe("before_rules_commit")
    await desk.store.tx(lambda tx: work.commit(tx, claimed))
    desk.probe("after_rules_commit")


def _is_settled(state: CaseState) -> bool:
    """Tell whether the case rests: what made it rest holds until all was read again, however long that takes."""
    return state.status in (Status.MATCHED, Status.ON_HOLD, Status.RESOLVED)


async def _after_the_effect(desk: Desk, claimed: Claimed) -> None:
    """Note the news and leave it: the outcome of the effect comes first, and it queues the rules again."""
    woken = entry(EntryKind.WOKEN, desk.clock.now(), RULES, causes=causes(claimed.payload))

    def leave(tx: Transaction) -> None:
        tx.finish(claimed)
        tx.append(claimed.case, [woken])

    await desk.store.tx(leave)


def _is_being_applied(state: CaseState) -> bool:
    approved = state.proposal is not None and state.proposal.state is ProposalState.APPROVED
    return approved and state.handled_by is Handler.RULES and not state.is_final


async def _read_again_later(desk: Desk, claimed: Claimed, gathered: Gathered, attempt: int, now: datetime) -> None:
    """Give the moment back with a growing pause; what could not be read is on the timeline."""
    later = desk.retry_at(now, attempt)
    failed = entry(EntryKind.READ_FAILED, now, RULES, reads=list(gathered.failed), attempt=attempt)
    payload = {**claimed.payload, "read_attempt": attempt}
    told = attempt <= desk.pack.file.limits.read_attempts_max

    def give_back(tx: Transaction) -> None:
        if told:
            tx.append(claimed.case, [failed])
        tx.retry(claimed, payload=payload, not_before=later)

    await desk.store.tx(give_back)


async def _rule(desk: Desk, claimed: Claimed, gathered: Gathered, work: Work) -> None:
    state = claimed.case
    assessment = MATCHERS[desk.pack.file.matcher](gathered.reads, desk.pack.settings)
    sources = Sources(pack=desk.pack, state=state, assessment=assessment, reads=gathered.reads)
    work.references = tuple(f"{kind}:{key}" for kind, key in assessment.references)
    facts = facts_of_subject(sources)
    if causes(claimed.payload) and state.version > 1:
        work.add(EntryKind.WOKEN, causes=causes(claimed.payload))
    if state.is_final:
        return
    closing = _closing(sources, facts)
    unread = [*assessment.missing, *(name.replace("_", " ") for name in gathered.failed)]
    if closing is not None:
        _close(sources, facts, closing, work)
    elif assessment.findings:
        await _settle(desk, sources, claimed, work)
    elif unread:
        detail = f"{', '.join(dict.fromkeys(unread))} could not be read"
        _hand_over(work, sources, None, StopReason.UNREAD, detail, facts)
    elif not state.reasons:
        work.add(EntryKind.RULED, **ruling_data(sources, None, status=Status.MATCHED, facts=facts))
    elif state.handled_by is Handler.RULES:
        stop = _stop_for(claimed, StopReason.UNHANDLED)
        _hand_over(work, sources, None, stop, "the exceptions are gone, and no row says what follows", facts)


def _closing(sources: Sources, facts: dict[str, Fact]) -> TableRun | None:
    """Return the run of the closure table if one of its rows closes the case; it never opens what was never one."""
    if not sources.state.reasons and not sources.assessment.findings:
        return None
    _, run = evaluate_table(sources.pack, CLOSURE, facts, None)
    return run if len(run.fired) == 1 else None


def _close(sources: Sources, facts: dict[str, Fact], closing: TableRun, work: Work) -> None:
    framed = frame(sources) if sources.assessment.findings else None
    work.add(
        EntryKind.RULED,
        **ruling_data(sources, framed, status=None, facts=_shown_facts(facts, framed), extra_runs=(closing,)),
    )
    row = closing.fired[0]
    if sources.state.closed_by == row:
        return
    text = sources.pack.rationale(row, facts)
    work.add(EntryKind.CLOSED, row=row, text=text, status=Status.RESOLVED.value)


async def _settle(desk: Desk, sources: Sources, claimed: Claimed, work: Work) -> None:
    state, framed = sources.state, frame(sources)
    facts = _shown_facts(facts_of_subject(sources), framed)
    if state.handled_by is not Handler.RULES:
        # The handoff went one way: what is new is shown to whoever has the case, and nothing is proposed.
        data = ruling_data(sources, framed, status=None, facts=facts)
        work.add(EntryKind.RULED, **{**data, "outcome": Outcome.ESCALATE.value, "action": None})
        if state.closed_by is not None:
            stop = _stop_for(claimed, framed.stop or StopReason.UNHANDLED)
            work.entries.append(handed_over(work.at, stop, "what closed the case no longer holds"))
        return
    match framed.outcome:
        case Outcome.ESCALATE:
            stop = _stop_for(claimed, framed.stop or StopReason.UNHANDLED)
            _hand_over(work, sources, framed, stop, framed.stop_detail or "", facts)
        case Outcome.NEEDS_FACT:
            _ask(desk, sources, framed, work, facts)
        case Outcome.RESOLVED:
            await _propose(desk, sources, framed, work, facts)


def _stop_for(claimed: Claimed, stop: StopReason) -> StopReason:
    """Name what set the rules going, when that is why no row frames the case any more."""
    if stop is StopReason.UNHANDLED and claimed.case.version > 1:
        set_going = causes(claimed.payload)
        for reason in (StopReason.REPLY, StopReason.PERSON, StopReason.RECEIPT):
            if reason.value in set_going:
                return reason
    return stop


def _shown_facts(facts: dict[str, Fact], framed: Framed | None) -> dict[str, Fact]:
    """Return the facts as the case shows them: those of the leading exception over those of the subject."""
    return {**facts, **(framed.leading.facts if framed and framed.leading else {})}


def _hand_over(
    work: Work, sources: Sources, framed: Framed | None, stop: StopReason, detail: str, facts: dict[str, Fact]
) -> None:
    """Give the case to a person, one way; what nobody has decided yet is withdrawn by that entry."""
    if sources.state.handled_by is not Handler.RULES and sources.state.closed_by is None:
        return
    data = ruling_data(sources, framed, status=None, facts=facts)
    if work.entries and work.entries[-1].kind is EntryKind.RULED:
        work.entries.pop()
    work.add(EntryKind.RULED, **{**data, "outcome": Outcome.ESCALATE.value, "action": None})
    work.entries.append(handed_over(work.at, stop, detail))


def _ask(desk: Desk, sources: Sources, framed: Framed, work: Work, facts: dict[str, Fact]) -> None:
    assert framed.need is not None, "a needs-fact outcome names the fact"
    state, need = sources.state, framed.need
    asked = state.asked.get(need.fact)
    if asked is not None and need.fact not in state.answers and (asked.get("sent") or _is_asking(state)):
        work.add(EntryKind.RULED, **ruling_data(sources, framed, status=Status.AWAITING_ANSWER, facts=facts))
        return
    why = _cannot_ask(desk, sources, framed)
    if why is not None:
        _hand_over(work, sources, framed, StopReason.EXHAUSTED, why, facts)
        return
    if state.proposal is not None and state.proposal.state is ProposalState.PENDING:
        work.add(EntryKind.WITHDRAWN, why="a fact that the rules need is missing now")
    work.add(EntryKind.RULED, **ruling_data(sources, framed, status=None, facts=facts))
    recipient = _recipient(desk, sources, need.supplier)
    question = {"fact": need.fact, "from": need.supplier, "to": recipient}
    work.entries.append(LogEntry(kind=EntryKind.ASKED, data=question, by=RULES, at=work.entries[-1].at))
    work.moments.append(
        (LETTER_MOMENT, f"{need.fact}:{state.version}", {"fact": need.fact, "supplier": need.supplier, "to": recipient})
    )


def _is_asking(state: CaseState) -> bool:
    return state.status is Status.AWAITING_ANSWER


def _cannot_ask(desk: Desk, sources: Sources, framed: Framed) -> str | None:
    assert framed.need is not None, "a needs-fact outcome names the fact"
    state, need = sources.state, framed.need
    if need.fact in state.asked and need.fact in state.answers:
        return f"{need.fact} was asked once and is still unknown{_why_unknown(state, need.fact)}"
    if len(state.asked) >= desk.pack.file.limits.letters_max:
        return f"{desk.pack.file.limits.letters_max} letters were sent, which is the limit"
    if _recipient(desk, sources, need.supplier) is None:
        return f"the {need.supplier} has no address of record to ask for {need.fact}"
    return None


def _why_unknown(state: CaseState, fact: str) -> str:
    answer = state.answers.get(fact)
    return f": {answer['unknown']}" if answer and "unknown" in answer else ""


def _recipient(desk: Desk, sources: Sources, supplier: str) -> str | None:
    """Return the address of record: the supplier's own fact, or that of the person whom a fact names."""
    address = sources.assessment.measures.get(f"{supplier}_email")
    if isinstance(address, Known):
        return str(address.value) if is_address(str(address.value)) else None
    named = sources.assessment.measures.get(supplier)
    person = desk.pack.people.get(str(table_value(named))) if named is not None else None
    return person.email if person is not None else None


async def _propose(desk: Desk, sources: Sources, framed: Framed, work: Work, facts: dict[str, Fact]) -> None:
    state = sources.state
    put = await put_to_policy(desk, sources, framed, facts)
    facts = {**facts, **put.asked_with}
    if isinstance(put, Put):
        _file(desk, sources, framed, work, facts, put)
        return
    if put.stop is None:
        if state.proposal is not None and state.proposal.state is ProposalState.PENDING:
            work.add(EntryKind.WITHDRAWN, why=put.detail)
        work.add(EntryKind.RULED, **ruling_data(sources, framed, status=Status.ON_HOLD, facts=facts))
        return
    _hand_over(work, sources, framed, put.stop, put.detail, facts)
    ruled = work.entries[-2]
    work.entries[-2] = entry(ruled.kind, work.at, RULES, **{**ruled.data, "policy": put.policy})


def _file(desk: Desk, sources: Sources, framed: Framed, work: Work, facts: dict[str, Fact], put: Put) -> None:
    """File the proposal, unless the very same one waits already."""
    pending = sources.state.proposal
    waiting = pending is not None and pending.state is ProposalState.PENDING
    same = waiting and pending is not None and put.same_as(pending)
    ruled = ruling_data(
        sources,
        framed,
        status=Status.AWAITING_DECISION if same else None,
        facts=facts,
        amount=put.amount,
        policy=put.policy,
    )
    if waiting and not same:
        work.add(EntryKind.WITHDRAWN, why="what it rested on has changed")
    work.add(EntryKind.RULED, **ruled)
    if not same:
        proposal = put.proposal(desk, at=work.entries[-1].at, case=sources.state)
        work.add(EntryKind.PROPOSED, proposal=proposal)
