"""What the generated function of a table calls: the result of a set of rows, and the cells that have to be run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import localcontext
from typing import Any, NamedTuple

from settledesk.decisions.hit_policy import decide
from settledesk.decisions.item_types import ANY, ItemType, NotConformingError, conform
from settledesk.decisions.logic import conformed
from settledesk.decisions.results import Evaluation, TableFinding, shareable
from settledesk.decisions.session import Session
from settledesk.decisions.table import DecisionTable
from settledesk.feel import FeelError, FeelLimitError
from settledesk.feel.checker import INPUT_SLOT
from settledesk.feel.limits import Limits
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.values import from_feel, to_feel

KEPT_MAX = 4096
"""Sets of matching rows whose result is kept."""


class RowResult(NamedTuple):
    """What a set of matching rows gives. `shared` is the evaluation where its value cannot be changed by a caller."""

    value: Any
    fired: tuple[str, ...]
    findings: tuple[TableFinding, ...]
    copy: Callable[[Any], Any]
    shared: Evaluation | None


class RowResults:
    """The results of one table, each worked out once by the hit policy."""

    def __init__(self, table: DecisionTable, result: ItemType, limits: Limits) -> None:
        self.kept: dict[int, RowResult] = {}
        self._table = table
        self._type = result
        self._limits = limits
        self._to_run = _rows_to_run(table)
        self._default = all(output.default is None or output.default_constant for output in table.outputs)

    def fresh(self, mask: int) -> RowResult | None:
        """Return the result of a set of rows; `None` if it depends on more than the rows."""
        if mask & self._to_run or not (mask or self._default):
            return None
        session = Session(Run(self._limits), trace=False)
        try:
            with localcontext(DECIMAL_CONTEXT):
                value = decide(self._table, mask, self._table.frame({}, session), session)
                if self._type is not ANY:
                    value = conformed(value, self._type, self._table.name, session)
        except FeelLimitError:
            return None
        made = _result(value, session)
        if len(self.kept) < KEPT_MAX:
            self.kept[mask] = made
        return made


def _result(found: Any, session: Session) -> RowResult:
    fired, findings = session.fired, tuple(session.findings)
    value = shareable(from_feel(found))
    copy = _copier(value)
    shared = Evaluation(value, fired, findings) if copy is _same else None
    return RowResult(value=value, fired=fired, findings=findings, copy=copy, shared=shared)


def _rows_to_run(table: DecisionTable) -> int:
    mask = 0
    for row in range(len(table.rows)):
        if not all(output.constant[row] for output in table.outputs):
            mask |= 1 << row
    return mask


def _copier(value: Any) -> Callable[[Any], Any]:
    if type(value) not in (list, dict):
        return _same
    parts = value.values() if type(value) is dict else value
    if any(type(part) in (list, dict) for part in parts):
        return _deep
    return dict.copy if type(value) is dict else list.copy


def _same(value: Any) -> Any:
    return value


def _deep(value: Any) -> Any:
    if type(value) is list:
        return [_deep(item) for item in value]
    return {key: _deep(item) for key, item in value.items()} if type(value) is dict else value


def converter(wanted: ItemType) -> Callable[[Any], Any]:
    """Return what makes a caller's value one of the type; it raises `FeelError` or `NotConformingError`."""
    if wanted is ANY:
        return to_feel
    return lambda value: conform(to_feel(value), wanted)


def is_usual(convert: Callable[[Any], Any]) -> Callable[[Any], bool]:
    """Return whether a caller's value can be converted."""

    def usual(value: Any) -> bool:
        try:
            convert(value)
        except (FeelError, NotConformingError):
            return False
        return True

    return usual


@dataclass(frozen=True, slots=True, kw_only=True)
class OpaqueCells:
    """Runs the cells of a table that are no constants."""

    table: DecisionTable
    names: tuple[str, ...]
    types: Mapping[str, ItemType]
    limits: Limits

    def run(self, column: int, candidates: int, values: tuple[Any, ...]) -> int | None:
        """Return the rows whose cell of the column is true; `None` if running them gives cause for a finding."""
        given = dict(zip(self.names, values, strict=True))
        session = Session(Run(self.limits), trace=False)
        mask = 0
        try:
            typed = {name: converter(self.types[name])(value) for name, value in given.items()}
            with localcontext(DECIMAL_CONTEXT):
                frame = self.table.frame(typed, session)
                one = self.table.columns[column]
                frame[INPUT_SLOT] = conform(typed[str(one.variable)], one.item_type)
                for cell in one.index.opaque:
                    if cell.mask & candidates and cell.run_on(frame) is True:
                        mask |= cell.mask
        except (FeelError, NotConformingError, RecursionError):
            return None
        return None if any(found.kind != "null" for found in session.run.diagnostics) else mask


def tested(input_type: ItemType, column_type: ItemType) -> Callable[[Any], Any]:
    """Return what makes a caller's value the FEEL value that a column tests. Lists and contexts are copied."""
    if input_type is ANY and column_type is ANY:
        return to_feel
    return lambda value: conform(conform(to_feel(value), input_type), column_type)
