"""The facts of one exception: measures of its finding and its subject, the case's own history, and answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from settledesk.cases import CaseState
from settledesk.facts import EvidenceId, Fact, FactValue, Known, Money, Unknown, display_reference, fact_from_json
from settledesk.matching.assessment import Assessment, Finding, Read, ReadRecords, Unread
from settledesk.packs import FactSpec, Pack

NOTHING = "none"
"""The known value of a fact when there is nothing: null would mean unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Everything that facts are made of, for one run of the rules on one case."""

    pack: Pack
    state: CaseState
    assessment: Assessment
    reads: Mapping[str, Read]


def facts_of_exception(sources: Sources, finding: Finding, reason: str, *, other_action: str) -> dict[str, Fact]:
    """Return every fact of the pack for one exception, known or unknown, in the pack's order."""
    own = _own_facts(sources, reason=reason, other_action=other_action)
    return {name: _fact(sources, name, spec, finding, own) for name, spec in sources.pack.facts.items()}


def facts_of_subject(sources: Sources) -> dict[str, Fact]:
    """Return the facts that hang on no single exception; those of a finding are unknown."""
    own = _own_facts(sources, reason=None, other_action=NOTHING)
    return {name: _fact(sources, name, spec, None, own) for name, spec in sources.pack.facts.items()}


def cited(reads: Mapping[str, Read], name: str, evidence: Sequence[EvidenceId]) -> Fact:
    """Tell whether the evidence cites a record of a read, or a part of one that has an id of its own."""
    read = reads.get(name)
    if not isinstance(read, ReadRecords):
        reason = read.reason if isinstance(read, Unread) else f"{name} is not among the reads"
        return Unknown(reason=reason)
    ids = {found for record in read.records for found in _ids(record)}
    return Known(
        value=not ids.isdisjoint(evidence), evidence=tuple(EvidenceId(record["id"]) for record in read.records)
    )


def ungrounded(state: CaseState, reads: Mapping[str, Read], evidence: Sequence[EvidenceId]) -> tuple[str, ...]:
    """Return the ids in the evidence that neither a record read in this run nor the case's own log bears out."""
    own = {str(id_) for fact in state.answers.values() for id_ in fact.get("evidence", ())}
    own |= {f"decision:{item['proposal']}" for item in state.declined}
    read = {
        id_ for found in reads.values() if isinstance(found, ReadRecords) for one in found.records for id_ in _ids(one)
    }
    return tuple(sorted(set(evidence) - read - own))


def table_value(fact: Fact) -> Any:
    """Return a fact as a table reads it: null for unknown, a plain number for money."""
    if isinstance(fact, Unknown):
        return None
    value: FactValue = fact.value
    if isinstance(value, Money):
        return value.amount
    if isinstance(value, tuple):
        return list(value)
    return value


def _fact(sources: Sources, name: str, spec: FactSpec, finding: Finding | None, own: Mapping[str, Fact]) -> Fact:
    fact = _raw_fact(sources, name, spec, finding, own)
    if spec.role is None or isinstance(fact, Unknown):
        return fact
    person = sources.pack.people.get(str(fact.value))
    if person is None or person.role != spec.role:
        return Unknown(reason=f"`{display_reference(str(fact.value))}` is not a {spec.role} of this desk")
    return fact


def _raw_fact(sources: Sources, name: str, spec: FactSpec, finding: Finding | None, own: Mapping[str, Fact]) -> Fact:
    measure = spec.measure or name
    missing = Unknown(reason=f"{name.replace('_', ' ')} was not established")
    match spec.source:
        case "finding":
            return missing if finding is None else finding.measures.get(measure, missing)
        case "subject":
            return sources.assessment.measures.get(measure, missing)
        case "case":
            return own.get(measure, missing)
        case "reading":
            stored = sources.state.answers.get(name)
            return missing if stored is None else fact_from_json(stored)


def _own_facts(sources: Sources, *, reason: str | None, other_action: str) -> dict[str, Fact]:
    state = sources.state
    last = state.declined[-1] if state.declined else None
    evidence = () if last is None else (EvidenceId(f"decision:{last['proposal']}"),)
    facts: dict[str, Fact] = {
        "declined_action": Known(value=last["action"] if last else NOTHING, evidence=evidence),
        "decline_reason": Known(value=(last["reason"] or NOTHING) if last else NOTHING, evidence=evidence),
        "applied_action": Known(value=state.applied[-1]["action"] if state.applied else NOTHING),
        "display": Known(value=state.display),
        "other_action": Known(value=other_action),
        "open_findings": _open_findings(sources),
        "case_status": Known(value=state.status.value),
        "instructions_seen": Known(value=state.instructions_seen),
        # The rules end a run either with a letter or with a proposal, never with both.
        "asked_this_turn": Known(value=False),
        "limit_currency": Known(value=sources.pack.file.currency),
    }
    if reason is not None:
        facts["reason_code"] = Known(value=reason)
    return facts


def _open_findings(sources: Sources) -> Fact:
    """Count the findings; with anything unread, that there are none is not known."""
    unread = [name for name, read in sources.reads.items() if isinstance(read, Unread)]
    missing = [*sources.assessment.missing, *(name.replace("_", " ") for name in unread)]
    if missing:
        return Unknown(reason=f"{', '.join(dict.fromkeys(missing))} could not be read, so there may be more")
    return Known(value=Decimal(len(sources.assessment.findings)))


def _ids(record: Mapping[str, Any]) -> list[str]:
    found = [str(record["id"])] if "id" in record else []
    for value in record.values():
        if isinstance(value, list):
            found.extend(inner for item in value if isinstance(item, Mapping) for inner in _ids(item))
    return found
