"""FEEL, the expression language of DMN: text -> tree -> checked tree -> compiled function.

>>> from settledesk.feel import compile_expression, compile_unary_tests
>>> compile_expression("sum(xs) / count(xs)", names=["xs"]).evaluate({"xs": [1, 2]})
Decimal('1.5')
>>> compile_unary_tests("[1..10)").test(10)
False
"""

from settledesk.feel.errors import (
    Diagnostic,
    FeelCallError,
    FeelError,
    FeelLimitError,
    FeelSyntaxError,
    UnknownNameError,
)
from settledesk.feel.expression import Expression, Result, UnaryTests, compile_expression, compile_unary_tests
from settledesk.feel.limits import DEFAULT_LIMITS, Limits
from settledesk.feel.temporal import Date, Days, LocalDateTime, LocalTime, Months, Zone, ZonedDateTime, ZonedTime
from settledesk.feel.values import FeelValue, Function, Range

__all__ = [
    "DEFAULT_LIMITS",
    "Date",
    "Days",
    "Diagnostic",
    "Expression",
    "FeelCallError",
    "FeelError",
    "FeelLimitError",
    "FeelSyntaxError",
    "FeelValue",
    "Function",
    "Limits",
    "LocalDateTime",
    "LocalTime",
    "Months",
    "Range",
    "Result",
    "UnaryTests",
    "UnknownNameError",
    "Zone",
    "ZonedDateTime",
    "ZonedTime",
    "compile_expression",
    "compile_unary_tests",
]
