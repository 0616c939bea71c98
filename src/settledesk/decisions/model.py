"""A loaded model: its decisions, what they require of one another, and their evaluation."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import localcontext
from typing import Any

from settledesk.decisions.compiled import CompiledTable
from settledesk.decisions.errors import ModelError, Place
from settledesk.decisions.item_types import ANY, ItemType
from settledesk.decisions.logic import FunctionLogic, Logic, TableLogic, conformed
from settledesk.decisions.results import Evaluation
from settledesk.decisions.session import Session
from settledesk.decisions.table import DecisionTable
from settledesk.feel import FeelError, FeelLimitError
from settledesk.feel.limits import DEFAULT_LIMITS, Limits
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.values import to_feel


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision. `inputs` are the names of input data that it needs, itself or through others."""

    name: str
    type: ItemType
    logic: Logic | None
    requires_inputs: tuple[str, ...]
    requires_decisions: tuple[str, ...]
    requires_functions: tuple[str, ...]
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A DMN model that can be evaluated, in several threads at once."""

    name: str
    file: str
    version: str
    """The version of the standard that the file is written in, such as `1.3`."""
    input_types: Mapping[str, ItemType]
    decisions: Mapping[str, Decision]
    functions: Mapping[str, FunctionLogic]
    compiled: Mapping[str, CompiledTable] = field(default_factory=dict)
    """The functions of each decision that is one table over inputs."""
    limits: Limits = DEFAULT_LIMITS

    def inputs(self, decision: str) -> tuple[str, ...]:
        """Return the names of the inputs that the decision needs, those of its own columns first, in their order."""
        return self._decision(decision).inputs

    def rows(self, decision: str) -> tuple[str, ...]:
        """Return the names of the rows of the decision's table, in their order; none if it is not a table."""
        table = self.table(decision)
        return () if table is None else table.rows

    def table(self, decision: str) -> DecisionTable | None:
        """Return the decision's table, or `None` if its logic is of another kind."""
        logic = self._decision(decision).logic
        return logic.table if isinstance(logic, TableLogic) else None

    def output_texts(self, decision: str, column: str) -> list[tuple[str, str]]:
        """Return (row, text) for each constant text that the output `column` of the table gives."""
        table = self.table(decision)
        if table is None:
            return []
        found: list[tuple[str, str]] = []
        session = Session(Run(self.limits), trace=False)
        for output in table.outputs:
            if output.name == column or (output.name is None and len(table.outputs) == 1):
                for row, run_on in zip(table.rows, output.run_on, strict=True):
                    value = run_on(table.frame({}, session))
                    if isinstance(value, str):
                        found.append((row, value))
        return found

    def evaluate(self, decision: str, inputs: Mapping[str, Any], trace: bool = False) -> Evaluation:
        """Evaluate one decision.

        An input that is absent is null and a `missing_input` finding; `None` is a known unknown and none. Numbers may
        be `int`, `Decimal` or `float` (taken by its shortest text). Raises `ModelError` for an unknown decision and
        nothing for what the tables or inputs do.
        """
        compiled = self.compiled.get(decision)
        if compiled is not None:
            found = compiled.explain(inputs) if trace else compiled.evaluate(inputs)
            if found is not None:
                return found
        return self._evaluate(self._decision(decision), inputs, trace)

    def evaluate_many(self, decision: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[Evaluation]:
        """Evaluate one decision on many inputs, in their order; each evaluation is what `evaluate` gives.

        Raises `ModelError` for an unknown decision.
        """
        wanted = self._decision(decision)
        compiled = self.compiled.get(decision)
        if compiled is None:
            return (self._evaluate(wanted, inputs, False) for inputs in rows)
        return compiled.evaluate_many(rows, lambda inputs: self._evaluate(wanted, inputs, False))

    def _evaluate(self, wanted: Decision, inputs: Mapping[str, Any], trace: bool) -> Evaluation:
        session = Session(Run(self.limits), trace=trace)
        try:
            with localcontext(DECIMAL_CONTEXT):
                values = self._values(wanted, inputs, session)
                value = self._decide(wanted, values, session)
        except FeelLimitError as error:
            return _failed(session, error.message)
        except RecursionError:
            return _failed(session, "the evaluation is nested too deep (`calls_max`)")
        return Evaluation(value=value, fired=session.fired, findings=tuple(session.findings), trace=session.trace)

    def _decision(self, name: str) -> Decision:
        found = self.decisions.get(name)
        if found is None:
            known = ", ".join(f"`{other}`" for other in self.decisions) or "none"
            raise ModelError(f"`{name}` is not a decision of the model: it has {known}", Place(file=self.file))
        return found

    def _values(self, decision: Decision, inputs: Mapping[str, Any], session: Session) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name in decision.inputs:
            if name not in inputs:
                session.find("missing_input", (), f"the input `{name}` is missing, so it is unknown")
                values[name] = None
                continue
            try:
                value = to_feel(inputs[name])
            except FeelError as error:
                session.wrong_type(name, error.message)
                value = None
            wanted = self.input_types.get(name, ANY)
            values[name] = value if wanted is ANY else conformed(value, wanted, name, session)
        return values

    def _decide(self, decision: Decision, inputs: Mapping[str, Any], session: Session) -> Any:
        if decision.logic is None:
            return None
        if not decision.requires_decisions and not decision.requires_functions:
            values = inputs
        else:
            values = {name: inputs.get(name) for name in decision.requires_inputs}
            for required in decision.requires_decisions:
                if required not in session.decided:
                    session.decided[required] = self._decide(self.decisions[required], inputs, session)
                values[required] = session.decided[required]
            for name in decision.requires_functions:
                values[name] = self._function(name, session, ())
        session.fired, session.trace = (), ()
        value = decision.logic.evaluate(values, session)
        return value if decision.type is ANY else conformed(value, decision.type, decision.name, session)

    def _function(self, name: str, session: Session, _above: tuple[str, ...]) -> Any:
        """Return a business knowledge model as a function; it sees all the others."""
        if not session.decided.get(_FUNCTIONS):
            made: dict[str, Any] = {}
            for other, logic in self.functions.items():
                made[other] = _late(logic, made, session)
            session.decided[_FUNCTIONS] = made
        return session.decided[_FUNCTIONS][name]


_FUNCTIONS = "\0functions"


def _late(logic: FunctionLogic, made: dict[str, Any], session: Session) -> Any:
    """Return a function that looks the others up when it is invoked, so that models may be written in any order."""
    function = logic.evaluate({}, session)

    def call(run: Run, arguments: list[Any]) -> Any:
        return logic.evaluate(made, session).call(run, arguments)

    return type(function)(parameters=function.parameters, call=call)


def _failed(session: Session, message: str) -> Evaluation:
    session.find("error", (), message)
    return Evaluation(value=None, findings=tuple(session.findings), trace=session.trace)
