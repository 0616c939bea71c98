"""Inputs that no row takes, as boxes that cannot be made larger, within the declared domains, null among them.

First the inputs with all values known, then those where something is unknown that has no row. A gap that does not
depend on a column says nothing of it, so null there is not told again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from settledesk.verify.tables.examined import Examined, Shown
from settledesk.verify.tables.findings import Finding, Severity
from settledesk.verify.tables.replay import Played
from settledesk.verify.tables.search import NODES_MAX, Box, Space, places, widened
from settledesk.verify.tables.wording import box_text

BOXES_MAX = 100
"""Boxes of gaps with all values known that one table reports, and as many again with unknown ones."""
TRIES_MAX = 300
PAIRED_COLUMNS_MAX = 16
"""Columns up to which every two of them are looked at when both are unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A box that no row takes. `told` is what is said of it: without what other boxes have said already."""

    box: Box
    told: Box
    severity: Severity
    played: Played


def gaps(table: Examined) -> Iterator[Finding | str]:
    """Yield the gaps of a table that gives one answer and has no default, and a note where the search was cut."""
    for gap in gap_boxes(table):
        yield gap if isinstance(gap, str) else _finding(table, gap)


def gap_boxes(table: Examined) -> Iterator[Gap | str]:
    """Yield boxes that together are all inputs that no row takes, or a note that the search was cut."""
    if table.table.hit_policy not in ("UNIQUE", "ANY", "FIRST", "PRIORITY"):
        return
    if any(output.default is not None for output in table.table.outputs):
        return
    space = Space(masks=[list(masks) for masks in table.masks], bit=1 << len(table.table.rows), nodes_left=NODES_MAX)
    said: list[Box] = []
    yield from _found(table, space, [table.known], "warning", said)
    yield from _found(table, space, _domains_with_null(table), "info", said)


def _found(
    table: Examined, space: Space, domains: Iterable[Box], severity: Severity, said: list[Box]
) -> Iterator[Gap | str]:
    """Yield the gaps within the domains; `said` grows by their boxes."""
    found = 0
    domain = table.declared
    late: list[tuple[Box, Sequence[int]]] = []
    for domain in domains:
        for _ in range(TRIES_MAX):
            point = None if found >= BOXES_MAX else space.uncovered(domain)
            if point is None:
                break
            point = _with_fewest_nulls(table, space, point)
            box = _at_null(table, _widest(table, point, domain), point)
            wide = _with_null(table, box)
            told = _told(table, wide, said, point)
            shown = _shown(table, _within(told, box), known=severity == "warning")
            if shown.played is None and told != wide:
                told, shown = wide, _shown(table, box, known=severity == "warning")
            if shown.played is None:
                space.add(table.without_bystanders(box) if shown.impossible else wide)
                late.append((box, point))
                continue
            space.add(wide)
            found += 1
            yield Gap(box=wide, told=told, severity=severity, played=shown.played)
            said.append(wide)
    for box, start in late if severity == "warning" else ():
        shown = _shown(table, box, known=False)
        if shown.played is not None:
            yield Gap(box=box, told=_told(table, box, said, start), severity="info", played=shown.played)
            said.append(box)
    if space.exhausted or (found >= BOXES_MAX and space.uncovered(domain) is not None):
        what = "with all values known" if severity == "warning" else "where something is unknown"
        yield f"`{table.decision}`: the search for gaps {what} was cut at {found} boxes"
    space.exhausted = False


def _within(told: Box, box: Box) -> Box:
    return tuple(bits & own for bits, own in zip(told, box, strict=True))


def _domains_with_null(table: Examined) -> Iterator[Box]:
    """Yield the declared domain with one column unknown and the rest known, then two, then however many."""
    nulls = [declared & ~known for declared, known in zip(table.declared, table.known, strict=True)]
    numbers = [number for number, null in enumerate(nulls) if null and table.dimensions[number].condition is None]
    for number in numbers:
        yield _replaced(table.known, number, nulls[number])
    if len(numbers) <= PAIRED_COLUMNS_MAX:
        for one, two in combinations(numbers, 2):
            yield _replaced(_replaced(table.known, one, nulls[one]), two, nulls[two])
    yield table.declared


def _with_fewest_nulls(table: Examined, space: Space, point: tuple[int, ...]) -> tuple[int, ...]:
    """Put known values in the place of nulls as long as nothing covers the point."""
    made = list(point)
    for number, known in enumerate(table.known):
        if known >> made[number] & 1:
            continue
        live = space.bit - 1
        for other, place in enumerate(made):
            live &= space.masks[other][place] if other != number else live
        free = [place for place in places(known) if not space.masks[number][place] & live]
        made[number] = free[0] if free else made[number]
    return tuple(made)


def _at_null(table: Examined, box: Box, point: Sequence[int]) -> Box:
    """Narrow a box to null in the columns that are null at the point: what is known there has been said."""
    return tuple(
        bits if known >> place & 1 else 1 << place for bits, known, place in zip(box, table.known, point, strict=True)
    )


def _told(table: Examined, box: Box, others: Sequence[Box], point: Sequence[int]) -> Box:
    """Return what is to be said of a box: without the pieces of a column on which another box has said it already."""
    made = list(box)
    for other in others:
        outside = [number for number, bits in enumerate(made) if bits & ~other[number]]
        if len(outside) != 1:
            continue
        number = outside[0]
        if made[number] & table.known[number] != table.known[number]:
            made[number] = made[number] & ~other[number] | 1 << point[number]
    return tuple(made)


def _widest(table: Examined, point: Sequence[int], domain: Box) -> Box:
    """Return the box around a point that leaves the most columns free, of two orders of widening."""
    order = range(len(point))
    boxes = [widened(table.masks, point, table.all_rows, domain, way) for way in (order, order[::-1])]
    return max(boxes, key=lambda box: sum(bits & own == own for bits, own in zip(box, table.known, strict=True)))


def _with_null(table: Examined, box: Box) -> Box:
    """Widen a box to null wherever it does not depend on the column.

    A box of known values is not widened in the columns that its conditions read: null there is a gap of another kind.
    """
    made = list(box)
    known = all(bits & own for bits, own in zip(box, table.known, strict=True))
    read = table.read_in(box) if known else set()
    for number, bits in enumerate(box):
        null = 0 if table.dimensions[number].name in read else table.declared[number] & ~table.known[number]
        if (
            bits == table.known[number]
            and null
            and not bits & null
            and not _meets(table, _replaced(tuple(made), number, null))
        ):
            made[number] |= null
    return tuple(made)


def _meets(table: Examined, box: Box) -> bool:
    """Tell whether any row matches somewhere in a box."""
    live = table.all_rows
    for masks, bits in zip(table.masks, box, strict=True):
        met = 0
        for place, mask in enumerate(masks):
            met |= mask if bits >> place & 1 else 0
        live &= met
    return bool(live)


def _replaced(box: Box, number: int, bits: int) -> Box:
    return (*box[:number], bits, *box[number + 1 :])


def _shown(table: Examined, box: Box, *, known: bool) -> Shown:
    usual = not any(column.index.opaque for column in table.table.columns)

    def shows(played: Played) -> bool:
        return not played.matched and "no_match" in played.kinds and not (usual and played.unusual())

    return table.show(box, shows, known=known)


def _finding(table: Examined, gap: Gap) -> Finding:
    return Finding(
        kind="gap",
        severity=gap.severity,
        decision=table.decision,
        rows=(),
        input=gap.played.input,
        message=f"no row takes {box_text(table.dimensions, gap.told, gap.played.columns)}",
        pasteable=gap.played.pasteable,
    )
