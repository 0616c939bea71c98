"""The embedded store: what is acknowledged is kept, one owner, one moment per case, fences hold."""

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from settledesk.adapters.sqlite import SqliteStore, open_reader, open_store
from settledesk.cases import CaseState, EntryKind, LogEntry, fold
from settledesk.facts import CaseId
from settledesk.ports import Claimed, FenceLostError, StoreError, Transaction

NOW = datetime(2026, 10, 1, 8, 0, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_store(tmp_path / "desk.db")
    yield opened
    opened.close()


def _entry(kind: EntryKind, **data: object) -> LogEntry:
    return LogEntry(kind=kind, data=data, by="rules", at=NOW.isoformat())


def _open(tx: Transaction, name: str) -> CaseState:
    state = CaseState(
        id=CaseId(name), pack="p", subject=f"invoice:{name}", display=name, opened_at=NOW.isoformat(), updated_at=""
    )
    tx.open_case(state)
    opening = _entry(EntryKind.OPENED, pack="p", subject=state.subject, display=name, event="e")
    return tx.append(state, [opening])


def _case_with_moment(tx: Transaction, name: str = "ap-1", key: str = "k") -> CaseState:
    state = _open(tx, name)
    tx.add_moment(case_id=state.id, kind="rules", key=key, payload={}, not_before=NOW)
    return state


async def _claim_one(store: SqliteStore) -> Claimed:
    (claimed,) = await store.claim(limit=10, now=NOW)
    return claimed


def test_a_message_id_is_taken_in_once(store: SqliteStore) -> None:
    """The same message id from the same source is taken in once, and from another source again."""

    def take(tx: Transaction) -> list[bool]:
        return [tx.add_inbox(source=s, message_id="m", payload={}, at=NOW) for s in ("erp", "erp", "mail")]

    assert asyncio.run(store.tx(take)) == [True, False, True]


def test_a_function_that_raises_keeps_nothing_and_harms_nobody(store: SqliteStore) -> None:
    """A function that raises leaves no trace, while its neighbours in the same commit are kept."""

    def bad(tx: Transaction) -> None:
        _open(tx, "ap-bad")
        raise ValueError("no")

    async def both() -> list[object]:
        return await asyncio.gather(
            store.tx(lambda tx: _open(tx, "ap-1")),
            store.tx(bad),
            store.tx(lambda tx: _open(tx, "ap-2")),
            return_exceptions=True,
        )

    results = asyncio.run(both())
    assert isinstance(results[1], ValueError)
    assert [state.id for state in store.reader.cases()] == ["ap-1", "ap-2"]


def test_many_transactions_share_a_commit(store: SqliteStore) -> None:
    """Transactions handed in side by side are grouped: far fewer commits than transactions reach the disk."""
    commits = 0

    def count(statement: str) -> None:
        nonlocal commits
        commits += statement.lower() == "commit"

    store._writer.set_trace_callback(count)

    async def many() -> None:
        await asyncio.gather(*(store.tx(lambda tx, n=n: _open(tx, f"ap-{n}")) for n in range(200)))

    asyncio.run(many())
    assert len(store.reader.cases()) == 200
    assert commits < 100


def test_one_moment_per_case_is_leased(store: SqliteStore) -> None:
    """Two due moments of one case are never claimed together, and the second comes after the first is done."""

    async def story() -> tuple[int, int]:
        state = await store.tx(_case_with_moment)
        await store.tx(lambda tx: tx.add_moment(case_id=state.id, kind="rules", key="k2", payload={}, not_before=NOW))
        first = await store.claim(limit=10, now=NOW)
        none = await store.claim(limit=10, now=NOW)
        await store.tx(lambda tx: tx.finish(first[0]))
        second = await store.claim(limit=10, now=NOW)
        return len(none), len(second)

    assert asyncio.run(story()) == (0, 1)


def test_a_moment_waits_until_it_is_due(store: SqliteStore) -> None:
    """A moment that was put off is not claimed before its time, and the reader says when that is."""

    async def story() -> tuple[int, datetime | None, int]:
        await store.tx(_case_with_moment)
        claimed = await _claim_one(store)
        later = NOW + timedelta(seconds=30)
        await store.tx(lambda tx: tx.retry(claimed, payload={"n": 1}, not_before=later))
        early = await store.claim(limit=10, now=NOW)
        return len(early), store.reader.next_moment_at(), len(await store.claim(limit=10, now=later))

    assert asyncio.run(story()) == (0, NOW + timedelta(seconds=30), 1)


def test_the_same_key_is_queued_once(store: SqliteStore) -> None:
    """A moment's key is unique, so the same cause never queues it twice."""

    def twice(tx: Transaction) -> list[bool]:
        state = _open(tx, "ap-1")
        return [tx.add_moment(case_id=state.id, kind="rules", key="k", payload={}, not_before=NOW) for _ in range(2)]

    assert asyncio.run(store.tx(twice)) == [True, False]


@pytest.mark.parametrize("end", ["finish", "retry", "park"])
def test_a_lost_fence_ends_nothing(store: SqliteStore, end: str) -> None:
    """A worker whose moment was taken over can neither finish nor retry nor park it."""

    async def story() -> None:
        await store.tx(_case_with_moment)
        old = await _claim_one(store)
        await store.tx(lambda tx: tx.retry(old, payload={}, not_before=NOW))
        await _claim_one(store)
        endings = {
            "finish": lambda tx: tx.finish(old),
            "retry": lambda tx: tx.retry(old, payload={}, not_before=NOW),
            "park": lambda tx: tx.park(old, reason="r"),
        }
        with pytest.raises(FenceLostError, match="taken over"):
            await store.tx(endings[end])

    asyncio.run(story())


def test_a_changed_case_refuses_old_work(store: SqliteStore) -> None:
    """Entries are appended only to the version that was read; otherwise the work is thrown away."""

    async def story() -> None:
        state = await store.tx(lambda tx: _open(tx, "ap-1"))
        note = _entry(EntryKind.NOTED, text="n")
        await store.tx(lambda tx: tx.append(state, [note]))
        with pytest.raises(FenceLostError, match="changed"):
            await store.tx(lambda tx: tx.append(state, [note]))

    asyncio.run(story())
    assert [entry.seq for entry in store.reader.log(CaseId("ap-1"))] == [1, 2]


def test_the_snapshot_is_the_fold_of_the_log(store: SqliteStore) -> None:
    """What is saved beside the log is exactly what folding the log gives."""

    async def story() -> None:
        state = await store.tx(lambda tx: _open(tx, "ap-1"))
        await store.tx(lambda tx: tx.append(state, [_entry(EntryKind.NOTED, text="n") for _ in range(3)]))

    asyncio.run(story())
    assert store.reader.case(CaseId("ap-1")) == fold(CaseId("ap-1"), store.reader.log(CaseId("ap-1")))


def test_an_intent_is_recorded_once_and_settled_once(store: SqliteStore) -> None:
    """The same key again changes nothing, and a settled call keeps its first outcome."""

    def story(tx: Transaction) -> None:
        state = _case_with_moment(tx)
        for action in ("a", "b"):
            tx.intend(key="c", case_id=state.id, moment_id="1", target="erp", request={"action": action}, at=NOW)
        tx.settle_call("c", state="done", response={"n": 1}, at=NOW)
        tx.settle_call("c", state="failed", response={"n": 2}, at=NOW)

    asyncio.run(store.tx(story))
    (call,) = store.reader.calls()
    assert (call.request, call.state, call.response) == ({"action": "a"}, "done", {"n": 1})


def test_a_second_owner_is_refused_and_a_reader_is_not(tmp_path: Path) -> None:
    """While one process owns the store, a second writer gets a clear error and a reader reads."""
    path = tmp_path / "desk.db"
    first = open_store(path)
    try:
        asyncio.run(first.tx(lambda tx: _open(tx, "ap-1")))
        opening = f"open_store(Path({str(path)!r}))"
        code = f"from pathlib import Path; from settledesk.adapters.sqlite import open_store; {opening}"
        second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "in use by another process" in second.stderr
        reader, close = open_reader(path)
        assert [state.id for state in reader.cases()] == ["ap-1"]
        close()
    finally:
        first.close()


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    """A connection opened for reading refuses to write."""
    path = tmp_path / "desk.db"
    open_store(path).close()
    reader, close = open_reader(path)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader._db.execute("delete from cases")
    close()


def test_a_lease_of_a_dead_process_is_void(tmp_path: Path) -> None:
    """After the owner is gone, the next owner claims what it held."""
    path = tmp_path / "desk.db"
    first = open_store(path)

    async def hold() -> None:
        await first.tx(_case_with_moment)
        await _claim_one(first)

    asyncio.run(hold())
    first.close()
    second = open_store(path)
    claimed = asyncio.run(second.claim(limit=10, now=NOW))
    assert [(moment.kind, moment.attempt) for moment in claimed] == [("rules", 2)]
    second.close()


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"not a database at all, only text", "cannot be opened|not a store"), (None, "schema version")],
)
def test_a_strange_file_is_refused_with_a_sentence(tmp_path: Path, content: bytes | None, message: str) -> None:
    """A file that is no store, or one of another schema version, is refused and left as it is."""
    path = tmp_path / "desk.db"
    if content is None:
        open_store(path).close()
        other = sqlite3.connect(path)
        other.execute("update meta set value = '99'")
        other.commit()
        other.close()
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=message):
        open_store(path)
    assert path.read_bytes() == before


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """A store in a folder that does not exist is refused with the folder's name."""
    with pytest.raises(StoreError, match="does not exist"):
        open_store(tmp_path / "nowhere" / "desk.db")


def test_a_network_file_system_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a network file system locks do not hold, so the store is refused there."""
    monkeypatch.setattr("settledesk.adapters.sqlite.opening._file_system", lambda folder: "nfs4")
    with pytest.raises(StoreError, match="network file system"):
        open_store(tmp_path / "desk.db")


def test_the_durable_store_waits_for_the_disk(tmp_path: Path) -> None:
    """The store on a file runs in WAL mode with synchronous FULL."""
    store = open_store(tmp_path / "desk.db")
    assert store._writer.execute("pragma journal_mode").fetchone()[0] == "wal"
    assert store._writer.execute("pragma synchronous").fetchone()[0] == 2
    store.close()
