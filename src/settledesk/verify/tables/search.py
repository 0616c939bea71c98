"""Searching the combinations of pieces: one that no row covers, the boxes around it, the outcomes that can be had.

A combination is one piece per dimension, a box a set of pieces per dimension (bits). All searches go through the
dimensions in a fixed order with the set of rows still alive; combinations whose live rows include those of one that
failed fail as well. Each search has a limit of nodes, so that it ends; `exhausted` tells that it was reached.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from settledesk.verify.tables.partition import Dimension

NODES_MAX = 1_500_000
FAILURES_KEPT = 256

Masks: TypeAlias = Sequence[Sequence[int]]
Box: TypeAlias = tuple[int, ...]


@dataclass(slots=True)
class Space:
    """Rows over pieces: `masks[d][p]` are the rows that cover piece `p` of dimension `d`. Boxes can be added."""

    masks: list[list[int]]
    bit: int
    nodes_left: int = NODES_MAX
    exhausted: bool = False
    _searched: dict[Box, tuple[list[int], list[list[int]]]] = field(default_factory=dict)

    def add(self, box: Box) -> None:
        """Count a box as covered, as if it were a row."""
        for masks, bits in zip(self.masks, box, strict=True):
            for place in places(bits):
                masks[place] |= self.bit
        self.bit <<= 1

    def uncovered(self, domain: Box, rows: int | None = None) -> tuple[int, ...] | None:
        """Return one combination of the domain's pieces that none of the rows covers (`None`: all rows and boxes)."""
        if not all(domain):
            return None
        live = self.bit - 1 if rows is None else rows
        groups = [self._groups(number, bits, live) for number, bits in enumerate(domain)]
        order, failed = self._known(domain, groups) if rows is None else _order(groups)
        full = [live] * (len(domain) + 1)
        for level in range(len(domain) - 1, -1, -1):
            full[level] = full[level + 1]
            for mask, _ in groups[order[level]]:
                full[level] &= mask
        found = self._descend(0, live, [groups[number] for number in order], full, failed)
        if found is None:
            return None
        point = [0] * len(domain)
        for number, place in zip(order, found, strict=True):
            point[number] = place
        return tuple(point)

    def _known(self, domain: Box, groups: list[list[tuple[int, int]]]) -> tuple[list[int], list[list[int]]]:
        """Return the order for a domain and what failed in it before: boxes that were added since change neither."""
        if domain not in self._searched:
            self._searched[domain] = _order(groups)
        return self._searched[domain]

    def _groups(self, number: int, bits: int, live: int) -> list[tuple[int, int]]:
        """Return the distinct sets of live rows of a dimension, the smallest first, each with its first piece."""
        first: dict[int, int] = {}
        for place in places(bits):
            first.setdefault(self.masks[number][place] & live, place)
        return sorted(first.items(), key=lambda item: (item[0].bit_count(), item[1]))

    def _descend(
        self, level: int, live: int, groups: list[list[tuple[int, int]]], full: list[int], failed: list[list[int]]
    ) -> list[int] | None:
        if not live:
            return [group[0][1] for group in groups[level:]]
        if level == len(groups) or live & full[level]:
            return None
        known = failed[level]
        for other in known:
            if other & live == other:
                return None
        tried: dict[int, int] = {}
        for mask, place in groups[level]:
            tried.setdefault(mask & live, place)
        self.nodes_left -= len(tried)
        if self.nodes_left < 0:
            self.exhausted = True
            return None
        for rest, place in sorted(tried.items(), key=lambda item: (item[0].bit_count(), item[1])):
            found = self._descend(level + 1, rest, groups, full, failed)
            if found is not None:
                return [place, *found]
            if self.exhausted:
                return None
        if len(known) < FAILURES_KEPT:
            known.append(live)
        return None


def _order(groups: list[list[tuple[int, int]]]) -> tuple[list[int], list[list[int]]]:
    """Return the order of the dimensions and, for each of its levels, no failures yet."""
    return sorted(range(len(groups)), key=lambda number: (_spread(groups[number]), number)), [[] for _ in groups]


def _spread(groups: list[tuple[int, int]]) -> float:
    """Return how many rows a piece leaves alive on average: the dimension that leaves fewest comes first."""
    return sum(mask.bit_count() for mask, _ in groups) / len(groups)


def widened(masks: Masks, point: Sequence[int], rows: int, domain: Box, order: Sequence[int]) -> Box:
    """Return the largest box around a combination that none of the rows touches, widened in the given order."""
    box = [1 << place for place in point]
    meets = [masks[number][place] & rows for number, place in enumerate(point)]
    for number in order:
        others = rows
        for other, met in enumerate(meets):
            if other != number:
                others &= met
        bits, met = 0, 0
        for place in places(domain[number]):
            if not masks[number][place] & others:
                bits |= 1 << place
                met |= masks[number][place] & rows
        box[number], meets[number] = bits, met
    return tuple(box)


def reachable(
    dimensions: Sequence[Dimension], domain: Box | None = None, *, nodes_max: int = NODES_MAX
) -> tuple[dict[tuple[int, ...], tuple[int, ...]], bool]:
    """Return every tuple of row masks, one per table, that some combination has, each with its first combination.

    The second value tells whether that is all of them (the limit of nodes was not reached). Conditions are free: a
    combination of pieces may be one that no input has.
    """
    if domain is None:
        domain = tuple(dimension.bits() for dimension in dimensions)
    count = len(dimensions[0].masks) if dimensions else 0
    groups: list[dict[tuple[int, ...], int]] = []
    for dimension, bits in zip(dimensions, domain, strict=True):
        group: dict[tuple[int, ...], int] = {}
        for place in places(bits):
            group.setdefault(tuple(masks[place] for masks in dimension.masks), place)
        groups.append(group)
    states: dict[tuple[int, ...], tuple[int, ...]] = {(-1,) * count: ()}
    left = nodes_max
    for group in groups:
        found: dict[tuple[int, ...], tuple[int, ...]] = {}
        for live, path in states.items():
            left -= len(group)
            if left < 0:
                return found, False
            for masks, place in group.items():
                found.setdefault(tuple(a & b for a, b in zip(live, masks, strict=True)), (*path, place))
        states = found
    return states, True


def places(bits: int) -> list[int]:
    """Return the places of the set bits, lowest first."""
    found: list[int] = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
