"""The store: cases, case log, inbox, moments and calls as rows; work in plain functions that cannot await.

`Store.tx(fn)` runs `fn` on the store's own thread inside one transaction and returns when that is durable. `fn` is a
plain function: it cannot await, so no transaction can stay open across a network call.
Why: the ADR on rows and moments.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeVar

from settledesk.cases import CaseState, LogEntry
from settledesk.facts import CaseId, MomentId

T = TypeVar("T")


class StoreError(Exception):
    """The store cannot be used: wrong version, a second writer, a network file system, a damaged file."""


class FenceLostError(Exception):
    """The moment was taken over or the case changed meanwhile: the result of this work is thrown away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A moment that this worker holds. `owner` and `attempt` are its fence; `failures` counts how often it failed."""

    id: MomentId
    case: CaseState
    kind: str
    payload: Mapping[str, Any]
    owner: str
    attempt: int
    failures: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One effect on another system: intent before it is made, outcome after."""

    key: str
    case_id: CaseId
    target: str
    request: Mapping[str, Any]
    state: str
    response: Mapping[str, Any] | None


class Transaction(Protocol):
    """What may be done inside one transaction. Nothing here awaits, reads a clock or leaves the process."""

    def add_inbox(self, *, source: str, message_id: str, payload: Mapping[str, Any], at: datetime) -> bool:
        """Keep an outside event; `False` if this source sent this message id before (then nothing else may be done)."""
        ...

    def case(self, case_id: CaseId) -> CaseState | None:
        """Return the case, or `None`."""
        ...

    def open_case(self, state: CaseState) -> None:
        """Insert a new case (version 0)."""
        ...

    def append(self, state: CaseState, entries: Sequence[LogEntry]) -> CaseState:
        """Append entries to the case's log, fold them, and save the case; raises `FenceLostError` if it changed."""
        ...

    def refer(self, case_id: CaseId, references: Sequence[str]) -> None:
        """Make the case findable under these references (`purchase-order:PO-1`)."""
        ...

    def cases_referring(self, reference: str) -> tuple[CaseId, ...]:
        """Return the ids of the cases under a reference that later events may still move."""
        ...

    def add_moment(
        self, *, case_id: CaseId, kind: str, key: str, payload: Mapping[str, Any], not_before: datetime
    ) -> bool:
        """Queue a moment; `False` if one with this key exists."""
        ...

    def join_moment(self, *, case_id: CaseId, kind: str, payload: Mapping[str, Any]) -> bool:
        """Add `payload` to a moment of this kind that waits unclaimed for the case; `False` if there is none.

        A moment that was put off stays put off, so that news during an outage does not use up its attempts.
        """
        ...

    def has_moment(self, case_id: CaseId, *, kind: str) -> bool:
        """Tell whether a moment of this kind waits for the case or is worked on."""
        ...

    def finish(self, claimed: Claimed) -> None:
        """Mark a held moment done; raises `FenceLostError` if this worker no longer holds it."""
        ...

    def retry(
        self, claimed: Claimed, *, payload: Mapping[str, Any], not_before: datetime, failed: bool = False
    ) -> None:
        """Give a held moment back, to be claimed again not before a time; raises `FenceLostError`.

        `failed` counts a failure of the work; a lost fence or a read that is put off is none.
        """
        ...

    def park(self, claimed: Claimed, *, reason: str) -> None:
        """Put a poison moment aside with its reason; raises `FenceLostError`."""
        ...

    def call(self, key: str) -> Call | None:
        """Return the call under an idempotency key."""
        ...

    def intend(
        self, *, key: str, case_id: CaseId, moment_id: MomentId, target: str, request: Mapping[str, Any], at: datetime
    ) -> None:
        """Record the intent of an effect before it is made; the same key and request again changes nothing."""
        ...

    def settle_call(self, key: str, *, state: str, response: Mapping[str, Any], at: datetime) -> None:
        """Record what became of an intended effect: `done`, `failed` or `unknown`."""
        ...

    def cursor(self, name: str) -> int:
        """Return how far a feed of events was taken in (0: not at all)."""
        ...

    def set_cursor(self, name: str, value: int) -> None:
        """Remember how far a feed was taken in, in the same commit as what was taken."""
        ...


class Reader(Protocol):
    """Reads without a transaction of their own; what is read may be a moment old."""

    def case(self, case_id: CaseId) -> CaseState | None:
        """Return the case, or `None`."""
        ...

    def cases(self) -> tuple[CaseState, ...]:
        """Return every case, in the order in which they were opened."""
        ...

    def find(self, text: str) -> tuple[CaseState, ...]:
        """Return the cases whose id starts with `text` or whose subject or shown reference is `text`."""
        ...

    def log(self, case_id: CaseId) -> tuple[LogEntry, ...]:
        """Return the case's log in order."""
        ...

    def calls(self, case_id: CaseId | None = None) -> tuple[Call, ...]:
        """Return the calls of a case, or of all."""
        ...

    def next_moment_at(self) -> datetime | None:
        """Return when the earliest waiting moment may be claimed, or `None` if none waits."""
        ...

    def parked(self) -> tuple[tuple[CaseId, str], ...]:
        """Return the poison moments that were put aside: case and reason."""
        ...


class Store(Protocol):
    """The seat of the store."""

    async def tx(self, fn: Callable[[Transaction], T]) -> T:
        """Run `fn` in one transaction; return its value once durable, or raise what it raised with nothing kept."""
        ...

    async def claim(self, *, limit: int, now: datetime) -> tuple[Claimed, ...]:
        """Take up to `limit` moments that are due, at most one per case."""
        ...

    @property
    def reader(self) -> Reader:
        """Read-only queries."""
        ...

    def close(self) -> None:
        """Finish what was handed in and close; later calls raise `StoreError`."""
        ...
