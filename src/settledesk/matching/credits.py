"""Which invoice a credit note credits, and what of it: quantities (goods not billed after all) or money (a price).

A credit that came twice, as a credit note and as a negative invoice, counts once. A credit that may belong to several
invoices makes the figures that hang on it unknown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from settledesk.matching.assessment import Read, ReadRecords, Record, Unread
from settledesk.matching.attribution import Attributor, OrderLineKey
from settledesk.matching.duplicates import same_credit, same_total, without_duplicates
from settledesk.matching.normal import number_key
from settledesk.matching.records import (
    ZERO,
    counts,
    lines_of,
    net_unit_price,
    number,
    number_or_zero,
    place_in_order,
    slack,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """One credit note on one invoice: units credited by order line, and money credited by order line without units."""

    note: Record
    total: Decimal
    quantities: Mapping[OrderLineKey, Decimal]
    money: Mapping[OrderLineKey, Decimal]


@dataclass(frozen=True, slots=True, kw_only=True)
class Credits:
    """The invoices that count (each content once, in order) and their credits. `unknown`: why it cannot be told."""

    invoices: tuple[Record, ...]
    by_invoice: Mapping[str, tuple[Credit, ...]] = field(default_factory=dict)
    unknown: str | None = None

    def of(self, invoice: Record) -> tuple[Credit, ...]:
        """Return the credits of the invoice."""
        return self.by_invoice.get(str(invoice["id"]), ())

    def total_of(self, invoice: Record) -> Decimal:
        """Return the sum of the invoice's credits, tax included."""
        return sum((credit.total for credit in self.of(invoice)), ZERO)

    def cover(self, invoice: Record) -> bool:
        """Tell whether credits cover all of the invoice (false while they are unknown)."""
        total = number(invoice.get("total"))
        return self.unknown is None and total is not None and ZERO < total <= self.total_of(invoice)


def allocate_credits(*, invoices: Sequence[Record], notes: Read | None, attributor: Attributor) -> Credits:
    """Allocate credit notes to invoices. `invoices` are all of the order, duplicates and rejected ones included."""
    kept = without_duplicates(invoices)
    if isinstance(notes, Unread):
        return Credits(invoices=kept, unknown=notes.reason)
    if not isinstance(notes, ReadRecords):
        return Credits(invoices=kept)
    found: dict[str, list[Credit]] = {}
    for note in _each_once(notes.records):
        owners = owners_of(note, kept)
        if len(owners) > 1:
            return Credits(invoices=kept, unknown="a credit note may belong to more than one invoice")
        for owner in owners:
            found.setdefault(str(owner["id"]), []).append(_credit(note, owner, attributor))
    return Credits(invoices=kept, by_invoice={key: tuple(credits) for key, credits in found.items()})


def _each_once(notes: Sequence[Record]) -> list[Record]:
    kept: list[Record] = []
    for note in sorted({str(one["id"]): one for one in notes if counts(one)}.values(), key=place_in_order):
        if not any(same_credit(note, other) for other in kept):
            kept.append(note)
    return kept


def owners_of(note: Record, invoices: Sequence[Record]) -> list[Record]:
    """Return the invoices that a credit note may credit; one is certain, several are not told apart, none is none.

    A credit in another currency than the invoice credits nothing of it: no amount of it could be set against the other.
    """
    owners = [one for one in cited_by(note, invoices) if one.get("currency") == note.get("currency")]
    if len(owners) > 1:
        exact = [one for one in owners if same_total(one, note)]
        return exact if len(exact) == 1 else owners
    return owners


def cited_by(note: Record, invoices: Sequence[Record]) -> list[Record]:
    """Return the invoices that a credit note names, or that stand on its order if it names none, in any currency."""
    of_vendor = [one for one in invoices if one.get("vendor_id") == note.get("vendor_id")]
    named = {number_key(str(name)) for name in note.get("invoice_numbers") or ()}
    if named:
        return [one for one in of_vendor if number_key(str(one.get("number") or "")) in named]
    # Without an invoice's number only the order tells, and only if one invoice stands on it.
    order = number_key(str(note.get("po_number") or ""))
    return [one for one in of_vendor if order and number_key(str(one.get("po_number") or "")) == order]


def _credit(note: Record, invoice: Record, attributor: Attributor) -> Credit:
    billed = _billed_prices(invoice, attributor)
    quantities: dict[OrderLineKey, Decimal] = {}
    money: dict[OrderLineKey, Decimal] = {}
    places = attributor.document(note, header=invoice.get("po_number"))
    for line, found in zip(lines_of(note), places, strict=True):
        if found.key is None:
            continue
        if _credits_goods(line, billed.get(found.key), str(note.get("currency") or "")):
            quantities[found.key] = quantities.get(found.key, ZERO) + number_or_zero(line.get("quantity"))
        else:
            money[found.key] = money.get(found.key, ZERO) + number_or_zero(line.get("line_amount"))
    return Credit(note=note, total=number_or_zero(note.get("total")), quantities=quantities, money=money)


def _billed_prices(invoice: Record, attributor: Attributor) -> dict[OrderLineKey, Decimal | None]:
    found: dict[OrderLineKey, Decimal | None] = {}
    for line, where in zip(lines_of(invoice), attributor.document(invoice), strict=True):
        if where.key is not None:
            found.setdefault(where.key, net_unit_price(line))
    return found


def _credits_goods(line: Mapping[str, Any], billed: Decimal | None, currency: str) -> bool:
    """A credit at the price that was billed takes units back; at another price it takes back part of the price."""
    price = net_unit_price(line)
    return price is None or billed is None or abs(price - billed) <= slack(currency)
