"""The rows once more, in plain Python and on purpose not derived from the tables: which row must fire on which facts.

A comparison with an unknown (`None`) is never true, so each helper says no to it.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

Facts = Mapping[str, Any]

_ALWAYS = {
    "QTY_OVER_RECEIPT": "over_receipt",
    "NO_RECEIPT": "no_receipt",
    "QTY_OVER_ORDER": "over_order",
    "VENDOR_BANK_CHANGED": "bank_change",
    "TAX_VARIANCE": "tax_variance",
    "CREDIT_OVER_INVOICE": "credit_over_invoice",
    "CURRENCY_MISMATCH": "other_currency",
    "UNIT_MISMATCH": "other_unit",
    "PO_NOT_OPEN": "order_not_open",
    "PAYEE_MISMATCH": "other_payee",
    "VENDOR_BLOCKED": "blocked_vendor",
}
"""Reasons that one row settles as long as nothing was declined."""

_ASKS_FIRST = ("none", "approve-variance", "short-pay", "request-credit-memo")


def expected_row(facts: Facts) -> str | None:
    """Return the row of `resolution` that must fire, or `None` for none."""
    reason, declined = facts["reason_code"], facts["declined_action"]
    if declined == "approve-variance":
        return _after_a_declined_approval(reason, facts)
    if declined != "none":
        return None
    match reason:
        case "PRICE_VARIANCE":
            return _variance(facts)
        case "DUPLICATE":
            return "duplicate" if facts["original_found"] is True else None
        case "POSSIBLE_DUPLICATE":
            return {True: "two_shipments", False: "one_shipment"}.get(facts["receipts_cover_all"])
        case "UNPLANNED_CHARGE":
            other = facts["other_action"]
            beside = other == "approve-variance"
            return None if other is None else "charge_beside_variance" if beside else "unplanned_charge"
        case "ITEM_SUBSTITUTED":
            return _substitute(facts)
        case "PO_PRICE_UNREADABLE":
            return _unreadable(facts)
        case "LINE_ARITHMETIC":
            return _rounding(facts["excess"], small="rounding_difference", more="line_arithmetic")
        case "NOT_BALANCED":
            return _rounding(facts["excess"], small="totals_rounding", more="not_balanced")
    return _ALWAYS.get(reason)


def expected_question(facts: Facts) -> str | None:
    """Return the row of `needs` that must fire, or `None` for none."""
    if facts["declined_action"] != "none" or facts["other_action"] not in _ASKS_FIRST:
        return None
    if facts["reason_code"] == "PO_PRICE_UNREADABLE":
        return "ask_po_unit_price" if facts["po_unit_price"] is None else None
    if facts["reason_code"] != "ITEM_SUBSTITUTED" or facts["substitution_reason"] is not None:
        return None
    may_write = facts["payment_details_unverified"] is False
    worth_it = facts["substitute_dearer"] is True and facts["billed_item"] is not None
    return "ask_substitution_reason" if may_write and worth_it else None


def _after_a_declined_approval(reason: str | None, facts: Facts) -> str | None:
    why = facts["decline_reason"]
    if reason == "PRICE_VARIANCE":
        known = {
            "PAY_PO_PRICE": "variance_at_po_price",
            "RETURN_GOODS": "declined_variance",
            "none": "declined_variance",
        }
        return known.get(why)
    if reason == "ITEM_SUBSTITUTED" and why == "RETURN_GOODS":
        return "substitute_returned"
    if reason == "ITEM_SUBSTITUTED" and why == "PAY_PO_PRICE" and facts["substitute_dearer"] is True:
        return "substitute_at_po_price"
    return None


def _variance(facts: Facts) -> str | None:
    percent, excess = facts["percent"], facts["excess"]
    if _above(percent, 10):
        return "large_variance"
    if not _above(percent, 0) or facts["currency"] != "EUR":
        return None
    if _above(excess, 500):
        return "large_excess"
    return "small_variance" if _above(excess, 0) else None


def _substitute(facts: Facts) -> str | None:
    other = facts["other_action"]
    if facts["substitute_dearer"] is False:
        return "substitute_not_dearer"
    if facts["substitute_dearer"] is None:
        return None
    if other in ("reject", "hold"):
        return "substitute_waits"
    known = facts["substitution_reason"] in ("OUT_OF_STOCK", "DISCONTINUED", "UPGRADE")
    return "substitute_offered" if known and other in _ASKS_FIRST else None


def _unreadable(facts: Facts) -> str | None:
    other, billed, agreed = facts["other_action"], facts["billed_unit_price"], facts["po_unit_price"]
    if other in ("reject", "hold"):
        return "price_waits"
    if other not in _ASKS_FIRST or billed is None or not _above(agreed, 0):
        return None
    return "price_above_agreed" if billed > agreed * Decimal("1.02") else "price_as_agreed"


def _above(value: Decimal | None, limit: int) -> bool:
    return value is not None and value > limit


def _rounding(excess: Decimal | None, *, small: str, more: str) -> str | None:
    if excess is None or excess < 0:
        return None
    return small if excess <= Decimal("0.02") else more
