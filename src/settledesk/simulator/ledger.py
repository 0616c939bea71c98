"""The simulator's own durable file: records, events, answers by idempotency key, effects, audit.

One connection, WAL, synchronous=FULL, the file locked for this process: what a call acknowledged survives kill -9.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from settledesk.matching.assessment import Record
from settledesk.ports import ErpEvent

SCHEMA_VERSION = 1
BUSY_TIMEOUT_S = 2.0

_SCHEMA = """
CREATE TABLE records (
    place INTEGER PRIMARY KEY, collection TEXT NOT NULL, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL
) STRICT;
CREATE TABLE intake (key TEXT PRIMARY KEY, record_id TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE events (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, type TEXT NOT NULL, payload TEXT NOT NULL) STRICT;
CREATE INDEX events_by_id ON events (id);
CREATE TABLE answers (key TEXT PRIMARY KEY, request TEXT NOT NULL, answer TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE effects (number INTEGER PRIMARY KEY, key TEXT NOT NULL, action TEXT NOT NULL, entity TEXT NOT NULL) STRICT;
CREATE INDEX effects_by_key ON effects (key);
CREATE TABLE audit (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, entity TEXT NOT NULL, action TEXT NOT NULL,
    user TEXT NOT NULL, detail TEXT NOT NULL, key TEXT NOT NULL
) STRICT;
"""
_TABLES = ("records", "intake", "events", "answers", "effects", "audit")


class LedgerError(Exception):
    """The file cannot be used: in use by another process, of another version, or not a file of the simulator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """One line of the audit trail. `at` is ISO text in UTC; `key` is the call's idempotency key."""

    at: str
    entity: str
    action: str
    user: str
    detail: str
    key: str


class Ledger:
    """The file. Writes happen inside `transaction()`, which is one commit; everything here is plain and synchronous."""

    def __init__(self, path: str) -> None:
        """Open or create the file at `path` (`:memory:` for none); raises `LedgerError`."""
        self._db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
        try:
            self._open()
        except sqlite3.Error as error:
            self._db.close()
            raise LedgerError(f"the simulator's file `{path}` cannot be opened: {error}") from error
        except LedgerError:
            self._db.close()
            raise

    def _open(self) -> None:
        # Exclusive before WAL: a second process is told so at once instead of working on a stale copy in memory.
        for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=FULL"):
            self._db.execute(f"PRAGMA {pragma}").fetchall()
        with self.transaction():
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                for statement in _SCHEMA.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
            elif version != SCHEMA_VERSION:
                raise LedgerError(
                    f"the simulator's file has version {version}, this program reads {SCHEMA_VERSION}, use a new file"
                )

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make what is written inside one commit, or nothing of it."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Close the file; nothing is lost by not calling it."""
        self._db.close()

    def clear(self) -> None:
        """Empty every table."""
        with self.transaction():
            for table in _TABLES:
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608 (names of our own)

    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield (collection, record) in the order of arrival."""
        for collection, body in self._db.execute("SELECT collection, body FROM records ORDER BY place"):
            yield collection, json.loads(body)

    def write_record(self, collection: str, record: Record) -> None:
        """Add a record, or replace the one with its id in its place."""
        self._db.execute(
            "INSERT INTO records (collection, id, body) VALUES (?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET body = excluded.body",
            (collection, record["id"], _json(record)),
        )

    def next_place(self) -> int:
        """Return the number that the next new record gets."""
        return int(self._db.execute("SELECT coalesce(max(place), 0) + 1 FROM records").fetchone()[0])

    def was_taken_in(self, key: str) -> str | None:
        """Return the id of the record that came in under this key, or none."""
        row = self._db.execute("SELECT record_id FROM intake WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def write_intake(self, key: str, record_id: str) -> None:
        """Remember that a document came in under this key."""
        self._db.execute("INSERT INTO intake VALUES (?, ?)", (key, record_id))

    def publish(self, event_type: str, payload: Record, *, event_id: str) -> int:
        """Append an event and return its `seq`."""
        seq = int(self._db.execute("SELECT coalesce(max(seq), 0) + 1 FROM events").fetchone()[0])
        self._db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (seq, event_id, event_type, _json(payload)))
        return seq

    def events(self, *, after: int, limit: int) -> tuple[ErpEvent, ...]:
        """Return at most `limit` events with `seq` above `after`, in order."""
        rows = self._db.execute(
            "SELECT seq, id, type, payload FROM events WHERE seq > ? ORDER BY seq LIMIT ?", (after, limit)
        )
        return tuple(ErpEvent(seq=seq, id=eid, type=kind, payload=json.loads(body)) for seq, eid, kind, body in rows)

    def event(self, event_id: str) -> ErpEvent | None:
        """Return the event with that id as it was first published, or none."""
        row = self._db.execute(
            "SELECT seq, id, type, payload FROM events WHERE id = ? ORDER BY seq LIMIT 1", (event_id,)
        ).fetchone()
        return None if row is None else ErpEvent(seq=row[0], id=row[1], type=row[2], payload=json.loads(row[3]))

    def answer(self, key: str) -> tuple[str, dict[str, Any]] | None:
        """Return (request, answer) of the first call with this key, or none."""
        row = self._db.execute("SELECT request, answer FROM answers WHERE key = ?", (key,)).fetchone()
        return None if row is None else (str(row[0]), json.loads(row[1]))

    def write_answer(self, key: str, request: str, answer: Record) -> None:
        """Keep the answer to the first call with this key."""
        self._db.execute("INSERT INTO answers VALUES (?, ?, ?)", (key, request, _json(answer)))

    def write_effect(self, key: str, action: str, entity: str) -> None:
        """Count one effect. Nothing here prevents a second one of the same key: the count must be able to tell."""
        self._db.execute("INSERT INTO effects (key, action, entity) VALUES (?, ?, ?)", (key, action, entity))

    def effects(self, key: str) -> int:
        """Return how often a call with this key took effect."""
        return int(self._db.execute("SELECT count(*) FROM effects WHERE key = ?", (key,)).fetchone()[0])

    def effect_counts(self) -> dict[str, int]:
        """Return the number of effects for every key that had one."""
        return dict(self._db.execute("SELECT key, count(*) FROM effects GROUP BY key ORDER BY min(number)"))

    def write_audit(self, row: AuditRow) -> None:
        """Append a line to the audit trail."""
        self._db.execute(
            "INSERT INTO audit (at, entity, action, user, detail, key) VALUES (?, ?, ?, ?, ?, ?)",
            (row.at, row.entity, row.action, row.user, row.detail, row.key),
        )

    def audit(self, *, entity: str | None = None) -> tuple[AuditRow, ...]:
        """Return the audit trail in order, of one entity or of all."""
        rows = self._db.execute(
            "SELECT at, entity, action, user, detail, key FROM audit WHERE ?1 IS NULL OR entity = ?1 ORDER BY number",
            (entity,),
        )
        return tuple(AuditRow(at=r[0], entity=r[1], action=r[2], user=r[3], detail=r[4], key=r[5]) for r in rows)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _json(value: Record) -> str:
    return _ENCODER.encode(value)
