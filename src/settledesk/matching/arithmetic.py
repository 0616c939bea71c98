"""The document's own arithmetic: lines from quantity and price, totals from lines. Slack is half a minor unit."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from settledesk.matching.assessment import Record
from settledesk.matching.records import ZERO, lines_of, number, number_or_zero, slack


@dataclass(frozen=True, slots=True, kw_only=True)
class Discrepancy:
    """A stated figure and what it should be. `line` is empty for the totals."""

    line: str
    stated: Decimal
    expected: Decimal

    @property
    def difference(self) -> Decimal:
        """Return how far the two lie apart, never below zero."""
        return abs(self.stated - self.expected)


def line_discrepancies(document: Record) -> tuple[Discrepancy, ...]:
    """Return the lines whose amount is not quantity by price less allowance; lines without a price are left out."""
    margin = slack(str(document.get("currency") or ""))
    found = []
    for line in lines_of(document):
        stated, expected = number(line.get("line_amount")), _expected(line)
        if stated is None or expected is None:
            continue
        if abs(stated - expected) > margin:
            found.append(Discrepancy(line=str(line["line"]), stated=stated, expected=expected))
    return tuple(found)


def total_discrepancies(document: Record) -> tuple[Discrepancy, ...]:
    """Return where the totals do not follow: lines to their sum, and sum, allowances, charges and tax to the total."""
    margin = slack(str(document.get("currency") or ""))
    amounts = [number(line.get("line_amount")) for line in lines_of(document)]
    lines = sum((amount for amount in amounts if amount is not None), ZERO)
    line_total, total = number(document.get("line_total")), number(document.get("total"))
    found = []
    if line_total is not None and None not in amounts:
        found.append(Discrepancy(line="", stated=line_total, expected=lines))
    if line_total is not None and total is not None:
        found.append(Discrepancy(line="", stated=total, expected=line_total + _beside_lines(document)))
    return tuple(one for one in found if one.difference > margin)


def _beside_lines(document: Record) -> Decimal:
    return (
        number_or_zero(document.get("charge_total"))
        - number_or_zero(document.get("allowance_total"))
        + number_or_zero(document.get("tax"))
    )


def _expected(line: Mapping[str, Any]) -> Decimal | None:
    quantity, price = number(line.get("quantity")), number(line.get("unit_price"))
    base = number(line.get("base_quantity", "1") or "1")
    if quantity is None or price is None or base is None or base <= 0:
        return None
    return quantity * price / base - number_or_zero(line.get("allowance"))
