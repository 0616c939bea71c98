"""Inputs for a table that reads the results of other tables: which facts make those give the values that are wanted.

A required decision whose rows give constants is taken backwards: a row that gives the value, and an input that the row
takes. Whether all required decisions give their values at once is for an evaluation to say.
"""

from collections.abc import Callable, Iterator, Mapping
from decimal import localcontext
from itertools import islice, product
from typing import Any, TypeAlias

from settledesk.decisions import Model
from settledesk.decisions.session import Session
from settledesk.feel.operators import equal
from settledesk.feel.run import DECIMAL_CONTEXT, Run

WAYS_MAX = 8
"""Rows of a required decision that are tried for one value."""
TRIES_MAX = 48
DEPTH_MAX = 4

Inputs: TypeAlias = Mapping[str, Any]
RowInputs: TypeAlias = Callable[[str], list[Inputs]]
"""For a decision with a table: an input for each of its rows, by its columns; empty for a row that none takes."""


class Upstream:
    """Finds inputs of a model under which required decisions have given values."""

    def __init__(self, model: Model, row_inputs: RowInputs) -> None:
        self._model = model
        self._row_inputs = row_inputs
        self._known: dict[str, list[tuple[Any, Inputs]]] = {}

    def facts(self, wanted: Mapping[str, Any], fixed: Inputs) -> dict[str, Any] | None:
        """Return inputs that agree with `fixed` and make each decision of `wanted` give its value, or `None`."""
        if not all(name in self._model.decisions for name in wanted):
            return None
        ways = [list(islice(self._ways(name, value, DEPTH_MAX), WAYS_MAX)) for name, value in wanted.items()]
        for choice in islice(product(*ways), TRIES_MAX):
            facts: dict[str, Any] = {}
            for part in choice:
                facts |= {name: value for name, value in part.items() if value is not None or name not in facts}
            facts |= fixed
            for name in wanted:
                for needed in self._model.inputs(name):
                    facts.setdefault(needed, None)
            if all(self._gives(name, value, facts) for name, value in wanted.items()):
                return facts
        return None

    def _gives(self, decision: str, value: Any, facts: Inputs) -> bool:
        found = self._model.evaluate(decision, facts)
        with localcontext(DECIMAL_CONTEXT):
            same = found.value is None if value is None else equal(_plain(found.value), value, Run()) is True
        return same and not any(finding.kind == "wrong_type" for finding in found.findings)

    def _ways(self, decision: str, value: Any, depth: int) -> Iterator[dict[str, Any]]:
        """Yield inputs of the model that may make a decision give a value."""
        required = self._model.decisions[decision].requires_decisions
        for given, inputs in self._rows(decision):
            same = given is None if value is None else equal(given, value, Run()) is True
            if not same:
                continue
            own = {name: found for name, found in inputs.items() if name not in required}
            above = {name: found for name, found in inputs.items() if name in required}
            if not above:
                yield own
            elif depth:
                for choice in islice(
                    product(*[self._ways(name, found, depth - 1) for name, found in above.items()]), WAYS_MAX
                ):
                    yield {key: found for part in (*choice, own) for key, found in part.items()}
        if value is None:
            yield {}

    def _rows(self, decision: str) -> list[tuple[Any, Inputs]]:
        if decision not in self._known:
            self._known[decision] = list(self._constant_rows(decision))
        return self._known[decision]

    def _constant_rows(self, decision: str) -> Iterator[tuple[Any, Inputs]]:
        table = self._model.table(decision)
        if table is None:
            return
        session = Session(Run(), trace=False)
        for row, inputs in enumerate(self._row_inputs(decision)):
            if inputs and all(output.constant[row] for output in table.outputs):
                with localcontext(DECIMAL_CONTEXT):
                    yield _plain(table.output(row, table.frame({}, session), session)), inputs


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, dict) else value
