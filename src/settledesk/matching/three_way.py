"""The three-way match of one invoice (or credit note) against order, receipts, earlier invoices and credits.

Pure: the same records give the same assessment, in whatever order they were read. A read that failed makes facts
unknown; it never makes a finding, nor the absence of one look like a clean match: `missing` names it.
"""

from collections.abc import Callable, Mapping
from decimal import Context, localcontext

from settledesk.facts import EvidenceId, Fact, Unknown
from settledesk.matching.assessment import Assessment, Finding, MatchSettings, Read, ReadRecords, Record, Unread
from settledesk.matching.context import Match, make_match
from settledesk.matching.credit_checks import credit_in_other_currency, credit_over_invoice, credit_without_original
from settledesk.matching.document_checks import (
    credits_of_likeness_unread,
    duplicate,
    line_arithmetic,
    possible_duplicate,
    totals_unbalanced,
)
from settledesk.matching.measures import subject_measures, unknown_measures
from settledesk.matching.order_checks import (
    charge_unplanned,
    currency_mismatch,
    order_not_open,
    order_problem,
    unit_mismatch,
)
from settledesk.matching.payable import payable
from settledesk.matching.prices import item_substituted, order_price_unreadable, price_over
from settledesk.matching.quantities import (
    missing_for_quantities,
    nothing_received,
    quantity_over_ordered,
    quantity_over_received,
)
from settledesk.matching.records import number, unit_price
from settledesk.matching.tax_checks import tax_variance
from settledesk.matching.vendor_checks import (
    payee_name_mismatch,
    payment_details_unverified,
    vendor_blocked,
    vendor_unreadable,
)

Check = Callable[[Match], Finding | None]

_PRECISION = 34

_OF_ANY_DOCUMENT: tuple[Check, ...] = (
    line_arithmetic,
    totals_unbalanced,
    tax_variance,
    payee_name_mismatch,
    vendor_blocked,
)
_OF_CREDIT_NOTE: tuple[Check, ...] = (credit_without_original, credit_in_other_currency, credit_over_invoice)
_AGAINST_ORDER: tuple[Check, ...] = (
    order_not_open,
    order_price_unreadable,
    currency_mismatch,
    unit_mismatch,
    item_substituted,
    price_over,
)


def three_way(reads: Mapping[str, Read], settings: MatchSettings) -> Assessment:
    """Match one subject. `reads` by name: `subject`, `purchase_orders`, `receipts`, `despatches`, `invoices` (all of
    those orders), `credit_notes`, `vendor`, `similar`; each read, unread, or absent if the pack does not ask for it.
    """
    subject = _subject(reads)
    if isinstance(subject, Unknown):
        return _nothing_known(subject)
    with localcontext(Context(prec=_PRECISION)):
        match = make_match(subject, reads, settings)
        findings = _findings(match)
        measures = subject_measures(match, findings)
        missing = _missing(match, findings)
    return Assessment(
        findings=tuple(findings),
        measures=measures,
        missing=missing,
        payable=lambda parts: _payable(match, parts),
        references=_references(match),
        display=str(subject.get("number") or ""),
    )


def _subject(reads: Mapping[str, Read]) -> Record | Unknown:
    read = reads.get("subject")
    if isinstance(read, ReadRecords) and len(read.records) == 1:
        return read.records[0]
    if isinstance(read, Unread):
        return Unknown(reason=read.reason)
    return Unknown(reason="the invoice has no single record")


def _nothing_known(why: Unknown) -> Assessment:
    return Assessment(
        findings=(),
        measures=unknown_measures(why.reason),
        missing=("the invoice",),
        payable=lambda _parts: why,
        references=(),
        display="",
    )


def _findings(match: Match) -> list[Finding]:
    found = _run((duplicate, payment_details_unverified), match)
    if any(finding.kind == "duplicate" for finding in found):
        return found
    found = _run((possible_duplicate, payment_details_unverified), match)
    if match.subject.get("kind") == "invoice":
        found.extend(_order_findings(match))
    else:
        found.extend(_run(_OF_CREDIT_NOTE, match))
    found.extend(_run(_OF_ANY_DOCUMENT, match))
    return found


def _order_findings(match: Match) -> list[Finding]:
    if match.choice.problem is not None:
        return _run((order_problem,), match)
    found = _run(_AGAINST_ORDER, match)
    nothing = nothing_received(match)
    found.extend([nothing] if nothing else _run((quantity_over_received,), match))
    found.extend(_run((quantity_over_ordered,), match))
    if match.choice.orders and not match.choice.missing:
        found.extend(_run((charge_unplanned,), match))
    return found


def _run(checks: tuple[Check, ...], match: Match) -> list[Finding]:
    return [finding for check in checks if (finding := check(match)) is not None]


def _missing(match: Match, findings: list[Finding]) -> tuple[str, ...]:
    missing = list(match.choice.missing)
    if vendor_unreadable(match):
        missing.append("the vendor")
    if any(finding.kind == "duplicate" for finding in findings):
        return tuple(missing)
    if isinstance(match.reads.get("similar"), Unread):
        missing.append("the similar invoices")
    if credits_of_likeness_unread(match):
        missing.append("whether a similar invoice was credited")
    missing.extend(f"a price for line {line.name}" for line in match.lines if unit_price(line.line) is None)
    missing.extend(f"a quantity for line {line.name}" for line in match.lines if line.quantity is None)
    missing.extend(f"the order line of line {line.name}" for line in match.lines if line.found.ambiguous)
    if number(match.subject.get("total")) is None:
        missing.append("the total")
    if match.subject.get("kind") == "invoice" and match.choice.problem is None:
        missing.extend(missing_for_quantities(match))
    return tuple(dict.fromkeys(missing))


def _payable(match: Match, parts: frozenset[str]) -> Fact:
    with localcontext(Context(prec=_PRECISION)):
        return payable(match, parts)


def _references(match: Match) -> tuple[tuple[str, str], ...]:
    subject = match.subject
    numbers = [subject.get("po_number"), *(line.line.get("po_number") for line in match.lines)]
    found = [("purchase-order", str(one)) for one in numbers if one]
    found.append(("invoice" if subject.get("kind") == "invoice" else "credit-note", EvidenceId(str(subject["id"]))))
    if subject.get("vendor_id"):
        found.append(("vendor", str(subject["vendor_id"])))
    return tuple(dict.fromkeys(found))
