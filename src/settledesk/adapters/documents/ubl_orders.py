"""UBL Order, DespatchAdvice and ReceiptAdvice into records."""

from collections import Counter
from decimal import Decimal
from typing import Any

import regex

from settledesk.adapters.documents.reading import LINES_MAX, DocumentError, Draft
from settledesk.adapters.documents.ubl_nodes import (
    Element,
    agreed_code,
    amount,
    child,
    children,
    code,
    currency_of,
    day,
    needed_code,
    needed_day,
    number,
    party_of,
    place_of,
    text,
    unit,
)
from settledesk.adapters.documents.values import decimal_text, shown
from settledesk.facts import MoneyError, minor_unit_exponent

_USERNAME = regex.compile(r"[a-z0-9][a-z0-9._\-]{0,63}")
_STATUSES = frozenset({"OPEN", "PENDING", "REJECTED", "CANCELLED", "CLOSED"})
_ORDER_CURRENCIES = (
    "cac:AnticipatedMonetaryTotal/cbc:PayableAmount",
    "cac:AnticipatedMonetaryTotal/cbc:LineExtensionAmount",
    "cac:OrderLine/cac:LineItem/cac:Price/cbc:PriceAmount",
    "cac:OrderLine/cac:LineItem/cbc:LineExtensionAmount",
)
_EXTENSION = "ext:UBLExtensions/ext:UBLExtension/ext:ExtensionContent/desk:OrderStatus"


def read_order(root: Element) -> list[Draft]:
    """Read an Order. A price that the order itself contradicts is left out, and `unreadable` says why."""
    currency = currency_of(root, _ORDER_CURRENCIES)
    lines = [_order_line(node, currency) for node in line_nodes(root, "cac:OrderLine/cac:LineItem")]
    refuse_repeats([line["line"] for line in lines], root)
    record = {
        "number": needed_code(root, "cbc:ID"),
        "vendor_id": None,
        "buyer": _buyer(root),
        "currency": currency,
        "issue_date": needed_day(root, "cbc:IssueDate"),
        "status": _order_status(root),
        "lines": lines,
    }
    supplier = child(root, "cac:SellerSupplierParty")
    if supplier is None:
        raise DocumentError("the order names no seller", place=place_of(root))
    return [Draft(kind="purchase-order", record=record, party=party_of(supplier), trusted=True)]


def read_despatch(root: Element) -> list[Draft]:
    """Read a DespatchAdvice: what the vendor says is on its way, one record per order."""
    number_, on = (
        needed_code(root, "cbc:ID"),
        day(root, "cac:Shipment/cac:Delivery/cac:Despatch/cbc:ActualDespatchDate"),
    )
    on = on or needed_day(root, "cbc:IssueDate")
    by_order: dict[str, list[dict[str, Any]]] = {}
    for node in _lines(root, "cac:DespatchLine"):
        line = _moved_line(node)
        line["delivered"] = _quantity(node, "cbc:DeliveredQuantity", default=None)
        outstanding = number(node, "cbc:OutstandingQuantity")
        line["outstanding"] = decimal_text(outstanding or number(node, "cbc:BackorderQuantity") or Decimal(0))
        line["unit"] = unit(node, "cbc:DeliveredQuantity")
        by_order.setdefault(_order_of(root, node), []).append(line)
    party = party_of(child(root, "cac:DespatchSupplierParty"))
    return [
        Draft(
            kind="despatch",
            record={"number": number_, "po_number": order, "despatched_on": on, "lines": lines},
            party=party,
        )
        for order, lines in by_order.items()
    ]


def read_receipt(root: Element) -> list[Draft]:
    """Read a ReceiptAdvice: accepted is received less rejected, since UBL counts what was rejected as received."""
    number_ = needed_code(root, "cbc:ID")
    on = day(root, "cac:Shipment/cac:Delivery/cbc:ActualDeliveryDate") or needed_day(root, "cbc:IssueDate")
    by_order: dict[str, list[dict[str, Any]]] = {}
    for node in _lines(root, "cac:ReceiptLine"):
        by_order.setdefault(_order_of(root, node), []).append(_receipt_line(node))
    kind = (code(root, "cbc:ReceiptAdviceTypeCode") or "").casefold()
    status = (code(root, "cbc:DocumentStatusCode") or "").casefold()
    base = {
        "number": number_,
        "received_on": on,
        "status": "CANCELLED" if status in {"cancelled", "canceled"} else "POSTED",
        "returned": kind == "return",
    }
    party = party_of(child(root, "cac:DespatchSupplierParty"))
    return [
        Draft(kind="receipt", record={**base, "po_number": order, "lines": lines}, party=party, trusted=True)
        for order, lines in by_order.items()
    ]


def item_of(node: Element) -> dict[str, Any]:
    """Return the item codes of a line: ours and the vendor's."""
    item = child(node, "cac:Item")
    if item is None:
        return {"item": None, "vendor_item": None, "description": None}
    standard = code(item, "cac:StandardItemIdentification/cbc:ID")
    return {
        "item": code(item, "cac:BuyersItemIdentification/cbc:ID"),
        "vendor_item": code(item, "cac:SellersItemIdentification/cbc:ID") or standard,
        "description": text(item, "cbc:Name") or text(item, "cbc:Description"),
    }


