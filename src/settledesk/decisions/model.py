"""A loaded model: its decisions, what they require of one another, and their evaluation."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import localcontext
from typing import Any

from settledesk.decisions.compiled import CompiledTable
from settledesk.decisions.elements import Decision, Graph, Service, own_name
from settledesk.decisions.errors import ModelError, Place
from settledesk.decisions.item_types import ANY, ItemType
from settledesk.decisions.logic import TableLogic, conformed
from settledesk.decisions.resolution import Resolution
from settledesk.decisions.results import Evaluation, shareable
from settledesk.decisions.session import Session
from settledesk.decisions.table import DecisionTable
from settledesk.feel import FeelError, FeelLimitError
from settledesk.feel.limits import DEFAULT_LIMITS, Limits
from settledesk.feel.run import DECIMAL_CONTEXT, Clock, Run
from settledesk.feel.values import from_feel, to_feel


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A DMN model that can be evaluated, in several threads at once."""

    name: str
    file: str
    version: str
    """The version of the standard that the file is written in, such as `1.3`."""
    input_types: Mapping[str, ItemType]
    """Types of the input data by key: by name, or by `{namespace}name` for those of imported models."""
    decisions: Mapping[str, Decision]
    services: Mapping[str, Service]
    graph: Graph
    """All elements, those of imported models among them."""
    namespace: str = ""
    external: frozenset[str] = frozenset()
    """Keys of what invokes a function in another language, itself or through others: null in the standard's reading."""
    compiled: Mapping[str, CompiledTable] = field(default_factory=dict)
    """The functions of each decision that is one table over inputs."""
    limits: Limits = DEFAULT_LIMITS
    clock: Clock | None = None
    """What `now()` and `today()` say; without one they are null."""
    _bound: Mapping[str, Callable[[Mapping[str, Any]], Evaluation]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        bound = {name: one.bind(self._alone(self.decisions[name])) for name, one in self.compiled.items()}
        object.__setattr__(self, "_bound", bound)

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
        if not trace:
            bound = self._bound.get(decision)
            return self._evaluate(self._decision(decision), inputs, False) if bound is None else bound(inputs)
        compiled = self.compiled.get(decision)
        found = None if compiled is None else compiled.explain(inputs)
        return self._evaluate(self._decision(decision), inputs, True) if found is None else found

    def evaluator(self, decision: str) -> Callable[[Mapping[str, Any]], Evaluation]:
        """Return what `evaluate` does for one decision without a trace, to be called often.

        Raises `ModelError` for an unknown decision.
        """
        wanted = self._decision(decision)
        return self._bound.get(decision) or self._alone(wanted)

    def evaluate_many(self, decision: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[Evaluation]:
        """Evaluate one decision on many inputs, in their order; each evaluation is what `evaluate` gives.

        Raises `ModelError` for an unknown decision.
        """
        wanted = self._decision(decision)
        compiled = self.compiled.get(decision)
        if compiled is None:
            return (self._evaluate(wanted, inputs, False) for inputs in rows)
        return compiled.evaluate_many(rows, self._alone(wanted))

    def evaluate_service(self, service: str, inputs: Mapping[str, Any], trace: bool = False) -> Evaluation:
        """Evaluate a decision service: `inputs` are its input data and the values of its input decisions, by name.

        The value is that of its output decision, or with several a context of them by name; `fired` and `trace` are of
        the last of them. An input that is absent is null and a `missing_input` finding; one that is not of its type is
        null and a `wrong_type` finding. Raises `ModelError` for an unknown service.
        """
        found = self.services.get(service)
        if found is None:
            raise self._unknown(service, "decision service", self.services)

        def value(session: Session) -> Any:
            arguments = [
                self._given(parameter.key, inputs, session, name=parameter.name) for parameter in found.parameters
            ]
            return Resolution(self.graph, {}, session).serve(found, arguments)

        return self._run(value, trace)

    def evaluate_function(self, function: str, arguments: Mapping[str, Any]) -> Evaluation:
        """Invoke a business knowledge model with arguments by name.

        An argument that is absent is null and a `missing_input` finding. Raises `ModelError` for an unknown function.
        """
        found = self.graph.functions.get(function)
        if found is None:
            raise self._unknown(function, "business knowledge model", self.graph.functions)

        def value(session: Session) -> Any:
            given = [self._given(name, arguments, session) for name in found.logic.parameters]
            called = Resolution(self.graph, {}, session).function(function)
            return None if called is None else called.call(session.run, given)

        return self._run(value, False)

    def _alone(self, wanted: Decision) -> Callable[[Mapping[str, Any]], Evaluation]:
        return lambda inputs: self._evaluate(wanted, inputs, False)

    def _evaluate(self, wanted: Decision, inputs: Mapping[str, Any], trace: bool) -> Evaluation:
        def value(session: Session) -> Any:
            values = self._values(wanted, inputs, session)
            return Resolution(self.graph, values, session).value(wanted)

        return self._run(value, trace)

    def _run(self, value: Callable[[Session], Any], trace: bool) -> Evaluation:
        session = Session(Run(self.limits, self.clock), trace=trace)
        try:
            with localcontext(DECIMAL_CONTEXT):
                found = value(session)
        except FeelLimitError as error:
            return _failed(session, error.message)
        except RecursionError:
            return _failed(session, "the evaluation is nested too deep (`calls_max`)")
        return Evaluation(shareable(from_feel(found)), session.fired, tuple(session.findings), session.trace)

    def _decision(self, name: str) -> Decision:
        found = self.graph.decisions.get(name)
        if found is None:
            raise self._unknown(name, "decision", self.decisions)
        return found

    def _unknown(self, name: str, what: str, known: Iterable[str]) -> ModelError:
        names = ", ".join(f"`{other}`" for other in known) or "none"
        return ModelError(f"`{name}` is not a {what} of the model: it has {names}", Place(file=self.file))

    def _values(self, decision: Decision, inputs: Mapping[str, Any], session: Session) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key in decision.inputs:
            value = self._given(key, inputs, session)
            wanted = self.input_types.get(key, ANY)
            values[key] = value if wanted is ANY else conformed(value, wanted, key, session)
        return values

    def _given(self, key: str, inputs: Mapping[str, Any], session: Session, *, name: str | None = None) -> Any:
        """Return a caller's value: by the key, for an imported element by its name alone too."""
        for candidate in (key, name or own_name(key), f"{{{self.namespace}}}{key}"):
            if candidate in inputs:
                try:
                    return to_feel(inputs[candidate])
                except FeelError as error:
                    session.wrong_type(key, error.message)
                    return None
        session.find("missing_input", (), f"the input `{name or key}` is missing, so it is unknown")
        return None


def _failed(session: Session, message: str) -> Evaluation:
    session.find("error", (), message)
    return Evaluation(value=None, findings=tuple(session.findings), trace=session.trace)
