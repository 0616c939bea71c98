"""Is this invoice one that came before? Exact and possible duplicates, always of the same vendor.

Exact: the same number in normal form and the same content. Everything less is possible only, and possible means that
somebody looks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from settledesk.matching.assessment import Record
from settledesk.matching.normal import digits_key, look_alike_key, number_key
from settledesk.matching.records import counts, lines_of, number, place_in_order, plain

_LINE_NUMBERS = ("quantity", "unit_price", "line_amount")
_LINE_CODES = ("item", "vendor_item", "po_line")


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """An earlier invoice that this one resembles; `days` apart; `why` is a sentence part without text of outsiders."""

    original: Record
    why: str
    days: int | None


def exact_original(invoice: Record, others: Iterable[Record]) -> Record | None:
    """Return the earliest document before this one with the same vendor, number and content, or none."""
    same = same_credit if invoice.get("kind") == "credit-note" else same_document
    found = [other for other in _before(invoice, others) if same(invoice, other)]
    return min(found, key=place_in_order, default=None)


def without_duplicates(invoices: Sequence[Record]) -> tuple[Record, ...]:
    """Return the invoices that count, each content once, in the order in which they use up an order."""
    kept: list[Record] = []
    for invoice in sorted({str(one["id"]): one for one in invoices if counts(one)}.values(), key=place_in_order):
        if not any(same_document(invoice, other) for other in kept):
            kept.append(invoice)
    return tuple(kept)


def possible_originals(invoice: Record, others: Iterable[Record], *, window_days: int) -> tuple[Likeness, ...]:
    """Return the earlier invoices that this one may repeat, nearest in the order of invoices first.

    `window_days` bounds how far apart two invoices of one total may lie.
    """
    found = []
    for other in sorted(_before(invoice, others), key=place_in_order):
        if same_document(invoice, other):
            continue
        why = _likeness(invoice, other, window_days)
        if why is not None:
            found.append(Likeness(original=other, why=why, days=days_apart(invoice, other)))
    return tuple(found)


def same_document(one: Record, other: Record) -> bool:
    """Tell whether both carry one number of one vendor and say the same."""
    return same_number(one, other) and same_content(one, other)


def same_credit(one: Record, other: Record) -> bool:
    """Tell whether two credit notes are one credit: one number and one total, though dates or lines differ.

    The same credit comes as a credit note and as a negative invoice, which seldom agree to the letter. Two that name
    different invoices are two credits.
    """
    if not same_number(one, other):
        return False
    first, second = _credited(one), _credited(other)
    if first and second and not first & second:
        return False
    return same_total(one, other) or same_content(one, other)


def same_total(one: Record, other: Record) -> bool:
    """Tell whether two documents ask for (or give back) the same amount in the same currency."""
    first, second = number(one.get("total")), number(other.get("total"))
    return first is not None and first == second and one.get("currency") == other.get("currency")


def same_number(one: Record, other: Record) -> bool:
    """Tell whether both come from one vendor and carry one number in normal form."""
    return _same_vendor(one, other) and _key(one) == _key(other) != ""


def same_content(one: Record, other: Record) -> bool:
    """Tell whether both say the same: by content hash, else by date, currency, total and lines."""
    if one.get("content_hash") and one.get("content_hash") == other.get("content_hash"):
        return True
    if any(one.get(name) != other.get(name) for name in ("issue_date", "currency")):
        return False
    return same_total(one, other) and _lines(one) == _lines(other)


def days_apart(one: Record, other: Record) -> int | None:
    """Return the days between the two issue dates, or none if one cannot be read."""
    try:
        first, second = date.fromisoformat(str(one.get("issue_date"))), date.fromisoformat(str(other.get("issue_date")))
    except ValueError:
        return None
    return abs((first - second).days)


def _before(invoice: Record, others: Iterable[Record]) -> list[Record]:
    place = place_in_order(invoice)
    return [
        other
        for other in {str(one["id"]): one for one in others}.values()
        if other["id"] != invoice["id"]
        and other.get("kind") == invoice.get("kind")
        and counts(other)
        and _same_vendor(invoice, other)
        and place_in_order(other) < place
    ]


def _likeness(invoice: Record, other: Record, window_days: int) -> str | None:
    days = days_apart(invoice, other)
    near = days is not None and days <= window_days
    # A vendor that writes the order's number into the invoice's number field says nothing by repeating it.
    says_nothing = _key(invoice) == number_key(str(invoice.get("po_number") or ""))
    if same_number(invoice, other) and not says_nothing:
        return "carries the same number but other content"
    if not same_total(invoice, other):
        return None
    if near and _same_order(invoice, other):
        return f"asks for the same total on the same order {days} days apart"
    if near and not (invoice.get("po_number") and other.get("po_number")):
        return f"asks for the same total {days} days apart, and not both name an order"
    if not says_nothing and _looks_alike(invoice, other):
        return "asks for the same total under a number that looks the same"
    return None


def _looks_alike(one: Record, other: Record) -> bool:
    first, second = str(one.get("number") or ""), str(other.get("number") or "")
    if one.get("po_number") and other.get("po_number") and not _same_order(one, other):
        return False
    return look_alike_key(first) == look_alike_key(second) or digits_key(first) == digits_key(second) != ""


def _key(invoice: Record) -> str:
    return number_key(str(invoice.get("number") or ""))


def _same_vendor(one: Record, other: Record) -> bool:
    return bool(one.get("vendor_id")) and one.get("vendor_id") == other.get("vendor_id")


def _same_order(one: Record, other: Record) -> bool:
    first, second = one.get("po_number"), other.get("po_number")
    return bool(first) and bool(second) and number_key(str(first)) == number_key(str(second))


def _credited(note: Record) -> set[str]:
    return {number_key(str(name)) for name in note.get("invoice_numbers") or ()}


def _lines(invoice: Record) -> list[tuple[str, ...]]:
    return [
        (
            *(str(line.get(name) or "").casefold() for name in _LINE_CODES),
            *(plain(value) if (value := number(line.get(name))) is not None else "" for name in _LINE_NUMBERS),
        )
        for line in lines_of(invoice)
    ]
