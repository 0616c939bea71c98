"""UBL Invoice and CreditNote into records: one sign by document type, flipped once.

`total` is what the document asks for before prepayment. A rounding of the total stands in the record as an allowance
or a charge of its own, so that the document's own total wins.
"""

from decimal import Decimal
from typing import Any

from settledesk.adapters.documents.reading import DocumentError, Draft
from settledesk.adapters.documents.signs import as_credit, refuse_fractions
from settledesk.adapters.documents.ubl_nodes import (
    Element,
    agreed_code,
    amount,
    child,
    children,
    code,
    currency_of,
    day,
    flag,
    needed_code,
    needed_day,
    number,
    party_of,
    place_of,
    text,
    unit,
    value_of,
)
from settledesk.adapters.documents.ubl_orders import item_of, line_nodes, price_of, refuse_repeats
from settledesk.adapters.documents.values import decimal_text
from settledesk.matching.normal import number_key

_CURRENCIES = ("cac:LegalMonetaryTotal/cbc:PayableAmount", "cac:LegalMonetaryTotal/cbc:LineExtensionAmount")
CREDIT_TYPE = "381"
CORRECTION_TYPE = "384"
ROUNDING = "rounding of the total"


def read_invoice(root: Element) -> list[Draft]:
    """Read an Invoice; a negative one, and one of type 381, becomes a credit note with positive amounts."""
    record = _record(root, "cac:InvoiceLine", "cbc:InvoicedQuantity")
    kind_code = code(root, "cbc:InvoiceTypeCode") or ""
    negative = Decimal(record["total"]) < 0
    if kind_code == CORRECTION_TYPE and not negative:
        raise DocumentError(
            "a correction with a positive total can be a credit or a new invoice, ask the vendor which",
            place="/Invoice/InvoiceTypeCode",
        )
    if negative or kind_code == CREDIT_TYPE:
        return [_draft(root, "credit-note", as_credit(record, flip=negative, invoice_numbers=_credited(root)))]
    record["number_key"] = number_key(record["number"])
    return [_draft(root, "invoice", record)]


def read_credit_note(root: Element) -> list[Draft]:
    """Read a CreditNote. With a negative total it is a credit of a credit, which is refused, not flipped twice."""
    record = _record(root, "cac:CreditNoteLine", "cbc:CreditedQuantity")
    if Decimal(record["total"]) < 0:
        raise DocumentError(
            "a credit note with a negative total can be a credit or a charge, ask the vendor which",
            place="/CreditNote/LegalMonetaryTotal/PayableAmount",
        )
    return [_draft(root, "credit-note", as_credit(record, flip=False, invoice_numbers=_credited(root)))]


def _draft(root: Element, kind: str, record: dict[str, Any]) -> Draft:
    supplier = child(root, "cac:AccountingSupplierParty")
    if supplier is None:
        raise DocumentError("the document names no supplier", place=place_of(root))
    party = party_of(supplier)
    payee = child(root, "cac:PayeeParty")
    payee_party = party_of(payee)
    names = [*(party.names if party else ()), *(payee_party.names if payee_party else ())]
    record["seller_names"] = list(dict.fromkeys(names))
    return Draft(kind=kind, record=record, party=party)


def _record(root: Element, line_path: str, quantity_path: str) -> dict[str, Any]:
    currency = currency_of(root, _CURRENCIES)
    lines = [_line(node, currency, quantity_path) for node in line_nodes(root, line_path)]
    refuse_repeats([line["line"] for line in lines], root)
    order = code(root, "cac:OrderReference/cbc:ID")
    totals = _totals(root, currency, lines)
    refuse_fractions({**totals, "currency": currency}, f"{place_of(root)}/LegalMonetaryTotal")
    cited = list(dict.fromkeys(line["po_number"] for line in lines if line["po_number"]))
    if order is None and len(cited) == 1:
        order = cited[0]
    return {
        "number": needed_code(root, "cbc:ID"),
        "number_key": "",
        "vendor_id": None,
        "po_number": order,
        "issue_date": needed_day(root, "cbc:IssueDate"),
        "due_date": day(root, "cbc:DueDate") or _payment_due(root),
        "currency": currency,
        **totals,
        "payee_account": _payee_account(root),
        "seller_names": [],
        "content_hash": "",
        "status": "RECEIVED",
        "version": 1,
        "approved_amount": None,
        "lines": lines,
    }


def _payment_due(root: Element) -> str | None:
    stated = {day(means, "cbc:PaymentDueDate") for means in children(root, "cac:PaymentMeans")}
    return stated.pop() if len(stated) == 1 else None


