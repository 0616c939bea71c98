"""CSV and JSON of the record fields: the same records as from UBL, the same refusals, with line and column."""

import json
import time
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


BILL = {
    "kind": "invoice",
    "number": "N",
    "vendor_id": "V",
    "issue_date": "2026-01-01",
    "currency": "EUR",
    "total": "10",
    "lines": [{"line": "1", "quantity": "2", "unit_price": "5", "line_amount": "10"}],
}
NEGATIVE = {**BILL, "total": "-10", "lines": [{**BILL["lines"][0], "quantity": "-2", "line_amount": "-10"}]}


@pytest.mark.parametrize(
    ("changed", "place", "reason"),
    [
        ({"id": "vendor:acme"}, "id", "`vendor:acme` is not an id of this record, write `invoice:`"),
        ({"id": "x y"}, "id", "is not an id of this record"),
        ({"id": "invoice:a b"}, "id", "is not an id of this record"),
        ({"id": "invoice:\x1b[2J"}, "id", "`invoice:\\x1b[2J` is not an id"),
        ({"id": "invoice:" + "a" * 121}, "id", "at most 120 letters"),
        ({"vendor_id": "V 1"}, "vendor_id", "`vendor:V 1` is not an id"),
        ({"currency": "XXX"}, "currency", "`XXX` is not a currency code of ISO 4217"),
        (
            {"status": "PAID"},
            "status",
            "`PAID` is stated, but what became of a document only the system of record says",
        ),
        ({"status": "RECEIVED"}, "status", "leave it out"),
        ({"kind": "credit-note", "status": "REJECTED"}, "status", "`REJECTED` is stated"),
        ({"version": 3}, "version", "leave it out"),
        ({"approved_amount": "10"}, "approved_amount", "leave it out"),
        ({"currency": "JPY", "total": "10.2"}, "", "the total has more decimals than JPY has"),
        ({"currency": "KWD", "tax": "1.2345"}, "", "the tax has more decimals than KWD has"),
        ({"invoice_numbers": ["I1"]}, "", "an invoice with a positive total names invoices that it credits"),
        ({"number": "C\x1b[31mT"}, "number", "`C\\x1b[31mT` holds control characters"),
        ({"total": "\x1b[31m9"}, "total", "`\\x1b[31m9` is not a number"),
        ({"\x1b[31mX\u202e": 1}, "", "`\\x1b[31mX\\u202e` is not a field"),
    ],
)
def test_what_a_record_may_not_say_is_unread(changed: dict[str, Any], place: str, reason: str, tmp_path: Path) -> None:
    """Ids of other kinds, unknown currencies, a status and control characters leave the file unread, told safely."""
    reading = _read(tmp_path, "x.json", json.dumps({**BILL, **changed}))
    assert reading.documents == ()
    (unread,) = reading.unread
    assert unread.place == place
    assert reason in unread.reason
    assert unread.reason.isprintable()


def test_amounts_that_their_currency_can_pay_are_read(tmp_path: Path) -> None:
    """Zeros behind the point are no decimals too many, and a price may have more decimals than its currency."""
    line = {"line": "1", "quantity": "3", "unit_price": "33.4", "line_amount": "100.2"}
    text = json.dumps({**BILL, "currency": "JPY", "total": "100.00", "lines": [line]})
    assert len(_read(tmp_path, "x.json", text).documents) == 1


def test_records_of_different_kinds_never_claim_one_id(tmp_path: Path) -> None:
    """The id of a negative invoice follows it to the credit notes, and names the invoice that it credits."""
    text = json.dumps([{**BILL, "id": "invoice:a/1"}, {**NEGATIVE, "id": "invoice:a/1", "invoice_numbers": ["N"]}])
    invoice, credit = _read(tmp_path, "x.json", text).documents
    assert (invoice.record["id"], credit.record["id"]) == ("invoice:a/1", "credit-note:a/1")
    assert credit.record["invoice_numbers"] == ["N"]
    assert "invoice_numbers" not in invoice.record


def test_long_numbers_do_not_make_long_ids(tmp_path: Path) -> None:
    """However long a number is, its id keeps to the length that an id may have, and two stay two."""
    orders = [
        {
            "kind": "purchase-order",
            "number": "9" * 150 + end,
            "vendor_id": "V",
            "currency": "EUR",
            "issue_date": "2026-01-01",
            "lines": [{"line": "1", "quantity": "1"}],
        }
        for end in "12"
    ]
    ids = [one.record["id"] for one in _read(tmp_path, "x.json", json.dumps(orders)).documents]
    assert len(set(ids)) == 2
    assert all(len(one) <= 140 for one in ids)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.json", "[]", "the file holds no record"),
        ("invoices.csv", f"{HEAD}\n", "the file holds no row but its header"),
        ("invoices.csv", f"{HEAD}\n\n ,\n".replace(" ,", ""), "the file holds no row but its header"),
    ],
)
def test_a_file_without_a_record_does_not_vanish(name: str, text: str, reason: str, tmp_path: Path) -> None:
    """A file in which nothing stands is listed, since somebody meant it to say something."""
    (unread,) = _read(tmp_path, name, text).unread
    assert (unread.path, unread.reason) == (name, reason)


def test_a_column_of_status_may_stay_empty(tmp_path: Path) -> None:
    """A CSV with the column and nothing in it says nothing of the status."""
    text = GOOD.replace("number,", "status,number,", 1).replace("\nI-1", "\n,I-1")
    (document,) = _read(tmp_path, "invoices.csv", text).documents
    assert document.record["status"] == "RECEIVED"


def test_many_documents_in_one_file_take_time_in_proportion(tmp_path: Path) -> None:
    """Ten thousand invoices of one CSV file are read in seconds, not in minutes."""
    rows = "".join(f"I-{n},V-1,PO-1,2026-01-10,EUR,10.00,1,1,10.00,10.00\n" for n in range(10_000))
    started = time.process_time()
    assert len(_read(tmp_path, "invoices.csv", f"{HEAD}\n{rows}").documents) == 10_000
    assert time.process_time() - started < 6


def test_a_key_alone_is_an_id_of_its_record(tmp_path: Path) -> None:
    """A vendor's key without its kind is the same vendor on its own record and on the invoice that names it."""
    (tmp_path / "vendors.csv").write_text("id,name\nACME,Acme Fasteners\n")
    (tmp_path / "bill.json").write_text(json.dumps({**BILL, "vendor_id": "ACME"}))
    documents = read_folder(tmp_path).documents
    vendor = next(one.record["id"] for one in documents if one.collection == "vendors")
    assert vendor == "vendor:ACME"
    assert {one.record["vendor_id"] for one in documents if one.collection == "invoices"} == {vendor}
