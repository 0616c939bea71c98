"""The two tables as a person would write them in Python: `if` and `elif`, row after row, with `Decimal`.

They stop at the first row that matches, which a UNIQUE table must not, and say neither which row it was nor what was
odd: the least that can be done. They are also the truth that every engine's answers are compared with.
"""

# ruff: noqa: RET505, SIM114 - one branch per row, as a table that is written down in Python looks

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

TEN = Decimal(10)
TWENTY = Decimal(20)
THIRTY = Decimal(30)
FIFTY = Decimal(50)
HUNDRED = Decimal(100)
FIVE_HUNDRED = Decimal(500)
THOUSAND = Decimal(1000)
TWO_CENTS = Decimal("0.02")
TOLERANCE = Decimal("1.02")
ZERO = Decimal(0)
CHARGES = {text: Decimal(text) for text in ("0", "5", "15", "20", "25", "4.90", "9.90", "12.50")}
FREE, FIVE, FIFTEEN, CHARGE_20, CHARGE_25, LOW, MIDDLE, HIGH = CHARGES.values()


def carriage(facts: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the outputs of the table `carriage`, or `None` if no row matches."""
    customer = facts["customer"]
    region = facts["region"]
    voucher = facts["voucher"]
    weight = facts["weight"]
    total = facts["total"]
    if customer == "gold" and region == "EU" and weight is not None and ZERO <= weight <= THIRTY:
        return {"carrier": "courier", "charge": FREE}
    elif customer == "gold" and region == "EU" and weight is not None and weight > THIRTY:
        return {"carrier": "freight", "charge": FREE}
    elif customer == "gold" and region in ("UK", "CH") and total is not None and total >= FIVE_HUNDRED:
        return {"carrier": "courier", "charge": FREE}
    elif (
        customer == "gold"
        and region in ("UK", "CH")
        and voucher is None
        and total is not None
        and ZERO <= total < FIVE_HUNDRED
    ):
        return {"carrier": "courier", "charge": FIFTEEN}
    elif (
        customer == "gold"
        and region in ("UK", "CH")
        and voucher is not None
        and total is not None
        and ZERO <= total < FIVE_HUNDRED
    ):
        return {"carrier": "courier", "charge": FIVE}
    elif (
        customer == "regular"
        and region == "EU"
        and voucher is None
        and weight is not None
        and ZERO <= weight <= THIRTY
        and total is not None
        and ZERO <= total < HUNDRED
    ):
        return {"carrier": "parcel", "charge": MIDDLE}
    elif (
        customer == "regular"
        and region == "EU"
        and voucher is not None
        and weight is not None
        and ZERO <= weight <= THIRTY
        and total is not None
        and ZERO <= total < HUNDRED
    ):
        return {"carrier": "parcel", "charge": LOW}
    elif (
        customer == "regular"
        and region == "EU"
        and weight is not None
        and ZERO <= weight <= THIRTY
        and total is not None
        and total >= HUNDRED
    ):
        return {"carrier": "parcel", "charge": FREE}
    elif customer == "regular" and region == "EU" and weight is not None and THIRTY < weight <= THOUSAND:
        return {"carrier": "freight", "charge": CHARGE_20}
    elif customer == "regular" and region in ("UK", "CH") and weight is not None and ZERO <= weight <= THIRTY:
        return {"carrier": "courier", "charge": CHARGE_25}
    elif (
        customer == "new"
        and region == "EU"
        and voucher is None
        and weight is not None
        and ZERO <= weight <= TWENTY
        and total is not None
        and total >= FIFTY
    ):
        return {"carrier": "parcel", "charge": HIGH}
    elif customer is None and region == "EU" and weight is not None and ZERO < weight <= TWENTY:
        return {"carrier": "parcel", "charge": FIFTEEN}
    return None


def resolution(facts: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the outputs of the desk's table `resolution`, or `None` if no row matches."""
    reason = facts["reason_code"]
    declined = facts["declined_action"]
    decline_reason = facts["decline_reason"]
    other = facts["other_action"]
    currency = facts["currency"]
    percent = facts["percent"]
    excess = facts["excess"]
    found = facts["original_found"]
    covered = facts["receipts_cover_all"]
    dearer = facts["substitute_dearer"]
    why = facts["substitution_reason"]
    billed = facts["billed_unit_price"]
    agreed = facts["po_unit_price"]
    if (
        reason == "PRICE_VARIANCE"
        and declined == "none"
        and currency == "EUR"
        and percent is not None
        and ZERO < percent <= TEN
        and excess is not None
        and ZERO < excess <= FIVE_HUNDRED
    ):
        return {"action": "approve-variance", "amount_basis": "BILLED"}
    elif reason == "PRICE_VARIANCE" and declined == "none" and percent is not None and percent > TEN:
        return {"action": "request-credit-memo", "amount_basis": "BILLED"}
    elif (
        reason == "PRICE_VARIANCE"
        and declined == "none"
        and currency == "EUR"
        and percent is not None
        and ZERO < percent <= TEN
        and excess is not None
        and excess > FIVE_HUNDRED
    ):
        return {"action": "request-credit-memo", "amount_basis": "BILLED"}
    elif reason == "PRICE_VARIANCE" and declined == "approve-variance" and decline_reason in ("none", "RETURN_GOODS"):
        return {"action": "request-credit-memo", "amount_basis": "BILLED"}
    elif reason == "PRICE_VARIANCE" and declined == "approve-variance" and decline_reason == "PAY_PO_PRICE":
        return {"action": "short-pay", "amount_basis": "PO_PRICE"}
    elif reason == "QTY_OVER_RECEIPT" and declined == "none":
        return {"action": "hold", "amount_basis": "BILLED"}
    elif reason == "NO_RECEIPT" and declined == "none":
        return {"action": "hold", "amount_basis": "BILLED"}
    elif reason == "QTY_OVER_ORDER" and declined == "none":
        return {"action": "hold", "amount_basis": "BILLED"}
    elif reason == "DUPLICATE" and declined == "none" and found is True:
        return {"action": "reject", "amount_basis": "BILLED"}
    elif reason == "POSSIBLE_DUPLICATE" and declined == "none" and covered is True:
        return {"action": "approve-variance", "amount_basis": "BILLED"}
    elif reason == "POSSIBLE_DUPLICATE" and declined == "none" and covered is False:
        return {"action": "reject", "amount_basis": "BILLED"}
    elif (
        reason == "UNPLANNED_CHARGE"
        and declined == "none"
        and other in ("none", "reject", "hold", "request-credit-memo", "short-pay")
    ):
        return {"action": "short-pay", "amount_basis": "WITHOUT_CHARGE"}
    elif reason == "UNPLANNED_CHARGE" and declined == "none" and other == "approve-variance":
        return {"action": "short-pay", "amount_basis": "PO_PRICE"}
    elif reason == "VENDOR_BANK_CHANGED" and declined == "none":
        return {"action": "hold", "amount_basis": "BILLED"}
    elif (
        reason == "ITEM_SUBSTITUTED"
        and declined == "none"
        and other in ("none", "approve-variance", "short-pay", "request-credit-memo")
        and dearer is True
        and why in ("OUT_OF_STOCK", "DISCONTINUED", "UPGRADE")
    ):
        return {"action": "approve-variance", "amount_basis": "BILLED"}
    elif reason == "ITEM_SUBSTITUTED" and declined == "none" and dearer is False:
        return {"action": "approve-variance", "amount_basis": "BILLED"}
    elif reason == "ITEM_SUBSTITUTED" and declined == "none" and other in ("reject", "hold") and dearer is True:
        return {"action": "none", "amount_basis": "BILLED"}
    elif (
        reason == "ITEM_SUBSTITUTED"
        and declined == "approve-variance"
        and decline_reason == "PAY_PO_PRICE"
        and dearer is True
    ):
        return {"action": "short-pay", "amount_basis": "PO_PRICE"}
    elif reason == "ITEM_SUBSTITUTED" and declined == "approve-variance" and decline_reason == "RETURN_GOODS":
        return {"action": "request-credit-memo", "amount_basis": "BILLED"}
    elif (
        reason == "PO_PRICE_UNREADABLE"
        and declined == "none"
        and other in ("none", "approve-variance", "short-pay", "request-credit-memo")
        and agreed is not None
        and agreed > ZERO
        and billed is not None
        and billed <= agreed * TOLERANCE
    ):
        return {"action": "approve-variance", "amount_basis": "BILLED"}
    elif (
        reason == "PO_PRICE_UNREADABLE"
        and declined == "none"
        and other in ("none", "approve-variance", "short-pay", "request-credit-memo")
        and agreed is not None
        and agreed > ZERO
        and billed is not None
        and billed > agreed * TOLERANCE
    ):
        return {"action": "request-credit-memo", "amount_basis": "BILLED"}
    elif reason == "PO_PRICE_UNREADABLE" and declined == "none" and other in ("reject", "hold"):
        return {"action": "none", "amount_basis": "BILLED"}
    elif reason == "LINE_ARITHMETIC" and declined == "none" and excess is not None and ZERO <= excess <= TWO_CENTS:
        return {"action": "approve-variance", "amount_basis": "BILLED"}
    elif reason == "LINE_ARITHMETIC" and declined == "none" and excess is not None and excess > TWO_CENTS:
        return {"action": "hold", "amount_basis": "BILLED"}
    elif reason == "NOT_BALANCED" and declined == "none" and excess is not None and ZERO <= excess <= TWO_CENTS:
        return {"action": "approve-variance", "amount_basis": "BILLED"}
    elif reason == "NOT_BALANCED" and declined == "none" and excess is not None and excess > TWO_CENTS:
        return {"action": "reject", "amount_basis": "BILLED"}
    elif reason == "TAX_VARIANCE" and declined == "none":
        return {"action": "hold", "amount_basis": "BILLED"}
    elif reason == "CURRENCY_MISMATCH" and declined == "none":
        return {"action": "hold", "amount_basis": "BILLED"}
    elif reason == "UNIT_MISMATCH" and declined == "none":
        return {"action": "hold", "amount_basis": "BILLED"}
    elif reason == "PO_NOT_OPEN" and declined == "none":
        return {"action": "hold", "amount_basis": "BILLED"}
    elif reason == "PAYEE_MISMATCH" and declined == "none":
        return {"action": "hold", "amount_basis": "BILLED"}
    elif reason == "VENDOR_BLOCKED" and declined == "none":
        return {"action": "hold", "amount_basis": "BILLED"}
    elif reason == "CREDIT_OVER_INVOICE" and declined == "none":
        return {"action": "hold", "amount_basis": "BILLED"}
    return None
