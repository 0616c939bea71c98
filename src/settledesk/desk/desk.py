"""The desk: the pack, the ports and the few functions that every use case shares."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from settledesk.cases import CaseState, EntryKind, Handler, LogEntry, StopReason, case_id_for
from settledesk.facts import CaseId
from settledesk.packs import Pack
from settledesk.ports import Clock, Erp, Ids, Mailbox, PolicyEngine, Store

RULES_MOMENT, LETTER_MOMENT, APPLY_MOMENT = "rules", "letter", "apply"
"""The kinds of moment. They are persisted data and are never renamed."""

RULES = "rules"
"""Who writes the entries that the rules make."""


def no_probe(name: str) -> None:
    """Do nothing at a named point; a fault test puts a kill here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One desk for one pack. Every use case is a function that takes it."""

    pack: Pack
    erp: Erp
    policy: PolicyEngine
    mailbox: Mailbox
    store: Store
    clock: Clock
    ids: Ids
    engine: str = "settledesk"
    probe: Callable[[str], None] = field(default=no_probe)

    def case_id(self, subject: str) -> CaseId:
        """Return the id of the case of a subject."""
        return case_id_for(pack=self.pack.name, prefix=self.pack.file.case_prefix, subject=subject)

    def retry_at(self, now: datetime, attempt: int) -> datetime:
        """Return when to try again after the `attempt`-th failure: each pause doubles, up to the longest."""
        limits = self.pack.file.limits
        pause_s = min(limits.backoff_max_s, limits.read_backoff_s * 2 ** (attempt - 1))
        return now + timedelta(seconds=pause_s)

    def provenance(self) -> dict[str, str]:
        """Return what a proposal was made with: pack, tables and policy by hash, and the engine's version."""
        return {
            "pack": self.pack.version_label,
            "tables": self.pack.tables_hash[:12],
            "policy": self.policy.policy_hash,
            "engine": self.engine,
        }


def entry(kind: EntryKind, at: datetime, by: str, **data: Any) -> LogEntry:
    """Make a log entry; it gets its number when it is appended."""
    return LogEntry(kind=kind, data=data, by=by, at=at.astimezone(UTC).isoformat(timespec="microseconds"))


def handed_over(at: datetime, stop: StopReason, detail: str) -> LogEntry:
    """Make the entry by which the rules give a case to a person, for good."""
    return entry(
        EntryKind.HANDED_OVER,
        at,
        RULES,
        to=Handler.PERSON.value,
        why=stop.value,
        detail=detail,
        sentence=stop.sentence,
    )


_BECAUSE = "because:"


def because(cause: str, event: str) -> dict[str, str]:
    """Return the payload of a rules moment; payloads of several causes join without losing one."""
    return {f"{_BECAUSE}{cause}": event}


def causes(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return what set a rules moment going: cause -> event."""
    return {key.removeprefix(_BECAUSE): str(value) for key, value in payload.items() if key.startswith(_BECAUSE)}


def moment_key(kind: str, case: CaseState | CaseId, what: str) -> str:
    """Return the unique key of a moment: the same cause never queues it twice."""
    return f"{kind}:{case if isinstance(case, str) else case.id}:{what}"
