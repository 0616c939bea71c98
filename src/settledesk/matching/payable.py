"""What is to be paid when parts of the invoice are left out: tax and allowances in proportion to what remains."""

from dataclasses import dataclass
from decimal import Decimal

from settledesk.facts import EvidenceId, Fact, Known, Unknown, merge_evidence
from settledesk.matching.attribution import OrderLineKey
from settledesk.matching.context import BilledLine, Match
from settledesk.matching.order_checks import header_charges, unplanned_lines
from settledesk.matching.records import ZERO, evidence_of, net_unit_price, number, number_or_zero, unit_price

PRICE = "price"
QUANTITY = "quantity"
CHARGE = "charge"


class _NotComputableError(Exception):
    """The amount cannot be computed; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Remains:
    goods: Decimal
    """Sum of the line amounts that are paid."""
    taxed: Decimal
    """The same, each line weighted with its tax percent where every line states one."""


def payable(match: Match, parts: frozenset[str]) -> Fact:
    """Return what is to be paid if `parts` (`price`, `quantity`, `charge`) are left out, rounded half up.

    Nothing left out is the invoice's own total. Otherwise the amount must lie above zero and below the total, or it
    is unknown.
    """
    total = number(match.subject.get("total"))
    if match.subject.get("kind") != "invoice" or total is None:
        return Unknown(reason="only an invoice with a total is paid")
    if not parts:
        return Known(value=match.money(total), evidence=evidence_of([match.subject]))
    try:
        amount = match.money(_amount(match, parts)).rounded()
    except _NotComputableError as error:
        return Unknown(reason=str(error))
    if amount.amount <= 0:
        return Unknown(reason="nothing remains to be paid when these parts are left out")
    if amount.amount >= total:
        return Unknown(reason="leaving these parts out does not make the amount smaller")
    return Known(value=amount, evidence=_evidence(match))


def _amount(match: Match, parts: frozenset[str]) -> Decimal:
    unknown = parts - {PRICE, QUANTITY, CHARGE}
    if unknown:
        raise _NotComputableError(f"`{min(unknown)}` is not a part that can be left out")
    if match.choice.problem is not None or match.choice.missing:
        raise _NotComputableError("there is no order to compute the amount from")
    whole = _remains(match, frozenset())
    if whole.goods <= 0:
        raise _NotComputableError("the lines do not add up to an amount above zero")
    left = _remains(match, parts)
    keep = Decimal(1) - number_or_zero(match.subject.get("allowance_total")) / whole.goods
    charges = number_or_zero(match.subject.get("charge_total"))
    charges_left = charges - header_charges(match) if CHARGE in parts else charges
    rate = whole.taxed / whole.goods
    taxable = whole.taxed * keep + charges * rate
    tax = number_or_zero(match.subject.get("tax"))
    if tax and taxable <= 0:
        raise _NotComputableError("the tax cannot be spread over the lines")
    tax_left = tax * (left.taxed * keep + charges_left * rate) / taxable if tax else ZERO
    return left.goods * keep + charges_left + tax_left


def _remains(match: Match, parts: frozenset[str]) -> _Remains:
    percents = [number(line.line.get("tax_percent")) for line in match.lines]
    by_percent = None not in percents and any(percents)
    unplanned = {id(line) for line in unplanned_lines(match)}
    left: dict[OrderLineKey, Decimal] = {}
    goods, taxed = ZERO, ZERO
    for line, percent in zip(match.lines, percents, strict=True):
        if CHARGE in parts and line.found.ambiguous:
            raise _NotComputableError(f"it is not known to which order line line {line.name} belongs")
        dropped = CHARGE in parts and id(line) in unplanned
        amount = ZERO if dropped else _line_amount(match, line, parts, left)
        goods += amount
        taxed += amount * (percent if by_percent and percent is not None else Decimal(1))
    return _Remains(goods=goods, taxed=taxed)


def _line_amount(match: Match, line: BilledLine, parts: frozenset[str], left: dict[OrderLineKey, Decimal]) -> Decimal:
    if line.ledger is None or not parts & {PRICE, QUANTITY}:
        return line.amount
    if not line.units_agree or not match.currencies_agree:
        raise _NotComputableError(f"line {line.name} is in another unit or currency than the order")
    quantity, price = line.quantity, net_unit_price(line.line)
    if quantity is None or price is None:
        raise _NotComputableError(f"quantity or price of line {line.name} cannot be read")
    paid_quantity = _paid_quantity(match, line, quantity, left) if QUANTITY in parts else quantity
    paid_price = min(price, _ordered_price(line)) if PRICE in parts else price
    if paid_quantity == quantity and paid_price == price:
        return line.amount
    return paid_quantity * paid_price


def _ordered_price(line: BilledLine) -> Decimal:
    ordered = unit_price(line.ledger.line) if line.ledger is not None else None
    if ordered is None:
        raise _NotComputableError(f"the order's price for line {line.name} cannot be read")
    return ordered


def _paid_quantity(match: Match, line: BilledLine, quantity: Decimal, left: dict[OrderLineKey, Decimal]) -> Decimal:
    assert line.ledger is not None
    assert line.found.key is not None
    key = line.found.key
    if key not in left:
        billable = line.ledger.billable
        if isinstance(billable, Unknown):
            raise _NotComputableError(f"it is not known how much of line {line.name} may be billed: {billable.reason}")
        assert isinstance(billable.value, Decimal)
        # Units that a credit takes back are paid here and come back with the credit.
        left[key] = billable.value + match.credited_quantity(key)
    paid = max(ZERO, min(quantity, left[key])) if quantity > 0 else quantity
    left[key] -= paid
    return paid


def _evidence(match: Match) -> tuple[EvidenceId, ...]:
    receipts = [fact for line in match.lines if line.ledger is not None for fact in [line.ledger.received]]
    return merge_evidence(
        evidence_of([match.subject]),
        match.choice.evidence,
        *(fact.evidence for fact in receipts if isinstance(fact, Known)),
    )
