"""Small pure readers of records: numbers, lines, standing, and the one order in which invoices use up an order."""

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from settledesk.facts import EvidenceId, MoneyError, minor_unit_exponent
from settledesk.matching.assessment import Record

NOT_COUNTED = frozenset({"REJECTED", "CANCELLED", "DRAFT"})
_PAID_FOR = frozenset({"APPROVED", "PAID"})
_PIECES = frozenset({"c62", "ea", "h87", "pce", "pcs"})
ZERO = Decimal(0)


def number(value: Any) -> Decimal | None:
    """Return a finite decimal from decimal text or a whole number, or none: what cannot be read is not zero."""
    if value is None or isinstance(value, bool | float):
        return None
    try:
        read = Decimal(value)
    except (InvalidOperation, TypeError, ValueError):
        return None
    return read if read.is_finite() else None


def number_or_zero(value: Any) -> Decimal:
    """Return the number, or zero for a field that means nothing when it is absent (an allowance, a charge)."""
    return number(value) or ZERO


def plain(value: Decimal) -> str:
    """Write a number without exponent and without trailing zeros."""
    text = format(value, "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text) if value else "0"


def lines_of(record: Record) -> tuple[Mapping[str, Any], ...]:
    """Return the record's lines, none if it has none."""
    return tuple(record.get("lines") or ())


def evidence_of(records: Iterable[Record]) -> tuple[EvidenceId, ...]:
    """Return the ids of the records, each once, in order."""
    return tuple(dict.fromkeys(EvidenceId(str(record["id"])) for record in records))


def counts(record: Record) -> bool:
    """Tell whether an invoice, credit note or receipt has any effect: drafts, cancelled and rejected ones have none."""
    return str(record.get("status") or "") not in NOT_COUNTED


def place_in_order(invoice: Record) -> tuple[int, str, int, str]:
    """Return the key by which invoices come before one another.

    By issue date, then by the system of record's intake order, then by id; one that is already approved comes before
    all that are not, since its money is gone whatever its date says.
    """
    seq = invoice.get("intake_seq")
    paid_for = str(invoice.get("status") or "") in _PAID_FOR
    return (
        0 if paid_for else 1,
        str(invoice.get("issue_date") or ""),
        seq if isinstance(seq, int) else 0,
        str(invoice["id"]),
    )


def same_unit(one: Any, other: Any) -> bool:
    """Tell whether two unit codes may be the same; an absent one contradicts nothing, all codes for a piece are one."""
    if not one or not other:
        return True
    first, second = str(one).casefold(), str(other).casefold()
    return first == second or {first, second} <= _PIECES


def same_code(one: Any, other: Any) -> bool:
    """Tell whether both codes are there and equal, ignoring case."""
    return bool(one) and bool(other) and str(one).casefold() == str(other).casefold()


def slack(currency: str) -> Decimal:
    """Return half a minor unit of the currency: what rounding may take away or add."""
    try:
        return Decimal(5).scaleb(-minor_unit_exponent(currency) - 1)
    except MoneyError:
        return Decimal("0.005")


def unit_price(line: Mapping[str, Any]) -> Decimal | None:
    """Return the price of one unit as stated (price by base quantity), or none if it cannot be read."""
    price, base = number(line.get("unit_price")), number(line.get("base_quantity", "1") or "1")
    return None if price is None or base is None or base <= 0 else price / base


def net_unit_price(line: Mapping[str, Any]) -> Decimal | None:
    """Return the price of one unit less the line's own allowance, or none if it cannot be read."""
    price, quantity = unit_price(line), number(line.get("quantity"))
    if price is None or not quantity:
        return price
    return price - number_or_zero(line.get("allowance")) / quantity
