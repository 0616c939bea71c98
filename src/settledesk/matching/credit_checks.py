"""Checks on a credit note: is the invoice that it credits here, in its currency, and not smaller than the credits."""

from decimal import Decimal

from settledesk.facts import Known, display_reference, merge_evidence
from settledesk.matching.assessment import Finding, ReadRecords, Record
from settledesk.matching.context import Match
from settledesk.matching.credits import cited_by, owners_of
from settledesk.matching.records import ZERO, evidence_of, number, place_in_order, plain


def credit_without_original(match: Match) -> Finding | None:
    """Return a finding for a credit note whose invoice is neither named nor told by the order, or is not here."""
    if match.subject.get("kind") != "credit-note" or cited_by(match.subject, _invoices(match)):
        return None
    if not any(isinstance(match.reads.get(name), ReadRecords) for name in ("invoices", "similar")):
        return None
    named = bool(match.subject.get("invoice_numbers"))
    return Finding(
        kind="credit_without_original",
        amount=match.money(match.net),
        text="the invoice that is credited is not here" if named else "the credit note names no invoice",
        evidence=evidence_of([match.subject]),
    )


def credit_in_other_currency(match: Match) -> Finding | None:
    """Return a finding for a credit note in another currency than every invoice it names: it credits none of them."""
    if match.subject.get("kind") != "credit-note":
        return None
    cited = cited_by(match.subject, _invoices(match))
    if not cited or any(one.get("currency") == match.currency for one in cited):
        return None
    billed = sorted({display_reference(str(one.get("currency"))) for one in cited})
    return Finding(
        kind="currency_mismatch",
        amount=match.money(match.net),
        text=f"the credit note is in {match.currency}, the invoice in {', '.join(billed)}",
        evidence=merge_evidence(evidence_of([match.subject]), evidence_of(cited)),
    )


def credit_over_invoice(match: Match) -> Finding | None:
    """Return a finding if a credit note, with the credits before it, gives back more than its invoices ask for."""
    owners = credited_invoices(match)
    totals = [number(one.get("total")) for one in owners]
    billed = sum((one for one in totals if one is not None), ZERO)
    total = number(match.subject.get("total"))
    if not owners or None in totals or total is None:
        return None
    excess = min(total, _credited_before(match, owners) + total - billed)
    if excess <= 0:
        return None
    evidence = evidence_of([match.subject, *owners])
    return Finding(
        kind="credit_over_invoice",
        amount=match.money(excess),
        text=f"{plain(excess)} {match.currency} more is credited than was billed",
        measures={"excess": Known(value=match.money(excess), evidence=evidence)},
        evidence=evidence,
    )


def credited_invoices(match: Match) -> list[Record]:
    """Return the invoices that the subject, a credit note, may credit; none for any other subject."""
    if match.subject.get("kind") != "credit-note":
        return []
    return owners_of(match.subject, _invoices(match))


def _invoices(match: Match) -> list[Record]:
    here = {str(one["id"]): one for name in ("invoices", "similar") for one in match.records(name)}
    return [one for one in here.values() if one.get("kind") == "invoice"]


def _credited_before(match: Match, owners: list[Record]) -> Decimal:
    """Sum the credits of these invoices before the subject; while it is not told whose they are, none counts."""
    if match.credits.unknown is not None:
        return ZERO
    place = place_in_order(match.subject)
    earlier = {
        str(credit.note["id"]): credit.total
        for owner in owners
        for credit in match.credits.of(owner)
        if place_in_order(credit.note) < place
    }
    return sum(earlier.values(), ZERO)
