"""CSV and JSON of the record fields: the same records as from UBL, the same refusals, with line and column."""

import json
from pathlib import Path
from typing import Any

import pytest

from settledesk.adapters.documents import read_folder

HEAD = "number,vendor_id,po_number,issue_date,currency,total,line.line,line.quantity,line.unit_price,line.line_amount"
ROW = "I-1,V-1,PO-1,2026-01-10,EUR,30.00,{line},{quantity},10.00,{amount}"
GOOD = f"{HEAD}\n{ROW.format(line=1, quantity=1, amount='10.00')}\n{ROW.format(line=2, quantity=2, amount='20.00')}\n"


def _read(tmp_path: Path, name: str, text: str) -> Any:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_folder(tmp_path)


def test_rows_with_one_number_are_one_document(tmp_path: Path) -> None:
    """Two rows become an invoice of two lines with sums filled in and every field of the record present."""
    (document,) = _read(tmp_path, "invoices.csv", GOOD).documents
    record = document.record
    assert document.collection == "invoices"
    assert [line["line_amount"] for line in record["lines"]] == ["10.00", "20.00"]
    assert (record["line_total"], record["tax"], record["vendor_id"]) == ("30.00", "0", "vendor:V-1")
    assert record["status"] == "RECEIVED"
    assert record["charges"] == []
    assert record["payee_account"] is None


def test_csv_and_json_of_one_invoice_are_the_same_record(tmp_path: Path) -> None:
    """The form of the file leaves no trace in the record but its id."""
    (from_csv,) = _read(tmp_path, "invoices.csv", GOOD).documents
    (tmp_path / "invoices.csv").unlink()
    lines = [
        {"line": "1", "quantity": 1, "unit_price": "10.00", "line_amount": "10.00"},
        {"line": "2", "quantity": 2, "unit_price": 10.00, "line_amount": "20.00"},
    ]
    data = {"kind": "invoice", "number": "I-1", "vendor_id": "V-1", "po_number": "PO-1", "issue_date": "2026-01-10"}
    text = json.dumps({**data, "currency": "EUR", "total": "30.00", "lines": lines})
    (from_json,) = _read(tmp_path, "any.json", text.replace("10.0}", "10.00}")).documents
    assert from_csv.record["content_hash"] == from_json.record["content_hash"]
    assert set(from_csv.record) == set(from_json.record)


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_other_delimiters_are_understood(delimiter: str, tmp_path: Path) -> None:
    """A file with semicolons or tabs is read as one with commas."""
    assert len(_read(tmp_path, "invoices-may.csv", GOOD.replace(",", delimiter)).documents) == 1


@pytest.mark.parametrize(
    ("change", "place", "reason"),
    [
        (("20.00\n", '"1,020.00"\n'), "line 3, line.line_amount", "ambiguous"),
        (("20.00\n", '"20,00"\n'), "line 3, line.line_amount", "ambiguous"),
        (("20.00\n", "twenty\n"), "line 3, line.line_amount", "is not a number"),
        (("20.00\n", "\n"), "line 3, line.line_amount", "a needed field is absent"),
        (("20.00\n", "20.00,x\n"), "line 3", "11 cells"),
        (("2026-01-10,EUR,30.00,2", "2026-01-11,EUR,30.00,2"), "line 3, issue_date", "differ"),
        (("currency", "curency"), "line 1", "`curency` is not a column"),
        (("30.00,2,2", "30.00,1,2"), "line 2", "a line number stands twice"),
        (("30.00,2,2", "30.00,2,NaN"), "line 3, line.quantity", "is not a number"),
        (("30.00,2,2", "30.00,2,1e99"), "line 3, line.quantity", "more than 18 digits"),
    ],
)
def test_one_bad_row_leaves_the_whole_file_unread(
    change: tuple[str, str], place: str, reason: str, tmp_path: Path
) -> None:
    """Nothing of the file is taken, and line and column of what is wrong are named."""
    reading = _read(tmp_path, "invoices.csv", GOOD.replace(*change))
    assert reading.documents == ()
    (unread,) = reading.unread
    assert unread.place == place
    assert reason in unread.reason


@pytest.mark.parametrize("name", ["notes.csv", "package.json", "vendorish.csv"])
def test_a_file_that_is_no_collection_is_not_a_document(name: str, tmp_path: Path) -> None:
    """A CSV or JSON file of something else is listed and not guessed at."""
    (unread,) = _read(tmp_path, name, '{"a": 1}' if name.endswith("json") else "a,b\n1,2\n").unread
    assert unread.reason.startswith("not a document type that the desk reads")


def test_vendor_records_keep_their_bank_accounts(tmp_path: Path) -> None:
    """A list of vendors gives master records with the accounts and their standing."""
    accounts = [{"id": "bank-account:1", "status": "PENDING_VERIFICATION"}]
    text = json.dumps([{"id": "vendor:V-1", "name": "A", "bank_accounts": accounts}, {"name": "B C"}])
    first, second = _read(tmp_path, "vendors.json", text).documents
    assert first.record["bank_accounts"][0]["status"] == "PENDING_VERIFICATION"
    assert second.record["id"] == "vendor:b-c"


def test_a_misspelt_field_is_refused(tmp_path: Path) -> None:
    """`blockd` must not read as not blocked."""
    (unread,) = _read(tmp_path, "v.json", '{"kind": "vendor", "name": "A", "blockd": true}').unread
    assert "`blockd` is not a field" in unread.reason


def test_a_negative_invoice_of_json_is_a_credit_note(tmp_path: Path) -> None:
    """One sign by document type holds for every form of file."""
    line = {"line": "1", "quantity": "-2", "unit_price": "5", "line_amount": "-10"}
    data = {
        "kind": "invoice",
        "number": "N",
        "vendor_id": "V",
        "issue_date": "2026-01-01",
        "currency": "EUR",
        "total": "-10",
    }
    (document,) = _read(tmp_path, "x.json", json.dumps({**data, "lines": [line]})).documents
    assert document.collection == "credit-notes"
    assert document.record["total"] == "10"
    assert document.record["lines"][0]["quantity"] == "2"
