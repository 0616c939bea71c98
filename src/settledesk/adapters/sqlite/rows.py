"""How values sit in columns: instants as UTC text that sorts, calls as rows."""

from datetime import UTC, datetime
from typing import Any

from settledesk.adapters.sqlite.json_text import from_text
from settledesk.facts import CaseId
from settledesk.ports import Call


def instant(at: datetime) -> str:
    """Return a UTC instant as text with microseconds, which sorts as time does."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def call_from_row(row: tuple[Any, ...]) -> Call:
    """Read `key, case_id, target, request_json, state, response_json`."""
    key, case_id, target, request, state, response = row
    return Call(
        key=key,
        case_id=CaseId(case_id),
        target=target,
        request=from_text(request),
        state=state,
        response=None if response is None else from_text(response),
    )
