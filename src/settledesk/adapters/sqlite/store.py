"""The writer: one thread, one connection, many transactions per commit (group commit).

Each function handed to `tx` runs in a savepoint of its own; one COMMIT makes the whole group durable, and only then is
any of them told so. A function that raises rolls back its own savepoint and nobody else's.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from settledesk.adapters.sqlite.json_text import from_text
from settledesk.adapters.sqlite.reader import SqliteReader
from settledesk.adapters.sqlite.rows import instant
from settledesk.adapters.sqlite.transaction import SqliteTransaction
from settledesk.cases import state_from_json
from settledesk.facts import MomentId
from settledesk.ports import Claimed, Reader, StoreError, Transaction

T = TypeVar("T")

GROUP_MAX = 256
"""How many transactions one commit may hold, so that the first of them never waits long."""

_Job = tuple[Callable[[Transaction], Any], asyncio.Future[Any], asyncio.AbstractEventLoop]


class SqliteStore:
    """Implements `settledesk.ports.Store` on one SQLite file that this process owns."""

    def __init__(
        self, *, writer: sqlite3.Connection, reader: sqlite3.Connection, owner: str, release: Callable[[], None]
    ) -> None:
        self._writer = writer
        self._reader_connection = reader
        self._reader = SqliteReader(reader)
        self._owner = owner
        self._release = release
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="settledesk-writer", daemon=True)
        self._thread.start()

    @property
    def reader(self) -> Reader:
        """Read-only queries on a second connection."""
        return self._reader

    async def tx(self, fn: Callable[[Transaction], T]) -> T:
        """Run `fn` on the writer thread; durable when this returns."""
        if self._closed:
            raise StoreError("the store is closed: open it again before writing")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put((fn, future, loop))
        return await future

    async def claim(self, *, limit: int, now: datetime) -> tuple[Claimed, ...]:
        """Lease due moments, the earliest of each case, in one commit."""
        return await self.tx(lambda _: self._claim(limit, instant(now)))

    def close(self) -> None:
        """Run what was handed in, then close both connections and let go of the file."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        self._thread.join()
        self._reader_connection.close()
        self._writer.close()
        self._release()

    def _claim(self, limit: int, now: str) -> tuple[Claimed, ...]:
        rows = self._writer.execute(
            "select m.id, m.kind, m.payload_json, m.attempt, m.failures, c.state_json"
            " from moments m join cases c on c.id = m.case_id"
            " where m.state = 'ready' and m.not_before <= ?"
            " and not exists (select 1 from moments l where l.case_id = m.case_id"
            "   and (l.state = 'leased' or (l.state = 'ready' and l.not_before <= ? and l.id < m.id)))"
            " order by m.not_before, m.id limit ?",
            (now, now, limit),
        ).fetchall()
        return tuple(found for row in rows if (found := self._lease(row)) is not None)

    def _lease(self, row: tuple[Any, ...]) -> Claimed | None:
        """Lease one moment; one whose case cannot be read is put aside, so that it blocks nobody else."""
        moment_id, kind, payload, attempt, failures, state = row
        try:
            claimed = Claimed(
                id=MomentId(str(moment_id)),
                case=state_from_json(from_text(state)),
                kind=kind,
                payload=from_text(payload),
                owner=self._owner,
                attempt=attempt + 1,
                failures=failures,
            )
        except (ValueError, KeyError, TypeError) as error:
            reason = f"the stored case cannot be read: {error!r}"
            self._writer.execute("update moments set state = 'dead', reason = ? where id = ?", (reason, moment_id))
            return None
        self._writer.execute(
            "update moments set state = 'leased', owner = ?, attempt = ? where id = ?",
            (self._owner, attempt + 1, moment_id),
        )
        return claimed

    def _work(self) -> None:
        while True:
            jobs, last = self._next_group()
            if jobs:
                self._commit_group(jobs)
            if last:
                return

    def _next_group(self) -> tuple[list[_Job], bool]:
        first = self._jobs.get()
        if first is None:
            return [], True
        jobs = [first]
        while len(jobs) < GROUP_MAX:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return jobs, False
            if job is None:
                return jobs, True
            jobs.append(job)
        return jobs, False

    def _commit_group(self, jobs: list[_Job]) -> None:
        results: list[tuple[_Job, Any, BaseException | None]] = []
        try:
            self._writer.execute("begin immediate")
            for job in jobs:
                value, error = self._run_in_savepoint(job[0])
                results.append((job, value, error))
            self._writer.execute("commit")
        except (sqlite3.Error, StoreError) as failure:
            # The whole group failed: nobody may believe that anything of it was kept.
            if self._writer.in_transaction:
                self._writer.execute("rollback")
            results = [(job, None, failure) for job in jobs]
        for (_, future, loop), value, error in results:
            _tell(loop, future, value, error)

    def _run_in_savepoint(self, fn: Callable[[Transaction], Any]) -> tuple[Any, BaseException | None]:
        self._writer.execute("savepoint job")
        try:
            value = fn(SqliteTransaction(self._writer))
        except Exception as error:
            if self._writer.in_transaction:
                self._writer.execute("rollback to job")
                self._writer.execute("release job")
                return None, error
            # SQLite itself gave the transaction up (a full disk does that), so nothing of the group is left.
            raise StoreError(f"the store could not write and kept nothing: {error}") from error
        self._writer.execute("release job")
        return value, None


def _tell(
    loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any], value: Any, error: BaseException | None
) -> None:
    def settle() -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value)

    if not loop.is_closed():
        loop.call_soon_threadsafe(settle)
