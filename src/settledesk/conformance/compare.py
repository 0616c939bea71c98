"""Comparing an answer with what the kit demands, as the kit's own runners do."""

from decimal import Decimal, localcontext
from typing import Any

from settledesk.feel.operators import equal
from settledesk.feel.run import DECIMAL_CONTEXT, Run

TOLERANCE = Decimal("0.00000001")


def same(got: Any, expected: Any) -> bool:
    """Tell whether an answer is the expected one.

    Numbers are equal to eight decimals, lists element by element in their order, contexts by their keys, dates, times
    and durations by value; a null only equals null.
    """
    if isinstance(expected, Decimal):
        return isinstance(got, Decimal) and _close(got, expected)
    if isinstance(expected, dict):
        return (
            isinstance(got, dict)
            and got.keys() == expected.keys()
            and all(same(got[key], value) for key, value in expected.items())
        )
    if isinstance(expected, list):
        return isinstance(got, list) and len(got) == len(expected) and all(map(same, got, expected))
    if type(got) is not type(expected):
        return False
    if isinstance(expected, str | bool | None):
        return bool(got == expected)
    with localcontext(DECIMAL_CONTEXT):
        return equal(got, expected, Run()) is True


def _close(got: Decimal, expected: Decimal) -> bool:
    if got == expected:
        return True
    with localcontext(DECIMAL_CONTEXT):
        return abs(got - expected) < TOLERANCE
