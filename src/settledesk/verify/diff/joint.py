"""Two tables over one partition of their inputs: what each does on every piece, and the domain that either declares.

A condition (a cell that looks at other variables) that stands in both tables under the same text is one dimension: it
is true in both or in neither. A value that only one table declares is of the domain too: the other takes it as the
engine does, one of the wrong type as null.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import and_
from typing import Any

from settledesk.decisions.item_types import ANY, NotConformingError, conform
from settledesk.decisions.session import Session
from settledesk.decisions.table import Column
from settledesk.feel import FeelLimitError
from settledesk.feel.checker import INPUT_SLOT
from settledesk.feel.run import Run
from settledesk.verify.tables.partition import Dimension, Piece, Subject, partition
from settledesk.verify.tables.search import Box

SIDES = (0, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The rows of both tables that are alive on a piece, or on the way through several."""

    old: int
    new: int

    def met(self, other: "State") -> "State":
        """Return what is alive where both are."""
        return State(old=self.old & other.old, new=self.new & other.new)


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """The dimensions of two tables, with the state of every piece, and the domain as a box.

    `certain` is false where a piece does not tell what cells do on all of it, so that what is found was only tried.
    """

    subjects: tuple[Subject, Subject]
    dimensions: tuple[Dimension, ...]
    states: tuple[tuple[State, ...], ...]
    domain: Box
    certain: bool


def joined(old: Subject, new: Subject, *, same_context: bool) -> Joint:
    """Return two tables over their joint partition; with `same_context` a text means the same in both."""
    subjects = (old, new)
    columns: list[Dimension] = []
    states: list[tuple[State, ...]] = []
    certain = True
    for dimension in _merged(partition(subjects), same_context=same_context):
        verdicts = [[_verdict(subjects[side], dimension, piece) for piece in dimension.pieces] for side in SIDES]
        pieces = tuple(
            replace(piece, declared=any(verdicts[side][place].declared for side in SIDES))
            for place, piece in enumerate(dimension.pieces)
        )
        states.append(tuple(_state(dimension, verdicts, place) for place in range(len(pieces))))
        columns.append(replace(dimension, pieces=pieces))
        certain = certain and _is_exact(columns[-1])
        certain = certain and not any(verdict.converted for verdict in (*verdicts[0], *verdicts[1]))
    domain = tuple(dimension.bits() for dimension in columns)
    return Joint(subjects=subjects, dimensions=tuple(columns), states=tuple(states), domain=domain, certain=certain)


def _is_exact(dimension: Dimension) -> bool:
    return all(piece.exact for piece in dimension.pieces if piece.declared)


def _merged(dimensions: Sequence[Dimension], *, same_context: bool) -> list[Dimension]:
    """Return the dimensions with conditions of the same text made one."""
    if not same_context:
        return list(dimensions)
    found: dict[str, Dimension] = {}
    plain = [dimension for dimension in dimensions if dimension.condition is None]
    for dimension in dimensions:
        if dimension.condition is None:
            continue
        other = found.get(dimension.name)
        if other is not None:
            masks = tuple(tuple(map(and_, one, two)) for one, two in zip(other.masks, dimension.masks, strict=True))
            dimension = replace(other, masks=masks, sure=masks)
        found[dimension.name] = dimension
    return [*plain, *found.values()]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verdict:
    """How a table takes a value: as declared, or as null because it is of the wrong type."""

    declared: bool
    as_null: bool = False
    converted: bool = False
    """Whether the engine makes another value of it, such as a date and time of a date."""


def _verdict(subject: Subject, dimension: Dimension, piece: Piece) -> _Verdict:
    columns = [column for column in subject.table.columns if (column.variable or column.name) == dimension.name]
    if dimension.condition is not None or not columns:
        return _Verdict(declared=dimension.condition is not None)
    if piece.value is None:
        # In the standard's reading a column says whether null is one of its values; to the desk it is never a value.
        known = subject.table.standard and not all(_is_allowed(subject, column, None) for column in columns)
        return _Verdict(declared=not known)
    kept = [_kept(subject, column, piece.value) for column in columns]
    if None in kept:
        return _Verdict(declared=False, as_null=True)
    allowed = all(_is_allowed(subject, column, piece.value) for column in columns)
    return _Verdict(declared=allowed, converted=not all(kept))


def _kept(subject: Subject, column: Column, value: Any) -> bool | None:
    """Tell whether the engine takes a value as it is; `None` if it is of the wrong type."""
    for wanted in (subject.input_types.get(column.variable or column.name, ANY), column.item_type):
        try:
            if conform(value, wanted) is not value:
                return False
        except (NotConformingError, FeelLimitError, RecursionError):
            return None
    return True


def _is_allowed(subject: Subject, column: Column, value: Any) -> bool:
    if column.allowed is None:
        return True
    frame = subject.table.frame({}, Session(Run(), trace=False))
    frame[INPUT_SLOT] = value
    try:
        return column.allowed.run_on(frame) is True
    except (FeelLimitError, RecursionError):
        return False


def _state(dimension: Dimension, verdicts: Sequence[Sequence[_Verdict]], place: int) -> State:
    """Return what is alive on a piece; a row whose cell is not known on all of it counts as not matching."""
    null = len(dimension.pieces) - 1
    masks = [dimension.sure[side][null if verdicts[side][place].as_null else place] for side in SIDES]
    return State(old=masks[0], new=masks[1])
