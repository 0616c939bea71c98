"""The index of a column: which rows' cells are true of a value. The run time and the verifier both read it.

All values of a type are cut at the constants of the column's cells into points and open intervals, on each of which
every cell of constants is either true or not. A mask holds one bit per row. Cells that are not made of constants are
kept apart and run (`opaque`).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from settledesk.decisions.cells import AXIS_TYPES, ConstantTest, constant_tests, constants, true_spans
from settledesk.feel.checker import INPUT_SLOT
from settledesk.feel.compiler import Compiled, Frame
from settledesk.feel.expression import Program
from settledesk.feel.tree import Tests
from settledesk.feel.values import type_name

MASK_BITS_MAX = 400_000_000
"""Bits of all masks of an axis. Beyond them the cells of the column are run, which is slower and takes no memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The values of one type, cut at `bounds`, which are sorted and distinct.

    `masks[2 * i + 1]` are the rows true of `bounds[i]`, `masks[2 * i]` those true of what lies open below it, and the
    last mask those true of everything above the last bound: `len(masks) == 2 * len(bounds) + 1`. An axis of booleans
    has both of them as bounds, and its intervals hold no value.
    """

    kind: str
    bounds: tuple[Any, ...]
    masks: tuple[int, ...]
    points: Mapping[Any, int]
    """The masks of the bounds, by value."""
    uniform: int | None
    """The mask of all intervals, where they have the same."""

    def mask(self, value: Any) -> int:
        """Return the rows whose cell is true of a value of the axis' type."""
        found = self.points.get(value)
        if found is not None:
            return found
        if self.uniform is not None:
            return self.uniform
        return self.masks[2 * bisect_left(self.bounds, value)]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpaqueCell:
    """A cell that has to be run: the same for all rows of `mask`."""

    mask: int
    run_on: Compiled
    tree: Tests


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnIndex:
    """The cells of one column. The rows of `opaque` cells are in no other mask."""

    axes: Mapping[type, Axis]
    null_mask: int
    other_mask: int
    """The rows true of a value of a type that no cell of constants names."""
    any_mask: int
    """The rows true of everything."""
    opaque: tuple[OpaqueCell, ...]
    constant: tuple[OpaqueCell, ...]
    """The cells of constants that are neither `-` nor in `opaque`, to be run on what no axis holds, such as a list."""

    def mask(self, value: Any) -> int | None:
        """Return the rows whose cell of constants is true of the value; `None` if they have to be run to know."""
        if value is None:
            return self.null_mask
        axis = self.axes.get(type(value))
        if axis is not None:
            return axis.mask(value)
        return self.other_mask if type(value) in AXIS_TYPES else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """A distinct cell of constants and the rows that have it."""

    mask: int
    negated: bool
    tests: list[ConstantTest]
    program: Program


def build_index(cells: Iterable[tuple[int, Program]], new_frame: Callable[[], Frame]) -> ColumnIndex:
    """Return the index of a column from its distinct cells, each with the mask of its rows.

    `new_frame` gives a frame to run a cell on. What a cell says of null, and of a value of a type that it does not
    name, is found by running it, so that the index and the cells cannot disagree on the reading of null.
    """
    any_mask = 0
    known: list[_Cell] = []
    opaque: list[OpaqueCell] = []
    for mask, program in cells:
        tree = program.tree
        assert isinstance(tree, Tests)
        if not tree.tests:
            any_mask |= mask
            continue
        tests = constant_tests(tree)
        if tests is None:
            opaque.append(OpaqueCell(mask=mask, run_on=program.run_on, tree=tree))
        else:
            known.append(_Cell(mask=mask, negated=tree.negated, tests=tests, program=program))
    axes = _axes(known, any_mask)
    if axes is None:
        run = [OpaqueCell(mask=cell.mask, run_on=cell.program.run_on, tree=_tree(cell)) for cell in known]
        opaque, known, axes = [*opaque, *run], [], {}
    return ColumnIndex(
        axes=axes,
        null_mask=any_mask | _true_of(known, None, new_frame),
        other_mask=any_mask | _true_of(known, _Other(), new_frame),
        any_mask=any_mask,
        opaque=tuple(opaque),
        constant=tuple(OpaqueCell(mask=cell.mask, run_on=cell.program.run_on, tree=_tree(cell)) for cell in known),
    )


class _Other:
    """A value of a type that no cell can name."""


def _tree(cell: _Cell) -> Tests:
    assert isinstance(cell.program.tree, Tests)
    return cell.program.tree


def _true_of(cells: list[_Cell], value: Any, new_frame: Callable[[], Frame]) -> int:
    mask = 0
    for cell in cells:
        frame = new_frame()
        frame[INPUT_SLOT] = value
        if cell.program.run_on(frame) is True:
            mask |= cell.mask
    return mask


def _axes(cells: list[_Cell], any_mask: int) -> dict[type, Axis] | None:
    """Return an axis for each type that a cell names, or `None` if their masks would take too much memory."""
    rows = any_mask
    for cell in cells:
        rows |= cell.mask
    axes: dict[type, Axis] = {}
    for kind in AXIS_TYPES:
        if not any(test.kind is kind for cell in cells for test in cell.tests):
            continue
        bounds = [False, True] if kind is bool else sorted({end for c in cells for end in constants(c.tests, kind)})
        if len(bounds) * 2 * rows.bit_length() > MASK_BITS_MAX:
            return None
        axes[kind] = _axis(kind, bounds, cells, any_mask)
    return axes


def _axis(kind: type, bounds: list[Any], cells: list[_Cell], any_mask: int) -> Axis:
    places = {bound: index for index, bound in enumerate(bounds)}
    toggles = [0] * (2 * len(bounds) + 2)
    for cell in cells:
        for first, final in true_spans(cell.tests, cell.negated, kind, places):
            toggles[first] ^= cell.mask
            toggles[final + 1] ^= cell.mask
    masks: list[int] = []
    current = any_mask
    for toggle in toggles[:-1]:
        current ^= toggle
        masks.append(current)
    return Axis(
        kind=type_name(bounds[0]),
        bounds=tuple(bounds),
        masks=tuple(masks),
        points=dict(zip(bounds, masks[1::2], strict=True)),
        uniform=masks[0] if len(set(masks[::2])) == 1 else None,
    )
