"""Documents in: UBL, CSV and JSON files into records. A file is read whole or it is unread, never half."""

from settledesk.adapters.documents.content import content_hash
from settledesk.adapters.documents.folder import read_folder
from settledesk.adapters.documents.reading import FolderReading, Unread

__all__ = ["FolderReading", "Unread", "content_hash", "read_folder"]
