"""The timeline: each entry of the log as one sentence for a person."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from settledesk.cases.log import EntryKind, LogEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineLine:
    """One line of the timeline: when, what kind, who, and the sentence."""

    at: str
    kind: str
    by: str
    text: str


def timeline(entries: Iterable[LogEntry]) -> tuple[TimelineLine, ...]:
    """Return the log as timeline lines, in order."""
    return tuple(
        TimelineLine(at=entry.at, kind=entry.kind.value, by=entry.by, text=_TEXT[entry.kind](entry.data))
        for entry in entries
    )


def _ruled(data: Mapping[str, Any]) -> str:
    found = ", ".join(item["reason"] for item in data["exceptions"]) or "no exception"
    if data["row"]:
        return f"the rules saw {found}; row {data['row']} fired"
    return f"the rules saw {found}"


def _proposed(data: Mapping[str, Any]) -> str:
    proposal = data["proposal"]
    whom = f"{proposal['role']} {proposal['user']}" if proposal["user"] else proposal["role"]
    return f"proposed {proposal['action']} to {whom}: {proposal['rationale']}"


def _decided(data: Mapping[str, Any]) -> str:
    verdict = "approved" if data["approved"] else "declined"
    because = f" ({data['reason']})" if data["reason"] else ""
    return f"{verdict} {data['action']}{because}" + (f": {data['comment']}" if data["comment"] else "")


_TEXT: Mapping[EntryKind, Callable[[Mapping[str, Any]], str]] = {
    EntryKind.OPENED: lambda data: f"opened by {data['event']}",
    EntryKind.WOKEN: lambda data: f"looked at again because of {' and '.join(data['causes'].values())}",
    EntryKind.READ_FAILED: lambda data: f"could not read {', '.join(data['reads'])} (moment {data['attempt']})",
    EntryKind.RULED: _ruled,
    EntryKind.PROPOSED: _proposed,
    EntryKind.WITHDRAWN: lambda data: f"proposal withdrawn: {data['why']}",
    EntryKind.ASKED: lambda data: f"asks {data['from']} for {data['fact']}",
    EntryKind.LETTER_SENT: lambda data: f"letter about {data['fact']} sent",
    EntryKind.REPLIED: lambda data: f"reply read as {data['intent']}",
    EntryKind.ANSWERED: lambda data: f"{data['name']} is now known",
    EntryKind.DECIDED: _decided,
    EntryKind.APPLIED: lambda data: f"applied {data['action']} in the name of {data['user']}: {data['status']}",
    EntryKind.REFUSED: lambda data: f"refused by {data['by_whom']}: {data['detail']}",
    EntryKind.HANDED_OVER: lambda data: f"handed over to {data['to']}: {data['sentence']}",
    EntryKind.CLOSED: lambda data: f"closed: {data['text']}",
    EntryKind.NOTED: lambda data: f"note: {data['text']}",
    EntryKind.PARKED: lambda data: f"work put aside after {data['attempts']} attempts: {data['reason']}",
}
