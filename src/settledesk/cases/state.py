"""A case as the fold of its log. Every field is JSON or a closed set, so that the snapshot is the state."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from settledesk.cases.outcome import Handler, Outcome, ProposalState, Status, StopReason
from settledesk.facts import CaseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An action put to a person. It has no authority of its own."""

    id: str
    action: str
    amount_minor: int | None
    currency: str
    rationale: str
    evidence: tuple[str, ...]
    role: str
    user: str | None
    subject_version: int
    provenance: Mapping[str, str]
    proposed_at: str
    state: ProposalState = ProposalState.PENDING
    decided_by: str | None = None
    comment: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionLine:
    """One exception of the case as the last run of the rules saw it."""

    reason: str
    finding: str
    text: str
    amount_minor: int
    currency: str
    outcome: Outcome | None
    row: str | None
    action: str | None
    stop_reason: StopReason | None
    lines: tuple[Mapping[str, str], ...] = ()
    measures: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseState:
    """One case: one subject and all its exceptions."""

    id: CaseId
    pack: str
    subject: str
    display: str
    opened_at: str
    updated_at: str
    version: int = 0
    status: Status = Status.INVESTIGATING
    handled_by: Handler = Handler.RULES
    reasons: tuple[str, ...] = ()
    exceptions: tuple[ExceptionLine, ...] = ()
    outcome: Outcome | None = None
    stop_reason: StopReason | None = None
    stop_detail: str | None = None
    row: str | None = None
    action: str | None = None
    amount_minor: int | None = None
    currency: str | None = None
    decider: str | None = None
    waiting_for: str | None = None
    evidence: tuple[str, ...] = ()
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    tables: tuple[Mapping[str, Any], ...] = ()
    policy: Mapping[str, Any] | None = None
    proposal: Proposal | None = None
    proposals_made: int = 0
    declined: tuple[Mapping[str, Any], ...] = ()
    applied: tuple[Mapping[str, Any], ...] = ()
    asked: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    instructions_seen: bool = False
    closed_by: str | None = None
    """The row of the closure table by which the case closed; later news may open it again."""
    unseen: Mapping[str, Any] | None = None
    """News that came while an effect was under way; the rules look at it once its outcome is known."""
    touches: int = 0

    @property
    def is_final(self) -> bool:
        """Tell whether nothing that arrives later moves the case: an applied decision settled it."""
        return self.status is Status.RESOLVED and self.closed_by is None


def state_to_json(state: CaseState) -> dict[str, Any]:
    """Return the state as JSON-ready data (enum members as their values)."""
    return asdict(state)


def state_from_json(data: Mapping[str, Any]) -> CaseState:
    """Read what `state_to_json` wrote."""
    values = {field.name: data[field.name] for field in fields(CaseState) if field.name in data}
    values["status"] = Status(values["status"])
    values["handled_by"] = Handler(values["handled_by"])
    values["outcome"] = Outcome(values["outcome"]) if values["outcome"] else None
    values["stop_reason"] = StopReason(values["stop_reason"]) if values["stop_reason"] else None
    values["proposal"] = proposal_from_json(values["proposal"]) if values["proposal"] else None
    values["exceptions"] = tuple(exception_from_json(item) for item in values["exceptions"])
    for name in ("reasons", "evidence", "tables", "declined", "applied"):
        values[name] = tuple(values[name])
    return CaseState(**values)


def proposal_from_json(data: Mapping[str, Any]) -> Proposal:
    """Read a proposal from its JSON form."""
    values = dict(data)
    values["evidence"] = tuple(values["evidence"])
    values["state"] = ProposalState(values["state"])
    return Proposal(**values)


def exception_from_json(data: Mapping[str, Any]) -> ExceptionLine:
    """Read an exception from its JSON form."""
    values = dict(data)
    values["outcome"] = Outcome(values["outcome"]) if values["outcome"] else None
    values["stop_reason"] = StopReason(values["stop_reason"]) if values["stop_reason"] else None
    values["lines"] = tuple(values["lines"])
    return ExceptionLine(**values)