def price_of(node: Element, currency: str, quantity_unit: str | None) -> tuple[Decimal | None, Decimal, str | None]:
    """Return (price, base quantity, why the price cannot be used); a base in another unit has no known factor."""
    price_node = child(node, "cac:Price")
    if price_node is None:
        return None, Decimal(1), "no price is stated"
    price = amount(price_node, "cbc:PriceAmount", currency)
    base = number(price_node, "cbc:BaseQuantity")
    base = Decimal(1) if base is None else base
    base_unit = unit(price_node, "cbc:BaseQuantity")
    if price is None:
        return None, base, "no price is stated"
    if base <= 0:
        raise DocumentError("a price is stated per a quantity that is not above zero", place=place_of(price_node))
    if base_unit and quantity_unit and base_unit != quantity_unit:
        return None, base, "the price is per another unit than the quantity, with no factor between the two"
    return price, base, None


def refuse_repeats(lines: list[str], root: Element) -> None:
    """Refuse a document in which one line number stands twice."""
    if len(set(lines)) != len(lines):
        repeated = next(line for line, count in Counter(lines).items() if count > 1)
        raise DocumentError(f"line number `{shown(repeated)}` stands twice", place=place_of(root))


def line_nodes(root: Element, path: str) -> list[Element]:
    """Return the elements of the document's lines; none, and more than `LINES_MAX`, are refused."""
    found = children(root, path)
    if not found:
        raise DocumentError("the document has no lines", place=place_of(root))
    if len(found) > LINES_MAX:
        raise DocumentError(f"the document has more than {LINES_MAX} lines", place=place_of(root))
    return found


def contradiction(
    *, price: Decimal, base: Decimal, quantity: Decimal, line_amount: Decimal, currency: str
) -> str | None:
    """Return why price and line amount of an order line cannot both be right, or none if they agree within rounding."""
    try:
        slack = Decimal(5).scaleb(-minor_unit_exponent(currency) - 1)
    except MoneyError:
        slack = Decimal("0.005")
    computed = price * quantity / base
    if abs(computed - line_amount) <= slack:
        return None
    return (
        f"{decimal_text(quantity)} at {decimal_text(price)} per {decimal_text(base)} is {computed.normalize():f}, "
        f"but the line amount is {decimal_text(line_amount)}"
    )


def _order_line(node: Element, currency: str) -> dict[str, Any]:
    quantity = number(node, "cbc:Quantity")
    if quantity is None or quantity < 0:
        raise DocumentError("an order line has no quantity, or one below zero", place=place_of(node))
    line_amount = amount(node, "cbc:LineExtensionAmount", currency)
    line_unit = unit(node, "cbc:Quantity")
    price, base, unreadable = price_of(node, currency, line_unit)
    if price is not None and price < 0:
        price, unreadable = None, "the price is below zero"
    if price is not None and line_amount is not None:
        unreadable = contradiction(
            price=price,
            base=base,
            quantity=quantity,
            line_amount=_gross(node, line_amount, currency),
            currency=currency,
        )
    if (code(node, "cbc:LineStatusCode") or "").casefold() in {"cancelled", "canceled"}:
        quantity = Decimal(0)
    return {
        "line": needed_code(node, "cbc:ID"),
        **item_of(node),
        "quantity": decimal_text(quantity),
        "unit": line_unit,
        "unit_price": None if price is None or unreadable else decimal_text(price),
        "unreadable": unreadable,
        "base_quantity": decimal_text(base),
        "line_amount": None if line_amount is None else decimal_text(line_amount),
    }


def _gross(node: Element, line_amount: Decimal, currency: str) -> Decimal:
    for entry in children(node, "cac:AllowanceCharge"):
        stated = amount(entry, "cbc:Amount", currency) or Decimal(0)
        line_amount += -stated if (code(entry, "cbc:ChargeIndicator") or "") in {"true", "1"} else stated
    return line_amount


def _buyer(root: Element) -> str | None:
    stated = code(root, "cac:BuyerCustomerParty/cac:Party/cac:Contact/cbc:ID")
    return stated if stated and _USERNAME.fullmatch(stated) else None


def _order_status(root: Element) -> str:
    stated = code(root, _EXTENSION)
    if stated is None:
        return "OPEN"
    if stated not in _STATUSES:
        raise DocumentError(f"`{shown(stated)}` is not a status of an order", place=place_of(root))
    return stated


def _lines(root: Element, path: str) -> list[Element]:
    found = line_nodes(root, path)
    refuse_repeats([needed_code(node, "cbc:ID") for node in found], root)
    return found


def _moved_line(node: Element) -> dict[str, Any]:
    item = item_of(node)
    return {
        "line": needed_code(node, "cbc:ID"),
        "po_line": agreed_code(node, "cac:OrderLineReference/cbc:LineID"),
        "item": item["item"],
        "vendor_item": item["vendor_item"],
    }


def _receipt_line(node: Element) -> dict[str, Any]:
    received = Decimal(_quantity(node, "cbc:ReceivedQuantity", default=Decimal(0)))
    rejected = Decimal(_quantity(node, "cbc:RejectedQuantity", default=Decimal(0)))
    if rejected > received:
        raise DocumentError("more is rejected than was received", place=place_of(node))
    return {
        **_moved_line(node),
        "accepted": decimal_text(received - rejected),
        "rejected": decimal_text(rejected),
        "unit": unit(node, "cbc:ReceivedQuantity"),
    }


def _quantity(node: Element, path: str, *, default: Decimal | None) -> str:
    stated = number(node, path)
    if stated is None:
        stated = default
    if stated is None or stated < 0:
        raise DocumentError(
            f"`{path}` is missing or below zero, a return is a document of type `return`", place=place_of(node)
        )
    return decimal_text(stated)


def _order_of(root: Element, node: Element) -> str:
    order = agreed_code(node, "cac:OrderLineReference/cac:OrderReference/cbc:ID")
    order = order or agreed_code(root, "cac:OrderReference/cbc:ID")
    if order is None:
        raise DocumentError("a line names no order, so it is not known what was delivered", place=place_of(node))
    return order
