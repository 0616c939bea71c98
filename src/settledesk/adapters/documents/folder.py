"""A folder, or one file, into documents: each file read whole or listed as unread, in an order no disk decides."""

import hashlib
import json
import os
import stat
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import regex

from settledesk.adapters.documents.content import content_hash
from settledesk.adapters.documents.plain_records import read_csv, read_json
from settledesk.adapters.documents.reading import (
    COLLECTIONS,
    DATE_FIELDS,
    DocumentError,
    Draft,
    FolderReading,
    Unread,
)
from settledesk.adapters.documents.ubl import ALIEN, read_ubl
from settledesk.adapters.documents.values import printable
from settledesk.adapters.documents.vendors import settle_vendors
from settledesk.adapters.documents.xml_safely import FILE_BYTES_MAX
from settledesk.ports import IntakeDocument

FILES_MAX = 200_000
KEY_CHARACTERS_MAX = 100
"""How much of a document's number stands in its id."""
_RANKS = {kind: rank for rank, kind in enumerate(COLLECTIONS)}
_SAFE = regex.compile(r"[^\p{L}\p{N}._\-]+")
_DUPLICABLE = frozenset({"invoice", "credit-note"})
"""Kinds of which a second copy matters."""
_OF_OTHERS = frozenset({"invoice", "credit-note", "despatch"})
"""Kinds whose numbers others give: two vendors may use one number, so the id carries a hash beside it."""


def read_folder(root: Path, progress: Callable[[int], None] | None = None) -> FolderReading:
    """Read all files below `root` (or the file `root`) into documents and unread files.

    `progress` is called with the number of files read so far. Raises `OSError` if `root` itself cannot be opened.
    """
    base = root if root.is_dir() else root.parent
    files, unread = _files(root)
    paths = sorted(files, key=lambda path: path.relative_to(base).as_posix())
    drafts: list[Draft] = []
    for count, path in enumerate(paths, start=1):
        name = path.relative_to(base).as_posix()
        try:
            if count > FILES_MAX:
                raise DocumentError(f"the folder has more than {FILES_MAX} files")
            drafts.extend(_read_file(path, name))
        except DocumentError as error:
            unread.append(_unread(name, error.reason, error.place))
        if progress is not None:
            progress(count)
    unread.sort(key=lambda one: one.path)
    return FolderReading(documents=_documents(drafts), unread=tuple(unread), files=len(paths))


def _files(root: Path) -> tuple[list[Path], list[Unread]]:
    """Return the files below `root`, and the folders whose files nobody sees."""
    if not root.is_dir():
        os.stat(root)
        return [root], []
    found: list[Path] = []
    hidden: list[Unread] = []

    def closed(error: OSError) -> None:
        hidden.append(_unread(_relative(error.filename, root), f"the folder cannot be opened: {_why(error)}"))

    for folder, folders, names in os.walk(root, onerror=closed, followlinks=False):
        # Hidden folders hold the bookkeeping of other programs, not documents.
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = [path for name in folders if (path := Path(folder, name)).is_symlink()]
        hidden.extend(_unread(_relative(path, root), "a link to a folder, which is not followed") for path in links)
        found.extend(Path(folder, name) for name in names if not name.startswith("."))
    return found, hidden


def _relative(path: Path | str, root: Path) -> str:
    return Path(path).relative_to(root).as_posix()


def _why(error: OSError) -> str:
    return (error.strerror or "unknown error").lower()


def _unread(name: str, reason: str, place: str = "") -> Unread:
    # Names and places are outsiders' words as much as what a reason repeats.
    return Unread(path=printable(name), place=printable(place), reason=printable(reason))


def _read_file(path: Path, name: str) -> list[Draft]:
    data = _bytes_of(path)
    head = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
    suffix = path.suffix.casefold()
    try:
        if suffix == ".csv":
            drafts = _writable(read_csv(data, name))
        elif suffix == ".json":
            drafts = _writable(read_json(data, name))
        elif suffix == ".xml" or head.startswith((b"<?xml", b"\xff\xfe<\x00", b"\xfe\xff\x00<")):
            drafts = read_ubl(data)
        else:
            raise DocumentError(ALIEN)
    except RecursionError as error:
        raise DocumentError("the file is nested too deeply") from error
    for place, draft in enumerate(drafts):
        draft.path = name
        # A file of records may grow, be sorted or be split: each record is recognised by itself. One XML file may be
        # several documents (a receipt of two orders), which its bytes alone would not tell apart.
        content = _canonical(draft) if suffix in (".csv", ".json") else b"\0".join((str(place).encode(), data))
        draft.digest = hashlib.sha256(content).hexdigest()
    return drafts


