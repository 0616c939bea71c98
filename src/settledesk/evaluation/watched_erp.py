"""The system of record, watched: which calls failed or took time, so that a report can say whether a fault was met."""

from collections.abc import Awaitable, Sequence
from typing import TypeVar

from settledesk.matching.assessment import Record
from settledesk.ports import Clock, Erp, ErpCommand, ErpEvent, ErpResult, ErpUnavailableError, IntakeDocument

T = TypeVar("T")


class WatchedErp:
    """Implements `settledesk.ports.Erp` by handing every call on."""

    def __init__(self, erp: Erp, clock: Clock) -> None:
        self._erp = erp
        self._clock = clock
        self.failed: dict[str, int] = {}
        """How many calls failed, by path (commands under their action, the feed under `events`)."""
        self.delayed: dict[str, int] = {}
        """How many calls let time pass, by path."""
        self.feed_failed = False
        """Whether the last look at the feed of events failed, so that it must be looked at again."""

    async def read(self, path: str) -> tuple[Record, ...]:
        """Return the records at `path`; raises `ErpUnavailableError`."""
        return await self._watch(path, self._erp.read(path))

    async def events(self, *, after: int, limit: int) -> tuple[ErpEvent, ...]:
        """Return events in order; raises `ErpUnavailableError`."""
        self.feed_failed = True
        events = await self._watch("/events", self._erp.events(after=after, limit=limit))
        self.feed_failed = False
        return events

    async def command(self, command: ErpCommand) -> ErpResult:
        """Apply an action; raises `ErpUnavailableError`."""
        return await self._watch(f"/api/subjects/{command.subject}/{command.action}", self._erp.command(command))

    async def intake(self, documents: Sequence[IntakeDocument]) -> int:
        """Post documents; raises `ErpUnavailableError`."""
        return await self._watch("/intake", self._erp.intake(documents))

    async def _watch(self, path: str, call: Awaitable[T]) -> T:
        before = self._clock.now()
        try:
            return await call
        except ErpUnavailableError:
            self.failed[path] = self.failed.get(path, 0) + 1
            raise
        finally:
            if self._clock.now() > before:
                self.delayed[path] = self.delayed.get(path, 0) + 1
