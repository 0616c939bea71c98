"""The comparison of one table with its new form."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from settledesk.decisions.item_types import ItemType
from settledesk.verify.diff.diagram import PATHS_COUNTED_MAX, PATHS_MAX, Diagram
from settledesk.verify.diff.joint import joined
from settledesk.verify.diff.outcomes import ChangedClass, Judge, Side
from settledesk.verify.diff.pair import Pair, PlayedPair, Unit
from settledesk.verify.diff.report import Change
from settledesk.verify.tables.search import Box, places
from settledesk.verify.tables.wording import box_text


@dataclass(slots=True, kw_only=True)
class TableComparison:
    """The changes of one table, in order, and why they may not be all."""

    changes: list[Change] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    more: int = 0


def compare_tables(old: Unit, new: Unit, results: tuple[ItemType, ItemType], *, same_context: bool) -> TableComparison:
    """Compare two tables; `results` are the declared types of what they give."""
    joint = joined(old.subject, new.subject, same_context=same_context)
    sides = [Side(unit.subject.table, result) for unit, result in zip((old, new), results, strict=True)]
    judge = Judge(joint, *sides, same_context=same_context)
    diagram = Diagram(joint=joint, leaf_of=judge.leaf, settled=judge.settled)
    pair = Pair(joint, old, new)
    found = TableComparison()
    name = new.subject.decision
    tried = False
    kept: list[tuple[int, Box, Change]] = []
    paths = diagram.changed()
    boxes: list[tuple[int, Box]] = []
    for leaf, path in islice(paths, PATHS_MAX):
        if any(leaf == other and _within(path, wide) for other, wide in boxes):
            continue
        box = diagram.widened(leaf, path)
        boxes.append((leaf, box))
        changed = judge.classes[leaf]
        tried = tried or changed.is_tried
        played = _played(pair, box, changed)
        if played is not None:
            kept.append((leaf, box, _change(pair, name, box, changed, played)))
    found.more = sum(1 for _ in islice(paths, PATHS_COUNTED_MAX))
    found.changes = [change for _, _, change in sorted(kept, key=_order(old, new))]
    found.notes = list(_notes(name, pair, diagram, tried=tried, certain=joint.certain, more=found.more))
    return found


def _within(box: Box, wide: Box) -> bool:
    return all(bits & ~other == 0 for bits, other in zip(box, wide, strict=True))


def _played(pair: Pair, box: Box, changed: ChangedClass) -> PlayedPair | None:
    """Return an input of the box on which the outcomes differ, as both models say."""
    shows: Callable[[Any], bool] = PlayedPair.differs
    if changed.is_tried:
        found = pair.try_values(box, shows)
        if found is not None or not pair.has_conditions:
            return found
    before = pair.counters.unconfirmed
    shown = pair.show(box, shows)
    if shown.played is None and shown.impossible and not pair.refuted(box) and pair.counters.unconfirmed == before:
        pair.counters.unconfirmed += 1
    return _pair(shown.played)


def _pair(played: Any) -> PlayedPair | None:
    assert played is None or isinstance(played, PlayedPair)
    return played


def _change(pair: Pair, name: str, box: Box, changed: ChangedClass, played: PlayedPair) -> Change:
    return Change(
        decision=name,
        where=box_text(pair.dimensions, box, played.columns),
        input=played.input,
        old=played.old,
        new=played.new,
        tried=changed.is_tried or not _is_exact(pair, box),
        pasteable=played.pasteable,
        box=box,
    )


def _is_exact(pair: Pair, box: Box) -> bool:
    return all(
        dimension.pieces[place].exact
        for dimension, bits in zip(pair.dimensions, box, strict=True)
        for place in places(bits)
    )


def _order(old: Unit, new: Unit) -> Callable[[tuple[int, Box, Change]], Any]:
    """Return the order in which changes are told: by the rows of the old table, of the new one, then by the columns."""
    rows_at = [{row: place for place, row in enumerate(unit.subject.table.rows)} for unit in (old, new)]

    def key(item: tuple[int, Box, Change]) -> Any:
        _, box, change = item
        rows = [
            [known.get(row, len(known)) for row in outcome.rows] or [len(known)]
            for known, outcome in zip(rows_at, (change.old, change.new), strict=True)
        ]
        return (*rows, [bits & -bits for bits in box])

    return key


def _notes(name: str, pair: Pair, diagram: Diagram, *, tried: bool, certain: bool, more: int) -> Iterator[str]:
    counters = pair.counters
    if not certain:
        yield f"`{name}`: cells that have to be run were tried on what they name, so there may be other changes"
    if tried:
        yield f"`{name}`: outputs that are calculated differently were compared on single inputs"
    if counters.undecided:
        yield f"`{name}`: {_count(counters.undecided, 'class')} may change too, but no input was found that shows it"
    if counters.unconfirmed:
        yield f"`{name}`: {_count(counters.unconfirmed, 'class')} did not change when both models were evaluated"
    if diagram.exhausted:
        yield f"`{name}`: the search was cut, so there may be other changes"
    if more:
        least = " or more" if more >= PATHS_COUNTED_MAX else ""
        yield f"`{name}`: too much changes: {more}{least} boxes of inputs that change were not looked at"


def _count(number: int, what: str) -> str:
    return f"one {what}" if number == 1 else f"{number} {what}es"
