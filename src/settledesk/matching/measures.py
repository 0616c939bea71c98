"""The measures of a subject: every one a fact with its evidence, or unknown with the reason."""

from collections.abc import Sequence
from decimal import Decimal

from settledesk.facts import EvidenceId, Fact, FactValue, Known, Unknown, merge_evidence
from settledesk.matching.assessment import Finding
from settledesk.matching.context import Match
from settledesk.matching.document_checks import original_found
from settledesk.matching.records import ZERO, evidence_of, number, number_or_zero, place_in_order
from settledesk.matching.vendor_checks import payment_details_fact, vendor_of, why_no_vendor

_WHOLE = frozenset(
    {
        "duplicate",
        "possible_duplicate",
        "payment_details_unverified",
        "vendor_blocked",
        "payee_name_mismatch",
        "order_missing",
        "order_unknown",
        "order_of_other_party",
        "order_not_open",
        "currency_mismatch",
    }
)
"""Findings that put the whole invoice at issue."""

NAMES = (
    "total",
    "tax",
    "currency",
    "subject_status",
    "version",
    "buyer",
    "payment_details_unverified",
    "original_found",
    "receipts_cover_all",
    "already_billed",
    "net_billed",
    "fully_credited",
    "substitute_dearer",
    "billed_item",
    "ordered_item",
    "po_open",
    "amount_at_issue",
    "vendor_id",
    "vendor_email",
)
"""Every measure of a subject, in order."""


def subject_measures(match: Match, findings: Sequence[Finding]) -> dict[str, Fact]:
    """Return all measures named in `NAMES`."""
    subject = match.subject
    version = subject.get("version")
    found: dict[str, Fact] = {
        "total": _amount(match, "total"),
        "tax": _amount(match, "tax"),
        "currency": _of_subject(match, match.currency or None, "the currency"),
        "subject_status": _of_subject(match, subject.get("status"), "the status"),
        "version": _of_subject(match, number(version), "the version"),
        "buyer": _buyer(match),
        "payment_details_unverified": payment_details_fact(match),
        "original_found": original_found(match),
        "receipts_cover_all": _receipts_cover_all(match),
        "already_billed": _already_billed(match),
        **_credited(match),
        **_substituted(findings),
        "po_open": _po_open(match),
        "amount_at_issue": Known(
            value=match.money(_at_issue(match, findings)), evidence=_all_evidence(findings, match)
        ),
        "vendor_id": _of_subject(match, subject.get("vendor_id") or None, "the vendor"),
        "vendor_email": _vendor_email(match),
    }
    return {name: found[name] for name in NAMES}


def unknown_measures(reason: str) -> dict[str, Fact]:
    """Return all measures as unknown, for a subject that was not read."""
    return {name: Unknown(reason=reason) for name in NAMES}


def _of_subject(match: Match, value: FactValue | None, what: str) -> Fact:
    if value is None:
        return Unknown(reason=f"{what} of the invoice cannot be read")
    return Known(value=value, evidence=evidence_of([match.subject]))


def _amount(match: Match, name: str) -> Fact:
    amount = number(match.subject.get(name))
    return _of_subject(match, None if amount is None else match.money(amount), f"the {name}")


def _buyer(match: Match) -> Fact:
    orders = match.choice.orders
    if not orders:
        return Unknown(reason="no order was read, so no buyer is known")
    buyers = {order.get("buyer") for order in orders}
    if len(buyers) != 1 or None in buyers:
        return Unknown(reason="the order names no single buyer")
    return Known(value=str(buyers.pop()), evidence=match.choice.evidence)


def _po_open(match: Match) -> Fact:
    if not match.choice.orders or match.choice.missing:
        return Unknown(reason="not every cited order was read")
    return Known(value=all(one.get("status") == "OPEN" for one in match.choice.orders), evidence=match.choice.evidence)


def _receipts_cover_all(match: Match) -> Fact:
    """Compare quantities, not documents: what was received with what all counted invoices bill, line by line."""
    if match.subject.get("kind") != "invoice":
        return Unknown(reason="receipts say nothing of a credit note")
    if not match.ledger:
        return Unknown(reason="no order was read, so it is not known what was received on it")
    if match.choice.missing:
        return Unknown(reason="not every cited order was read")
    evidence = [evidence_of([match.subject]), match.choice.evidence]
    covered = True
    for line in match.ledger.values():
        received, billed = line.received, line.billed_all
        if isinstance(received, Unknown):
            return received
        if isinstance(billed, Unknown):
            return billed
        assert isinstance(received.value, Decimal)
        assert isinstance(billed.value, Decimal)
        covered = covered and received.value >= billed.value
        evidence.extend((received.evidence, billed.evidence))
    return Known(value=covered, evidence=merge_evidence(*evidence))


def _already_billed(match: Match) -> Fact:
    if match.reads.get("invoices") is None:
        return Unknown(reason="the other invoices were not asked for")
    for line in match.ledger.values():
        if isinstance(line.billed_before, Unknown):
            return line.billed_before
    if not match.ledger:
        return Unknown(reason="no order was read, so it is not known what was billed on it")
    place = place_in_order(match.subject)
    before = [
        one for one in match.credits.invoices if place_in_order(one) < place and one.get("currency") == match.currency
    ]
    amount = sum((number_or_zero(one.get("total")) - match.credits.total_of(one) for one in before), ZERO)
    return Known(value=match.money(amount), evidence=evidence_of([match.subject, *before]))


def _credited(match: Match) -> dict[str, Fact]:
    total = number(match.subject.get("total"))
    reason = match.credits.unknown
    if reason is None and match.reads.get("credit_notes") is None:
        reason = "the credit notes were not asked for"
    if reason is None and total is None:
        reason = "the total of the invoice cannot be read"
    if reason is not None or total is None:
        unknown = Unknown(reason=reason or "the total of the invoice cannot be read")
        return {"net_billed": unknown, "fully_credited": unknown}
    notes = [one.note for one in match.credits.of(match.subject)]
    evidence = evidence_of([match.subject, *notes])
    net = total - match.credits.total_of(match.subject)
    return {
        "net_billed": Known(value=match.money(net), evidence=evidence),
        "fully_credited": Known(value=match.fully_credited, evidence=evidence),
    }


def _substituted(findings: Sequence[Finding]) -> dict[str, Fact]:
    names = ("substitute_dearer", "billed_item", "ordered_item")
    for finding in findings:
        if finding.kind == "item_substituted":
            return {name: finding.measures[name] for name in names}
    return {name: Unknown(reason="no line is known to bill another item than was ordered") for name in names}


def _vendor_email(match: Match) -> Fact:
    vendor = vendor_of(match)
    if vendor is None:
        return Unknown(reason=why_no_vendor(match))
    if not vendor.get("email"):
        return Unknown(reason="the vendor's record has no e-mail address")
    return Known(value=str(vendor["email"]), evidence=evidence_of([vendor]))


def _at_issue(match: Match, findings: Sequence[Finding]) -> Decimal:
    if any(finding.kind in _WHOLE for finding in findings):
        return match.net
    # Both say the same of the same units; counting them once keeps the sum within the invoice.
    doubled = {"quantity_over_received", "quantity_over_ordered"}
    amounts = [one.amount.amount for one in findings if one.kind not in doubled]
    over = [one.amount.amount for one in findings if one.kind in doubled]
    return min(max(match.net, ZERO), sum(amounts, ZERO) + max(over, default=ZERO))


def _all_evidence(findings: Sequence[Finding], match: Match) -> tuple[EvidenceId, ...]:
    return merge_evidence(evidence_of([match.subject]), *(finding.evidence for finding in findings))
