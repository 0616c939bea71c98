"""An invoice of two thousand lines is matched in well under a second, however its lines meet the order's."""

import time
from typing import Any

import matching_world as world
import pytest

from settledesk.matching import three_way

LINES = 2_000
CPU_S_MAX = 1.5
"""It takes a third of this; work that grows with the square of the lines takes ten times as much."""


def _given(*, order_lines: int, credited: bool) -> dict[str, Any]:
    each = LINES // order_lines
    places = [{"line": n, "po_line": 1 if order_lines == 1 else n} for n in range(1, LINES + 1)]
    billed = [{**place, "quantity": 1, "unit_price": 12} for place in places]
    back = [{**place, "quantity": "0.5", "unit_price": 12} for place in places]
    return {
        "orders": [{"number": "PO-1", "lines": [{"quantity": each} for _ in range(order_lines)]}],
        "receipts": [{"number": "R1", "lines": [{"po_line": n + 1, "accepted": each} for n in range(order_lines)]}],
        "invoices": [{"number": "I1", "lines": billed}],
        "credits": [{"number": "C1", "invoice_numbers": ["I1"], "lines": back}] if credited else [],
    }


@pytest.mark.parametrize("credited", [False, True])
@pytest.mark.parametrize("order_lines", [1, LINES])
def test_two_thousand_lines_take_no_time_that_grows_with_their_square(order_lines: int, credited: bool) -> None:
    """On one order line or on as many, with a credit note of as many lines or without, the price is still found."""
    records = world.world(_given(order_lines=order_lines, credited=credited))
    reads = world.reads_for(records, records["invoices"][0])
    started = time.process_time()
    assessment = three_way(reads, world.settings())
    assert time.process_time() - started < CPU_S_MAX
    assert [finding.kind for finding in assessment.findings] == ["price_over"]
