"""Which line of which order a billed, received or credited line belongs to: by reference, item, or being the only one.

Never by position: a line that is inserted must not shift the others. What is only inferred carries a confidence, and
below the pack's threshold it stays unknown.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from settledesk.facts import Known, from_inference
from settledesk.matching.assessment import Record
from settledesk.matching.normal import name_key, number_key
from settledesk.matching.records import lines_of, number, same_unit, unit_price

OrderLineKey: TypeAlias = tuple[str, str]
"""(id of the order, line number)."""

REFERENCED = Decimal(1)
BY_ITEM = Decimal("0.99")
BY_ITEM_OF_OTHER_SIDE = Decimal("0.95")
BY_ITEM_AND_PRICE = Decimal("0.92")
BY_DESCRIPTION = Decimal("0.90")
BY_ONLY_LINE = Decimal("0.90")
BY_WHAT_IS_LEFT = Decimal("0.90")
"""At the usual threshold: who demands more of an inference is asked which order line a substitute stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Where a line belongs. No `key` and no `candidates`: to no order line. Candidates only: not known which."""

    key: OrderLineKey | None = None
    candidates: tuple[OrderLineKey, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """Tell whether the line belongs to one of several and it is not known to which."""
        return self.key is None and bool(self.candidates)


_Line: TypeAlias = Mapping[str, Any]
_Candidate: TypeAlias = tuple[OrderLineKey, _Line]
_SIDES = (("item", "item"), ("vendor_item", "vendor_item"))
_OTHER_SIDES = (("item", "vendor_item"), ("vendor_item", "item"))


class Attributor:
    """Attributes the lines of documents to the lines of some orders, with every order line looked up once."""

    def __init__(self, orders: Sequence[Record], threshold: Decimal) -> None:
        """Take the orders; an inference below `threshold` (0 to 1) stays unknown."""
        self._orders = orders
        self._threshold = threshold
        self._pools: dict[str | None, _Pool] = {}

    def document(self, document: Record, *, header: str | None = None) -> list[Attribution]:
        """Attribute every line of an invoice, credit note or receipt; `header` is its order if it names none."""
        return self.lines(lines_of(document), document.get("po_number") or header)

    def lines(self, lines: Sequence[_Line], header: str | None) -> list[Attribution]:
        """Attribute the lines of one document that names the order `header`."""
        pools = [self._pool(line, header) for line in lines]
        bare = not any(one.get(name) for one in lines for name in ("po_line", "item", "vendor_item"))
        found = [
            self._attribute(line, pool, alone=len(lines) == 1, bare=bare)
            for line, pool in zip(lines, pools, strict=True)
        ]
        return self._with_substitute(lines, pools, found)

    def keys(self, line: _Line, header: str | None) -> tuple[OrderLineKey, ...]:
        """Return every order line that a line could belong to by the order that it, or its document, names."""
        return tuple(key for key, _ in self._pool(line, header).candidates)

    def _pool(self, line: _Line, header: str | None) -> "_Pool":
        cited = line.get("po_number") or header
        wanted = number_key(str(cited)) if cited else None
        if wanted not in self._pools:
            self._pools[wanted] = _Pool(
                ((str(order["id"]), str(entry["line"])), entry)
                for order in self._orders
                if wanted is None or number_key(str(order.get("number") or "")) == wanted
                for entry in lines_of(order)
            )
        return self._pools[wanted]

    def _attribute(self, line: _Line, pool: "_Pool", *, alone: bool, bare: bool) -> Attribution:
        reference = line.get("po_line")
        if reference:
            return pool.referenced(str(reference))
        found, confidence = pool.by_item(line)
        if not found:
            found, confidence = pool.by_description(line), BY_DESCRIPTION
        only = pool.candidates
        if not found and alone and len(only) == 1 and not _both_have_items(line, only[0][1]):
            found, confidence = only, BY_ONLY_LINE
        if not found:
            # Where no line says anything of itself, one without a match may be any; where others do, it is one apart.
            return Attribution(candidates=tuple(key for key, _ in only) if bare else ())
        keys = tuple(key for key, _ in found)
        return Attribution(candidates=keys) if len(keys) > 1 else self._inferred(keys[0], confidence)

    def _inferred(self, key: OrderLineKey, confidence: Decimal) -> Attribution:
        fact = from_inference(
            key[1], confidence=confidence, threshold=self._threshold, evidence=(), what="the order line"
        )
        return Attribution(key=key) if isinstance(fact, Known) else Attribution(candidates=(key,))

    def _with_substitute(
        self, lines: Sequence[_Line], pools: Sequence["_Pool"], found: list[Attribution]
    ) -> list[Attribution]:
        """Pair the one line that is left over with the one order line that is: another item in place of the ordered.

        Only where both name an item, and quantity and unit agree, so that a carriage line is not taken for goods.
        """
        left = [place for place, one in enumerate(found) if one.key is None]
        if len(left) != 1 or found[left[0]].ambiguous or lines[left[0]].get("po_line"):
            return found
        place = left[0]
        taken = {one.key for one in found}
        free = [one for one in pools[place].candidates if one[0] not in taken]
        if len(free) == 1 and _may_replace(lines[place], free[0][1]):
            return [*found[:place], self._inferred(free[0][0], BY_WHAT_IS_LEFT), *found[place + 1 :]]
        return found


class _Pool:
    """The lines of the orders that one number names, with an index for each way to find one."""

    def __init__(self, candidates: Iterable[_Candidate]) -> None:
        self.candidates = list(candidates)
        self._by_line: dict[str, list[_Candidate]] = {}
        self._by_line_key: dict[str, list[_Candidate]] = {}
        self._by_code: dict[tuple[str, str], list[_Candidate]] = {}
        self._by_description: dict[str, list[_Candidate]] = {}
        for one in self.candidates:
            self._add(one)

    def _add(self, one: _Candidate) -> None:
        (_, name), line = one
        self._by_line.setdefault(name, []).append(one)
        self._by_line_key.setdefault(number_key(name), []).append(one)
        for side in ("item", "vendor_item"):
            if line.get(side):
                self._by_code.setdefault((side, str(line[side]).casefold()), []).append(one)
        self._by_description.setdefault(name_key(str(line.get("description") or "")), []).append(one)

    def referenced(self, reference: str) -> Attribution:
        """Find the line that is named, by its number as written, else by its normal form."""
        found = self._by_line.get(reference) or self._by_line_key.get(number_key(reference), [])
        keys = tuple(key for key, _ in found)
        return Attribution(key=keys[0]) if len(keys) == 1 else Attribution(candidates=keys)

    def by_item(self, line: _Line) -> tuple[list[_Candidate], Decimal]:
        """Find lines of the same item; of several, the one at the same price."""
        own, confidence = self._same_code(line, _SIDES), BY_ITEM
        if not own:
            own, confidence = self._same_code(line, _OTHER_SIDES), BY_ITEM_OF_OTHER_SIDE
        price = unit_price(line)
        if len(own) < 2 or price is None:
            return own, confidence
        unit = line.get("unit")
        priced = [one for one in own if unit_price(one[1]) == price and same_unit(unit, one[1].get("unit"))]
        return (priced, BY_ITEM_AND_PRICE) if len(priced) == 1 else (own, confidence)

    def by_description(self, line: _Line) -> list[_Candidate]:
        """Find lines of the same description, for a line that names no item."""
        wanted = name_key(str(line.get("description") or ""))
        if not wanted or any(line.get(name) for name in ("item", "vendor_item")):
            return []
        return self._by_description.get(wanted, [])

    def _same_code(self, line: _Line, sides: Sequence[tuple[str, str]]) -> list[_Candidate]:
        codes = [(theirs, str(line[ours]).casefold()) for ours, theirs in sides if line.get(ours)]
        return list({one[0]: one for code in codes for one in self._by_code.get(code, ())}.values())


def _both_have_items(line: _Line, other: _Line) -> bool:
    return any(line.get(name) and other.get(name) for name in ("item", "vendor_item"))


def _may_replace(line: _Line, ordered: _Line) -> bool:
    stated = line.get("quantity") if "quantity" in line else line.get("accepted")
    quantity = number(stated)
    same = quantity is not None and quantity > 0 and quantity == number(ordered.get("quantity"))
    return same and _both_have_items(line, ordered) and same_unit(line.get("unit"), ordered.get("unit"))
