"""Prices against the order: over the tolerance, of another item, or not comparable at all."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from settledesk.facts import EvidenceId, Fact, Known, Unknown, display_reference, merge_evidence
from settledesk.matching.assessment import Finding, LineFinding
from settledesk.matching.attribution import OrderLineKey
from settledesk.matching.context import BilledLine, Match
from settledesk.matching.records import ZERO, evidence_of, net_unit_price, plain, unit_price

HUNDRED = Decimal(100)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceDifference:
    """Billed against ordered price of one unit. `percent` is unrounded, none for an order price of zero."""

    line: BilledLine
    billed: Decimal
    ordered: Decimal
    percent: Decimal | None
    excess: Decimal
    """Over-price by quantity, net of what was credited."""


def price_over(match: Match) -> Finding | None:
    """Return lines priced strictly above the tolerance; a line with a substituted item never enters."""
    found = [
        difference
        for difference in differences(match)
        if not difference.line.substituted
        and difference.excess > 0
        and not match.settings.tolerances("price_over", match.scope(difference.line.line)).allows(
            percent=difference.percent, absolute=difference.excess
        )
    ]
    return _finding(match, "price_over", found, "is priced above the order") if found else None


def item_substituted(match: Match) -> Finding | None:
    """Return lines that bill another item than was ordered; the amount is what it costs more."""
    lines = [line for line in match.lines if line.substituted and _still_billed(match, line)]
    if not lines:
        return None
    by_line = {id(one.line): one for one in differences(match)}
    found = [by_line[id(line)] for line in lines if id(line) in by_line]
    excess = sum((one.excess for one in found if one.excess > 0), ZERO)
    evidence = _evidence(match)
    dearer: Fact = Known(value=any(one.billed > one.ordered for one in found), evidence=evidence)
    if len(found) != len(lines):
        dearer = Unknown(reason="the price of a substituted line cannot be compared with the order")
    return Finding(
        kind="item_substituted",
        amount=match.money(excess),
        text=f"{_lines_text(lines)} another item than was ordered",
        lines=tuple(_item_line(line) for line in lines),
        measures={
            "excess": Known(value=match.money(excess), evidence=evidence),
            "substitute_dearer": dearer,
            "percent": worst_percent(found, match),
            "billed_item": _one_code(lines, match, billed=True),
            "ordered_item": _one_code(lines, match, billed=False),
        },
        evidence=evidence,
    )


def order_price_unreadable(match: Match) -> Finding | None:
    """Return billed lines whose price on the order cannot be read, or which the order itself contradicts."""
    lines = [line for line in match.lines if line.ledger is not None and unit_price(line.ledger.line) is None]
    if not lines:
        return None
    billed = net_unit_price(lines[0].line) if len(lines) == 1 else None
    return Finding(
        kind="order_price_unreadable",
        amount=match.money(sum((line.amount for line in lines), ZERO)),
        text="the order's own price for what is billed cannot be read",
        measures={
            "billed_unit_price": Unknown(reason="several lines have no readable order price, or none is billed at one")
            if billed is None
            else Known(value=billed, evidence=_evidence(match)),
        },
        lines=tuple(
            LineFinding(
                line=line.name,
                stated=_price_text(net_unit_price(line.line)),
                expected="unreadable",
                text=f"line {line.name}: the order's price cannot be read",
            )
            for line in lines
        ),
        evidence=_evidence(match),
    )


def differences(match: Match) -> Iterator[PriceDifference]:
    """Yield every line whose price can be compared with its order line, below or above it."""
    if not match.currencies_agree:
        return
    # Lines that share an order line share its credits: each unit and each cent of them comes back once.
    left_units: dict[OrderLineKey, Decimal] = {}
    left_money: dict[OrderLineKey, Decimal] = {}
    for line in match.lines:
        if line.ledger is None or not line.units_agree or not _still_billed(match, line):
            continue
        billed, ordered = net_unit_price(line.line), unit_price(line.ledger.line)
        if billed is None or ordered is None or line.quantity is None or line.found.key is None:
            continue
        over = billed - ordered
        key = line.found.key
        units = _taken(left_units, key, match.credited_quantity(key), line.quantity)
        excess = over * (max(ZERO, line.quantity) - units)
        yield PriceDifference(
            line=line,
            billed=billed,
            ordered=ordered,
            percent=over / ordered * HUNDRED if ordered > 0 else None,
            excess=excess - _taken(left_money, key, match.credited_money(key), excess),
        )


def _taken(left: dict[OrderLineKey, Decimal], key: OrderLineKey, credited: Decimal, most: Decimal) -> Decimal:
    taken = max(ZERO, min(left.setdefault(key, credited), most))
    left[key] -= taken
    return taken


def worst_percent(found: list[PriceDifference], match: Match) -> Fact:
    """Return the largest unrounded percent of these lines, unknown if one has no order price to compare with."""
    percents = [one.percent for one in found]
    if not percents or None in percents:
        return Unknown(reason="the price cannot be compared with the order's as a percentage")
    return Known(value=max(percent for percent in percents if percent is not None), evidence=_evidence(match))


def _still_billed(match: Match, line: BilledLine) -> bool:
    if line.found.key is None or line.quantity is None:
        return True
    return not ZERO < match.units[line.found.key] <= match.credited_quantity(line.found.key)


def _finding(match: Match, kind: str, found: list[PriceDifference], words: str) -> Finding:
    excess = sum((one.excess for one in found), ZERO)
    return Finding(
        kind=kind,
        amount=match.money(excess),
        text=f"{len(found)} of {len(match.lines)} lines {words}"
        if len(found) > 1
        else f"line {found[0].line.name} {words}",
        lines=tuple(
            LineFinding(
                line=one.line.name,
                stated=plain(one.billed),
                expected=plain(one.ordered),
                text=f"line {one.line.name}: {plain(one.billed)} billed, {plain(one.ordered)} ordered"
                + _percent_text(one),
            )
            for one in found
        ),
        measures={
            "percent": worst_percent(found, match),
            "excess": Known(value=match.money(excess), evidence=_evidence(match)),
        },
        evidence=_evidence(match),
    )


def _percent_text(one: PriceDifference) -> str:
    return "" if one.percent is None else f", {one.percent:+.2f} %"


def _item_line(line: BilledLine) -> LineFinding:
    assert line.ledger is not None
    billed, ordered = item_codes(line)
    return LineFinding(
        line=line.name, stated=billed, expected=ordered, text=f"line {line.name}: {billed} billed, {ordered} ordered"
    )


def item_codes(line: BilledLine) -> tuple[str, str]:
    """Return (billed, ordered) item codes of a substituted line as a person may see them."""
    ordered = line.ledger.line if line.ledger is not None else {}
    name = "item" if line.line.get("item") and ordered.get("item") else "vendor_item"
    return display_reference(str(line.line.get(name))), display_reference(str(ordered.get(name)))


def _one_code(lines: list[BilledLine], match: Match, *, billed: bool) -> Fact:
    codes = {item_codes(line)[0 if billed else 1] for line in lines}
    if len(codes) > 1:
        return Unknown(reason="several lines bill another item than was ordered, so no single item answers")
    return Known(value=codes.pop(), evidence=_evidence(match))


def _lines_text(lines: list[BilledLine]) -> str:
    return f"line {lines[0].name} bills" if len(lines) == 1 else f"{len(lines)} lines bill"


def _price_text(price: Decimal | None) -> str:
    return "unreadable" if price is None else plain(price)


def _evidence(match: Match) -> tuple[EvidenceId, ...]:
    return merge_evidence(evidence_of([match.subject]), match.choice.evidence)
