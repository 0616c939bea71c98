"""Cells by themselves: those that can never be true, those outside the declared domain, and those of the wrong type."""

from collections.abc import Iterator
from decimal import localcontext
from typing import Any

from settledesk.decisions.item_types import ANY, ItemType, NotConformingError, conform
from settledesk.decisions.session import Session
from settledesk.decisions.table import Column, Output
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.tree import Tests
from settledesk.feel.values import type_name
from settledesk.verify.tables.examined import Examined
from settledesk.verify.tables.findings import Finding, Kind, Severity
from settledesk.verify.tables.partition import base_kind
from settledesk.verify.tables.replay import Played
from settledesk.verify.tables.search import Box, places
from settledesk.verify.tables.shapes import points_of, shape_of
from settledesk.verify.tables.wording import names_text, value_text


def cell_faults(table: Examined) -> Iterator[Finding]:
    """Yield the faults of input cells: each of its column, its rows, and the text of the cell."""
    said: set[tuple[str, int]] = set()
    for column in table.table.columns:
        for mask, tree in _cells(column):
            for finding, rows in _of_cell(table, column, mask, tree):
                said |= {(column.name, row) for row in places(rows)}
                yield finding
    yield from _empty_rows(table, said)


def _cells(column: Column) -> list[tuple[int, Tests]]:
    """Return the distinct cells that say anything, in the order of their first rows."""
    cells = [(cell.mask, cell.tree) for cell in (*column.index.constant, *column.index.opaque)]
    return sorted(cells, key=lambda cell: cell[0] & -cell[0])


def _of_cell(table: Examined, column: Column, mask: int, tree: Tests) -> Iterator[tuple[Finding, int]]:
    shape = shape_of(tree, table.table.frame_size)
    if not shape.exact:
        return
    text = column.cells[(mask & -mask).bit_length() - 1]
    number = _number_of(table, column)
    kinds = {piece.kind for piece in table.dimensions[number].pieces} - {"null", "any"}
    wrong = [value for value in shape.constants if type_name(value) not in kinds]
    if wrong and kinds:
        message = (
            f"`{text}` compares `{column.name}`, which is a {' or '.join(sorted(kinds))}, with a {type_name(wrong[0])}"
        )
        finding = _of_rows(
            table, "type", "error", mask, number, wrong[0], message, lambda played, rows: not rows & played.matched
        )
        if finding is not None:
            yield finding, mask
        return
    outside = [
        piece.value
        for piece in table.dimensions[number].pieces
        if piece.point and not piece.declared and piece.value in points_of(tree, table.table.frame_size)
    ]
    if outside:
        named = ", ".join(value_text(value) for value in outside)
        dead = all(not table.rows[row][number] & table.declared[number] for row in places(mask))
        message = f"`{text}` names {named}, which `{column.name}` does not declare"
        finding = _of_rows(
            table,
            "domain",
            "error" if dead else "warning",
            mask,
            number,
            outside[0],
            message,
            lambda played, _rows: played.unusual(),
        )
        if finding is not None:
            yield finding, mask if dead else 0


def _empty_rows(table: Examined, said: set[tuple[str, int]]) -> Iterator[Finding]:
    """Yield the cells, or pairs of cells on one input, that are true of nothing, or of nothing that is declared."""
    done: set[tuple[int, str]] = set()
    for number, dimension in enumerate(table.dimensions):
        columns = [column for column in table.table.columns if (column.variable or column.name) == dimension.name]
        for row in range(len(table.table.rows)):
            bits = table.rows[row][number]
            if dimension.condition is not None or bits & table.declared[number]:
                continue
            texts = " and ".join(f"`{column.cells[row]}`" for column in columns)
            if (number, texts) in done or any((column.name, row) in said for column in columns):
                continue
            done.add((number, texts))
            alike = sum(
                1 << other
                for other in range(len(table.table.rows))
                if [column.cells[other] for column in columns] == [column.cells[row] for column in columns]
            )
            finding = _empty(table, number, alike, texts, outside=bool(bits))
            if finding is not None:
                yield finding


