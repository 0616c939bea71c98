"""One table under examination: its partition, its rows as boxes, and the search for an input that shows a finding."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice, product
from typing import Any, TypeAlias

from settledesk.decisions import DecisionTable
from settledesk.decisions.item_types import ANY
from settledesk.feel.values import type_name
from settledesk.verify.tables.linear import Answer, solve
from settledesk.verify.tables.partition import Dimension, Piece, Subject, base_kind, partition
from settledesk.verify.tables.replay import Played, Replayer
from settledesk.verify.tables.samples import guesses, lies_between
from settledesk.verify.tables.search import Box, places
from settledesk.verify.tables.shapes import shape_of
from settledesk.verify.tables.wording import read_by

TRIALS_MAX = 240
"""Inputs that are tried to show one finding which depends on cells that have to be run."""
TRIALS_OF_TABLE_MAX = 20_000
VALUES_TRIED_MAX = 8
PIECES_TRIED_MAX = 6
PICKS_TRIED_MAX = 60

Shows: TypeAlias = Callable[[Played], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The outcome of the search for an input: one that shows it, none that could (`impossible`), or not decided."""

    played: Played | None = None
    impossible: bool = False


@dataclass(slots=True, kw_only=True)
class Counters:
    """What is counted while a table is examined."""

    unconfirmed: int = 0
    undecided: int = 0
    trials: int = 0
    unsolved: bool = False
    """Whether a condition across columns was left to trials because no solver is there."""


