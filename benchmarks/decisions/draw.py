"""Facts for the two tables and random tables for the verifier, the same on each machine.

Facts come as decimals. They hit every row, miss all of them now and then, leave things unknown, and often lie exactly
on a bound.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, TypeAlias, TypeVar

from benchmarks.decisions import by_hand

Facts: TypeAlias = dict[str, Any]
T = TypeVar("T")

SEED = 12_05
_MULTIPLIER, _INCREMENT, _BITS = 6364136223846793005, 1442695040888963407, 64

_REASONS = (
    *("PRICE_VARIANCE", "ITEM_SUBSTITUTED", "PO_PRICE_UNREADABLE") * 4,
    *("POSSIBLE_DUPLICATE", "UNPLANNED_CHARGE", "LINE_ARITHMETIC", "NOT_BALANCED", "DUPLICATE") * 2,
    *("QTY_OVER_RECEIPT", "NO_RECEIPT", "QTY_OVER_ORDER", "VENDOR_BANK_CHANGED", "TAX_VARIANCE", "CURRENCY_MISMATCH"),
    *("UNIT_MISMATCH", "PO_NOT_OPEN", "PAYEE_MISMATCH", "VENDOR_BLOCKED", "CREDIT_OVER_INVOICE", "NO_PO", None),
)
_ACTIONS = ("none", "none", "approve-variance", "short-pay", "request-credit-memo", "reject", "hold", None)
_SMALL = (Decimal("0.02"), Decimal("0.02"), Decimal("0.03"))
_TRUTH = (True, True, False, None)


class Draw:
    """A linear congruential generator: pseudo-random numbers that are the same everywhere."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, bound: int) -> int:
        """Return a whole number from 0 up to but not `bound`."""
        self._state = (self._state * _MULTIPLIER + _INCREMENT) % 2**_BITS
        return (self._state >> 33) % bound

    def pick(self, values: Sequence[T]) -> T:
        """Return one of the values."""
        return values[self.below(len(values))]

    def cents(self, bound: int) -> Decimal:
        """Return an amount of cents from 0.00 up to but not `bound`."""
        return Decimal(self.below(bound * 100)).scaleb(-2)


def carriage_facts(count: int) -> list[Facts]:
    """Return facts for the table `carriage`."""
    return _mostly_matched(count, _one_delivery, by_hand.carriage)


def resolution_facts(count: int) -> list[Facts]:
    """Return facts for the desk's table `resolution`."""
    return _mostly_matched(count, _one_exception, by_hand.resolution)


def _mostly_matched(count: int, one: Callable[[Draw], Facts], decide: Callable[[Facts], Any]) -> list[Facts]:
    """Draw facts and leave out most of those that no row matches: some stay, an eighth or so."""
    draw = Draw(SEED)
    found: list[Facts] = []
    while len(found) < count:
        facts = one(draw)
        if decide(facts) is not None or draw.below(10) == 0:
            found.append(facts)
    return found


def _one_delivery(draw: Draw) -> Facts:
    return {
        "customer": draw.pick(("gold", "gold", "regular", "regular", "regular", "new", "guest", None)),
        "region": draw.pick(("EU", "EU", "EU", "UK", "CH", "US", None)),
        "voucher": draw.pick((None, None, "SPRING", "FRIEND")),
        "weight": draw.pick((draw.cents(30), draw.cents(45), Decimal(30), Decimal(20), Decimal(0), None)),
        "total": draw.pick((draw.cents(100), draw.cents(900), Decimal(100), Decimal(500), Decimal(50), None)),
    }


def _one_exception(draw: Draw) -> Facts:
    agreed = draw.pick((draw.cents(90), draw.cents(90), draw.cents(90) + 1, Decimal(0), None))
    billed = draw.pick((draw.cents(99), None, None if agreed is None else agreed * Decimal("1.02")))
    return {
        "reason_code": draw.pick(_REASONS),
        "declined_action": draw.pick(("none", "none", "none", "none", "approve-variance", "approve-variance", None)),
        "decline_reason": draw.pick(("none", "PAY_PO_PRICE", "PAY_PO_PRICE", "RETURN_GOODS", "OTHER", None)),
        "other_action": draw.pick(_ACTIONS),
        "currency": draw.pick(("EUR", "EUR", "EUR", "USD", None)),
        "percent": draw.pick((draw.cents(12), draw.cents(30), Decimal(10), Decimal(0), None)),
        "excess": draw.pick(
            (draw.cents(500), draw.cents(2000), draw.cents(2000), draw.pick(_SMALL), Decimal(500), None)
        ),
        "original_found": draw.pick(_TRUTH),
        "receipts_cover_all": draw.pick(_TRUTH),
        "substitute_dearer": draw.pick(_TRUTH),
        "substitution_reason": draw.pick(("OUT_OF_STOCK", "DISCONTINUED", "UPGRADE", "UNCLEAR", None)),
        "billed_unit_price": billed,
        "po_unit_price": agreed,
    }


def as_json_has_them(facts: Facts) -> Facts:
    """Return the facts as a JSON reader gives them: whole numbers as `int`, others as `float`."""
    return {name: _number(value) if isinstance(value, Decimal) else value for name, value in facts.items()}


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def random_table(rows: int, columns: int) -> bytes:
    """Return a DMN 1.3 file with a UNIQUE table of overlapping ranges of numbers, as it must never be written."""
    draw = Draw(SEED + rows * 1000 + columns)
    names = [f"x{column}" for column in range(columns)]
    inputs = "".join(
        f'<input><inputExpression typeRef="number"><text>{name}</text></inputExpression></input>' for name in names
    )
    required = "".join(
        f'<informationRequirement><requiredInput href="#{name}"/></informationRequirement>' for name in names
    )
    data = "".join(
        f'<inputData id="{name}" name="{name}"><variable name="{name}" typeRef="number"/></inputData>' for name in names
    )
    rules = "".join(
        f'<rule id="row{row}">'
        + "".join(f"<inputEntry><text>{_range(draw)}</text></inputEntry>" for _ in names)
        + f"<outputEntry><text>{row}</text></outputEntry></rule>"
        for row in range(rows)
    )
    return (
        '<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" name="random" namespace="https://random.example">'
        f'<decision id="d" name="random"><variable name="random" typeRef="number"/>{required}<decisionTable '
        f'hitPolicy="UNIQUE">{inputs}<output name="row" typeRef="number"/>{rules}</decisionTable></decision>{data}'
        "</definitions>"
    ).encode()


def _range(draw: Draw) -> str:
    low = draw.below(90)
    high = low + 1 + draw.below(40)
    return f"{draw.pick('[(')}{low}..{high}{draw.pick('])')}"
