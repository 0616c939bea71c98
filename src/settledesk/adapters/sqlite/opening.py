"""Open the store's file: who may write, on what file system, with which pragmas, at which schema version."""

import fcntl
import os
import secrets
import sqlite3
import tempfile
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from settledesk.adapters.sqlite.reader import SqliteReader
from settledesk.adapters.sqlite.store import SqliteStore
from settledesk.ports import StoreError

SCHEMA_VERSION = "1"
NETWORK_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs"}
)


class MissingStoreError(StoreError):
    """There is no store where one was named."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        hint = "run `settledesk run FOLDER` first, or name another one with --store"
        super().__init__(text or f"there is no store at `{path}`: {hint}")


def open_store(path: Path | None) -> SqliteStore:
    """Open (and create, if absent) the store at `path` for this process alone; `None` gives a store
    for trials, which does not outlive the process and does not wait for the disk.

    Raises `StoreError` when another process owns the file, the file system is a network one, or the file was written
    by a newer version of the desk.
    """
    owner = f"{os.getpid()}-{secrets.token_hex(4)}"
    if path is None:
        folder = tempfile.TemporaryDirectory(prefix="settledesk-")
        return _open(Path(folder.name) / "trial.db", owner=owner, release=folder.cleanup, durable=False)
    _refuse_network(path)
    return _open(path, owner=owner, release=_own(path), durable=True)


def open_reader(path: Path) -> tuple[SqliteReader, Callable[[], None]]:
    """Open an existing store for reading beside its owner; returns the reader and the function that closes it."""
    if not path.exists():
        raise MissingStoreError(path)
    try:
        connection = sqlite3.connect(_uri(path, "rw"), uri=True, isolation_level=None)
        connection.execute("pragma query_only = on")
        _check_version(connection, path)
    except sqlite3.Error as error:
        raise StoreError(f"the store `{path}` cannot be read: {error}") from error
    return SqliteReader(connection), connection.close


def _open(path: Path, *, owner: str, release: Callable[[], None], durable: bool) -> SqliteStore:
    try:
        writer = _connect(_uri(path, "rwc"), durable=durable)
        _prepare(writer, path)
        reader = sqlite3.connect(_uri(path, "rw"), uri=True, isolation_level=None, check_same_thread=False)
        reader.execute("pragma query_only = on")
    except sqlite3.Error as error:
        release()
        raise StoreError(f"the store `{path}` cannot be opened: {error}") from error
    except StoreError:
        release()
        raise
    return SqliteStore(writer=writer, reader=reader, owner=owner, release=release)


def _connect(uri: str, *, durable: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    connection.execute("pragma foreign_keys = on")
    connection.execute("pragma busy_timeout = 5000")
    connection.execute("pragma journal_mode = wal")
    connection.execute(f"pragma synchronous = {'full' if durable else 'off'}")
    return connection


def _prepare(writer: sqlite3.Connection, path: Path) -> None:
    exists = writer.execute("select 1 from sqlite_master where name = 'meta'").fetchone()
    if exists is None:
        script = resources.files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")
        writer.executescript(
            f"begin immediate;\n{script}\ninsert into meta values ('schema_version', '{SCHEMA_VERSION}');\ncommit;"
        )
    _check_version(writer, path)
    # This process owns the file, so every lease in it belongs to a process that is gone.
    writer.execute("update moments set state = 'ready', owner = null where state = 'leased'")


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    try:
        row = connection.execute("select value from meta where name = 'schema_version'").fetchone()
    except sqlite3.OperationalError as error:
        raise StoreError(f"the store `{path}` cannot be read: {error}") from error
    except sqlite3.DatabaseError as error:
        raise StoreError(f"`{path}` is not a store of this desk: {error}") from error
    if row is None or row[0] != SCHEMA_VERSION:
        found = None if row is None else row[0]
        raise StoreError(f"the store `{path}` has schema version {found}, this desk reads {SCHEMA_VERSION}")


def _own(path: Path) -> Callable[[], None]:
    if not path.parent.is_dir():
        raise MissingStoreError(path, f"the folder `{path.parent}` does not exist: create it or name another store")
    # The lock belongs to the file itself: a symbolic link to it must not make a second owner.
    real = path.resolve()
    try:
        handle = os.open(real.with_name(real.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StoreError(f"the store `{path}` cannot be locked: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise StoreError(
            f"the store `{path}` is in use by another process: stop it, or read with `cases` and `show`"
        ) from error
    return lambda: os.close(handle)


def _refuse_network(path: Path) -> None:
    kind = _file_system(path.absolute().parent)
    if kind in NETWORK_FILE_SYSTEMS:
        raise StoreError(f"`{path}` lies on a network file system ({kind}), where locks do not hold: use a local disk")


def _file_system(folder: Path) -> str | None:
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    best, kind = "", None
    for mount in mounts:
        fields = mount.split(" ")
        point = fields[1].replace("\\040", " ")
        if folder.is_relative_to(point) and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind


def _uri(path: Path, mode: str) -> str:
    return f"{path.absolute().as_uri()}?mode={mode}"