class Examined:
    """A table, its dimensions, and each row as a box: `rows[r][d]` are the pieces of dimension `d` that row `r` takes.

    `declared` is the box of the declared domain, null included, and `known` the same without null.
    """

    def __init__(self, subject: Subject, replayer: Replayer) -> None:
        self.table: DecisionTable = subject.table
        self.decision = subject.decision
        self.replayer = replayer
        self.dimensions: tuple[Dimension, ...] = partition([subject])
        self.declared: Box = tuple(dimension.bits() for dimension in self.dimensions)
        self.known: Box = tuple(dimension.bits(null=False) for dimension in self.dimensions)
        self.everything: Box = tuple(dimension.bits(undeclared=True) for dimension in self.dimensions)
        self.masks = [dimension.masks[0] for dimension in self.dimensions]
        self.sure = [dimension.sure[0] for dimension in self.dimensions]
        self.all_rows = (1 << len(self.table.rows)) - 1
        self.rows: list[Box] = _transposed(self.masks, len(self.table.rows))
        self.counters = Counters()
        self.has_conditions = any(dimension.condition is not None for dimension in self.dimensions)
        self._met: dict[tuple[int, int], int] = {}
        self._within: dict[tuple[int, int], int] = {}
        self._others = self._read_elsewhere(subject)
        self.alive = self._alive()

    def _alive(self) -> int:
        """Return the rows that some declared input can meet."""
        alive = 0
        for row, box in enumerate(self.rows):
            if all(bits & declared for bits, declared in zip(box, self.declared, strict=True)):
                alive |= 1 << row
        return alive

    def box_of(self, row: int) -> Box:
        """Return the declared inputs of a row."""
        return tuple(bits & declared for bits, declared in zip(self.rows[row], self.declared, strict=True))

    def meeting(self, row: int) -> int:
        """Return the rows, the row itself among them, that may match together with a row."""
        found = self.all_rows
        for number, bits in enumerate(self.box_of(row)):
            key = (number, bits)
            met = self._met.get(key)
            if met is None:
                met = 0
                for place in places(bits):
                    met |= self.masks[number][place]
                self._met[key] = met
            found &= met
        return found

    def containing(self, row: int) -> int:
        """Return the rows, the row itself among them, that match wherever a row does."""
        found = self.all_rows
        for number, bits in enumerate(self.box_of(row)):
            key = (number, bits)
            within = self._within.get(key)
            if within is None:
                within = self.all_rows
                for place in places(bits):
                    within &= self.sure[number][place]
                self._within[key] = within
            found &= within | self._same_cells(number, row)
        return found

    def _same_cells(self, number: int, row: int) -> int:
        """Return the rows with the same cell as the row in a column whose cells may not be known on all pieces."""
        dimension = self.dimensions[number]
        if self.masks[number] == self.sure[number]:
            return 0
        columns = [column for column in self.table.columns if (column.variable or column.name) == dimension.name]
        if len(columns) > 1:
            return 0
        for cell in columns[0].index.opaque:
            if cell.mask >> row & 1:
                return cell.mask
        return 0

    def common(self, one: int, two: int) -> Box:
        """Return the declared inputs that two rows have in common."""
        return tuple(a & b for a, b in zip(self.box_of(one), self.box_of(two), strict=True))

    def show(self, box: Box, shows: Shows, *, known: bool = False) -> Shown:
        """Search a box for an input that shows something.

        What cannot be shown there though it must is counted, unless the input breaks a declaration of the model that
        the partition does not know.
        With `known` variables that are no column have to be known where a condition on them matters.
        """
        picks = [self._pick(number, bits) for number, bits in enumerate(box)]
        certain = all(
            self.dimensions[number].pieces[place].exact
            if self.dimensions[number].condition is None
            else not self._binds(number, box)
            for number, place in enumerate(picks)
        )
        if certain or not (known and self._others):
            played = self._play(picks, {})
            if shows(played):
                return Shown(played=played)
        if certain:
            self.counters.unconfirmed += not played.unusual()
            return Shown(impossible=True)
        answer = self._solved(box, known=known)
        if answer is not None:
            if not answer.possible:
                return Shown(impossible=True)
            played = self._play(picks, answer.values)
            if shows(played):
                return Shown(played=played)
        for given in islice(self._trials(box), TRIALS_MAX):
            if self.counters.trials >= TRIALS_OF_TABLE_MAX:
                break
            self.counters.trials += 1
            played = self._play(picks, given)
            if shows(played):
                return Shown(played=played)
        self.counters.undecided += 1
        return Shown()

    def try_some(self, box: Box, shows: Shows) -> Played | None:
        """Try some of a box's pieces for an input that shows something which need not be there."""
        choices = [
            sorted(places(bits), key=lambda place: (*_oddness(dimension.pieces[place]), place))[:PIECES_TRIED_MAX]
            for dimension, bits in zip(self.dimensions, box, strict=True)
        ]
        for picks in islice(spread(choices), PICKS_TRIED_MAX):
            played = self._play(picks, {})
            if shows(played):
                return played
        return None

    def refuted(self, box: Box) -> bool:
        """Tell whether a solver has shown that no input lies in a box."""
        answer = self._solved(box)
        return answer is not None and not answer.possible

    def read_in(self, box: Box) -> set[str]:
        """Return the variables that conditions read on which a box depends."""
        read: set[str] = set()
        for number, dimension in enumerate(self.dimensions):
            if dimension.condition is not None and self._binds(number, box):
                read |= read_by(dimension.condition)
        return read

    def without_bystanders(self, box: Box) -> Box:
        """Widen a box in the columns that none of its conditions reads: what these exclude, they exclude everywhere."""
        read = self.read_in(box)
        return tuple(
            bits if dimension.condition is not None or dimension.name in read else declared
            for dimension, bits, declared in zip(self.dimensions, box, self.declared, strict=True)
        )

    def _binds(self, number: int, box: Box) -> bool:
        return box[number] != self.dimensions[number].bits()

    def _solved(self, box: Box, *, known: bool = False) -> Answer | None:
        if not any(
            dimension.condition is not None and self._binds(number, box)
            for number, dimension in enumerate(self.dimensions)
        ):
            return None
        answer = solve(self.dimensions, box, self._others, known=known)
        if answer is None:
            self.counters.unsolved = True
        return answer

    def _pick(self, number: int, bits: int) -> int:
        """Choose the piece that reads best: known, exact, not negative, looked at by most rows, the first."""
        pieces, masks = self.dimensions[number].pieces, self.masks[number]
        return min(places(bits), key=lambda place: (*_oddness(pieces[place]), -masks[place].bit_count(), place))

    def values(self, picks: Sequence[int]) -> dict[str, Any]:
        """Return the values of the columns that a choice of pieces stands for."""
        pairs = zip(self.dimensions, picks, strict=True)
        return {
            dimension.name: dimension.pieces[place].value for dimension, place in pairs if dimension.condition is None
        }

    def _play(self, picks: Sequence[int], given: Mapping[str, Any]) -> Played:
        values = self.values(picks)
        others = {name: given.get(name) for name in self._others}
        return self.replayer.play({name: given.get(name, value) for name, value in values.items()}, others)

    def play(self, values: dict[str, Any]) -> Played:
        """Evaluate the table on values of its columns."""
        return self.replayer.play(values, dict.fromkeys(self._others))

    def picked(self, box: Box) -> dict[str, Any]:
        """Return the values of the columns in a box that read best."""
        return self.values([self._pick(number, bits) for number, bits in enumerate(box)])

    def _read_elsewhere(self, subject: Subject) -> dict[str, str]:
        """Return the variables that cells read and no column does, with their types, in the order of the frame."""
        own = {dimension.name for dimension in self.dimensions}
        read: set[str] = set()
        for dimension in self.dimensions:
            if dimension.condition is not None:
                read |= read_by(dimension.condition)
        wanted = [name for name in self.table.variables if name in read and name not in own]
        return {name: base_kind(subject.input_types.get(name, ANY)) for name in wanted}

    def _trials(self, box: Box) -> Iterator[dict[str, Any]]:
        """Yield values to try for the columns that cells which have to be run look at, and for other variables."""
        names, hints = self._involved(box)
        choices: list[list[Any]] = []
        used: list[str] = []
        involved = [
            (number, dimension)
            for number, dimension in enumerate(self.dimensions)
            if dimension.condition is None and dimension.name in names
        ]
        for number, dimension in involved:
            few = places(box[number])[:VALUES_TRIED_MAX]
            hints.extend(dimension.pieces[place].value for place in few if dimension.pieces[place].value is not None)
        for number, dimension in involved:
            used.append(dimension.name)
            choices.append(self._choices(dimension, box[number], hints))
        for name, kind in self._others.items():
            used.append(name)
            kinds = ["number", "boolean", "string"] if kind == "any" else [kind]
            choices.append(guesses([*hints, Decimal(5)], kinds)[:VALUES_TRIED_MAX] or [None])
        if choices:
            for values in spread(choices):
                yield dict(zip(used, values, strict=True))

    def _involved(self, box: Box) -> tuple[set[str], list[Any]]:
        names: set[str] = set()
        hints: list[Any] = []
        for number, dimension in enumerate(self.dimensions):
            if dimension.condition is not None and self._binds(number, box):
                condition = dimension.condition
                names |= read_by(condition)
                hints.extend(shape_of(condition.tree, self.table.frame_size).constants)
            elif dimension.condition is None and not all(
                dimension.pieces[place].exact for place in places(box[number])
            ):
                names.add(dimension.name)
        return names, hints

    def _choices(self, dimension: Dimension, bits: int, hints: list[Any]) -> list[Any]:
        pieces = [dimension.pieces[place] for place in places(bits)]
        found = [piece.value for piece in sorted(pieces, key=_oddness)]
        open_pieces = [piece for piece in pieces if not piece.point and not piece.witness]
        kinds = {piece.kind for piece in open_pieces}
        ends = [end for piece in pieces for end in (piece.low, piece.high) if end is not None]
        if kinds:
            for value in guesses([*hints, *ends], kinds):
                if value not in found and any(_lies_in(piece, value) for piece in open_pieces):
                    found.append(value)
        return found[: VALUES_TRIED_MAX * 2]

    def row_names(self, mask: int) -> tuple[str, ...]:
        """Return the names of the rows of a mask."""
        return self.table.names(mask)


