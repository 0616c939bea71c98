"""What the tables say of a case: one reading per exception, then one outcome for the case. Pure.

The order is the house's: needs before resolution, resolution once per exception, combine once per case. An exception
that the tables do not frame escalates the whole case; so does a conflict.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from settledesk.cases import Outcome, StopReason
from settledesk.decisions import Evaluation
from settledesk.desk.facts_of_case import NOTHING, Sources, facts_of_exception, table_value
from settledesk.facts import Fact, Known, Unknown
from settledesk.matching.assessment import Finding
from settledesk.packs import Pack

NEEDS, RESOLUTION, COMBINE, CLOSURE = "needs", "resolution", "combine", "closure"
"""The four decisions of every pack, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """A fact that the rules lack, and who is to be asked."""

    fact: str
    supplier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRun:
    """One evaluation, as it is kept: which rows fired and which came near, with the cell that failed on what value."""

    decision: str
    reason: str | None
    fired: tuple[str, ...]
    near: tuple[Mapping[str, str], ...]
    inputs: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FramedException:
    """One exception and what the rules said of it."""

    reason: str
    finding: Finding
    facts: Mapping[str, Fact]
    row: str | None = None
    action: str | None = None
    basis: str | None = None
    need: Need | None = None
    stop: StopReason | None = None
    stop_detail: str | None = None
    runs: tuple[TableRun, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Framed:
    """What the tables say of the case before the policy is asked.

    Resolved without an action means that what the tables want is in force already.
    """

    outcome: Outcome
    exceptions: tuple[FramedException, ...]
    action: str | None = None
    leading: FramedException | None = None
    left_out: frozenset[str] = frozenset()
    need: Need | None = None
    stop: StopReason | None = None
    stop_detail: str | None = None
    runs: tuple[TableRun, ...] = field(default=())


def frame(sources: Sources) -> Framed:
    """Run needs, resolution and combine over all exceptions of the assessment (at least one)."""
    first = [_resolve(sources, finding, other_action=NOTHING, ask=False) for finding in sources.assessment.findings]
    framed = tuple(
        _resolve(sources, item.finding, other_action=_others(sources.pack, first, index), ask=True)
        for index, item in enumerate(first)
    )
    stopped = [item for item in framed if item.stop is not None]
    if stopped:
        worst = min(stopped, key=lambda item: _STOP_ORDER.index(item.stop))
        return _escalated(framed, worst)
    needing = next((item for item in framed if item.need is not None), None)
    if needing is not None:
        return Framed(outcome=Outcome.NEEDS_FACT, exceptions=framed, need=needing.need, leading=needing)
    return _combined(sources.pack, framed)


_STOP_ORDER = (StopReason.CONFLICT, StopReason.DECLINED, StopReason.UNHANDLED, StopReason.FAILED)


def _escalated(framed: tuple[FramedException, ...], worst: FramedException) -> Framed:
    return Framed(
        outcome=Outcome.ESCALATE, exceptions=framed, stop=worst.stop, stop_detail=worst.stop_detail, leading=worst
    )


def _resolve(sources: Sources, finding: Finding, *, other_action: str, ask: bool) -> FramedException:
    pack, reason = sources.pack, sources.pack.reason_of(finding.kind)
    facts = facts_of_exception(sources, finding, reason, other_action=other_action)
    base = FramedException(reason=reason, finding=finding, facts=facts)
    runs: list[TableRun] = []
    if ask:
        needs, run = evaluate_table(pack, NEEDS, facts, reason)
        runs.append(run)
        if needs.value:
            wanted = needs.value[0]
            need = Need(fact=str(wanted["fact"]), supplier=str(wanted["from"]))
            return replace(base, need=need, row=needs.fired[0], runs=tuple(runs))
    resolution, run = evaluate_table(pack, RESOLUTION, facts, reason)
    runs.append(run)
    return _read_resolution(sources, replace(base, runs=tuple(runs)), resolution)


def _read_resolution(sources: Sources, base: FramedException, resolution: Evaluation) -> FramedException:
    conflict = next((finding for finding in resolution.findings if finding.kind == "conflict"), None)
    if conflict is not None:
        rows = " and ".join(conflict.rows)
        return replace(base, stop=StopReason.CONFLICT, stop_detail=f"rows {rows} both match {base.reason}")
    broken = next((finding for finding in resolution.findings if finding.kind in ("error", "wrong_type")), None)
    if not resolution.fired:
        stop = StopReason.DECLINED if sources.state.declined else StopReason.UNHANDLED
        detail = f"no row frames {base.reason}" + (f": {broken.message}" if broken else "")
        return replace(base, stop=stop, stop_detail=detail)
    value = resolution.value
    return replace(base, row=resolution.fired[0], action=str(value["action"]), basis=str(value["amount_basis"]))


def _others(pack: Pack, first: Sequence[FramedException], index: int) -> str:
    """Return what the other exceptions would lead to if the case were only them and nothing were in force."""
    actions = [item.action for position, item in enumerate(first) if position != index and item.action is not None]
    return _combine(pack, actions, {})[0] if actions else NOTHING


def _combine(pack: Pack, actions: Sequence[str], facts: Mapping[str, Fact]) -> tuple[str, TableRun]:
    """Return the one action that the combine table makes of several, and the run."""
    evaluation, run = evaluate_table(pack, COMBINE, {**facts, "actions": Known(value=tuple(actions))}, None)
    value = evaluation.value["action"] if isinstance(evaluation.value, Mapping) else evaluation.value
    return (NOTHING if value is None else str(value)), run


def _combined(pack: Pack, framed: tuple[FramedException, ...]) -> Framed:
    actions = [item.action for item in framed if item.action is not None]
    action, run = _combine(pack, actions, framed[0].facts)
    if not run.fired:
        return Framed(
            outcome=Outcome.ESCALATE,
            exceptions=framed,
            stop=StopReason.UNHANDLED,
            stop_detail="the combine table made no action of the exceptions",
            runs=(run,),
        )
    if action == NOTHING:
        return Framed(outcome=Outcome.RESOLVED, exceptions=framed, leading=framed[0], runs=(run,))
    leading = next((item for item in framed if item.action == action), framed[0])
    left_out = frozenset(part for item in framed if item.basis for part in pack.file.amounts[item.basis])
    return Framed(
        outcome=Outcome.RESOLVED, exceptions=framed, action=action, leading=leading, left_out=left_out, runs=(run,)
    )


def evaluate_table(
    pack: Pack, decision: str, facts: Mapping[str, Fact], reason: str | None
) -> tuple[Evaluation, TableRun]:
    """Evaluate one decision on facts (unknown is null) and keep what the trace says."""
    model = pack.tables[decision]
    inputs = {name: table_value(facts.get(name, _ABSENT)) for name in model.inputs(decision)}
    evaluation = model.evaluate(decision, inputs, trace=True)
    names = model.inputs(decision)
    first = names[0] if names else None
    near = tuple(
        {"row": row.row, "cell": row.cell or "", "test": row.test or "", "value": show_input(row.value)}
        for row in evaluation.trace
        if not row.fired and row.cell != first
    )
    shown = {name: show_input(value) for name, value in inputs.items()}
    return evaluation, TableRun(decision=decision, reason=reason, fired=evaluation.fired, near=near, inputs=shown)


def show_input(value: object) -> str:
    """Return an input as the trace shows it."""
    return "unknown" if value is None else ("true" if value is True else "false" if value is False else str(value))


_ABSENT = Unknown(reason="it is not a fact of the pack")
