"""Which vendor a document comes from, and who may say how a vendor is named and reached."""

import json
from pathlib import Path
from typing import Any

import ubl_text

from settledesk.adapters.documents import read_folder


def _read(tmp_path: Path, **files: str) -> dict[str, list[Any]]:
    for name, text in files.items():
        suffix = "json" if text.startswith(("{", "[")) else "xml"
        (tmp_path / f"{name}.{suffix}").write_text(text)
    found: dict[str, list[Any]] = {}
    for document in read_folder(tmp_path).documents:
        found.setdefault(document.collection, []).append(document.record)
    return found


def _bill(**supplier: str | None) -> str:
    return ubl_text.bill(supplier=ubl_text.party("AccountingSupplierParty", **supplier))


def test_an_invoice_has_the_vendor_of_its_order_if_any_strong_identity_agrees(tmp_path: Path) -> None:
    """The tax id agrees though the names differ, so there is one vendor, named as the order names it."""
    found = _read(tmp_path, o=ubl_text.order(name="Quillfeather"), i=_bill(name="Quill Payments"))
    (vendor,) = found["vendors"]
    assert found["invoices"][0]["vendor_id"] == found["purchase-orders"][0]["vendor_id"] == vendor["id"]
    assert vendor["names"] == ["Quillfeather"]
    assert vendor["email"] == "x@sellersupplierparty.example"


def test_an_invoice_cannot_say_where_letters_go(tmp_path: Path) -> None:
    """A vendor known only from its invoice has no address to write to and no name that the invoice did not give."""
    (vendor,) = _read(tmp_path, i=_bill())["vendors"]
    assert vendor["email"] is None
    assert vendor["names"] == ["Quillfeather"]
    assert vendor["bank_accounts"] == []


def test_a_vendor_record_wins_over_what_documents_say(tmp_path: Path) -> None:
    """The record's id, names and address stand; documents find it by tax id or by the account id that we gave."""
    master = json.dumps(
        {"kind": "vendor", "id": "vendor:V-7", "name": "Quill AG", "tax_ids": ["DE 990000001"], "email": "a@q.example"}
    )
    found = _read(tmp_path, v=master, o=ubl_text.order(tax="", account="v-7"), i=_bill())
    (vendor,) = found["vendors"]
    assert (vendor["id"], vendor["names"], vendor["email"]) == ("vendor:V-7", ["Quill AG"], "a@q.example")
    assert found["purchase-orders"][0]["vendor_id"] == found["invoices"][0]["vendor_id"] == "vendor:V-7"


def test_one_name_with_two_tax_ids_is_two_vendors(tmp_path: Path) -> None:
    """A name alone does not make an invoice that of another company."""
    found = _read(tmp_path, o=ubl_text.order(), i=_bill(tax="DE990000999"))
    assert len(found["vendors"]) == 2
    assert found["invoices"][0]["vendor_id"] != found["purchase-orders"][0]["vendor_id"]


def test_a_name_is_enough_where_nothing_stronger_is_said(tmp_path: Path) -> None:
    """Without any id on the order the name decides, whatever its case and legal form."""
    found = _read(tmp_path, o=ubl_text.order(tax="", name="Quillfeather GmbH"), i=_bill(name="QUILLFEATHER"))
    assert len(found["vendors"]) == 1
    assert found["invoices"][0]["vendor_id"] == "vendor:quillfeather"


def test_an_invoice_does_not_make_two_vendors_one(tmp_path: Path) -> None:
    """With the tax id of one vendor and the account id of another it is the first one's, and the two stay two."""
    one = ubl_text.order("PO-1", tax="DE990000001", account="A1", name="One")
    two = ubl_text.order("PO-2", tax="DE990000002", account="A2", name="Two")
    found = _read(tmp_path, a=one, b=two, i=_bill(tax="DE990000001", account="A2", name="Three"))
    assert len(found["vendors"]) == 2
    assert found["invoices"][0]["vendor_id"] == found["purchase-orders"][0]["vendor_id"] == "vendor:de990000001"
