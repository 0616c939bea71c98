"""What an evaluation says: the value, which rows gave it, what was wrong, and why each other row did not fire."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias, overload

Dropped: TypeAlias = list[tuple[int, int, Any]]
"""The rows that dropped out at a column, as a mask, the column's index, and the value there."""

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


class Outputs(dict[str, Any]):
    """What several outputs give: a dictionary that cannot be changed, so that evaluations may share it.

    `dict(outputs)` is a copy that can be changed, and so is what `copy` makes.
    """

    __slots__ = ()

    def _refuse(self, *_arguments: Any, **_named: Any) -> NoReturn:
        raise TypeError("the outputs of an evaluation cannot be changed: change a copy, `dict(outputs)`")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type, tuple[dict[str, Any]]]:
        return dict, (dict(self),)


def shareable(value: Any) -> Any:
    """Return a context of plain values as one that cannot be changed, and anything else as it is."""
    if type(value) is dict and not any(type(part) in (list, dict) for part in value.values()):
        return Outputs(value)
    return value


class Trace(Sequence[RowTrace]):
    """The trace of a table, recorded while it was evaluated and written out when it is read."""

    __slots__ = ("_dropped", "_rows", "_write")

    def __init__(self, write: Callable[[Dropped], tuple[RowTrace, ...]], dropped: Dropped) -> None:
        self._write = write
        self._dropped = dropped
        self._rows: tuple[RowTrace, ...] | None = None

    def _read(self) -> tuple[RowTrace, ...]:
        if self._rows is None:
            self._rows = self._write(self._dropped)
        return self._rows

    @overload
    def __getitem__(self, index: int) -> RowTrace: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RowTrace, ...]: ...
    def __getitem__(self, index: int | slice) -> RowTrace | tuple[RowTrace, ...]:
        return self._read()[index]

    def __len__(self) -> int:
        return len(self._read())

    def __iter__(self) -> Iterator[RowTrace]:
        return iter(self._read())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace | tuple) and self._read() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._read())

    def __repr__(self) -> str:
        return repr(self._read())


class Evaluation(NamedTuple):
    """The result of one decision, a tuple because one is made for each evaluation.

    `fired` names the rows that the value rests on: the matching row, the chosen one under FIRST and PRIORITY, all of
    them under COLLECT and the orders, and those in conflict under UNIQUE and ANY (then `value` is `None`). `trace` has
    one entry per row of the decision's table, if it was asked for. The rows of a table inside a function that the
    decision invokes are not among them. A value that is a context of plain values is an `Outputs`.
    """

    value: Any
    fired: tuple[str, ...] = ()
    findings: tuple[TableFinding, ...] = ()
    trace: Sequence[RowTrace] = ()
