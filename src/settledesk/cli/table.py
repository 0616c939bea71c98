"""What `settledesk table eval`, `table show` and the table part of `settledesk show` print, as plain functions."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from settledesk.decisions import DecisionTable, Evaluation, Model, load_model
from settledesk.decisions.item_types import ItemType
from settledesk.decisions.table import Column
from settledesk.feel import temporal
from settledesk.feel.builtins.conversions import text_of
from settledesk.feel.run import Run
from settledesk.feel.values import number_text, to_feel

_CELL_WIDTH_MAX = 36
_PARSERS = {
    "date": temporal.parse_date,
    "time": temporal.parse_time,
    "date and time": temporal.parse_date_time,
    "days and time duration": temporal.parse_duration,
    "years and months duration": temporal.parse_duration,
}


def table_eval(file: Path | str, decision: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Evaluate a decision of a file and return what `settledesk table eval --json` prints.

    `facts` is parsed JSON (read with `parse_float=Decimal, parse_int=Decimal`): a fact that is left out is reported as
    missing, `null` is unknown. Texts become dates, times or durations where the model declares such an input, or the
    decision's table such a column. Raises `ModelError` for a file or decision that cannot be used, and `OSError` for
    one that cannot be read.
    """
    model = load_model(Path(file))
    table = model.table(decision)
    columns = {} if table is None else {column.variable: column for column in table.columns}
    typed = {name: _typed(value, model.input_types.get(name), columns.get(name)) for name, value in facts.items()}
    return evaluation_to_json(model.evaluate(decision, typed, trace=True))


def _typed(value: Any, wanted: ItemType | None, column: Column | None = None) -> Any:
    """Return a text as the date, time or duration that its input is, or else its column, or else the column's cells."""
    if wanted is not None and wanted.components is not None and isinstance(value, dict):
        return {key: _typed(item, wanted.components.get(key)) for key, item in value.items()}
    if isinstance(value, list):
        return [_typed(item, wanted) for item in value]
    kinds = {_base(wanted)} - {"any"} or ({_base(column.item_type)} if column is not None else set()) - {"any"}
    if column is not None and not kinds:
        kinds = {axis.kind for axis in column.index.axes.values()}
    parse = _PARSERS.get(next(iter(kinds))) if len(kinds) == 1 else None
    if not isinstance(value, str) or parse is None:
        return value
    found = parse(value)
    return value if found is None else found


def _base(wanted: ItemType | None) -> str:
    while wanted is not None and isinstance(wanted.base, ItemType):
        wanted = wanted.base
    return "any" if wanted is None else str(wanted.base)


def evaluation_to_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return the evaluation under the keys `value, fired, findings, trace`, ready for `json.dumps`."""
    return {
        "value": to_json(evaluation.value),
        "fired": list(evaluation.fired),
        "findings": [
            {"kind": finding.kind, "rows": list(finding.rows), "message": finding.message}
            for finding in evaluation.findings
        ],
        "trace": [
            {"row": row.row, "fired": row.fired, "cell": row.cell, "test": row.test, "value": to_json(row.value)}
            for row in evaluation.trace
        ],
    }


def to_json(value: Any) -> Any:
    """Return a FEEL value as JSON. A number that a JSON reader could not hold exactly, and a date, are text."""
    match value:
        case None | bool() | str():
            return value
        case Decimal():
            return _number_to_json(value)
        case list():
            return [to_json(item) for item in value]
        case dict():
            return {key: to_json(item) for key, item in value.items()}
    return text_of(value, Run())


def _number_to_json(number: Decimal) -> int | float | str:
    if number == number.to_integral_value() and abs(number) < Decimal(2) ** 53:
        return int(number)
    shortest = float(number)
    return shortest if Decimal(repr(shortest)) == number else number_text(number)


def table_show(file: Path | str) -> str:
    """Return each decision table of a file as text: row names first, then inputs, `->` and outputs."""
    model = load_model(Path(file))
    parts: list[str] = []
    for name in model.decisions:
        table = model.table(name)
        parts.append(
            f"{name}: no table\n" if table is None else _drawn(table, frozenset(), {}, list(range(len(table.rows))))
        )
    return "\n".join(parts) if parts else f"`{file}` holds no decision\n"


def mark_rows(model: Model, decision: str, fired: Iterable[str], near: Iterable[Mapping[str, Any]]) -> str:
    """Return the fired rows of the decision's table, marked by `>`, and those that came near.

    `near` has `row`, `cell` (an input's name) and `value` (`None`: unknown) of rows that came near: their failing cell
    is marked by `!` and shows the value. Columns that none of these rows looks at are named below the table; where no
    row fired or came near, all rows are shown. A decision that is no table is one line saying so.
    """
    table = model.table(decision)
    if table is None:
        return f"{decision}: no table\n"
    failing = {(str(item["row"]), str(item["cell"])): item.get("value") for item in near}
    marked = frozenset(fired)
    shown = marked | {row for row, _ in failing}
    chosen = [index for index, row in enumerate(table.rows) if row in shown] or list(range(len(table.rows)))
    return _drawn(table, marked, failing, chosen)


def _drawn(
    table: DecisionTable, fired: frozenset[str], failing: Mapping[tuple[str, str], Any], chosen: list[int]
) -> str:
    policy = f"{table.hit_policy} {table.aggregation}" if table.aggregation else table.hit_policy
    used = [column for column in table.columns if any(column.cells[index] not in ("", "-") for index in chosen)]
    headers = ["", "row", *(column.name for column in used), "", *(output.name or "output" for output in table.outputs)]
    lines = [_cells(table, used, index, fired, failing) for index in chosen]
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1))
    for header in headers:
        drawn.add_column(Text(header), overflow="fold", max_width=_CELL_WIDTH_MAX)
    for line in lines:
        drawn.add_row(*(Text(cell) for cell in line))
    out = StringIO()
    width = sum(_width(column) for column in zip(headers, *lines, strict=True)) + 4
    Console(file=out, width=max(80, width), color_system=None, legacy_windows=False).print(drawn)
    body = "\n".join(line.rstrip() for line in out.getvalue().splitlines() if line.strip())
    return f"{table.name} ({policy})\n{body}\n{_left_out(table, used, len(chosen))}"


def _left_out(table: DecisionTable, used: list[Column], shown: int) -> str:
    unused = [column.name for column in table.columns if column not in used]
    rest = len(table.rows) - shown
    notes = []
    if unused:
        notes.append(f"not looked at: {', '.join(unused)}\n")
    if rest:
        notes.append(f"{rest} other row{'s' if rest > 1 else ''}\n")
    return "".join(notes)


def _width(column: tuple[str, ...]) -> int:
    return min(_CELL_WIDTH_MAX, max(len(cell) for cell in column)) + 3


def _cells(
    table: DecisionTable, used: list[Column], index: int, fired: frozenset[str], failing: Mapping[tuple[str, str], Any]
) -> list[str]:
    row = table.rows[index]
    tests = [_test(column.cells[index], (row, column.name), failing) for column in used]
    outputs = [output.cells[index] for output in table.outputs]
    return [">" if row in fired else "", row, *tests, "->", *outputs]


def _test(cell: str, place: tuple[str, str], failing: Mapping[tuple[str, str], Any]) -> str:
    text = cell or "-"
    if place not in failing:
        return text
    value = failing[place]
    shown = "unknown" if value is None else value if isinstance(value, str) else text_of(to_feel(value), Run())
    return f"! {text} (is {shown})"
