"""Short forms of records for the cases: what a case does not say is filled in so that the documents are consistent."""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from settledesk.matching import MatchSettings, Read, ReadRecords, Record, Tolerance, number_key

TOLERANCES = {"price_over": "2"}
VENDOR = "vendor:V1"


def settings(tolerances: Mapping[str, Any] | None = None) -> MatchSettings:
    """Return settings with the price tolerance of two percent, all else exact, unless the case says otherwise."""
    limits = {**TOLERANCES, **(tolerances or {})}
    return MatchSettings(
        tolerances=lambda kind, scope: Tolerance(name=kind, percent=Decimal(str(limits.get(kind, "0")))),
        windows_days={"possible_duplicate": 7},
    )


def order(data: Mapping[str, Any]) -> Record:
    """Return an order from its short form."""
    lines = [_order_line(line, place) for place, line in enumerate(data["lines"], start=1)]
    head = {"vendor_id": VENDOR, "buyer": "bob", "currency": "EUR", "issue_date": "2026-01-01", "status": "OPEN"}
    return _record("purchase-order", {**head, **data, "lines": lines})


def receipt(data: Mapping[str, Any]) -> Record:
    """Return a receipt from its short form."""
    defaults = {"po_line": None, "item": None, "vendor_item": None, "rejected": "0", "unit": "C62"}
    lines = [_texts({"line": str(place), **defaults, **line}) for place, line in enumerate(data["lines"], start=1)]
    head = {"po_number": "PO-1", "received_on": "2026-02-01", "status": "POSTED", "returned": False}
    return _record("receipt", {**head, **data, "lines": lines})


def bill(kind: str, data: Mapping[str, Any]) -> Record:
    """Return an invoice or credit note from its short form, with totals that follow unless it states its own."""
    lines = [_bill_line(line, place) for place, line in enumerate(data["lines"], start=1)]
    net = sum((Decimal(line["line_amount"]) for line in lines), Decimal(0))
    charges, allowances = _entries(data, "charges"), _entries(data, "allowances")
    charge, allowance = _sum(charges), _sum(allowances)
    tax = Decimal(str(data.get("tax", "0")))
    head = {
        "number_key": number_key(str(data["number"])),
        "vendor_id": VENDOR,
        "po_number": "PO-1",
        "issue_date": "2026-03-01",
        "due_date": None,
        "currency": "EUR",
        "line_total": net,
        "allowance_total": allowance,
        "charge_total": charge,
        "total": net - allowance + charge + tax,
        "prepaid": "0",
        "payee_account": None,
        "seller_names": [],
        "content_hash": "",
        "status": "RECEIVED",
        "version": 1,
        "approved_amount": None,
    }
    whole = {**head, **data, "tax": tax, "lines": lines, "charges": charges, "allowances": allowances}
    if kind == "credit-note":
        whole.setdefault("invoice_numbers", [])
    return _record(kind, whole)


def vendor(data: Mapping[str, Any]) -> Record:
    """Return a vendor from its short form."""
    head = {
        "id": VENDOR,
        "name": "Quillfeather",
        "names": ["Quillfeather", "Quillfeather Fasteners GmbH"],
        "tax_ids": [],
        "email": "ar@quillfeather.example",
        "phone": None,
        "contact": None,
        "blocked": False,
        "bank_accounts": [],
    }
    return {"kind": "vendor", **head, **data}


def world(given: Mapping[str, Any]) -> dict[str, list[Record]]:
    """Return all records of a case by the name of the read that finds them."""
    return {
        "purchase_orders": [order(one) for one in given.get("orders", ())],
        "receipts": [receipt(one) for one in given.get("receipts", ())],
        "invoices": [bill("invoice", one) for one in given.get("invoices", ())],
        "credit_notes": [bill("credit-note", one) for one in given.get("credits", ())],
        "vendor": [vendor(given.get("vendor", {}))],
        "despatches": [],
    }


def reads_for(records: Mapping[str, list[Record]], subject: Record) -> dict[str, Read]:
    """Return the reads of a match of `subject`; the similar invoices are all of its vendor."""
    found: dict[str, Read] = {name: ReadRecords(records=tuple(group)) for name, group in records.items()}
    found["subject"] = ReadRecords(records=(subject,))
    similar = [*records["invoices"], *records["credit_notes"]]
    found["similar"] = ReadRecords(records=tuple(one for one in similar if one["vendor_id"] == subject["vendor_id"]))
    return found


def _order_line(line: Mapping[str, Any], place: int) -> dict[str, Any]:
    defaults = {
        "line": str(place),
        "item": f"ITEM-{place}",
        "vendor_item": None,
        "description": None,
        "unit": "C62",
        "unit_price": "10",
        "unreadable": None,
        "base_quantity": "1",
        "line_amount": None,
    }
    return _texts({**defaults, **line})


def _bill_line(line: Mapping[str, Any], place: int) -> dict[str, Any]:
    defaults = {
        "line": str(place),
        "po_number": None,
        "po_line": str(place),
        "item": None,
        "vendor_item": None,
        "description": None,
        "unit": "C62",
        "unit_price": "10",
        "base_quantity": "1",
        "allowance": "0",
        "tax_percent": None,
    }
    whole = _texts({**defaults, **line})
    if "line_amount" not in whole:
        product = Decimal(whole["quantity"]) * Decimal(whole["unit_price"]) / Decimal(whole["base_quantity"])
        amount = (product - Decimal(whole["allowance"])).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
        whole["line_amount"] = str(amount)
    return whole


def _entries(data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    return [{"reason": None, "amount": str(amount)} for amount in data.get(name, ())]


def _sum(entries: list[dict[str, Any]]) -> Decimal:
    return sum((Decimal(entry["amount"]) for entry in entries), Decimal(0))


def _record(kind: str, data: Mapping[str, Any]) -> Record:
    record = _texts(dict(data))
    record_id = f"{kind}:{record['number']}"
    return {"id": record_id, "kind": kind, **record}


def _texts(data: Mapping[str, Any]) -> dict[str, Any]:
    whole = {"version", "intake_seq"}
    return {
        name: str(value)
        if isinstance(value, int | Decimal) and not isinstance(value, bool) and name not in whole
        else value
        for name, value in data.items()
    }
