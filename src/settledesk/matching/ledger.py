"""What is ordered, received, billed and still billable on each line of an order: a pure function over records.

Received counts accepted goods of posted receipts, returns negative, rejects not at all. Billed counts what earlier
invoices bill, net of credit notes; drafts, cancelled and rejected documents and exact duplicates count nothing. The
order in which records are given never matters. What cannot be attributed makes a figure unknown, never zero.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from settledesk.facts import EvidenceId, Fact, Known, Unknown, merge_evidence
from settledesk.matching.assessment import Read, ReadRecords, Record, Unread
from settledesk.matching.attribution import Attribution, Attributor, OrderLineKey
from settledesk.matching.credits import Credits
from settledesk.matching.records import ZERO, lines_of, number, place_in_order, same_unit

OTHER_UNIT = "a document counts in another unit than the order"
NOT_SAID = "a document does not say to which order line it belongs"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineLedger:
    """The state of one order line as the subject finds it. Quantities are in the order line's unit.

    `billed_before` is what invoices before the subject bill, `billed_all` what all invoices bill, the subject and
    later ones included; both net of credits by quantity.
    """

    order: Record
    line: Mapping[str, Any]
    ordered: Decimal | None
    received: Fact
    billed_before: Fact
    billed_all: Fact

    @property
    def billable(self) -> Fact:
        """Return what was received and no earlier invoice bills; never below zero."""
        received, before = self.received, self.billed_before
        if isinstance(received, Unknown):
            return received
        if isinstance(before, Unknown):
            return before
        assert isinstance(received.value, Decimal)
        assert isinstance(before.value, Decimal)
        left = max(ZERO, received.value - before.value)
        return Known(value=left, evidence=merge_evidence(received.evidence, before.evidence))

    @property
    def open_to_bill(self) -> Fact:
        """Return what is ordered and not billed by anyone; never below zero."""
        if self.ordered is None:
            return Unknown(reason="the ordered quantity cannot be read")
        if isinstance(self.billed_all, Unknown):
            return self.billed_all
        assert isinstance(self.billed_all.value, Decimal)
        return Known(value=max(ZERO, self.ordered - self.billed_all.value), evidence=self.billed_all.evidence)


@dataclass(slots=True)
class _Sum:
    total: Decimal = ZERO
    evidence: dict[EvidenceId, None] = field(default_factory=dict)
    unknown: str | None = None

    def add(self, quantity: Decimal | None, record: Record, why_unknown: str) -> None:
        self.evidence.setdefault(EvidenceId(str(record["id"])))
        if quantity is None:
            self.unknown = min(self.unknown or why_unknown, why_unknown)
        else:
            self.total += quantity

    def fact(self) -> Fact:
        if self.unknown is not None:
            return Unknown(reason=self.unknown)
        return Known(value=self.total, evidence=tuple(sorted(self.evidence)))


def build_ledger(
    *,
    orders: Sequence[Record],
    receipts: Read | None,
    invoices: Read | None,
    credits: Credits,
    subject: Record,
    attributor: Attributor,
) -> dict[OrderLineKey, LineLedger]:
    """Return the ledger of every line of `orders` for the invoice `subject`; `attributor` is that of the same orders.

    `invoices` are those that `credits` was built from. A read that failed makes what hangs on it unknown.
    """
    received = _received(orders, receipts, attributor)
    before, everything = _billed(orders, invoices, credits, subject, attributor)
    return {
        key: LineLedger(
            order=order,
            line=line,
            ordered=number(line.get("quantity")),
            received=received[key],
            billed_before=before[key],
            billed_all=everything[key],
        )
        for order in orders
        for line in lines_of(order)
        for key in [(str(order["id"]), str(line["line"]))]
    }


def _keys(orders: Sequence[Record]) -> dict[OrderLineKey, Mapping[str, Any]]:
    return {(str(order["id"]), str(line["line"])): line for order in orders for line in lines_of(order)}


def _received(orders: Sequence[Record], receipts: Read | None, attributor: Attributor) -> dict[OrderLineKey, Fact]:
    keys = _keys(orders)
    if not isinstance(receipts, ReadRecords):
        reason = receipts.reason if isinstance(receipts, Unread) else "the receipts were not asked for"
        return {key: Unknown(reason=reason) for key in keys}
    sums = {key: _Sum() for key in keys}
    for receipt in {str(one["id"]): one for one in receipts.records}.values():
        if receipt.get("status", "POSTED") != "POSTED":
            continue
        sign = Decimal(-1) if receipt.get("returned") is True else Decimal(1)
        for line, found in zip(lines_of(receipt), attributor.document(receipt), strict=True):
            accepted = number(line.get("accepted"))
            # Goods of which it is not known what they are, a line of the order that it does not have included, may be
            # any of the order's lines.
            stray = attributor.keys(line, receipt.get("po_number")) if found.key is None else ()
            _add(sums, keys, found, None if accepted is None else sign * accepted, receipt, line, stray=stray)
    return {key: one.fact() for key, one in sums.items()}


def _billed(
    orders: Sequence[Record], invoices: Read | None, credits: Credits, subject: Record, attributor: Attributor
) -> tuple[dict[OrderLineKey, Fact], dict[OrderLineKey, Fact]]:
    keys = _keys(orders)
    reason = credits.unknown
    if not isinstance(invoices, ReadRecords):
        reason = invoices.reason if isinstance(invoices, Unread) else "the other invoices were not asked for"
    if reason is not None:
        unknown: dict[OrderLineKey, Fact] = {key: Unknown(reason=reason) for key in keys}
        return unknown, unknown
    before = {key: _Sum() for key in keys}
    everything = {key: _Sum() for key in keys}
    place = place_in_order(subject)
    for invoice in credits.invoices:
        targets = [everything, before] if place_in_order(invoice) < place else [everything]
        left: dict[OrderLineKey, Decimal] = {}
        for line, found in zip(lines_of(invoice), attributor.document(invoice), strict=True):
            quantity = number(line.get("quantity"))
            if found.key is not None:
                left[found.key] = left.get(found.key, ZERO) + (quantity or ZERO)
            for sums in targets:
                _add(sums, keys, found, quantity, invoice, line)
        for credit in credits.of(invoice):
            for key, credited in credit.quantities.items():
                # More than was billed cannot be taken back, so the rest of a credit leaves nothing to bill again.
                taken = min(credited, max(ZERO, left.get(key, ZERO)))
                left[key] = left.get(key, ZERO) - taken
                for sums in targets:
                    if key in sums:
                        sums[key].add(-taken, credit.note, "")
    return {key: one.fact() for key, one in before.items()}, {key: one.fact() for key, one in everything.items()}


def _add(
    sums: dict[OrderLineKey, _Sum],
    keys: Mapping[OrderLineKey, Mapping[str, Any]],
    found: Attribution,
    quantity: Decimal | None,
    record: Record,
    line: Mapping[str, Any],
    *,
    stray: Sequence[OrderLineKey] = (),
) -> None:
    if found.key is not None:
        if not same_unit(line.get("unit"), keys[found.key].get("unit")):
            sums[found.key].add(None, record, OTHER_UNIT)
        else:
            sums[found.key].add(quantity, record, "a quantity cannot be read")
        return
    for key in found.candidates or stray:
        if key in sums:
            sums[key].add(None, record, NOT_SAID)
