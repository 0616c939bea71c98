"""Values that stand for others: a short and plain one between two constants, and guesses for what has to be run."""

from collections.abc import Iterable, Iterator
from decimal import ROUND_FLOOR, Context, Decimal, localcontext
from functools import cache, cmp_to_key
from typing import Any

from settledesk.feel import Expression, compile_expression
from settledesk.feel.operators import order
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.values import to_feel, type_name

DIGITS_MAX = 40
"""Digits after the point that a number between two others may have."""
GUESSES_MAX = 400

_EXACT = Context(prec=200, traps=[])
_STEPS: dict[str, tuple[str, ...]] = {
    "date": ('x + duration("P1D")', 'x - duration("P1D")'),
    "time": (
        'x + duration("PT1H")',
        'x - duration("PT1H")',
        'x + duration("PT1M")',
        'x + duration("PT1S")',
        'x + duration("PT0.001S")',
    ),
    "date and time": (
        'x + duration("P1D")',
        'x - duration("P1D")',
        'x + duration("PT1H")',
        'x + duration("PT1M")',
        'x + duration("PT1S")',
        'x + duration("PT0.001S")',
    ),
    "days and time duration": (
        'x + duration("P1D")',
        'x - duration("P1D")',
        'x + duration("PT1H")',
        'x + duration("PT1M")',
        'x + duration("PT1S")',
        'x + duration("PT0.001S")',
    ),
    "years and months duration": ('x + duration("P1M")', 'x - duration("P1M")'),
}
_USUAL: dict[str, str] = {
    "number": "0",
    "boolean": "true",
    "string": '"other"',
    "date": 'date("2024-01-15")',
    "time": 'time("12:00:00")',
    "date and time": 'date and time("2024-01-15T12:00:00")',
    "days and time duration": 'duration("P1D")',
    "years and months duration": 'duration("P1Y")',
    "list": "[]",
    "context": "{}",
    "range": "[1..2]",
}
ORDERED_KINDS = frozenset({*_STEPS, "number"})


def usual(kind: str) -> Any:
    """Return a plain value of the type; null if the type has none that could be written."""
    text = _USUAL.get(kind)
    return None if text is None else to_feel(_expression(text).evaluate({}))


def in_order(values: Iterable[Any]) -> list[Any] | None:
    """Return the values of one type sorted and distinct; `None` if two of them cannot be compared."""
    given = list(values)
    run = Run()
    kinds = {type(value) for value in given}
    if len(kinds) > 1:
        return None
    found: list[Any] = []
    for value in sorted(given, key=cmp_to_key(lambda one, two: order(one, two, run) or 0)):
        apart = 1 if not found else order(value, found[-1], run)
        if apart is None:
            return None
        if apart > 0:
            found.append(value)
    return found


def between(low: Any, high: Any, kind: str) -> Any:
    """Return a value above `low` and below `high` (`None`: no bound), or null if there is none."""
    if low is None and high is None:
        return usual(kind)
    if kind == "number":
        return _number(low, high)
    if kind == "string":
        return _text(low, high)
    plain = usual(kind)
    for value in (plain, *_stepped(low, high, kind)):
        if lies_between(value, low, high):
            return value
    return None


def lies_between(value: Any, low: Any, high: Any) -> bool:
    """Tell whether the value lies above `low` and below `high`, neither included."""
    run = Run()
    if low is not None and order(low, value, run) != -1:
        return False
    return high is None or order(value, high, run) == -1


def _stepped(low: Any, high: Any, kind: str) -> Iterator[Any]:
    for text in _STEPS.get(kind, ()):
        start = low if "+" in text else high
        if start is not None:
            yield to_feel(_expression(text).evaluate({"x": start}))


@cache
def _expression(text: str) -> Expression:
    return compile_expression(text, ["x"])


def _number(low: Decimal | None, high: Decimal | None) -> Decimal | None:
    zero = Decimal(0)
    with localcontext(_EXACT):
        if (low is None or low < zero) and (high is None or zero < high):
            return zero
        if low is None:
            assert high is not None
            below = high.to_integral_value(rounding=ROUND_FLOOR)
            return _kept(below if below < high else below - 1, low, high)
        for digits in range(DIGITS_MAX):
            step = Decimal(1).scaleb(-digits)
            found = ((low / step).to_integral_value(rounding=ROUND_FLOOR) + 1) * step
            if high is None or found < high:
                return _kept(found, low, high)
        assert high is not None
        return _kept((low + high) / 2, low, high)


def _kept(found: Decimal, low: Decimal | None, high: Decimal | None) -> Decimal | None:
    """Return the number as FEEL holds it, if it still lies between."""
    number = DECIMAL_CONTEXT.plus(found)
    plain = number.quantize(Decimal(1)) if number == number.to_integral_value() and abs(number) < 10**20 else number
    return plain if (low is None or low < plain) and (high is None or plain < high) else None


def _text(low: str | None, high: str | None) -> str | None:
    start = low or ""
    for tail in ("", "other", "a", "0", " ", "!", "\x01"):
        found = start + tail
        if (low is None or low < found) and (high is None or found < high):
            return found
    return None


def other_text(named: Iterable[str]) -> str:
    """Return a text that is not among the named ones."""
    taken = set(named)
    number = 0
    found = "other"
    while found in taken:
        number += 1
        found = f"other {number}"
    return found


def guesses(constants: Iterable[Any], kinds: Iterable[str], *, lists_first: bool = False) -> list[Any]:
    """Return values to try on cells that have to be run: what stands in them, what lies beside, and combinations.

    `kinds` are the types wanted; none, or `any`, are all that occur. `lists_first`: before single values.
    """
    by_kind: dict[str, list[Any]] = {}
    for value in constants:
        known = by_kind.setdefault(type_name(value), [])
        if value not in known:
            known.append(value)
    wanted = set(kinds)
    any_kind = not wanted or "any" in wanted
    found: list[Any] = []
    for kind in sorted(_USUAL, key=lambda kind: kind != "list") if lists_first else _USUAL:
        if any_kind and kind not in by_kind and kind != "list":
            continue
        if any_kind or kind in wanted:
            found.extend(_of_kind(kind, by_kind))
    return found[:GUESSES_MAX]


def _of_kind(kind: str, by_kind: dict[str, list[Any]]) -> list[Any]:
    known = by_kind.get(kind, [])
    if kind == "string":
        few = known[:10]
        return [*known, "", *[one + two for one in few for two in few if one != two], "a", "A", "1", "other"]
    if kind == "number":
        return [*known, *_beside(known), *map(Decimal, ("0", "1", "2", "3", "10", "100", "-1", "0.5"))]
    if kind == "list":
        items = [value for values in by_kind.values() for value in values][:12]
        singles = [[item] for item in items]
        pairs = [[one, two] for place, one in enumerate(items) for two in items[place + 1 :]]
        return [*singles, [], *pairs, *([items] if len(items) > 2 else [])]
    if kind in _STEPS:
        return [*known, *[value for one in known for value in _stepped(one, one, kind)], usual(kind)]
    return [usual(kind)]


def _beside(known: list[Decimal]) -> list[Decimal]:
    with localcontext(DECIMAL_CONTEXT):
        return [value + step for value in known for step in (1, -1)]
