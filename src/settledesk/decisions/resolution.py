"""One walk over a requirement graph: each decision is made once, after those that it requires."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from settledesk.decisions.elements import Decision, Graph, Knowledge, Path, Service
from settledesk.decisions.item_types import ANY
from settledesk.decisions.logic import conformed
from settledesk.decisions.session import Session
from settledesk.feel.run import Run
from settledesk.feel.values import Function


class Resolution:
    """The values of one evaluation by key: `inputs` are given, `decided` grows."""

    __slots__ = ("_functions", "_graph", "_inputs", "_session", "decided")

    def __init__(
        self,
        graph: Graph,
        inputs: Mapping[str, Any],
        session: Session,
        *,
        decided: dict[str, Any] | None = None,
        functions: dict[str, Function] | None = None,
    ) -> None:
        self._graph = graph
        self._inputs = inputs
        self._session = session
        self._functions = {} if functions is None else functions
        self.decided = {} if decided is None else decided

    def value(self, decision: Decision) -> Any:
        """Return the value of a decision that is the end of the walk."""
        for required in decision.requires_decisions:
            self.decide(required)
        return self._made(decision)

    def decide(self, key: str) -> Any:
        """Return the value of a decision. A long chain of decisions is walked without recursion."""
        waiting = [key]
        while waiting:
            current = waiting[-1]
            decision = self._graph.decisions[current]
            missing = [required for required in decision.requires_decisions if required not in self.decided]
            if missing:
                waiting.extend(reversed(missing))
                continue
            waiting.pop()
            if current not in self.decided:
                self.decided[current] = self._made(decision)
        return self.decided[key]

    def _made(self, decision: Decision) -> Any:
        session = self._session
        session.fired, session.trace = (), ()
        if decision.logic is None:
            return None
        value = decision.logic.evaluate(self._scope(decision), session)
        return value if decision.type is ANY else conformed(value, decision.type, decision.name, session)

    def _scope(self, decision: Decision) -> Mapping[str, Any]:
        """Return the variables that the logic of a decision sees."""
        if not (decision.requires_decisions or decision.requires_functions or decision.paths):
            return self._inputs
        values: dict[str, Any] = {}
        paths = decision.paths
        for key in decision.requires_inputs:
            _bind(values, paths.get(key) or (key,), self._inputs.get(key))
        for key in decision.requires_decisions:
            _bind(values, paths.get(key) or (key,), self.decided[key])
        for key in decision.requires_functions:
            _bind(values, paths.get(key) or (key,), self.function(key))
        return values

    def function(self, key: str) -> Function | None:
        """Return a business knowledge model or a decision service as a function, or `None` if it is neither."""
        if key not in self._functions:
            knowledge, service = self._graph.functions.get(key), self._graph.services.get(key)
            if knowledge is not None:
                self._functions[key] = self._knowledge(knowledge)
            elif service is not None:
                self._functions[key] = self._service(service)
        return self._functions.get(key)

    def _knowledge(self, knowledge: Knowledge) -> Function:
        """Return the function, which looks up what it requires when it is first invoked: models may be in any order."""
        scope: dict[str, Any] = {}
        session = self._session

        def call(run: Run, arguments: list[Any]) -> Any:
            if not scope:
                scope[knowledge.name] = made
                for key in knowledge.requires_functions:
                    _bind(scope, knowledge.paths.get(key) or (key,), self.function(key))
            return knowledge.logic.evaluate(scope, session).call(run, arguments)

        made = replace(knowledge.logic.evaluate({}, session), call=call)
        return made

    def _service(self, service: Service) -> Function:
        def call(run: Run, arguments: list[Any]) -> Any:
            session = self._session
            outer = session.fired, session.trace
            run.enter_call()
            try:
                return self.serve(service, arguments)
            finally:
                session.fired, session.trace = outer
                run.calls -= 1

        return Function(parameters=tuple(parameter.name for parameter in service.parameters), call=call)

    def serve(self, service: Service, arguments: list[Any]) -> Any:
        """Return what a decision service gives: its decisions see the arguments and nothing else from outside.

        An argument that is not of its type is null.
        """
        inputs: dict[str, Any] = {}
        decided: dict[str, Any] = {}
        for parameter, argument in zip(service.parameters, arguments, strict=True):
            value = conformed(argument, parameter.type, parameter.name, self._session)
            (decided if parameter.is_decision else inputs)[parameter.key] = value
        inner = Resolution(self._graph, inputs, self._session, decided=decided, functions=self._functions)
        values = {name: inner.decide(key) for key, name in service.outputs}
        value = next(iter(values.values())) if len(service.outputs) == 1 else values
        return conformed(value, service.result, service.name, self._session)


def _bind(values: dict[str, Any], path: Path, value: Any) -> None:
    """Put a value under its path; the names of imports are contexts."""
    for alias in path[:-1]:
        inner = values.get(alias)
        if type(inner) is not dict:
            inner = values[alias] = {}
        values = inner
    values[path[-1]] = value
