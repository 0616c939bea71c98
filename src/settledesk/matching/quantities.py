"""Quantities against what was received and ordered, cumulative over all invoices and net of credits and returns."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from settledesk.facts import EvidenceId, Fact, Known, Unknown, merge_evidence
from settledesk.matching.assessment import Finding, LineFinding, Unread
from settledesk.matching.context import BilledLine, Match
from settledesk.matching.ledger import LineLedger
from settledesk.matching.records import ZERO, evidence_of, net_unit_price, plain

HUNDRED = Decimal(100)


@dataclass(frozen=True, slots=True, kw_only=True)
class BilledQuantity:
    """What the subject bills on one order line, net of its credits, and what earlier invoices bill."""

    ledger: LineLedger
    lines: tuple[BilledLine, ...]
    net: Decimal
    before: Decimal
    received: Decimal | None
    """None: not known."""
    evidence: tuple[EvidenceId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Excess:
    billed: BilledQuantity
    limit: Decimal
    quantity: Decimal
    value: Decimal
    percent: Decimal | None


def nothing_received(match: Match) -> Finding | None:
    """Return a finding if nothing at all was received of what is billed, and that is known."""
    billed = [one for one in billed_quantities(match) if one.net > 0]
    if not billed or any(one.received is None or one.received > 0 for one in billed) or not _all_known(match):
        return None
    lines = [line for one in billed for line in one.lines]
    return Finding(
        kind="nothing_received",
        amount=match.money(sum((line.amount for line in lines), ZERO)),
        text="nothing was received of what is billed",
        lines=tuple(_line_finding(line, line.quantity or ZERO, ZERO, "received") for line in lines),
        measures={"quantity": _known(sum((one.net for one in billed), ZERO), match, billed)},
        evidence=_evidence(match, billed),
    )


def quantity_over_received(match: Match) -> Finding | None:
    """Return order lines of which more is billed than was received and not billed before."""
    return _over(match, "quantity_over_received", "than was received and is still to be billed", against_order=False)


def quantity_over_ordered(match: Match) -> Finding | None:
    """Return order lines of which all invoices together bill more than was ordered."""
    return _over(match, "quantity_over_ordered", "than was ordered", against_order=True)


def billed_quantities(match: Match) -> Iterator[BilledQuantity]:
    """Yield what is billed per order line, where units agree and earlier invoices are known."""
    for key, ledger in match.ledger.items():
        lines = match.billed.get(key, ())
        before = ledger.billed_before
        if not lines or isinstance(before, Unknown) or any(not line.units_agree for line in lines):
            continue
        if any(line.quantity is None for line in lines):
            continue
        assert isinstance(before.value, Decimal)
        received = ledger.received
        evidence = received.evidence if isinstance(received, Known) else ()
        yield BilledQuantity(
            ledger=ledger,
            lines=lines,
            net=sum((line.quantity or ZERO for line in lines), ZERO) - match.credited_quantity(key),
            before=before.value,
            received=received.value if isinstance(received, Known) and isinstance(received.value, Decimal) else None,
            evidence=merge_evidence(evidence, before.evidence),
        )


def missing_for_quantities(match: Match) -> tuple[str, ...]:
    """Name the reads without which the quantities of this invoice cannot be judged."""
    if not any(line.found.key is not None for line in match.lines):
        return ()
    named = (
        ("receipts", "the receipts"),
        ("invoices", "the other invoices of the order"),
        ("credit_notes", "the credit notes"),
    )
    missing = [words for name, words in named if isinstance(match.reads.get(name), Unread)]
    if not missing:
        missing = [
            _why(line) for line in match.lines if line.ledger is not None and line.units_agree and _unknown(match, line)
        ]
    return tuple(dict.fromkeys(missing))


def _unknown(match: Match, line: BilledLine) -> bool:
    assert line.ledger is not None
    asked = match.reads.get("receipts") is not None and match.reads.get("invoices") is not None
    return asked and isinstance(line.ledger.billable, Unknown)


def _why(line: BilledLine) -> str:
    return f"what was received and billed of line {line.name}"


def _all_known(match: Match) -> bool:
    return all(line.ledger is None or isinstance(line.ledger.received, Known) for line in match.lines)


def _over(match: Match, kind: str, words: str, *, against_order: bool) -> Finding | None:
    found = []
    for billed in billed_quantities(match):
        limit = billed.ledger.ordered if against_order else billed.received
        if limit is None:
            continue
        excess = _excess(billed, limit)
        scope = match.scope(billed.ledger.line)
        if excess.quantity > 0 and not match.settings.tolerances(kind, scope).allows(
            percent=excess.percent, absolute=excess.quantity
        ):
            found.append(excess)
    if not found:
        return None
    all_billed = [one.billed for one in found]
    value = sum((one.value for one in found), ZERO)
    return Finding(
        kind=kind,
        amount=match.money(value),
        text=f"{plain(sum((one.quantity for one in found), ZERO))} more billed {words}",
        lines=tuple(
            _line_finding(
                one.billed.lines[-1],
                one.billed.before + one.billed.net,
                one.limit,
                "ordered" if against_order else "received",
            )
            for one in found
        ),
        measures={
            "quantity": _known(sum((one.quantity for one in found), ZERO), match, all_billed),
            "excess": Known(value=match.money(value), evidence=_evidence(match, all_billed)),
            "percent": _worst(found, match, all_billed),
        },
        evidence=_evidence(match, all_billed),
    )


def _excess(billed: BilledQuantity, limit: Decimal) -> _Excess:
    over = billed.before + billed.net - limit
    quantity = max(ZERO, min(over, billed.net))
    return _Excess(
        billed=billed,
        limit=limit,
        quantity=quantity,
        value=_value(billed, quantity),
        percent=over / limit * HUNDRED if limit > 0 else None,
    )


def _value(billed: BilledQuantity, quantity: Decimal) -> Decimal:
    """Value the excess at the prices of the last lines: lines that share an order line use it up in their order."""
    value, left = ZERO, quantity
    for line in reversed(billed.lines):
        taken = min(left, max(ZERO, line.quantity or ZERO))
        value += taken * (net_unit_price(line.line) or ZERO)
        left -= taken
    return value


def _worst(found: list[_Excess], match: Match, billed: list[BilledQuantity]) -> Fact:
    percents = [one.percent for one in found]
    if None in percents:
        return Unknown(reason="nothing to compare with as a percentage")
    return _known(max(percent for percent in percents if percent is not None), match, billed)


def _line_finding(line: BilledLine, stated: Decimal, expected: Decimal, word: str) -> LineFinding:
    return LineFinding(
        line=line.name,
        stated=plain(stated),
        expected=plain(expected),
        text=f"line {line.name}: {plain(stated)} billed in all, {plain(expected)} {word}",
    )


def _known(value: Decimal, match: Match, billed: list[BilledQuantity]) -> Fact:
    return Known(value=value, evidence=_evidence(match, billed))


def _evidence(match: Match, billed: list[BilledQuantity]) -> tuple[EvidenceId, ...]:
    return merge_evidence(evidence_of([match.subject]), match.choice.evidence, *(one.evidence for one in billed))
