"""The embedded store: one SQLite file, one owner process, one writer thread with group commit."""

from settledesk.adapters.sqlite.opening import MissingStoreError, open_reader, open_store
from settledesk.adapters.sqlite.store import SqliteStore

__all__ = ["MissingStoreError", "SqliteStore", "open_reader", "open_store"]
