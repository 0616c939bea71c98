"""What the checks of one invoice share: the orders it cites, where its lines belong, the ledger, the credits."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from settledesk.facts import EvidenceId, Money, display_reference
from settledesk.matching.assessment import MatchSettings, Read, ReadRecords, Record
from settledesk.matching.attribution import Attribution, Attributor, OrderLineKey
from settledesk.matching.credits import Credits, allocate_credits
from settledesk.matching.ledger import LineLedger, build_ledger
from settledesk.matching.normal import number_key
from settledesk.matching.records import ZERO, evidence_of, lines_of, number, number_or_zero, same_code, same_unit


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderChoice:
    """The orders that the subject cites. `problem` is the finding kind that stops all checks against an order."""

    orders: tuple[Record, ...] = ()
    problem: str | None = None
    missing: tuple[str, ...] = ()
    evidence: tuple[EvidenceId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BilledLine:
    """One line of the subject and the order line it belongs to (none: no line of any order)."""

    line: Mapping[str, Any]
    found: Attribution
    ledger: LineLedger | None

    @property
    def name(self) -> str:
        """Return the line's number as a person may see it."""
        return display_reference(str(self.line["line"]))

    @property
    def quantity(self) -> Decimal | None:
        """Return the billed quantity, or none if it cannot be read."""
        return number(self.line.get("quantity"))

    @property
    def amount(self) -> Decimal:
        """Return the stated line amount."""
        return number_or_zero(self.line.get("line_amount"))

    @property
    def substituted(self) -> bool:
        """Tell whether another item is billed than was ordered: both named, and no pair of codes agrees."""
        if self.ledger is None:
            return False
        ordered = self.ledger.line
        pairs = [(self.line.get(name), ordered.get(name)) for name in ("item", "vendor_item")]
        if any(same_code(one, other) for one, other in pairs):
            return False
        return any(one and other for one, other in pairs)

    @property
    def units_agree(self) -> bool:
        """Tell whether the line and its order line count in the same unit."""
        return self.ledger is None or same_unit(self.line.get("unit"), self.ledger.line.get("unit"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One invoice or credit note and all that was read for it."""

    subject: Record
    currency: str
    reads: Mapping[str, Read]
    settings: MatchSettings
    choice: OrderChoice
    lines: tuple[BilledLine, ...]
    ledger: Mapping[OrderLineKey, LineLedger]
    credits: Credits
    billed: Mapping[OrderLineKey, tuple[BilledLine, ...]]
    """The subject's lines by the order line they belong to."""
    units: Mapping[OrderLineKey, Decimal]
    """Units that the subject bills, by order line; a quantity that cannot be read counts as none."""
    credited: Mapping[OrderLineKey, Decimal]
    """Units that credits of the subject take back, by order line."""
    refunded: Mapping[OrderLineKey, Decimal]
    """Money that credits of the subject give back without taking units back, by order line."""

    @property
    def net(self) -> Decimal:
        """Return what the subject asks for without tax."""
        allowances, charges = self.subject.get("allowance_total"), self.subject.get("charge_total")
        return number_or_zero(self.subject.get("line_total")) - number_or_zero(allowances) + number_or_zero(charges)

    @property
    def fully_credited(self) -> bool:
        """Tell whether credits cover the whole invoice (false while they are unknown)."""
        return self.credits.cover(self.subject)

    @property
    def currencies_agree(self) -> bool:
        """Tell whether the subject is in the currency of every order it cites."""
        return all(order.get("currency") == self.currency for order in self.choice.orders)

    def money(self, amount: Decimal) -> Money:
        """Return an amount in the subject's currency."""
        return Money(amount=amount, currency=self.currency)

    def records(self, name: str) -> tuple[Record, ...]:
        """Return the records of a read, none if it failed or was not asked for."""
        return records_of(self.reads.get(name))

    def scope(self, line: Mapping[str, Any] | None = None) -> dict[str, str]:
        """Return what a tolerance may depend on."""
        found = {"vendor": self.subject.get("vendor_id"), "currency": self.currency}
        if line is not None:
            found["item"] = line.get("item") or line.get("vendor_item")
        return {name: str(value) for name, value in found.items() if value}

    def credited_quantity(self, key: OrderLineKey) -> Decimal:
        """Return the units of an order line that credits of this invoice take back; nothing if all of it is credited.

        A fully credited invoice keeps its findings: they say why it was credited, and the credit itself is a fact.
        """
        return self.credited.get(key, ZERO)

    def credited_money(self, key: OrderLineKey) -> Decimal:
        """Return the money that credits of this invoice give back on an order line without taking units back."""
        return self.refunded.get(key, ZERO)


def records_of(read: Read | None) -> tuple[Record, ...]:
    """Return the records of a read, none if it failed or was not asked for."""
    return read.records if isinstance(read, ReadRecords) else ()


def make_match(subject: Record, reads: Mapping[str, Read], settings: MatchSettings) -> Match:
    """Bring the reads together; nothing is judged here."""
    choice = choose_orders(subject, reads.get("purchase_orders"))
    invoices = [one for one in records_of(reads.get("invoices")) if one["id"] != subject["id"]]
    if subject.get("kind") == "invoice":
        invoices.append(subject)
    attributor = Attributor(choice.orders, settings.inference_threshold)
    credits = allocate_credits(invoices=invoices, notes=reads.get("credit_notes"), attributor=attributor)
    ledger = build_ledger(
        orders=choice.orders,
        receipts=reads.get("receipts"),
        invoices=reads.get("invoices"),
        credits=credits,
        subject=subject,
        attributor=attributor,
    )
    lines = tuple(
        BilledLine(line=line, found=one, ledger=ledger.get(one.key) if one.key else None)
        for line, one in zip(lines_of(subject), attributor.document(subject), strict=True)
    )
    of_subject = () if credits.cover(subject) else credits.of(subject)
    return Match(
        subject=subject,
        currency=str(subject.get("currency") or ""),
        reads=reads,
        settings=settings,
        choice=choice,
        lines=lines,
        ledger=ledger,
        credits=credits,
        billed=_by_order_line(lines),
        units=_summed({line.found.key: line.quantity or ZERO} for line in lines if line.found.key is not None),
        credited=_summed(one.quantities for one in of_subject),
        refunded=_summed(one.money for one in of_subject),
    )


def _by_order_line(lines: Sequence[BilledLine]) -> dict[OrderLineKey, tuple[BilledLine, ...]]:
    found: dict[OrderLineKey, list[BilledLine]] = {}
    for line in lines:
        if line.found.key is not None:
            found.setdefault(line.found.key, []).append(line)
    return {key: tuple(group) for key, group in found.items()}


def _summed(parts: Iterable[Mapping[OrderLineKey, Decimal]]) -> dict[OrderLineKey, Decimal]:
    found: dict[OrderLineKey, Decimal] = {}
    for part in parts:
        for key, value in part.items():
            found[key] = found.get(key, ZERO) + value
    return found


def choose_orders(subject: Record, read: Read | None) -> OrderChoice:
    """Find the orders that the subject cites among those that were read."""
    header = subject.get("po_number")
    cited = list(dict.fromkeys([header, *(line.get("po_number") for line in lines_of(subject))]))
    numbers = [str(one) for one in cited if one]
    if not numbers:
        return OrderChoice(problem="order_missing")
    if not isinstance(read, ReadRecords):
        return OrderChoice(missing=("the order",))
    orders: list[Record] = []
    missing: list[str] = []
    for cited_number in numbers:
        same = [one for one in read.records if number_key(str(one.get("number") or "")) == number_key(cited_number)]
        if not same and cited_number == header:
            return OrderChoice(problem="order_unknown")
        if not same:
            # The read asked for the header's order only, so this one is not known to be absent.
            missing.append("the order of a line")
            continue
        own = [one for one in same if one.get("vendor_id") == subject.get("vendor_id")]
        if not own:
            return OrderChoice(problem="order_of_other_party", evidence=evidence_of(same))
        chosen = _one_of(own, subject)
        if chosen is None:
            missing.append("which of several orders with one number is meant")
        else:
            orders.append(chosen)
    return OrderChoice(orders=tuple(orders), missing=tuple(dict.fromkeys(missing)), evidence=evidence_of(orders))


def _one_of(orders: Sequence[Record], subject: Record) -> Record | None:
    if len(orders) == 1:
        return orders[0]
    same_currency = [one for one in orders if one.get("currency") == subject.get("currency")]
    return same_currency[0] if len(same_currency) == 1 else None
