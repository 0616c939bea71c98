"""The joint partition of the columns of one or several tables: what all values of an input fall into.

A `Dimension` is one input expression, in all tables that have a column of it. Its `pieces` are elementary: points (a
constant that a cell or a declared domain names, null) and open intervals between them, or all other texts. On a piece
every cell is either true or not, as the index of the column says that the run time reads, so what is found here is
what happens there. `masks[t][p]` are the rows of table `t` that are true on piece `p`, as bits.

Cells that have to be run and look at the input alone are run: on points they are known; an open piece on which such a
cell might be true here and false there is split into the pieces that some value bears witness to (`exact`, with that
value) and one rest with `exact=False`. On the rest `masks` are the rows that may be true and `sure` those that are.

A cell that looks at other variables gives a dimension of its own (`condition`), with the pieces true and false; in the
column's own dimension it counts as true. Whether the pieces of a condition go with those of the columns is for a
solver, or for a trial, to say.

To compare two tables: `partition([old, new])`, then `search.reachable(dimensions)` gives every pair of row masks
`(old rows, new rows)` that some combination of pieces has, with one such combination; `values_of` turns it into inputs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import localcontext
from itertools import pairwise
from typing import Any

from settledesk.decisions.item_types import ANY, ItemType, NotConformingError, conform
from settledesk.decisions.session import Session
from settledesk.decisions.table import Column, DecisionTable
from settledesk.feel import FeelLimitError
from settledesk.feel.checker import INPUT_SLOT
from settledesk.feel.compiler import Frame
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.tree import CompareTest, Comparison, InputMark, RangeLiteral, Test, Tests
from settledesk.feel.values import type_name
from settledesk.verify.tables.samples import between, guesses, in_order, lies_between, other_text, usual
from settledesk.verify.tables.shapes import Shape, reads_lists, shape_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A table to be looked at: the decision's name and the declared types of what its columns read, by expression."""

    decision: str
    table: DecisionTable
    input_types: Mapping[str, ItemType]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Values on which all cells agree. `value` stands for them.

    `kind` is the FEEL type, `null`, `any` (of a column whose type nothing tells) or `condition`. A point has `low`
    and `high` alike, an open interval has its ends (`None`: open to that side; texts: all that are no point).
    """

    kind: str
    value: Any
    low: Any = None
    high: Any = None
    point: bool = False
    declared: bool = True
    """Whether the value is of the declared type and one of the declared values."""
    exact: bool = True
    witness: bool = False
    """Whether the piece is only what is like `value` in the eyes of cells that have to be run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A cell that looks at other variables: the rows of table `table` that share it in a column."""

    table: int
    column: Column
    mask: int
    tree: Tests
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """One input expression of the tables, or one condition. See the module."""

    name: str
    variable: str | None
    pieces: tuple[Piece, ...]
    masks: tuple[tuple[int, ...], ...]
    sure: tuple[tuple[int, ...], ...]
    condition: Condition | None = None

    def bits(self, *, null: bool = True, undeclared: bool = False) -> int:
        """Return the pieces as bits: with or without null, with or without those outside the declared domain."""
        found = 0
        for place, piece in enumerate(self.pieces):
            if (null or piece.kind != "null") and (undeclared or piece.declared):
                found |= 1 << place
        return found


def partition(subjects: Sequence[Subject]) -> tuple[Dimension, ...]:
    """Return the dimensions of the tables, columns in their order (first table first), then conditions."""
    groups: dict[str, list[tuple[int, Column]]] = {}
    for number, subject in enumerate(subjects):
        for column in subject.table.columns:
            groups.setdefault(column.variable or column.name, []).append((number, column))
    made: list[Dimension] = []
    conditions: list[Dimension] = []
    with localcontext(DECIMAL_CONTEXT):
        for name, columns in groups.items():
            builder = _Builder(subjects, name, columns)
            made.append(builder.dimension())
            conditions.extend(builder.conditions())
    return (*made, *conditions)


def values_of(dimensions: Iterable[Dimension], places: Iterable[int]) -> dict[str, Any]:
    """Return the input, by the columns' expressions, that a combination of pieces stands for."""
    pairs = zip(dimensions, places, strict=True)
    return {dimension.name: dimension.pieces[place].value for dimension, place in pairs if dimension.condition is None}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """A cell that has to be run, in table `table`."""

    table: int
    column: Column
    mask: int
    run_on: Any
    shape: Shape
    tree: Tests
    is_domain: bool = False


