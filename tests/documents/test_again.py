"""A folder that is read again after something in it changed: what was there before is recognised."""

import json
import shutil
from pathlib import Path

import pytest

from settledesk.adapters.documents import read_folder

HEAD = (
    "number,vendor_id,po_number,issue_date,currency,tax,total,line.line,line.po_line,line.item,line.quantity,line.unit"
)
HEAD += ",line.unit_price,line.line_amount"
ROWS = [f"I{number},V-1,P1,2026-09-0{number},EUR,0,10.00,1,1,A,1,C62,10.00,10.00" for number in range(1, 4)]
EXAMPLES = Path(__file__).parents[2] / "examples" / "accounts_payable"


def keys(folder: Path) -> set[str]:
    """Return the intake keys of a folder's documents."""
    return {document.key for document in read_folder(folder).documents}


def ids(folder: Path) -> set[str]:
    """Return the record ids of a folder's documents."""
    return {document.record["id"] for document in read_folder(folder).documents}


def write(folder: Path, rows: list[str], name: str = "invoices.csv") -> None:
    """Write a CSV file of invoices."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("\n".join([HEAD, *rows]) + "\n")


def test_a_file_that_grows_brings_only_what_is_new(tmp_path: Path) -> None:
    """A daily export with one more row leaves the keys and ids of the earlier rows as they were."""
    write(tmp_path / "a", ROWS[:2])
    before, names = keys(tmp_path / "a"), ids(tmp_path / "a")
    write(tmp_path / "a", ROWS)
    assert before < keys(tmp_path / "a")
    assert names < ids(tmp_path / "a")


@pytest.mark.parametrize("name", ["invoices-2.csv", "invoices-z.csv"])
def test_rows_in_another_order_or_file_are_the_same(tmp_path: Path, name: str) -> None:
    """Sorting a file or giving it another name changes no key."""
    write(tmp_path / "a", ROWS)
    write(tmp_path / "b", ROWS[::-1], name)
    assert keys(tmp_path / "a") == keys(tmp_path / "b")


def test_a_split_file_is_the_same(tmp_path: Path) -> None:
    """Two files with the rows of one are the same documents."""
    write(tmp_path / "a", ROWS)
    write(tmp_path / "b", ROWS[:1], "invoices-1.csv")
    write(tmp_path / "b", ROWS[1:], "invoices-2.csv")
    assert keys(tmp_path / "a") == keys(tmp_path / "b")


def test_moved_files_are_the_same(tmp_path: Path) -> None:
    """Moving every file of a folder into another place changes no key."""
    shutil.copytree(EXAMPLES, tmp_path / "deeper" / "still")
    assert keys(EXAMPLES) == keys(tmp_path)


def test_a_copy_of_an_invoice_is_a_document_of_its_own(tmp_path: Path) -> None:
    """Two identical invoice files in one folder are two documents, so that the match can call one a duplicate."""
    shutil.copytree(EXAMPLES, tmp_path / "x")
    before = keys(tmp_path)
    shutil.copy(tmp_path / "x" / "invoices" / "quillfeather-2201.xml", tmp_path / "copy.xml")
    assert len(keys(tmp_path) - before) == 1


@pytest.mark.parametrize("name", ["receipts/receipt-7101.xml", "orders/order-4101.xml", "receipts.csv", "vendors.json"])
def test_a_copy_of_a_receipt_adds_no_goods(tmp_path: Path, name: str) -> None:
    """Copying a receipt, an order or master data adds nothing."""
    shutil.copytree(EXAMPLES, tmp_path / "x")
    before = keys(tmp_path)
    source = tmp_path / "x" / name
    shutil.copy(source, tmp_path / f"{source.stem}-copy{source.suffix}")
    assert keys(tmp_path) == before


def test_json_records_are_recognised_one_by_one(tmp_path: Path) -> None:
    """A list of records that grows keeps the keys of those that were there."""
    record = json.loads((EXAMPLES / "invoices" / "ellorby-871.json").read_text())
    file = tmp_path / "more.json"
    file.write_text(json.dumps([record]))
    before = keys(tmp_path)
    file.write_text(json.dumps([{**record, "number": "EP/999"}, record], indent=2))
    assert before < keys(tmp_path)
