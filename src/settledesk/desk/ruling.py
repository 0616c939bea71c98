"""One run of the rules as data: what is written into the case log, and the policy's question about it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from settledesk.cases import Outcome, Status
from settledesk.desk.facts_of_case import Sources, cited, ungrounded
from settledesk.desk.frame import Framed, FramedException, TableRun
from settledesk.facts import EvidenceId, Fact, Known, Money, fact_to_json, merge_evidence
from settledesk.policy import Forbidden, PolicyAnswer, PolicyQuestion, RouteTo

_CITES = "cites_"
UNGROUNDED = "ungrounded_citations"


def ruling_data(
    sources: Sources,
    framed: Framed | None,
    *,
    status: Status | None,
    facts: Mapping[str, Fact],
    amount: Money | None = None,
    policy: Mapping[str, Any] | None = None,
    extra_runs: tuple[TableRun, ...] = (),
) -> dict[str, Any]:
    """Return the data of a `ruled` entry: everything that was seen and concluded in this run."""
    exceptions = framed.exceptions if framed else ()
    leading = framed.leading if framed else None
    settled = framed is not None and framed.outcome is Outcome.RESOLVED
    runs = (*extra_runs, *(run for item in exceptions for run in item.runs), *(framed.runs if framed else ()))
    return {
        "display": sources.assessment.display,
        "exceptions": [_exception(item) for item in exceptions],
        "outcome": framed.outcome.value if framed else None,
        "row": leading.row if leading else None,
        "action": framed.action if framed and settled else None,
        "amount_minor": amount.to_minor() if amount else None,
        "currency": amount.currency if amount else _currency(sources),
        "evidence": list(evidence_of(sources, framed)),
        "facts": {name: fact_to_json(fact) for name, fact in facts.items()},
        "tables": [asdict(run) for run in runs],
        "policy": policy,
        "status": status.value if status else None,
    }


def _currency(sources: Sources) -> str | None:
    total = sources.assessment.measures.get("total")
    return total.value.currency if isinstance(total, Known) and isinstance(total.value, Money) else None


def _exception(item: FramedException) -> dict[str, Any]:
    finding = item.finding
    return {
        "reason": item.reason,
        "finding": finding.kind,
        "text": finding.text,
        "amount_minor": finding.amount.to_minor(),
        "currency": finding.amount.currency,
        "outcome": _outcome(item).value,
        "row": item.row,
        "action": item.action,
        "stop_reason": item.stop.value if item.stop else None,
        "lines": [asdict(line) for line in finding.lines],
        "measures": {name: fact_to_json(fact) for name, fact in finding.measures.items()},
    }


def _outcome(item: FramedException) -> Outcome:
    if item.stop is not None:
        return Outcome.ESCALATE
    return Outcome.NEEDS_FACT if item.need is not None else Outcome.RESOLVED


def evidence_of(sources: Sources, framed: Framed | None) -> tuple[EvidenceId, ...]:
    """Return the ids that the outcome rests on: the subject, its findings, and the facts that the tables read."""
    groups: list[tuple[EvidenceId, ...]] = [(EvidenceId(sources.state.subject),)]
    for item in framed.exceptions if framed else ():
        groups.append(item.finding.evidence)
        used = {name for run in item.runs if run.fired for name, value in run.inputs.items() if value != "unknown"}
        groups.extend(fact.evidence for name, fact in item.facts.items() if name in used and isinstance(fact, Known))
    return merge_evidence(*groups)


def policy_question(
    sources: Sources, framed: Framed, *, facts: Mapping[str, Fact], amount: Money | None, proposer: str
) -> PolicyQuestion:
    """Return the question about the framed proposal: every fact that the pack marks for the policy."""
    evidence = evidence_of(sources, framed)
    asked: dict[str, Fact] = {}
    for name, spec in sources.pack.facts.items():
        if spec.policy:
            asked[name] = _about_proposal(sources, spec.measure or name, evidence) or facts[name]
    return PolicyQuestion(
        action=framed.action or "",
        amount=amount,
        reasons=tuple(item.reason for item in framed.exceptions),
        proposer=proposer,
        evidence=evidence,
        facts=asked,
    )


def _about_proposal(sources: Sources, measure: str, evidence: tuple[EvidenceId, ...]) -> Fact | None:
    """Return a fact that is judged on the proposal's own evidence, or `None` if the measure is none of these."""
    if measure == UNGROUNDED:
        return Known(value=ungrounded(sources.state, sources.reads, evidence))
    if measure.startswith(_CITES):
        return cited(sources.reads, measure.removeprefix(_CITES), evidence)
    return None


def answer_data(answer: PolicyAnswer, policy_hash: str) -> dict[str, Any]:
    """Return the policy's answer as it is kept and shown."""
    match answer:
        case RouteTo(role=role, user=user):
            return {
                "effect": "route",
                "decider": user or role,
                "role": role,
                "reason": None,
                "policy_hash": policy_hash,
            }
        case Forbidden(why=why, incident=incident):
            kept = {"effect": "forbid", "decider": None, "role": None, "reason": why, "policy_hash": policy_hash}
            return {**kept, "incident": incident}