def _empty(table: Examined, number: int, mask: int, texts: str, *, outside: bool) -> Finding | None:
    name = table.dimensions[number].name
    if not outside:
        message = f"{texts} can never be true of `{name}`"
        return _of_rows(
            table, "contradiction", "error", mask, number, None, message, lambda played, rows: not rows & played.matched
        )
    message = f"{texts} is true only of values that `{name}` does not declare"
    row = (mask & -mask).bit_length() - 1
    place = places(table.rows[row][number])[0]
    value = table.dimensions[number].pieces[place].value
    return _of_rows(table, "domain", "error", mask, number, value, message, lambda played, _rows: played.unusual())


def _number_of(table: Examined, column: Column) -> int:
    name = column.variable or column.name
    return next(number for number, dimension in enumerate(table.dimensions) if dimension.name == name)


def _of_rows(
    table: Examined,
    kind: Kind,
    severity: Severity,
    mask: int,
    number: int,
    value: Any,
    message: str,
    shows: Any,
) -> Finding | None:
    """Return a finding on the rows of a cell, shown by the first row's other cells and `value` in this column."""
    rows = table.row_names(mask)
    first = (mask & -mask).bit_length() - 1
    box: list[int] = []
    for place, bits in enumerate(table.rows[first]):
        declared = bits & table.declared[place]
        box.append(declared if declared and place != number else table.known[place] or table.declared[place])
    values = table.picked(tuple(box))
    if value is not None:
        values[table.dimensions[number].name] = value
    played = table.play(values)
    if not shows(played, set(rows)):
        table.counters.unconfirmed += 1
        return None
    return Finding(
        kind=kind,
        severity=severity,
        decision=table.decision,
        rows=rows,
        input=played.input,
        message=f"{names_text(rows[:8])}: {message}",
        pasteable=played.pasteable,
    )


def output_faults(table: Examined, result: ItemType) -> Iterator[Finding]:
    """Yield the constant outputs that are not of their type or not among their declared values."""
    session = Session(Run(), trace=False)
    frame = table.table.frame({}, session)
    with localcontext(DECIMAL_CONTEXT):
        for output in table.table.outputs:
            for row, constant in enumerate(output.constant):
                value = output.run_on[row](frame) if constant else None
                if value is None:
                    continue
                found = _output_fault(output, value, result if len(table.table.outputs) == 1 else ANY)
                if found is not None:
                    finding = _of_output(table, row, output, *found)
                    if finding is not None:
                        yield finding


def _output_fault(output: Output, value: Any, result: ItemType) -> tuple[Kind, str] | None:
    name = output.name or "the output"
    for wanted in (output.item_type, result):
        if wanted is ANY:
            continue
        try:
            conform(value, wanted)
        except NotConformingError:
            kind = base_kind(wanted)
            if kind not in ("any", "list", "context") and type_name(value) != kind:
                return "type", f"{value_text(value)} is not a {kind}, which `{name}` is"
            return "domain", f"{value_text(value)} is not one of the values that `{name}` allows"
    if output.rank is not None and output.rank(value) == output.rank(_Nothing()):
        return "domain", f"{value_text(value)} is not one of the values that `{name}` declares"
    return None


class _Nothing:
    """What no list of values holds."""


def _of_output(table: Examined, row: int, _output: Output, kind: Kind, message: str) -> Finding | None:
    name = table.table.rows[row]
    box: Box = table.box_of(row)
    if not all(box):
        return None
    shown = table.show(box, lambda played: name in played.matched)
    played: Played | None = shown.played
    if played is None:
        return None
    return Finding(
        kind=kind,
        severity="error",
        decision=table.decision,
        rows=(name,),
        input=played.input,
        message=f"`{name}`: {message}",
        outputs=table.replayer.outputs((name,), played),
        pasteable=played.pasteable,
    )
