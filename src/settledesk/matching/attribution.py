"""Which line of which order a billed, received or credited line belongs to: by reference, item, or being the only one.

Never by position: a line that is inserted must not shift the others. What is only inferred carries a confidence, and
below the pack's threshold it stays unknown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from settledesk.facts import Known, from_inference
from settledesk.matching.assessment import Record
from settledesk.matching.normal import name_key, number_key
from settledesk.matching.records import lines_of, same_code, same_unit, unit_price

OrderLineKey: TypeAlias = tuple[str, str]
"""(id of the order, line number)."""

REFERENCED = Decimal(1)
BY_ITEM = Decimal("0.99")
BY_ITEM_OF_OTHER_SIDE = Decimal("0.95")
BY_ITEM_AND_PRICE = Decimal("0.92")
BY_DESCRIPTION = Decimal("0.90")
BY_ONLY_LINE = Decimal("0.90")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Where a line belongs. No `key` and no `candidates`: to no order line. Candidates only: not known which."""

    key: OrderLineKey | None = None
    candidates: tuple[OrderLineKey, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """Tell whether the line belongs to one of several and it is not known to which."""
        return self.key is None and bool(self.candidates)


_Candidate: TypeAlias = tuple[OrderLineKey, Mapping[str, Any]]


def attribute(
    line: Mapping[str, Any],
    *,
    header: str | None,
    orders: Sequence[Record],
    siblings: Sequence[Mapping[str, Any]],
    threshold: Decimal,
) -> Attribution:
    """Attribute one line. `header` is its document's order number, `siblings` are all lines of the document."""
    pool = _pool(line, header, orders)
    reference = line.get("po_line")
    if reference:
        return _referenced(str(reference), pool)
    found, confidence = _by_item(line, pool)
    if not found:
        found, confidence = _by_description(line, pool), BY_DESCRIPTION
    if not found and len(siblings) == 1 and len(pool) == 1 and not _both_have_items(line, pool[0][1]):
        found, confidence = pool, BY_ONLY_LINE
    if not found:
        # Where no line says anything of itself, a line without a match may be any; where others do, it is one apart.
        bare = not any(one.get(name) for one in siblings for name in ("po_line", "item", "vendor_item"))
        return Attribution(candidates=tuple(key for key, _ in pool) if bare else ())
    keys = tuple(key for key, _ in found)
    if len(keys) > 1:
        return Attribution(candidates=keys)
    fact = from_inference(keys[0][1], confidence=confidence, threshold=threshold, evidence=(), what="the order line")
    return Attribution(key=keys[0]) if isinstance(fact, Known) else Attribution(candidates=keys)


def _pool(line: Mapping[str, Any], header: str | None, orders: Sequence[Record]) -> list[_Candidate]:
    cited = line.get("po_number") or header
    wanted = number_key(str(cited)) if cited else None
    return [
        ((str(order["id"]), str(entry["line"])), entry)
        for order in orders
        if wanted is None or number_key(str(order.get("number") or "")) == wanted
        for entry in lines_of(order)
    ]


def _referenced(reference: str, pool: list[_Candidate]) -> Attribution:
    exact = [key for key, _ in pool if key[1] == reference]
    found = exact or [key for key, _ in pool if number_key(key[1]) == number_key(reference)]
    if len(found) == 1:
        return Attribution(key=found[0])
    return Attribution(candidates=tuple(found))


def _by_item(line: Mapping[str, Any], pool: list[_Candidate]) -> tuple[list[_Candidate], Decimal]:
    own = [one for one in pool if _same_item(line, one[1])]
    confidence = BY_ITEM
    if not own:
        own = [one for one in pool if _same_item_of_other_side(line, one[1])]
        confidence = BY_ITEM_OF_OTHER_SIDE
    if len(own) > 1:
        price = unit_price(line)
        priced = [
            one
            for one in own
            if price is not None and unit_price(one[1]) == price and same_unit(line.get("unit"), one[1].get("unit"))
        ]
        if len(priced) == 1:
            return priced, min(confidence, BY_ITEM_AND_PRICE)
    return own, confidence


def _by_description(line: Mapping[str, Any], pool: list[_Candidate]) -> list[_Candidate]:
    if any(line.get(name) for name in ("item", "vendor_item")):
        return []
    wanted = name_key(str(line.get("description") or ""))
    return [one for one in pool if wanted and name_key(str(one[1].get("description") or "")) == wanted]


def _same_item(line: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return same_code(line.get("item"), other.get("item")) or same_code(
        line.get("vendor_item"), other.get("vendor_item")
    )


def _same_item_of_other_side(line: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return same_code(line.get("item"), other.get("vendor_item")) or same_code(
        line.get("vendor_item"), other.get("item")
    )


def _both_have_items(line: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return any(line.get(name) and other.get(name) for name in ("item", "vendor_item"))
