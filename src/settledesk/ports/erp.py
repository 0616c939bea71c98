"""The system of record: reads by path, events in order, commands in a person's name, and documents in.

Paths are those of a JSON API, so the same path works in process and over HTTP, and a fault can be set on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from settledesk.matching.assessment import Record


class ErpUnavailableError(Exception):
    """A call did not get through (time-out, 429, 5xx). Nothing is known from it: unknown is not false."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErpCommand:
    """One effect, in the name of the person who decided. The same `idempotency_key` never takes effect twice."""

    action: str
    subject: str
    """The subject record's id."""
    user: str
    idempotency_key: str
    expected_version: int
    amount_minor: int | None
    currency: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErpApplied:
    """The command took effect (now, or when the same key came first)."""

    status: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ErpRefused:
    """The system of record said no. `code` is its own; `detail` is one sentence for a person."""

    code: str
    detail: str


ErpResult: TypeAlias = ErpApplied | ErpRefused


@dataclass(frozen=True, slots=True, kw_only=True)
class ErpEvent:
    """Something happened at the system of record. `seq` only grows; a redelivery has a new `seq` and the same `id`."""

    seq: int
    id: str
    type: str
    payload: Record


@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeDocument:
    """A document on its way in. `key` makes a repeat of the same delivery recognisable: it has no second effect."""

    key: str
    collection: str
    record: Record


class Erp(Protocol):
    """The system of record, as the desk sees it."""

    async def read(self, path: str) -> tuple[Record, ...]:
        """Return the records at `path`; none is a known nothing. Raises `ErpUnavailableError`."""
        ...

    async def events(self, *, after: int, limit: int) -> tuple[ErpEvent, ...]:
        """Return at most `limit` events with `seq` above `after`, in order. Raises `ErpUnavailableError`."""
        ...

    async def command(self, command: ErpCommand) -> ErpResult:
        """Apply an action; raises `ErpUnavailableError` if it is not known whether it took effect."""
        ...

    async def intake(self, documents: Sequence[IntakeDocument]) -> int:
        """Post documents in this order, all or none; returns how many were new. Raises `ErpUnavailableError`."""
        ...
