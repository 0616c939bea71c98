"""Comparing an answer with what the kit demands, as the kit's own runners do."""

from decimal import Decimal, localcontext
from typing import Any

from settledesk.conformance.cases import Untyped
from settledesk.feel.builtins.conversions import text_of
from settledesk.feel.operators import equal
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.temporal import PYTHON_TYPES
from settledesk.feel.values import to_feel

TOLERANCE = Decimal("0.00000001")


def same(got: Any, expected: Any) -> bool:
    """Tell whether an answer is the expected one.

    Numbers are equal to eight decimals, lists element by element in their order, contexts by their keys, dates, times
    and durations by value; a null only equals null. A value that the kit gives no type is compared as text.
    """
    if isinstance(expected, Untyped):
        return _as_text(got) == expected.text
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
    if type(got) is type(expected) and isinstance(expected, str | bool | None):
        return bool(got == expected)
    value, wanted = (to_feel(one) if isinstance(one, PYTHON_TYPES) else one for one in (got, expected))
    with localcontext(DECIMAL_CONTEXT):
        return type(value) is type(wanted) and equal(value, wanted, Run()) is True


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else text_of(value, Run())


def _close(got: Decimal, expected: Decimal) -> bool:
    if got == expected:
        return True
    with localcontext(DECIMAL_CONTEXT):
        return abs(got - expected) < TOLERANCE
