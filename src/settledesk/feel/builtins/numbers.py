"""Functions over numbers. Scales reach from -6111 to 6176, as decimal128 has them."""

from collections.abc import Callable
from decimal import (
    ROUND_CEILING,
    ROUND_DOWN,
    ROUND_FLOOR,
    ROUND_HALF_DOWN,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    ROUND_UP,
    Decimal,
)
from typing import Any

from settledesk.feel.arithmetic import divide
from settledesk.feel.builtins.registry import builtin
from settledesk.feel.run import Run
from settledesk.feel.temporal import Days, Months

SCALE_MIN, SCALE_MAX = -6111, 6176


def _rounded(run: Run, number: Decimal, scale: Decimal | None, rounding: str) -> Any:
    places = Decimal(0) if scale is None else scale.to_integral_value(rounding=ROUND_DOWN)
    if not SCALE_MIN <= places <= SCALE_MAX:
        return run.note("argument", f"the scale must lie between {SCALE_MIN} and {SCALE_MAX}")
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and -exponent <= places:
        return number
    result = number.quantize(Decimal(1).scaleb(-int(places)), rounding=rounding)
    if not result.is_finite():
        return run.note("arithmetic", "the number has too many digits to be rounded there")
    return result if places >= 0 else result + 0


def _register_rounding(name: str, parameters: str, rounding: str) -> None:
    def rounder(run: Run, number: Decimal, scale: Decimal | None) -> Any:
        return _rounded(run, number, scale, rounding)

    builtin(name, parameters)(rounder)


for _name, _parameters, _rounding in (
    ("decimal", "n: number, scale: number", ROUND_HALF_EVEN),
    ("floor", "n: number, scale?: number", ROUND_FLOOR),
    ("ceiling", "n: number, scale?: number", ROUND_CEILING),
    ("round up", "n: number, scale: number", ROUND_UP),
    ("round down", "n: number, scale: number", ROUND_DOWN),
    ("round half up", "n: number, scale: number", ROUND_HALF_UP),
    ("round half down", "n: number, scale: number", ROUND_HALF_DOWN),
):
    _register_rounding(_name, _parameters, _rounding)


@builtin("abs", "n: number")
def _abs(_run: Run, number: Decimal) -> Decimal:
    return abs(number)


@builtin("abs", "n: duration")
def _abs_duration(_run: Run, length: Days | Months) -> Days | Months:
    return Months(abs(length.total)) if isinstance(length, Months) else Days(abs(length.nanoseconds))


@builtin("modulo", "dividend: number, divisor: number")
def _modulo(run: Run, dividend: Decimal, divisor: Decimal) -> Any:
    if not divisor:
        return run.note("arithmetic", "a number cannot be divided by zero")
    quotient = divide(dividend, divisor, run, 0)
    if quotient is None:
        return None
    result = dividend - divisor * quotient.to_integral_value(rounding=ROUND_FLOOR)
    return result if result.is_finite() else run.note("arithmetic", "the result is not a number")


def _parity(number: Decimal) -> Any:
    if number != number.to_integral_value():
        return None
    rest = number % 2
    return rest if rest.is_finite() else Decimal(0)


@builtin("odd", "number: number")
def _odd(_run: Run, number: Decimal) -> Any:
    rest = _parity(number)
    return False if rest is None else rest != 0


@builtin("even", "number: number")
def _even(_run: Run, number: Decimal) -> Any:
    rest = _parity(number)
    return False if rest is None else rest == 0


_FUNCTION_STEPS = 20
"""What a logarithm or a root takes, beside a product."""


def _register_function(name: str, function: Callable[[Decimal], Decimal]) -> None:
    def applied(run: Run, number: Decimal) -> Any:
        run.spend(_FUNCTION_STEPS)
        result = function(number)
        return result if result.is_finite() else run.note("arithmetic", f"`{name}` has no value there")

    builtin(name, "number: number")(applied)


_register_function("sqrt", lambda number: number.sqrt())
_register_function("log", lambda number: number.ln())
_register_function("exp", lambda number: number.exp())
