"""Records from JSON and CSV into drafts: the same fields, the same refusals, the same normal form."""

import csv
import io
import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

from settledesk.adapters.documents.fields import LINE_FIELDS, RECORD_FIELDS, Field, convert_object
from settledesk.adapters.documents.reading import COLLECTIONS, LINES_MAX, DocumentError, Draft
from settledesk.adapters.documents.signs import as_credit, refuse_fractions
from settledesk.adapters.documents.ubl import ALIEN
from settledesk.adapters.documents.ubl_orders import contradiction
from settledesk.adapters.documents.values import decimal_text, shown
from settledesk.matching.normal import number_key

LINE_PREFIX = "line."
PLAIN_BYTES_MAX = 5_000_000
"""How large a JSON or CSV file may be: as objects it takes thirty times the memory that its text takes."""
VALUES_MAX = 300_000
"""How many commas and opening brackets a JSON file may hold, which bounds the values that come of it."""
CELLS_MAX = 1_000_000
ROWS_MAX = 50_000
_TRUSTED = frozenset({"vendor", "purchase-order", "receipt"})
_TOTALS = ("line_total", "allowance_total", "charge_total")


def read_json(data: bytes, name: str) -> list[Draft]:
    """Read a file with one record or a list; the record's `kind` says what it is, else the file's name."""
    _refuse_large(data)
    content = _json_of(data)
    records = content if isinstance(content, list) else [content]
    if not records:
        raise DocumentError("the file holds no record")
    by_name = _kind_of_name(name)
    drafts = []
    for place, entry in enumerate(records):
        where = f"[{place}]" if isinstance(content, list) else ""
        kind = str((entry.get("kind") if isinstance(entry, Mapping) else None) or by_name)
        if kind not in RECORD_FIELDS:
            kinds = ", ".join(RECORD_FIELDS)
            raise DocumentError(f"{ALIEN}, a record's `kind` is one of {kinds}", place=where)
        drafts.append(_draft(kind, convert_object(entry, RECORD_FIELDS[kind], place=where), where))
    return drafts


def read_csv(data: bytes, name: str) -> list[Draft]:
    """Read a file of one collection with one line of a document per row; rows with the same number are one document."""
    kind = _kind_of_name(name)
    if kind is None:
        names = ", ".join(f"{name}.csv" for name in COLLECTIONS.values())
        raise DocumentError(f"{ALIEN}, a CSV file is named after its collection: {names}")
    _refuse_large(data)
    rows = _rows(_text_of(data), kind)
    if not rows:
        raise DocumentError("the file holds no row but its header")
    documents: dict[tuple[str, str], list[tuple[int, dict[str, str]]]] = {}
    for line_number, row in rows:
        key = (row.get("number") or row.get("id") or row.get("name") or "", row.get("vendor_id") or "")
        documents.setdefault(key, []).append((line_number, row))
    return [_csv_document(kind, group) for group in documents.values()]


def _refuse_large(data: bytes) -> None:
    if len(data) > PLAIN_BYTES_MAX:
        raise DocumentError(f"a JSON or CSV file is larger than {PLAIN_BYTES_MAX} bytes, hand it in as several")


