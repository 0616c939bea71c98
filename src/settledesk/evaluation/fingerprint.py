"""The fingerprint of a run: what the rules saw, said and wrote, byte for byte, with the run's own suffix put aside.

Two runs of one scenario that the rules settled must have the same; a difference is a fault, not a rate.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import regex

from settledesk.cases import CaseState, EntryKind, LogEntry
from settledesk.ports import Letter

_WITHHELD = regex.compile(r"\(withheld [0-9a-f]{8}\)")
"""What stands for a text that people are not shown; its digits hash the text, and with it the suffix."""

_RULING = ("outcome", "row", "action", "amount_minor", "currency", "exceptions", "evidence", "tables", "policy")
_PROPOSAL = ("action", "amount_minor", "currency", "role", "user", "rationale", "evidence", "state")


def fingerprint(state: CaseState, log: Sequence[LogEntry], letters: Sequence[Letter], *, suffix: str) -> str:
    """Return the SHA-256 over outcome, rulings, proposals, decisions and letters in their order, without times."""
    document = {
        "ended": [state.status, state.outcome, state.stop_reason, state.row, state.action, state.amount_minor],
        "log": _distinct([told for entry in log if (told := _told(entry)) is not None]),
        "letters": [[letter.recipient, letter.subject, letter.body] for letter in letters],
    }
    text = json.dumps(document, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(normalised(text, suffix=suffix, case_id=state.id).encode()).hexdigest()


def normalised(text: str, *, suffix: str, case_id: str) -> str:
    """Return a text without what differs from run to run: the suffix, the case id (a hash of it) and withheld texts."""
    for own, word in ((suffix, "{suffix}"), (suffix.lower(), "{suffix}"), (case_id, "{case}")):
        text = text.replace(own, word)
    return str(_WITHHELD.sub("(withheld)", text))


def _told(entry: LogEntry) -> dict[str, Any] | None:
    data = entry.data
    match entry.kind:
        case EntryKind.RULED:
            return {name: data[name] for name in _RULING}
        case EntryKind.PROPOSED:
            return {name: data["proposal"][name] for name in _PROPOSAL}
        case EntryKind.DECIDED:
            return {"by": entry.by, **{name: data[name] for name in ("action", "approved", "reason")}}
        case EntryKind.APPLIED:
            return {"applied": data["action"], "by": data["user"]}
        case EntryKind.CLOSED:
            return {"closed": data["row"], "text": data["text"]}
        case EntryKind.HANDED_OVER:
            return {"handed_over": data["to"], "why": data["why"], "detail": data["detail"]}
    return None


def _distinct(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out what says the same as the one before: the rules that run again and see nothing new."""
    return [item for index, item in enumerate(told) if index == 0 or item != told[index - 1]]