def _canonical(draft: Draft) -> bytes:
    return json.dumps([draft.kind, draft.record], ensure_ascii=False, sort_keys=True).encode()


def _bytes_of(path: Path) -> bytes:
    try:
        # Asked without following links and before opening: a pipe or a device would block or never end.
        info = path.lstat()
        if not stat.S_ISREG(info.st_mode):
            raise DocumentError("not a regular file")
        if info.st_size > FILE_BYTES_MAX:
            raise DocumentError(f"the file is larger than {FILE_BYTES_MAX} bytes")
        with path.open("rb") as file:
            data = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise DocumentError(f"the file cannot be opened: {_why(error)}") from error
    if len(data) > FILE_BYTES_MAX:
        raise DocumentError(f"the file is larger than {FILE_BYTES_MAX} bytes")
    if not data.strip():
        raise DocumentError("the file is empty")
    return data


def _writable(drafts: list[Draft]) -> list[Draft]:
    try:
        for draft in drafts:
            json.dumps(draft.record, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise DocumentError("a text holds half a character, which cannot be stored") from error
    return drafts


def _documents(drafts: list[Draft]) -> tuple[IntakeDocument, ...]:
    drafts.sort(key=_order)
    drafts[:] = _counted(drafts)
    given = [draft for draft in drafts if draft.kind == "vendor"]
    derived = settle_vendors(drafts)
    for draft in derived:
        # What was derived once is not derived again: a later reading must not overwrite what people put right since.
        draft.digest = hashlib.sha256(f"derived\0{draft.record['id']}".encode()).hexdigest()
    vendors = sorted((*given, *derived), key=lambda draft: (draft.path, draft.record["id"]))
    ordered = [*vendors, *(draft for draft in drafts if draft.kind != "vendor")]
    # Counted by what becomes of a number in an id: `4102 a` and `4102-a` are two orders and must not share one.
    numbers = Counter((draft.kind, _key(draft)) for draft in ordered if draft.kind != "vendor")
    return tuple(_document(draft, numbers) for draft in ordered)


def _counted(drafts: list[Draft]) -> list[Draft]:
    """Tell identical copies in one folder apart by their count, so that a moved file is still the same document.

    A copy of an invoice or a credit note is a document of its own, which the match calls a duplicate; a copy of an
    order, a receipt or a vendor says nothing new and is left out: goods are not received twice by copying a file.
    """
    seen: Counter[str] = Counter()
    kept = []
    for draft in drafts:
        seen[draft.digest] += 1
        copy = seen[draft.digest]
        if copy == 1 or draft.kind in _DUPLICABLE:
            if copy > 1:
                draft.digest = hashlib.sha256(f"{draft.digest}\0{copy}".encode()).hexdigest()
            kept.append(draft)
    return kept


def _order(draft: Draft) -> tuple[int, str, str]:
    date_field = DATE_FIELDS.get(draft.kind)
    return _RANKS[draft.kind], str(draft.record[date_field]) if date_field else "", draft.path


def _key(draft: Draft) -> str:
    return _SAFE.sub("-", draft.record["number"])[:KEY_CHARACTERS_MAX]


def _document(draft: Draft, numbers: Counter[tuple[str, str]]) -> IntakeDocument:
    record = draft.record
    record_id = record.pop("id", None)
    if record_id is None:
        key = _key(draft)
        alone = numbers[draft.kind, key] == 1 and draft.kind not in _OF_OTHERS
        record_id = f"{draft.kind}:{key}" if alone else f"{draft.kind}:{key}-{draft.digest[:8]}"
    whole = {"id": record_id, "kind": draft.kind, **record}
    if draft.kind in {"invoice", "credit-note"}:
        whole["content_hash"] = content_hash(whole)
    return IntakeDocument(key=draft.digest, collection=COLLECTIONS[draft.kind], record=whole)