def _json_of(data: bytes) -> Any:
    def refuse(constant: str) -> Any:
        raise DocumentError(f"`{shown(constant)}` is not a number that can be read exactly")

    def pairs(entries: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(entries)
        if len(found) != len(entries):
            raise DocumentError("a field stands twice in one object")
        return found

    text = _text_of(data)
    # Asked of the text, since what comes of it is many times its size.
    if sum(text.count(sign) for sign in ",[{") > VALUES_MAX:
        raise DocumentError(f"the JSON holds more than {VALUES_MAX} values")
    try:
        return json.loads(text, parse_float=_exact, parse_int=_exact, parse_constant=refuse, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        raise DocumentError("the JSON is broken and cannot be parsed", place=f"line {error.lineno}") from error
    except RecursionError as error:
        raise DocumentError("the JSON is nested too deeply") from error


def _exact(text: str) -> Decimal | str:
    # Text that is too long to be an amount stays text, and is refused with its field's name.
    return text if len(text) > 60 or "e" in text.lower() else Decimal(text)


def _text_of(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError("the file is not UTF-8 text") from error
    if "\x00" in text:
        raise DocumentError("the file holds NUL characters")
    return text


def _kind_of_name(name: str) -> str | None:
    stem = PurePosixPath(name).stem.casefold().replace("_", "-")
    for kind, collection in COLLECTIONS.items():
        for word in (collection, kind):
            if stem == word or stem.startswith((f"{word}-", f"{word}.")):
                return kind
    return None


def _rows(text: str, kind: str) -> list[tuple[int, dict[str, str]]]:
    delimiter = _delimiter(text)
    if text.count(delimiter) > CELLS_MAX:
        raise DocumentError(f"the CSV holds more than {CELLS_MAX} cells")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)
    found: list[tuple[int, dict[str, str]]] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header, kind)
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise DocumentError(
                    f"a row has {len(cells)} cells where the header has {len(header)}", place=f"line {reader.line_num}"
                )
            if len(found) >= ROWS_MAX:
                raise DocumentError(f"the file has more than {ROWS_MAX} rows", place=f"line {reader.line_num}")
            found.append((reader.line_num, dict(zip(header, cells, strict=True))))
    except csv.Error as error:
        raise DocumentError("the CSV is broken and cannot be parsed", place=f"line {reader.line_num}") from error
    return found


def _delimiter(text: str) -> str:
    head = text.split("\n", 1)[0]
    return max((",", ";", "\t"), key=head.count)


def _check_header(header: list[str], kind: str) -> None:
    known = {*RECORD_FIELDS[kind], *(LINE_PREFIX + name for name in LINE_FIELDS.get(kind, {}))} - {"lines"}
    for name in header:
        if name not in known:
            raise DocumentError(f"`{shown(name)}` is not a column of this collection", place="line 1")
    if len(set(header)) != len(header):
        raise DocumentError("a column stands twice", place="line 1")


def _csv_document(kind: str, group: list[tuple[int, dict[str, str]]]) -> Draft:
    first_line, first = group[0]
    head = {name: value for name, value in first.items() if not name.startswith(LINE_PREFIX)}
    lines = []
    for line_number, row in group:
        different = [name for name, value in row.items() if not name.startswith(LINE_PREFIX) and value != head[name]]
        if different:
            raise DocumentError(
                "rows of one document differ in a column that is not of a line",
                place=f"line {line_number}, {different[0]}",
            )
        lines.append(
            (line_number, {n.removeprefix(LINE_PREFIX): v for n, v in row.items() if n.startswith(LINE_PREFIX)})
        )
    record = _csv_head(kind, head, f"line {first_line}, ")
    if kind in LINE_FIELDS:
        if len(lines) > LINES_MAX:
            raise DocumentError(f"a document has more than {LINES_MAX} lines", place=f"line {first_line}")
        record["lines"] = [_csv_object(row, LINE_FIELDS[kind], f"line {place}, {LINE_PREFIX}") for place, row in lines]
    elif len(group) > 1:
        raise DocumentError("one vendor stands in two rows", place=f"line {group[1][0]}")
    return _draft(kind, record, f"line {first_line}")


def _csv_head(kind: str, head: dict[str, str], place: str) -> dict[str, Any]:
    fields = {name: field for name, field in RECORD_FIELDS[kind].items() if name != "lines"}
    objects: dict[str, Any] = dict(head)
    for name in ("charges", "allowances", "bank_accounts", "payee_account"):
        if objects.get(name, "").strip():
            # A list of objects has no form of its own in a cell; it is written as JSON.
            objects[name] = _json_of(objects[name].encode())
    return _csv_object(objects, fields, place)


def _csv_object(row: Mapping[str, Any], fields: Mapping[str, Field], place: str) -> dict[str, Any]:
    try:
        return convert_object(row, fields, place="")
    except DocumentError as error:
        raise DocumentError(error.reason, place=f"{place}{error.place}") from error


def _draft(kind: str, record: dict[str, Any], place: str) -> Draft:
    given_id = record.pop("id")
    stated_kind = record.pop("kind")
    if stated_kind not in {None, kind}:
        raise DocumentError(f"`{shown(stated_kind)}` is not the kind of this file's records", place=place)
    if kind in LINE_FIELDS:
        _check_lines(record, place)
    if kind == "purchase-order":
        _judge_prices(record)
    if kind in {"invoice", "credit-note"}:
        record = _completed(record)
        refuse_fractions(record, place)
        negative = Decimal(record["total"]) < 0
        credited = record.pop("invoice_numbers")
        if kind == "credit-note":
            if negative:
                raise DocumentError("a credit note with a negative total can be a credit or a charge", place=place)
            record = as_credit(record, flip=False, invoice_numbers=credited)
        elif negative:
            kind, record = "credit-note", as_credit(record, flip=True, invoice_numbers=credited)
            # The id follows the kind, or an invoice could claim the id of a credit note.
            given_id = None if given_id is None else f"credit-note:{given_id.partition(':')[2]}"
        elif credited:
            raise DocumentError(
                "an invoice with a positive total names invoices that it credits, so it can be a credit or a new "
                "invoice, ask the vendor which",
                place=place,
            )
        record["number_key"] = number_key(record["number"])
    if given_id is not None:
        record["id"] = given_id
    return Draft(kind=kind, record=record, trusted=kind in _TRUSTED)


def _check_lines(record: dict[str, Any], place: str) -> None:
    numbers = [line["line"] for line in record["lines"]]
    if not numbers:
        raise DocumentError("a document has no lines", place=place)
    if len(set(numbers)) != len(numbers):
        raise DocumentError("a line number stands twice in one document", place=place)


def _judge_prices(record: dict[str, Any]) -> None:
    for line in record["lines"]:
        if line["unit_price"] is None:
            line["unreadable"] = line["unreadable"] or "no price is stated"
        elif line["line_amount"] is not None:
            line["unreadable"] = contradiction(
                price=Decimal(line["unit_price"]),
                base=Decimal(line["base_quantity"]),
                quantity=Decimal(line["quantity"]),
                line_amount=Decimal(line["line_amount"]),
                currency=record["currency"],
            )
        if line["unreadable"]:
            line["unit_price"] = None


def _completed(record: dict[str, Any]) -> dict[str, Any]:
    sums = {
        "line_total": sum((Decimal(line["line_amount"]) for line in record["lines"]), Decimal(0)),
        "allowance_total": sum((Decimal(entry["amount"]) for entry in record["allowances"]), Decimal(0)),
        "charge_total": sum((Decimal(entry["amount"]) for entry in record["charges"]), Decimal(0)),
    }
    return {**record, **{name: record[name] or decimal_text(sums[name]) for name in _TOTALS}}