class _Builder:
    """Makes the dimension of one input expression."""

    def __init__(self, subjects: Sequence[Subject], name: str, columns: list[tuple[int, Column]]) -> None:
        self._subjects = subjects
        self._name = name
        self._columns = columns
        self._variable = columns[0][1].variable
        self._types = [
            wanted
            for number, column in columns
            for wanted in (subjects[number].input_types.get(column.variable or column.name, ANY), column.item_type)
            if wanted is not ANY
        ]
        self._frames: list[Frame] = [subject.table.frame({}, Session(Run(), trace=False)) for subject in subjects]
        self._cells = list(self._runs())
        self._uncertain = [cell for cell in self._cells if not cell.shape.exact and not cell.shape.crosses]
        self._crossing = [cell for cell in self._cells if cell.shape.crosses]

    def _runs(self) -> Iterator[_Run]:
        for number, column in self._columns:
            for cell in column.index.opaque:
                yield _Run(
                    table=number,
                    column=column,
                    mask=cell.mask,
                    run_on=cell.run_on,
                    shape=shape_of(cell.tree, self._subjects[number].table.frame_size),
                    tree=cell.tree,
                )

    def conditions(self) -> Iterator[Dimension]:
        """Yield a dimension for each cell that looks at other variables."""
        count = len(self._subjects)
        pieces = (Piece(kind="condition", value=True, point=True), Piece(kind="condition", value=False, point=True))
        for cell in self._crossing:
            all_rows = [(1 << len(subject.table.rows)) - 1 for subject in self._subjects]
            masks = tuple(
                (rows, rows & ~cell.mask if number == cell.table else rows) for number, rows in enumerate(all_rows)
            )
            assert len(masks) == count
            text = cell.column.cells[(cell.mask & -cell.mask).bit_length() - 1]
            yield Dimension(
                name=f"{self._name}: {text}",
                variable=None,
                pieces=pieces,
                masks=masks,
                sure=masks,
                condition=Condition(table=cell.table, column=cell.column, mask=cell.mask, tree=cell.tree, text=text),
            )

    def dimension(self) -> Dimension:
        """Return the dimension of the expression."""
        pieces = [Piece(kind="null", value=None, point=True)]
        constants = self._constants()
        for kind in self._kinds():
            pieces = [*self._of_kind(kind, constants.get(kind, [])), *pieces]
        pieces = self._with_witnesses(pieces, [value for values in constants.values() for value in values])
        columns = [self._masks(piece) for piece in pieces]
        count = range(len(self._subjects))
        return Dimension(
            name=self._name,
            variable=self._variable,
            pieces=tuple(pieces),
            masks=tuple(tuple(may[number] for may, _ in columns) for number in count),
            sure=tuple(tuple(sure[number] for _, sure in columns) for number in count),
        )

    def _constants(self) -> dict[str, list[Any]]:
        """Return the constants at which something may change, by type."""
        found: dict[str, list[Any]] = {}
        for _, column in self._columns:
            for axis in column.index.axes.values():
                found.setdefault(axis.kind, []).extend(axis.bounds)
        for cell in self._cells:
            for value in cell.shape.constants:
                if not cell.shape.crosses:
                    found.setdefault(type_name(value), []).append(value)
        for shape in self._domain_shapes():
            for value in shape.constants:
                found.setdefault(type_name(value), []).append(value)
        return found

    def _domain_shapes(self) -> Iterator[Shape]:
        for number, column in self._columns:
            if column.allowed is not None:
                yield shape_of(column.allowed.tree, self._subjects[number].table.frame_size)
        for wanted in self._types:
            inner: ItemType | str = wanted
            while isinstance(inner, ItemType):
                if inner.allowed is not None and isinstance(inner.allowed.tree, Tests):
                    yield shape_of(inner.allowed.tree, 64)
                inner = inner.base

    def _kinds(self) -> list[str]:
        """Return the types that a value may have: the declared one, else those that the cells name."""
        declared = {base_kind(wanted) for wanted in self._types} - {"any"}
        if declared:
            return sorted(declared)
        named = {kind for _, column in self._columns for kind in (axis.kind for axis in column.index.axes.values())}
        for cell in self._cells:
            if cell.shape.exact:
                named |= {type_name(value) for value in cell.shape.constants}
        if self._uncertain or not named:
            named.add("any")
        return sorted(named, reverse=True)

    def _of_kind(self, kind: str, constants: list[Any]) -> list[Piece]:
        if kind == "boolean":
            return [self._point(kind, value) for value in (True, False)]
        if kind == "string" and not self._texts_are_ordered():
            named = list(dict.fromkeys(constants))
            rest = self._piece(kind, other_text(named))
            return [*[self._point(kind, value) for value in named], rest]
        ordered = in_order(constants) if kind in _ORDERED else None
        if ordered is None:
            distinct = [value for place, value in enumerate(constants) if value not in constants[:place]]
            rest = self._piece(kind, usual(kind) if kind != "any" else "other", exact=kind != "any" and not constants)
            return [*[self._point(kind, value) for value in distinct], rest]
        pieces: list[Piece] = []
        ends = [None, *ordered, None]
        for low, high in pairwise(ends):
            value = between(low, high, kind)
            if value is not None:
                pieces.append(self._piece(kind, value, low=low, high=high))
            if high is not None:
                pieces.append(self._point(kind, high))
        return pieces

    def _texts_are_ordered(self) -> bool:
        axes = [axis for _, column in self._columns for axis in column.index.axes.values() if axis.kind == "string"]
        shapes = [*[cell.shape for cell in self._cells if cell.shape.exact], *self._domain_shapes()]
        return any(axis.uniform is None for axis in axes) or any(
            shape.ordered and any(type(value) is str for value in shape.constants) for shape in shapes
        )

    def _point(self, kind: str, value: Any) -> Piece:
        return Piece(kind=kind, value=value, low=value, high=value, point=True, declared=self._declared(value))

    def _piece(self, kind: str, value: Any, *, low: Any = None, high: Any = None, exact: bool = True) -> Piece:
        return Piece(
            kind=kind,
            value=value,
            low=low,
            high=high,
            declared=self._declared(value),
            exact=exact and not self._uncertain,
        )

    def _declared(self, value: Any) -> bool:
        """Tell whether the value is of all declared types and among all declared values."""
        try:
            if any(conform(value, wanted) is not value for wanted in self._types):
                return False
        except (NotConformingError, FeelLimitError, RecursionError):
            return False
        return all(
            column.allowed is None or self._is_true(column.allowed.run_on, number, value)
            for number, column in self._columns
        )

    def _is_true(self, run_on: Any, table: int, value: Any) -> bool:
        frame = self._frames[table]
        frame[0] = Run()
        frame[INPUT_SLOT] = value
        try:
            return run_on(frame) is True
        except (FeelLimitError, RecursionError):
            return False

    def _with_witnesses(self, pieces: list[Piece], constants: list[Any]) -> list[Piece]:
        """Split each open piece on which cells have to be run by what the guesses show."""
        if all(piece.exact for piece in pieces):
            return pieces
        kinds = [piece.kind for piece in pieces if not piece.exact]
        found: list[Piece] = []
        tried = guesses(constants, kinds, lists_first=any(reads_lists(cell.tree) for cell in self._uncertain))
        for piece in pieces:
            if piece.exact:
                found.append(piece)
                continue
            seen: set[tuple[int, ...]] = set()
            for value in tried:
                if not _holds(piece, value, pieces) or not self._makes_sense(value) or not self._declared(value):
                    continue
                mask = tuple(self._mask(number, value) for number in range(len(self._subjects)))
                if mask not in seen:
                    seen.add(mask)
                    found.append(
                        Piece(
                            kind=type_name(value),
                            value=value,
                            low=piece.low,
                            high=piece.high,
                            witness=True,
                        )
                    )
            found.append(piece)
        return found

    def _makes_sense(self, value: Any) -> bool:
        """Tell whether a cell that has to be run says true or false of the value, without an error."""
        for cell in self._uncertain:
            frame = self._frames[cell.table]
            frame[0] = run = Run()
            frame[INPUT_SLOT] = value
            try:
                if type(cell.run_on(frame)) is bool and not run.diagnostics:
                    return True
            except (FeelLimitError, RecursionError):
                continue
        return False

    def _mask(self, table: int, value: Any) -> int:
        """Return the rows of a table whose cells are true of a value; cells that look elsewhere count as true."""
        mask = (1 << len(self._subjects[table].table.rows)) - 1
        for number, column in self._columns:
            if number == table:
                mask &= self._column_mask(number, column, value)
        return mask

    def _column_mask(self, table: int, column: Column, value: Any) -> int:
        index = column.index
        mask = index.mask(value)
        if mask is None:
            mask = index.any_mask
            for constant in index.constant:
                if self._is_true(constant.run_on, table, value):
                    mask |= constant.mask
        for cell in self._cells:
            if cell.column is not column or cell.table != table:
                continue
            if cell.shape.crosses:
                mask |= cell.mask if value is not None or not _needs_value(cell, self._frames[table]) else 0
            elif self._is_true(cell.run_on, table, value):
                mask |= cell.mask
        return mask

    def _masks(self, piece: Piece) -> tuple[list[int], list[int]]:
        """Return, for each table, the rows that may be true on the piece and those that are."""
        sure = [self._mask(number, piece.value) for number in range(len(self._subjects))]
        if piece.exact:
            return sure, sure
        may = list(sure)
        for number in range(len(self._subjects)):
            doubtful = 0
            for cell in self._uncertain:
                doubtful |= cell.mask if cell.table == number else 0
            may[number] |= doubtful
            sure[number] &= ~doubtful
        return may, sure


