"""A case as its history and one pure fold; outcomes, stop reasons, timeline entries."""

from settledesk.cases.case_json import case_to_json
from settledesk.cases.fold import apply_entry, fold
from settledesk.cases.identity import case_id_for
from settledesk.cases.log import EntryKind, LogEntry
from settledesk.cases.outcome import Handler, Outcome, ProposalState, Status, StopReason
from settledesk.cases.state import (
    CaseState,
    ExceptionLine,
    Proposal,
    exception_from_json,
    proposal_from_json,
    state_from_json,
    state_to_json,
)
from settledesk.cases.timeline import TimelineLine, timeline

__all__ = [
    "CaseState",
    "EntryKind",
    "ExceptionLine",
    "Handler",
    "LogEntry",
    "Outcome",
    "Proposal",
    "ProposalState",
    "Status",
    "StopReason",
    "TimelineLine",
    "apply_entry",
    "case_id_for",
    "case_to_json",
    "exception_from_json",
    "fold",
    "proposal_from_json",
    "state_from_json",
    "state_to_json",
    "timeline",
]
