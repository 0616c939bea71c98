"""What an evaluation says: the value, which rows gave it, what was wrong, and why each other row did not fire."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

FindingKind: TypeAlias = Literal["conflict", "missing_input", "wrong_type", "no_match", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFinding:
    """Something that a person should know of an evaluation. `rows` are the rows concerned, in their order."""

    kind: FindingKind
    rows: tuple[str, ...]
    message: str


class RowTrace(NamedTuple):
    """A row: it matched, or `cell` (an input's name) is the first whose `test` failed, on `value` (unknown: `None`).

    A tuple, because one is made for each row of each evaluation with a trace.
    """

    row: str
    fired: bool
    cell: str | None = None
    test: str | None = None
    value: Any = None


class Evaluation(NamedTuple):
    """The result of one decision, a tuple because one is made for each evaluation.

    `fired` names the rows that the value rests on: the matching row, the chosen one under FIRST and PRIORITY, all of
    them under COLLECT and the orders, and those in conflict under UNIQUE and ANY (then `value` is `None`). `trace` has
    one entry per row of the decision's table, if it was asked for. The rows of a table inside a function that the
    decision invokes are not among them.
    """

    value: Any
    fired: tuple[str, ...] = ()
    findings: tuple[TableFinding, ...] = ()
    trace: tuple[RowTrace, ...] = ()