def _holds(piece: Piece, value: Any, pieces: list[Piece]) -> bool:
    if any(other.point and other.kind == type_name(value) and other.value == value for other in pieces):
        return False
    if piece.kind == "any":
        kinds = {other.kind for other in pieces}
        return type_name(value) not in kinds
    if type_name(value) != piece.kind:
        return False
    return piece.kind not in _ORDERED or lies_between(value, piece.low, piece.high)


def _needs_value(cell: _Run, frame: Frame) -> bool:
    """Tell whether a cell is never true of null: it compares by order, or is not even true of null where all is null.

    A comparison for equality that two nulls do not meet is met by no null at all.
    """
    tests = cell.tree
    if tests.negated:
        return False
    frame[0], frame[INPUT_SLOT] = Run(), None
    return all(_test_needs_value(test) for test in tests.tests) and cell.run_on(frame) is not True


def _test_needs_value(test: Test) -> bool:
    if isinstance(test, CompareTest):
        return test.operator != "!="
    match test.value:
        case RangeLiteral():
            return True
        case Comparison(operator=operator, left=left, right=right):
            return operator not in ("=", "!=") and (isinstance(left, InputMark) or isinstance(right, InputMark))
    return False


def base_kind(wanted: ItemType) -> str:
    """Return the built-in type that a type is made of."""
    if wanted.collection:
        return "list"
    if wanted.components is not None:
        return "context"
    return base_kind(wanted.base) if isinstance(wanted.base, ItemType) else wanted.base


_ORDERED = frozenset(
    {
        "number",
        "string",
        "date",
        "time",
        "date and time",
        "days and time duration",
        "years and months duration",
    }
)
