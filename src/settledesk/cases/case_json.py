"""A case as every command prints it (`CASE` of the output contract): keys may be added, never renamed."""

from typing import Any

from settledesk.cases.state import CaseState
from settledesk.facts import display_reference


def case_to_json(state: CaseState) -> dict[str, Any]:
    """Return the JSON of one case; the subject is shown only if it has the shape of a reference."""
    return {
        "id": state.id,
        "pack": state.pack,
        "subject": display_reference(state.display),
        "subject_id": display_reference(state.subject.partition(":")[2]),
        "reasons": list(state.reasons),
        "status": state.status.value,
        "handled_by": state.handled_by.value,
        "outcome": state.outcome.value if state.outcome else None,
        "stop_reason": state.stop_reason.value if state.stop_reason else None,
        "stop_detail": state.stop_detail,
        "row": state.row,
        "action": state.action,
        "amount_minor": state.amount_minor,
        "currency": state.currency,
        "decider": state.decider,
        "waiting_for": state.waiting_for,
        "evidence": list(state.evidence),
        "exceptions": [
            {
                "reason": item.reason,
                "finding": item.finding,
                "text": item.text,
                "amount_minor": item.amount_minor,
                "currency": item.currency,
                "row": item.row,
                "action": item.action,
                "lines": list(item.lines),
                "measures": dict(item.measures),
            }
            for item in state.exceptions
        ],
        "version": state.version,
        "touches": state.touches,
    }
