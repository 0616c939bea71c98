"""Running what was found through the engine: nothing is reported that an evaluation does not show.

Where the columns are inputs of the decision, or paths into them, the input is put together and the model evaluated as
anybody else would. Where a column is some other expression, or the result of another decision, the table alone is
evaluated with the values of its columns.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import localcontext
from typing import Any

import regex

from settledesk.decisions import DecisionTable, Model
from settledesk.decisions.hit_policy import evaluate_table
from settledesk.decisions.item_types import ItemType
from settledesk.decisions.session import Session
from settledesk.decisions.table import Column
from settledesk.feel import FeelLimitError
from settledesk.feel.compiler import Compiled, Frame
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.verify.tables.upstream import Upstream

_PATH = regex.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What the engine did with an input. `matched` are the rows whose cells are all true, `fired` those that count."""

    input: Mapping[str, Any]
    columns: Mapping[str, Any]
    """The values of the table's columns."""
    pasteable: bool
    matched: frozenset[str]
    fired: tuple[str, ...]
    value: Any
    kinds: frozenset[str]
    """The kinds of the evaluation's findings."""
    frame: Frame

    def unusual(self) -> bool:
        """Whether a value was not of its declared type."""
        return "wrong_type" in self.kinds


class Replayer:
    """Evaluates one table on values of its columns. `decision` is `None` for a table that is no decision's own."""

    def __init__(
        self,
        model: Model,
        decision: str | None,
        table: DecisionTable,
        types: Mapping[str, ItemType],
        upstream: Upstream | None = None,
    ) -> None:
        self._model = model
        self._decision = decision
        self._table = table
        self.types = types
        self.variables = () if decision is None else model.inputs(decision)
        self._upstream = upstream
        self._required = () if decision is None else model.decisions[decision].requires_decisions
        readable = (*self.variables, *self._required)
        self._own = decision is not None and all(
            column.variable in readable if column.variable is not None else self._path(column) is not None
            for column in table.columns
        )

    def _path(self, column: Column) -> list[str] | None:
        """Return the steps of a path into an input."""
        if _PATH.fullmatch(column.name) is None:
            return None
        steps = column.name.split(".")
        return steps if steps[0] in self.variables and steps[0] not in self._required else None

    def play(self, values: Mapping[str, Any], others: Mapping[str, Any] | None = None) -> Played:
        """Evaluate on values by column (variable or expression); `others` are variables that are no column."""
        if self._own:
            facts = self._facts(values, others or {})
            if facts is not None:
                return self._by_model(facts, values)
        return self.by_table(values, others or {})

    def _facts(self, values: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any] | None:
        facts: dict[str, Any] = {}
        for column in self._table.columns:
            value = values[column.variable or column.name]
            if column.variable is not None:
                facts[column.variable] = value
            elif not _put(facts, self._path(column) or [], value):
                return None
        for name in self.variables:
            facts.setdefault(name, others.get(name))
        wanted = {name: facts.pop(name) for name in self._required if name in facts}
        if not wanted:
            return facts
        own = {name: value for name, value in facts.items() if value is not None or name in values}
        return None if self._upstream is None else self._upstream.facts(wanted, own)

    def _by_model(self, facts: dict[str, Any], values: Mapping[str, Any]) -> Played:
        assert self._decision is not None
        evaluation = self._model.evaluate(self._decision, facts, trace=True)
        session = Session(Run(), trace=False)
        required = {name: self._model.evaluate(name, facts).value for name in self._required}
        return Played(
            input=facts,
            columns=values,
            pasteable=True,
            matched=frozenset(row.row for row in evaluation.trace if row.fired),
            fired=evaluation.fired,
            value=evaluation.value,
            kinds=frozenset(finding.kind for finding in evaluation.findings),
            frame=self._table.frame({**facts, **required}, session),
        )

    def by_table(self, values: Mapping[str, Any], others: Mapping[str, Any]) -> Played:
        """Evaluate the table by itself on values of its columns and of other variables."""
        session = Session(Run(), trace=True)
        columns = tuple(
            column if column.variable is not None else replace(column, run_on=_giving(values[column.name]))
            for column in self._table.columns
        )
        table = replace(self._table, columns=columns)
        scope = {**others, **values}
        value = None
        try:
            with localcontext(DECIMAL_CONTEXT):
                value = evaluate_table(table, scope, session)
        except (FeelLimitError, RecursionError):
            session.find("error", (), "a limit was reached")
        return Played(
            input={**others, **values},
            columns=values,
            pasteable=False,
            matched=frozenset(row.row for row in session.trace if row.fired),
            fired=session.fired,
            value=value,
            kinds=frozenset(finding.kind for finding in session.findings),
            frame=table.frame(scope, session),
        )

    def outputs(self, rows: tuple[str, ...], played: Played) -> tuple[Any, ...]:
        """Return what each of the rows gives on the input."""
        session = Session(Run(), trace=False)
        found: list[Any] = []
        for row in rows:
            played.frame[0] = session.run
            try:
                with localcontext(DECIMAL_CONTEXT):
                    found.append(self._table.output(self._table.rows.index(row), played.frame, session))
            except (FeelLimitError, RecursionError):
                found.append(None)
        return tuple(found)


def _giving(value: Any) -> Compiled:
    return lambda _frame: value


def _put(facts: dict[str, Any], steps: list[str], value: Any) -> bool:
    """Set an entry by its path; false if something else stands in the way."""
    inner = facts
    for step in steps[:-1]:
        made = inner.setdefault(step, {})
        if not isinstance(made, dict):
            return False
        inner = made
    if steps[-1] in inner:
        return False
    inner[steps[-1]] = value
    return True
