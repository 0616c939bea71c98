"""Read-only queries on a connection that cannot write."""

import sqlite3
from datetime import datetime

from settledesk.adapters.sqlite.json_text import from_text
from settledesk.adapters.sqlite.rows import call_from_row
from settledesk.cases import CaseState, EntryKind, LogEntry, state_from_json
from settledesk.facts import CaseId
from settledesk.ports import Call


class SqliteReader:
    """Implements `settledesk.ports.Reader`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def case(self, case_id: CaseId) -> CaseState | None:
        """Return one case."""
        row = self._db.execute("select state_json from cases where id = ?", (case_id,)).fetchone()
        return None if row is None else state_from_json(from_text(row[0]))

    def cases(self) -> tuple[CaseState, ...]:
        """Return all cases in order of opening."""
        rows = self._db.execute("select state_json from cases order by seq")
        return tuple(state_from_json(from_text(row[0])) for row in rows)

    def find(self, text: str) -> tuple[CaseState, ...]:
        """Return the cases that a person can mean by `text`."""
        rows = self._db.execute(
            "select state_json from cases where id = ?1 or subject = ?1 or display = ?1"
            " or substr(id, 1, length(?1)) = ?1 order by seq",
            (text,),
        )
        return tuple(state_from_json(from_text(row[0])) for row in rows)

    def log(self, case_id: CaseId) -> tuple[LogEntry, ...]:
        """Return a case's log."""
        rows = self._db.execute(
            "select kind, data_json, by, at, seq from case_log where case_id = ? order by seq", (case_id,)
        )
        return tuple(
            LogEntry(kind=EntryKind(kind), data=from_text(data), by=by, at=at, seq=seq)
            for kind, data, by, at, seq in rows
        )

    def calls(self, case_id: CaseId | None = None) -> tuple[Call, ...]:
        """Return calls in order of their keys."""
        rows = self._db.execute(
            "select key, case_id, target, request_json, state, response_json from calls"
            " where ?1 is null or case_id = ?1 order by key",
            (case_id,),
        )
        return tuple(call_from_row(row) for row in rows)

    def next_moment_at(self) -> datetime | None:
        """Return when the earliest ready moment is due."""
        row = self._db.execute("select min(not_before) from moments where state = 'ready'").fetchone()
        return None if row[0] is None else datetime.fromisoformat(row[0])

    def parked(self) -> tuple[tuple[CaseId, str], ...]:
        """Return the moments put aside."""
        rows = self._db.execute("select case_id, reason from moments where state = 'dead' order by id")
        return tuple((CaseId(row[0]), str(row[1])) for row in rows)