def spread(choices: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield combinations, those of the first choices first."""
    size = 1
    longest = max(len(choice) for choice in choices)
    seen = 0
    while seen < longest:
        for places_chosen in product(*[range(min(size, len(choice))) for choice in choices]):
            if max(places_chosen) >= seen:
                yield tuple(choice[place] for choice, place in zip(choices, places_chosen, strict=True))
        seen, size = size, size + 2


def _oddness(piece: Piece) -> tuple[bool, bool, bool]:
    negative = type(piece.value) is Decimal and piece.value < 0
    return (piece.kind == "null", not piece.exact, negative)


def _lies_in(piece: Piece, value: Any) -> bool:
    if type_name(value) != piece.kind:
        return piece.kind == "any"
    return piece.kind == "string" or lies_between(value, piece.low, piece.high)


def _transposed(masks: Sequence[Sequence[int]], count: int) -> list[Box]:
    """Return for each row its pieces of each dimension. What is on all pieces, as `-` is, is set at once."""
    boxes = [[0] * len(masks) for _ in range(count)]
    for number, of_pieces in enumerate(masks):
        common = (1 << count) - 1
        for mask in of_pieces:
            common &= mask
        everything = (1 << len(of_pieces)) - 1
        for row in places(common):
            boxes[row][number] = everything
        for place, mask in enumerate(of_pieces):
            bit = 1 << place
            for row in places(mask & ~common):
                boxes[row][number] |= bit
    return [tuple(box) for box in boxes]
