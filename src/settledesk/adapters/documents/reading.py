"""What comes out of reading: documents on their way in, and files that were not read, with place and reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from settledesk.ports import IntakeDocument

COLLECTIONS: Mapping[str, str] = {
    "vendor": "vendors",
    "purchase-order": "purchase-orders",
    "despatch": "despatches",
    "receipt": "receipts",
    "invoice": "invoices",
    "credit-note": "credit-notes",
}
"""Kind of record -> its collection, in the order in which documents are handed in."""

LINES_MAX = 20_000
"""How many lines one document may have, and how many entries one list of a JSON document."""

DATE_FIELDS: Mapping[str, str] = {
    "purchase-order": "issue_date",
    "despatch": "despatched_on",
    "receipt": "received_on",
    "invoice": "issue_date",
    "credit-note": "issue_date",
}
"""Kind of record -> the field with its date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A file that was not read. `path` is relative to the folder; `place` a line, column or XPath, or empty."""

    path: str
    place: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderReading:
    """All documents of a folder in a fixed order, the files that were not read, and how many files there were."""

    documents: tuple[IntakeDocument, ...]
    unread: tuple[Unread, ...]
    files: int


class DocumentError(Exception):
    """A document cannot be read whole, so none of it is taken. `place` says where in the file."""

    def __init__(self, reason: str, *, place: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = place


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """A supplier as a document names it. `tax_ids` are normalised: capital letters and digits only."""

    names: tuple[str, ...]
    tax_ids: tuple[str, ...] = ()
    party_ids: tuple[str, ...] = ()
    account: str | None = None
    email: str | None = None
    phone: str | None = None
    contact: str | None = None


@dataclass(slots=True, kw_only=True)
class Draft:
    """A document as read from one file, before ids and vendors are settled among all documents of the folder."""

    kind: str
    record: dict[str, Any]
    party: Party | None = None
    path: str = ""
    digest: str = ""
    """SHA-256 over relative path, content and place in the file."""
    trusted: bool = field(default=False)
    """Set for documents of our own (orders, receipts): only these may say how a vendor is named and reached."""
