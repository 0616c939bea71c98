"""A compiled decision table.

Rows are bits. Each column answers a value with the mask of the rows whose cell is true of it: cells of constants
through the column's index, the others through their compiled test, equal cells once. The AND of the masks are the
matching rows, and a row that drops out at a column has its first failing cell there, so the trace costs nothing but
its recording.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from settledesk.decisions.index import ColumnIndex, OpaqueCell
from settledesk.decisions.item_types import ItemType, NotConformingError, conform
from settledesk.decisions.results import Dropped
from settledesk.decisions.session import Session
from settledesk.decisions.trace import TraceWriter, bits
from settledesk.feel.checker import INPUT_SLOT
from settledesk.feel.compiler import Compiled, Frame
from settledesk.feel.values import type_name


class UndeclaredValueError(Exception):
    """An input has a value that its column does not declare; the finding is already recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One input of a table. `name` is its expression's text; `cells` are the texts of the rows' tests."""

    name: str
    label: str
    item_type: ItemType
    variable: str | None
    """The variable that the expression is, if it is one."""
    run_on: Compiled
    cells: tuple[str, ...]
    index: ColumnIndex
    expected: frozenset[type]
    """The types that the cells can be true of; empty where that is not known."""
    allowed: OpaqueCell | None = None
    """The test that the declared values of the column are."""
    allowed_index: ColumnIndex | None = None
    """The index of that test, as if it were the one cell of a column."""

    def matching(self, value: Any, candidates: int, frame: Frame, session: Session, rows: tuple[str, ...]) -> int:
        """Return the mask of the rows whose cell is true of the value; only `candidates` need be right."""
        index = self.index
        known = index.mask(value)
        mask = self._run_constants(value, frame) if known is None else known
        if not index.opaque or not candidates & ~mask:
            return mask
        frame[INPUT_SLOT] = value
        diagnostics = frame[0].diagnostics
        for cell in index.opaque:
            if cell.mask & candidates & ~mask:
                before = len(diagnostics)
                if cell.run_on(frame) is True:
                    mask |= cell.mask
                if len(diagnostics) > before:
                    session.note_cell(before, _names(cell.mask, rows), self.name)
        return mask

    def _run_constants(self, value: Any, frame: Frame) -> int:
        """Return what the index cannot tell of a value that no axis holds; its type is already a finding."""
        mask = self.index.any_mask
        frame[INPUT_SLOT] = value
        diagnostics = frame[0].diagnostics
        before = len(diagnostics)
        for cell in self.index.constant:
            if cell.run_on(frame) is True:
                mask |= cell.mask
        del diagnostics[before:]
        return mask


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One output of a table. `rank` tells how far to the front a value stands in the declared list."""

    name: str | None
    item_type: ItemType
    cells: tuple[str, ...]
    run_on: tuple[Compiled, ...]
    constant: tuple[bool, ...]
    """For each row, whether it gives the same whatever the inputs are."""
    default: Compiled | None
    default_constant: bool
    rank: Callable[[Any], int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The matching rows, and where each of the others dropped out: the column's index and the value there."""

    mask: int
    dropped: Dropped


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionTable:
    """A table that can be evaluated. `variables` are the names of the frame, in their order."""

    name: str
    hit_policy: str
    aggregation: str | None
    rows: tuple[str, ...]
    columns: tuple[Column, ...]
    outputs: tuple[Output, ...]
    variables: tuple[str, ...]
    frame_size: int
    standard: bool = False
    """The standard's reading: an undeclared value makes the table null, and a default is no list under any policy."""
    annotations: tuple[str, ...] = field(default=())
    tracing: TraceWriter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        columns = [(column.name, column.cells) for column in self.columns]
        object.__setattr__(self, "tracing", TraceWriter(self.rows, columns))

    def frame(self, values: Mapping[str, Any], session: Session) -> Frame:
        """Return a frame with the values of the variables."""
        get = values.get
        frame: Frame = [session.run, None, *[get(name) for name in self.variables]]
        frame.extend([None] * (self.frame_size - len(frame)))
        return frame

    def match(self, frame: Frame, session: Session) -> Match:
        """Find the matching rows."""
        candidates = (1 << len(self.rows)) - 1
        dropped: Dropped = []
        for index, column in enumerate(self.columns):
            value = self._input(column, frame, session)
            mask = column.matching(value, candidates, frame, session, self.rows)
            lost = candidates & ~mask
            if lost:
                dropped.append((lost, index, value))
                candidates &= mask
                if not candidates and not self.standard:
                    break
        return Match(mask=candidates, dropped=dropped)

    def _input(self, column: Column, frame: Frame, session: Session) -> Any:
        before = len(frame[0].diagnostics)
        value = column.run_on(frame)
        if len(frame[0].diagnostics) > before:
            session.note_cell(before, (), column.name)
        if value is not None:
            try:
                value = conform(value, column.item_type)
            except NotConformingError as error:
                session.wrong_type(column.name, str(error))
                value = None
        if value is None and not self.standard:
            return None
        if value is not None and column.expected and type(value) not in column.expected:
            session.wrong_type(column.name, f"no cell of the column can be true of a {type_name(value)}")
        if column.allowed is not None:
            self._check_declared(column, column.allowed, value, frame, session)
        return value

    def _check_declared(self, column: Column, allowed: OpaqueCell, value: Any, frame: Frame, session: Session) -> None:
        """Record a value that the column does not declare; raises `UndeclaredValueError` where that ends the table."""
        if not _is_declared(value, allowed, frame):
            shown = "null" if value is None else str(value)[:60]
            session.wrong_type(column.name, f"`{shown}` is not one of the values that the column declares")
            if self.standard:
                raise UndeclaredValueError

    def output(self, row: int, frame: Frame, session: Session) -> Any:
        """Return what a row gives: a value, or a context if there are several outputs."""
        before = len(frame[0].diagnostics)
        values = [output.run_on[row](frame) for output in self.outputs]
        if len(frame[0].diagnostics) > before:
            session.note_cell(before, (self.rows[row],), "the outputs")
        return self._shaped(values)

    def default(self, frame: Frame, session: Session) -> Any:
        """Return the default output; an output without one is null."""
        before = len(frame[0].diagnostics)
        values = [None if output.default is None else output.default(frame) for output in self.outputs]
        if len(frame[0].diagnostics) > before:
            session.note_cell(before, (), "the default outputs")
        return self._shaped(values)

    def _shaped(self, values: list[Any]) -> Any:
        if len(self.outputs) == 1:
            return values[0]
        return {str(output.name): value for output, value in zip(self.outputs, values, strict=True)}

    def names(self, mask: int) -> tuple[str, ...]:
        """Return the names of the rows of a mask, in the order of the table."""
        return _names(mask, self.rows)


def _is_declared(value: Any, allowed: OpaqueCell, frame: Frame) -> bool:
    """Tell whether a value, or each element of a list, is one of those that a column declares."""
    frame[INPUT_SLOT] = value
    if allowed.run_on(frame) is True:
        return True
    return type(value) is list and all(_is_declared(item, allowed, frame) for item in value)


def _names(mask: int, rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(rows[row] for row in bits(mask))