def _totals(root: Element, currency: str, lines: list[dict[str, Any]]) -> dict[str, Any]:
    node = child(root, "cac:LegalMonetaryTotal")
    if node is None:
        raise DocumentError("the document has no totals", place=place_of(root))
    charges, allowances = _entries(root, currency)
    rounding = amount(node, "cbc:PayableRoundingAmount", currency) or Decimal(0)
    if rounding:
        (charges if rounding > 0 else allowances).append({"reason": ROUNDING, "amount": decimal_text(abs(rounding))})
    prepaid = amount(node, "cbc:PrepaidAmount", currency) or Decimal(0)
    payable = amount(node, "cbc:PayableAmount", currency)
    inclusive = amount(node, "cbc:TaxInclusiveAmount", currency)
    if payable is None and inclusive is None:
        raise DocumentError("the document does not say what is to be paid", place=place_of(node))
    total = payable + prepaid if payable is not None else (inclusive or Decimal(0)) + rounding
    line_total = amount(node, "cbc:LineExtensionAmount", currency)
    if line_total is None:
        line_total = sum((Decimal(line["line_amount"]) for line in lines), Decimal(0))
    return {
        "line_total": decimal_text(line_total),
        "allowance_total": decimal_text(_sum(allowances)),
        "charge_total": decimal_text(_sum(charges)),
        "tax": decimal_text(_tax(root, currency)),
        "total": decimal_text(total),
        "prepaid": decimal_text(prepaid),
        "charges": charges,
        "allowances": allowances,
    }


def _entries(root: Element, currency: str) -> tuple[list[dict[str, str | None]], list[dict[str, str | None]]]:
    charges: list[dict[str, str | None]] = []
    allowances: list[dict[str, str | None]] = []
    for node in children(root, "cac:AllowanceCharge"):
        stated = amount(node, "cbc:Amount", currency)
        if stated is None:
            raise DocumentError("a charge or allowance has no amount", place=place_of(node))
        reason = text(node, "cbc:AllowanceChargeReason") or code(node, "cbc:AllowanceChargeReasonCode")
        target = charges if flag(node, "cbc:ChargeIndicator") else allowances
        target.append({"reason": reason, "amount": decimal_text(stated)})
    return charges, allowances


def _sum(entries: list[dict[str, str | None]]) -> Decimal:
    return sum((Decimal(entry["amount"] or 0) for entry in entries), Decimal(0))


def _tax(root: Element, currency: str) -> Decimal:
    nodes = children(root, "cac:TaxTotal")
    total = Decimal(0)
    for node in nodes:
        stated = child(node, "cbc:TaxAmount")
        # A second total in the currency of the tax office repeats the first one in another currency.
        if stated is not None and len(nodes) > 1 and stated.get("currencyID") not in {None, currency}:
            continue
        total += amount(node, "cbc:TaxAmount", currency) or Decimal(0)
    return total


def _payee_account(root: Element) -> dict[str, str | None] | None:
    for means in children(root, "cac:PaymentMeans/cac:PayeeFinancialAccount"):
        return {"id": code(means, "cbc:ID"), "name": text(means, "cbc:Name")}
    return None


def _credited(root: Element) -> list[str]:
    paths = (
        "cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID",
        "cac:CreditNoteLine/cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID",
        "cac:InvoiceLine/cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID",
    )
    found = [value_of(node).strip() for path in paths for node in children(root, path)]
    return list(dict.fromkeys(one for one in found if one))


def _line(node: Element, currency: str, quantity_path: str) -> dict[str, Any]:
    quantity = number(node, quantity_path)
    line_amount = amount(node, "cbc:LineExtensionAmount", currency)
    if line_amount is None:
        raise DocumentError("a line has no amount", place=place_of(node))
    line_unit = unit(node, quantity_path)
    price, base, _ = price_of(node, currency, line_unit)
    return {
        "line": needed_code(node, "cbc:ID"),
        "po_number": agreed_code(node, "cac:OrderLineReference/cac:OrderReference/cbc:ID"),
        "po_line": agreed_code(node, "cac:OrderLineReference/cbc:LineID"),
        **item_of(node),
        "quantity": decimal_text(Decimal(1) if quantity is None else quantity),
        "unit": line_unit,
        "unit_price": None if price is None else decimal_text(price),
        "base_quantity": decimal_text(base),
        "allowance": decimal_text(_line_allowance(node, currency)),
        "line_amount": decimal_text(line_amount),
        "tax_percent": _tax_percent(node),
    }


def _line_allowance(node: Element, currency: str) -> Decimal:
    total = Decimal(0)
    for entry in children(node, "cac:AllowanceCharge"):
        stated = amount(entry, "cbc:Amount", currency) or Decimal(0)
        total += -stated if flag(entry, "cbc:ChargeIndicator") else stated
    return total


def _tax_percent(node: Element) -> str | None:
    for path in ("cac:Item/cac:ClassifiedTaxCategory", "cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory"):
        stated = {number(category, "cbc:Percent") for category in children(node, path)} - {None}
        if stated:
            # A line under several taxes has no single percent.
            (percent, *others) = stated
            return None if others or percent is None else decimal_text(percent)
    return None
