"""What may be done inside one transaction, as SQL statements on the writer's connection."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from settledesk.adapters.sqlite.json_text import from_text, to_text
from settledesk.adapters.sqlite.rows import call_from_row, instant
from settledesk.cases import CaseState, LogEntry, apply_entry, state_from_json, state_to_json
from settledesk.facts import CaseId, MomentId
from settledesk.ports import Call, Claimed, FenceLostError


class SqliteTransaction:
    """Implements `settledesk.ports.Transaction`; lives only while the writer thread runs one function."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def add_inbox(self, *, source: str, message_id: str, payload: Mapping[str, Any], at: datetime) -> bool:
        """Keep an outside event once."""
        done = self._db.execute(
            "insert into inbox (source, message_id, payload_json, received_at) values (?, ?, ?, ?)"
            " on conflict do nothing",
            (source, message_id, to_text(payload), instant(at)),
        )
        return done.rowcount == 1

    def case(self, case_id: CaseId) -> CaseState | None:
        """Return the case as saved."""
        row = self._db.execute("select state_json from cases where id = ?", (case_id,)).fetchone()
        return None if row is None else state_from_json(from_text(row[0]))

    def open_case(self, state: CaseState) -> None:
        """Insert a new case, numbered in the order of opening."""
        self._db.execute(
            "insert into cases"
            " (id, seq, subject, display, status, handled_by, is_final, version, state_json, updated_at)"
            " values (?, (select coalesce(max(seq), 0) + 1 from cases), ?, ?, ?, ?, ?, ?, ?, ?)",
            (state.id, state.subject, *_columns(state)),
        )

    def append(self, state: CaseState, entries: Sequence[LogEntry]) -> CaseState:
        """Append, fold and save; the version in the database must still be the one that `state` was read at."""
        read_version = state.version
        rows = []
        for entry in entries:
            state = apply_entry(state, replace(entry, seq=state.version + 1))
            rows.append((state.id, state.version, entry.kind.value, to_text(entry.data), entry.by, entry.at))
        done = self._db.execute(
            "update cases set display = ?, status = ?, handled_by = ?, is_final = ?, version = ?, state_json = ?,"
            " updated_at = ? where id = ? and version = ?",
            (*_columns(state), state.id, read_version),
        )
        if done.rowcount != 1:
            raise FenceLostError(f"case `{state.id}` changed while it was worked on")
        self._db.executemany(
            "insert into case_log (case_id, seq, kind, data_json, by, at) values (?, ?, ?, ?, ?, ?)", rows
        )
        return state

    def refer(self, case_id: CaseId, references: Sequence[str]) -> None:
        """Make the case findable under references; each pair once."""
        self._db.executemany(
            "insert into case_references (reference, case_id) values (?, ?) on conflict do nothing",
            [(reference, case_id) for reference in references],
        )

    def cases_referring(self, reference: str) -> tuple[CaseId, ...]:
        """Return the cases under a reference that are not closed for good, in the order of opening."""
        rows = self._db.execute(
            "select id from case_references join cases on id = case_id"
            " where reference = ? and is_final = 0 order by seq",
            (reference,),
        )
        return tuple(CaseId(row[0]) for row in rows)

    def add_moment(
        self, *, case_id: CaseId, kind: str, key: str, payload: Mapping[str, Any], not_before: datetime
    ) -> bool:
        """Queue a moment under its unique key."""
        done = self._db.execute(
            "insert into moments (case_id, kind, key, payload_json, state, not_before) values (?, ?, ?, ?, 'ready', ?)"
            " on conflict (key) do nothing",
            (case_id, kind, key, to_text(payload), instant(not_before)),
        )
        return done.rowcount == 1

    def join_moment(self, *, case_id: CaseId, kind: str, payload: Mapping[str, Any]) -> bool:
        """Merge into an unclaimed moment: later keys win; one that was put off stays put off."""
        row = self._db.execute(
            "select id, payload_json from moments where case_id = ? and state = 'ready' and kind = ?",
            (case_id, kind),
        ).fetchone()
        if row is None:
            return False
        merged = {**from_text(row[1]), **payload}
        self._db.execute("update moments set payload_json = ? where id = ?", (to_text(merged), row[0]))
        return True

    def has_moment(self, case_id: CaseId, *, kind: str) -> bool:
        """Tell whether a moment of this kind waits or is worked on."""
        row = self._db.execute(
            "select 1 from moments where case_id = ? and state in ('ready', 'leased') and kind = ?", (case_id, kind)
        ).fetchone()
        return row is not None

    def finish(self, claimed: Claimed) -> None:
        """Mark done under the fence (id, owner, attempt)."""
        self._fenced("state = 'done'", (), claimed)

    def retry(
        self, claimed: Claimed, *, payload: Mapping[str, Any], not_before: datetime, failed: bool = False
    ) -> None:
        """Give back under the fence; only a failure counts as one."""
        values = (to_text(payload), instant(not_before), int(failed))
        change = "state = 'ready', owner = null, payload_json = ?, not_before = ?, failures = failures + ?"
        self._fenced(change, values, claimed)

    def park(self, claimed: Claimed, *, reason: str) -> None:
        """Put aside under the fence."""
        self._fenced("state = 'dead', reason = ?", (reason,), claimed)

    def call(self, key: str) -> Call | None:
        """Return the call under its key."""
        row = self._db.execute(
            "select key, case_id, target, request_json, state, response_json from calls where key = ?", (key,)
        ).fetchone()
        return None if row is None else call_from_row(row)

    def intend(
        self, *, key: str, case_id: CaseId, moment_id: MomentId, target: str, request: Mapping[str, Any], at: datetime
    ) -> None:
        """Insert the intent once."""
        self._db.execute(
            "insert into calls (key, case_id, moment_id, target, request_json, state, at)"
            " values (?, ?, ?, ?, ?, 'intent', ?) on conflict (key) do nothing",
            (key, case_id, int(moment_id), target, to_text(request), instant(at)),
        )

    def settle_call(self, key: str, *, state: str, response: Mapping[str, Any], at: datetime) -> None:
        """Record the outcome; a settled call is never settled again."""
        self._db.execute(
            "update calls set state = ?, response_json = ?, at = ? where key = ? and state in ('intent', 'unknown')",
            (state, to_text(response), instant(at), key),
        )

    def cursor(self, name: str) -> int:
        """Return the feed's position."""
        row = self._db.execute("select value from cursors where name = ?", (name,)).fetchone()
        return 0 if row is None else int(row[0])

    def set_cursor(self, name: str, value: int) -> None:
        """Save the feed's position."""
        self._db.execute(
            "insert into cursors (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
            (name, value),
        )

    def _fenced(self, change: str, values: tuple[Any, ...], claimed: Claimed) -> None:
        done = self._db.execute(
            f"update moments set {change} where id = ? and state = 'leased' and owner = ? and attempt = ?",  # noqa: S608
            (*values, int(claimed.id), claimed.owner, claimed.attempt),
        )
        if done.rowcount != 1:
            raise FenceLostError(f"moment `{claimed.id}` was taken over by another worker")


def _columns(state: CaseState) -> tuple[Any, ...]:
    return (
        state.display,
        state.status.value,
        state.handled_by.value,
        int(state.is_final),
        state.version,
        to_text(state_to_json(state)),
        state.updated_at,
    )
