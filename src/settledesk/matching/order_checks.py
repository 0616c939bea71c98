"""Checks against the order apart from price and quantity: is there one, is it open, do currency and unit agree."""

from collections.abc import Mapping
from decimal import Decimal

from settledesk.facts import Known, Unknown, display_reference, merge_evidence
from settledesk.matching.assessment import Finding, LineFinding
from settledesk.matching.context import BilledLine, Match
from settledesk.matching.ledger import OTHER_UNIT
from settledesk.matching.records import ZERO, evidence_of, number_or_zero, plain

ROUNDING = "rounding of the total"
ROUNDING_MAX = Decimal(1)
"""A charge that a document calls rounding is one only below one unit of the currency."""

_PROBLEMS: Mapping[str, str] = {
    "order_missing": "the invoice names no order",
    "order_unknown": "the order that the invoice names does not exist",
    "order_of_other_party": "the order that the invoice names is with another vendor",
}


def order_problem(match: Match) -> Finding | None:
    """Return why there is no order to match against, or none."""
    problem = match.choice.problem
    if problem is None:
        return None
    return Finding(
        kind=problem,
        amount=match.money(match.net),
        text=_PROBLEMS[problem],
        evidence=merge_evidence(evidence_of([match.subject]), match.choice.evidence),
    )


def order_not_open(match: Match) -> Finding | None:
    """Return a finding if a cited order may not be billed: pending, rejected, cancelled or closed."""
    closed = [order for order in match.choice.orders if order.get("status") != "OPEN"]
    if not closed:
        return None
    statuses = ", ".join(sorted({display_reference(str(order.get("status") or "unknown")).lower() for order in closed}))
    return Finding(
        kind="order_not_open",
        amount=match.money(match.net),
        text=f"the order is not open to be billed, it is {statuses}",
        evidence=merge_evidence(evidence_of([match.subject]), evidence_of(closed)),
    )


def currency_mismatch(match: Match) -> Finding | None:
    """Return a finding if the invoice is in another currency than its order; prices are then not compared."""
    if match.currencies_agree:
        return None
    ordered = sorted({display_reference(str(order.get("currency"))) for order in match.choice.orders})
    return Finding(
        kind="currency_mismatch",
        amount=match.money(match.net),
        text=f"the invoice is in {match.currency}, the order in {', '.join(ordered)}",
        evidence=merge_evidence(evidence_of([match.subject]), match.choice.evidence),
    )


def unit_mismatch(match: Match) -> Finding | None:
    """Return lines that count in another unit than their order line, or whose receipts do; no factor is assumed."""
    found = [line for line in match.lines if line.ledger is not None and not _units_agree(line)]
    if not found:
        return None
    return Finding(
        kind="unit_mismatch",
        amount=match.money(sum((line.amount for line in found), ZERO)),
        text="a quantity is counted in another unit than was ordered",
        lines=tuple(
            LineFinding(
                line=line.name,
                stated=display_reference(str(line.line.get("unit"))),
                expected=display_reference(str(line.ledger.line.get("unit"))) if line.ledger else "",
                text=f"line {line.name}: another unit than was ordered",
            )
            for line in found
        ),
        evidence=merge_evidence(evidence_of([match.subject]), match.choice.evidence),
    )


def charge_unplanned(match: Match) -> Finding | None:
    """Return header charges and lines that belong to no order line: nobody ordered them."""
    lines = unplanned_lines(match)
    charges = header_charges(match)
    amount = charges + sum((line.amount for line in lines), ZERO)
    goods = number_or_zero(match.subject.get("line_total")) - sum((line.amount for line in lines), ZERO)
    percent = amount / goods * 100 if goods > 0 else None
    if amount <= 0 or match.settings.tolerances("charge_unplanned", match.scope()).allows(
        percent=percent, absolute=amount
    ):
        return None
    evidence = merge_evidence(evidence_of([match.subject]), match.choice.evidence)
    return Finding(
        kind="charge_unplanned",
        amount=match.money(amount),
        text=f"{plain(amount)} {match.currency} is charged for what is not on the order",
        lines=tuple(
            LineFinding(
                line=line.name, stated=plain(line.amount), expected="0", text=f"line {line.name} is on no order line"
            )
            for line in lines
        ),
        measures={"excess": Known(value=match.money(amount), evidence=evidence)},
        evidence=evidence,
    )


def unplanned_lines(match: Match) -> list[BilledLine]:
    """Return the lines with an amount above zero that are known to belong to no order line."""
    return [line for line in match.lines if line.found.key is None and not line.found.ambiguous and line.amount > 0]


def header_charges(match: Match) -> Decimal:
    """Return the charges of the header, without a rounding of the total."""
    stated = number_or_zero(match.subject.get("charge_total"))
    rounding = sum(
        (
            amount
            for entry in match.subject.get("charges") or ()
            if entry.get("reason") == ROUNDING and ZERO < (amount := number_or_zero(entry.get("amount"))) < ROUNDING_MAX
        ),
        ZERO,
    )
    return stated - min(rounding, ROUNDING_MAX)


def _units_agree(line: BilledLine) -> bool:
    if not line.units_agree:
        return False
    assert line.ledger is not None
    figures = (line.ledger.received, line.ledger.billed_before)
    return not any(isinstance(one, Unknown) and one.reason == OTHER_UNIT for one in figures)
