"""The document's tax against the percents of its own lines. A document that does not state them all is not judged."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from settledesk.facts import EvidenceId, Known
from settledesk.matching.assessment import Finding, LineFinding, Record
from settledesk.matching.context import Match
from settledesk.matching.records import ZERO, evidence_of, lines_of, number, number_or_zero, plain, slack

HUNDRED = Decimal(100)
WAYS_MAX = 10_000
"""How many ways to tax allowances and charges are told apart; of more, all between lowest and highest follows."""


def tax_variance(match: Match) -> Finding | None:
    """Return a finding if the tax does not follow from the lines, or what only a credit takes back is below zero.

    One minor unit per rate is allowed. A header allowance or charge may change the taxable amount or not, at the rate
    of any line or in proportion: all of these occur, so a tax that follows in one of these ways follows.
    """
    tax, unit = number(match.subject.get("tax")), slack(match.currency) * 2
    nearest = None if tax is None else _nearest(match.subject, tax, unit)
    if tax is not None and nearest is not None:
        rates = len({number(line.get("tax_percent")) for line in lines_of(match.subject)})
        if abs(nearest - tax) > unit * rates:
            stated, followed = plain(tax), plain(_rounded(nearest, unit))
            return _finding(match, abs(tax - nearest), stated, followed, "the tax does not follow from the lines")
    elif tax is not None and tax < 0:
        return _finding(match, -tax, plain(tax), "0", "the tax is below zero")
    return _below_zero(match)


def _below_zero(match: Match) -> Finding | None:
    entries = [*(match.subject.get("charges") or ()), *(match.subject.get("allowances") or ())]
    below = [amount for entry in entries if (amount := number_or_zero(entry.get("amount"))) < 0]
    if not below:
        return None
    total = sum(below, ZERO)
    return _finding(match, -total, plain(total), "0", "a charge or an allowance of the document is below zero")


def _nearest(document: Record, tax: Decimal, unit: Decimal) -> Decimal | None:
    """Return what follows from the lines and lies nearest to the tax; none if a line states no percent or amount."""
    by_rate: dict[Decimal, Decimal] = {}
    per_line = ZERO
    for line in lines_of(document):
        percent, amount = number(line.get("tax_percent")), number(line.get("line_amount"))
        if percent is None or amount is None:
            return None
        by_rate[percent] = by_rate.get(percent, ZERO) + amount
        per_line += _rounded(amount * percent / HUNDRED, unit)
    if not by_rate:
        return None
    exact = sum((amount * percent / HUNDRED for percent, amount in by_rate.items()), ZERO)
    goods = sum(by_rate.values(), ZERO)
    rates = [ZERO, *by_rate, *([exact / goods * HUNDRED] if goods else [])]
    beside = _beside_lines(document)
    ways = _ways(beside, rates)
    if ways is None:
        spread = [sorted(amount * rate / HUNDRED for rate in rates) for amount in beside]
        low = min(exact, per_line) + sum((one[0] for one in spread), ZERO)
        high = max(exact, per_line) + sum((one[-1] for one in spread), ZERO)
        return min(max(tax, low), high)
    # Some round the tax of every line, some only the sum.
    return min((base + way for base in (exact, per_line) for way in ways), key=lambda one: abs(one - tax))


def _ways(amounts: Sequence[Decimal], rates: Sequence[Decimal]) -> set[Decimal] | None:
    """Return what these amounts may add to the tax, each at any of the rates, or none if there are too many ways."""
    ways = {ZERO}
    for amount in amounts:
        if len(ways) * len(rates) > WAYS_MAX:
            return None
        ways = {way + amount * rate / HUNDRED for way in ways for rate in rates}
    return ways


def _beside_lines(document: Record) -> list[Decimal]:
    """Return charges and, below zero, allowances; what the totals have and no entry explains is one more."""
    found: list[Decimal] = []
    for name, total, sign in (("charges", "charge_total", 1), ("allowances", "allowance_total", -1)):
        entries = [number_or_zero(entry.get("amount")) for entry in document.get(name) or ()]
        rest = number_or_zero(document.get(total)) - sum(entries, ZERO)
        found.extend(sign * amount for amount in (*entries, rest) if amount)
    return found


def _finding(match: Match, amount: Decimal, stated: str, expected: str, text: str) -> Finding:
    evidence: tuple[EvidenceId, ...] = evidence_of([match.subject])
    return Finding(
        kind="tax_variance",
        amount=match.money(amount),
        text=text,
        lines=(LineFinding(line="", stated=stated, expected=expected, text=f"{stated} stated, {expected} computed"),),
        measures={"excess": Known(value=match.money(amount), evidence=evidence)},
        evidence=evidence,
    )


def _rounded(amount: Decimal, unit: Decimal) -> Decimal:
    return (amount / unit).quantize(Decimal(1), rounding=ROUND_HALF_UP) * unit
