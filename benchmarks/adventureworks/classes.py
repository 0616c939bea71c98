"""Which class an order's invoice belongs to, and which findings it must have, worked out without the matcher."""

import hashlib
from dataclasses import dataclass
from decimal import Decimal

from benchmarks.adventureworks.source import Order

SEED = 2014
SHORT = "short"
CLEAN = "clean"
DUPLICATE = "duplicate"
FACTORS = {
    "+2.00 %": Decimal("1.0200"),
    "+2.01 %": Decimal("1.0201"),
    "+10.00 %": Decimal("1.1000"),
    "+10.01 %": Decimal("1.1001"),
}
PRICE_TOLERANCE = Decimal("1.02")
_DRAWN = (CLEAN, CLEAN, CLEAN, CLEAN, *FACTORS, DUPLICATE)
"""What an order is drawn from that was received in full; four in nine are clean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """One invoice: its number, class, the factor on every price, and the finding kinds it must have, sorted."""

    number: str
    name: str
    factor: Decimal
    kinds: tuple[str, ...]


def expected_invoices(order: Order) -> tuple[Expected, ...]:
    """Return the invoice of an order and, for the class `duplicate`, the second copy under a number with a space.

    An order that was received short is of the class `short`: it bills as ordered. Every other class differs from a
    clean invoice by its own effect alone; a pending or rejected order adds that it is not open.
    """
    short = any(line.accepted < line.quantity for line in order.lines)
    name = SHORT if short else _drawn(order.number)
    factor = FACTORS.get(name, Decimal(1))
    kinds = []
    if order.status != "OPEN":
        kinds.append("order_not_open")
    if factor > PRICE_TOLERANCE:
        kinds.append("price_over")
    if all(line.accepted == 0 for line in order.lines):
        kinds.append("nothing_received")
    elif short:
        kinds.append("quantity_over_received")
    number = f"INV-{order.number.removeprefix('PO')}"
    first = Expected(
        number=number, name=CLEAN if name == DUPLICATE else name, factor=factor, kinds=tuple(sorted(kinds))
    )
    if name != DUPLICATE:
        return (first,)
    return first, Expected(number=number.replace("-", " "), name=name, factor=factor, kinds=("duplicate",))


def _drawn(number: str) -> str:
    # A hash instead of a generator: the class of one order does not depend on how many orders are written.
    digest = hashlib.sha256(f"{SEED}:{number}".encode()).digest()
    return _DRAWN[int.from_bytes(digest[:8]) % len(_DRAWN)]
