"""The case log: append-only entries, numbered without a gap. The case is what folding them gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class EntryKind(StrEnum):
    """What happened. The set is closed; a kind is persisted data and is never renamed."""

    OPENED = "opened"
    WOKEN = "woken"
    READ_FAILED = "read_failed"
    RULED = "ruled"
    PROPOSED = "proposed"
    WITHDRAWN = "withdrawn"
    ASKED = "asked"
    LETTER_SENT = "letter_sent"
    REPLIED = "replied"
    ANSWERED = "answered"
    DECIDED = "decided"
    APPLIED = "applied"
    REFUSED = "refused"
    HANDED_OVER = "handed_over"
    CLOSED = "closed"
    NOTED = "noted"
    PARKED = "parked"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One entry. `at` is UTC as ISO text, `by` is `rules`, a username or a system; `seq` is set when it is appended."""

    kind: EntryKind
    data: Mapping[str, Any]
    by: str
    at: str
    seq: int = 0
