"""One sign by document type: what comes in as a negative invoice leaves as a credit note with positive amounts."""

from decimal import Decimal
from typing import Any

from settledesk.adapters.documents.reading import DocumentError
from settledesk.adapters.documents.values import decimal_text
from settledesk.facts import minor_unit_exponent
from settledesk.matching.normal import number_key

_TOTALS = ("line_total", "allowance_total", "charge_total", "tax", "total", "prepaid")
_ASKED_FOR = ("total", "prepaid", "tax")


def refuse_fractions(record: dict[str, Any], place: str) -> None:
    """Refuse a document that asks for, or was paid, an amount that its currency cannot pay (100.2 JPY).

    Amounts of lines may carry more decimals, as prices do: they are rounded once, in the sum.
    """
    unit = Decimal(1).scaleb(-minor_unit_exponent(record["currency"]))
    for name in _ASKED_FOR:
        if Decimal(record[name]) % unit:
            reason = f"the {name} has more decimals than {record['currency']} has"
            raise DocumentError(reason, place=place)


def as_credit(record: dict[str, Any], *, flip: bool, invoice_numbers: list[str]) -> dict[str, Any]:
    """Return the record as a credit note; with `flip` every amount and quantity changes its sign, once.

    Prices do not flip: a price is what one unit costs, and the quantity carries the sign.
    """
    credit = {**record, "number_key": number_key(record["number"]), "invoice_numbers": invoice_numbers}
    if not flip:
        return credit
    for name in _TOTALS:
        credit[name] = _flipped(record[name])
    for name in ("charges", "allowances"):
        credit[name] = [{**entry, "amount": _flipped(entry["amount"])} for entry in record[name]]
    credit["lines"] = [_flipped_line(line) for line in record["lines"]]
    return credit


def _flipped_line(line: dict[str, Any]) -> dict[str, Any]:
    flipped = {**line, "line_amount": _flipped(line["line_amount"]), "allowance": _flipped(line["allowance"])}
    if line["unit_price"] is not None and Decimal(line["unit_price"]) < 0 < Decimal(line["quantity"]):
        # The vendor put the minus on the price instead of on the quantity.
        flipped["unit_price"] = _flipped(line["unit_price"])
    else:
        flipped["quantity"] = _flipped(line["quantity"])
    return flipped


def _flipped(text: str) -> str:
    return decimal_text(-Decimal(text))
