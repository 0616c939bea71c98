"""Decision logic as it runs: each boxed expression of the standard is one small class with `evaluate`.

`values` holds the variables in scope by name. Logic never changes it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from settledesk.decisions.hit_policy import evaluate_table
from settledesk.decisions.item_types import ItemType, NotConformingError, conform
from settledesk.decisions.session import Session
from settledesk.decisions.table import DecisionTable
from settledesk.feel.expression import Program
from settledesk.feel.loops import call_function
from settledesk.feel.run import Run
from settledesk.feel.values import Function, type_name


class Logic(Protocol):
    """Something that gives a value."""

    def evaluate(self, values: Mapping[str, Any], session: Session) -> Any:
        """Return the value under these variables."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteralLogic:
    """A FEEL expression; `variables` are the names of its frame, in their order."""

    program: Program
    variables: tuple[str, ...]

    def evaluate(self, values: Mapping[str, Any], session: Session) -> Any:
        """Run the expression."""
        frame = [session.run, None, *[values.get(name) for name in self.variables]]
        frame.extend([None] * (self.program.size - len(frame)))
        before = len(session.run.diagnostics)
        value = self.program.run_on(frame)
        if len(session.run.diagnostics) > before:
            session.note_cell(before, (), self.program.text[:60])
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedLogic:
    """An expression that could not be compiled, in the standard's reading: null, and a finding that says why."""

    message: str

    def evaluate(self, _values: Mapping[str, Any], session: Session) -> Any:
        """Return null."""
        session.find("error", (), self.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedLogic:
    """Logic that states the type of its value."""

    logic: Logic
    item_type: ItemType
    name: str

    def evaluate(self, values: Mapping[str, Any], session: Session) -> Any:
        """Return the value as one of the type, or null with a finding."""
        return conformed(self.logic.evaluate(values, session), self.item_type, self.name, session)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLogic:
    """A decision table."""

    table: DecisionTable

    def evaluate(self, values: Mapping[str, Any], session: Session) -> Any:
        """Evaluate the table."""
        return evaluate_table(self.table, values, session)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of a boxed context; the last may have no name and is then the context's value."""

    name: str | None
    item_type: ItemType
    logic: Logic


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLogic:
    """A boxed context: each entry sees those before it."""

    entries: tuple[Entry, ...]

    def evaluate(self, values: Mapping[str, Any], session: Session) -> Any:
        """Return the context, or the value of the entry without a name."""
        scope = dict(values)
        made: dict[str, Any] = {}
        for entry in self.entries:
            value = conformed(entry.logic.evaluate(scope, session), entry.item_type, entry.name or "result", session)
            if entry.name is None:
                return value
            made[entry.name] = scope[entry.name] = value
        return made


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLogic:
    """A boxed list."""

    items: tuple[Logic, ...]

    def evaluate(self, values: Mapping[str, Any], session: Session) -> Any:
        """Return the list."""
        session.run.made_list(len(self.items))
        return [item.evaluate(values, session) for item in self.items]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionalLogic:
    """A boxed conditional."""

    condition: Logic
    yes: Logic
    no: Logic

    def evaluate(self, values: Mapping[str, Any], session: Session) -> Any:
        """Take the first branch on true, the second on anything else."""
        return (self.yes if self.condition.evaluate(values, session) is True else self.no).evaluate(values, session)


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionLogic:
    """A boxed function or the logic of a business knowledge model."""

    name: str
    parameters: tuple[str, ...]
    types: tuple[ItemType, ...]
    result: ItemType
    body: Logic

    def evaluate(self, values: Mapping[str, Any], session: Session) -> Function:
        """Return the function over the variables as they are now; it is null on an argument that is not of its type."""
        captured = dict(values)

        def call(run: Run, arguments: list[Any]) -> Any:
            scope = dict(captured)
            for name, wanted, value in zip(self.parameters, self.types, arguments, strict=True):
                given = conformed(value, wanted, name, session)
                if given is None and value is not None:
                    return None
                scope[name] = given
            run.enter_call()
            outer = session.fired, session.trace
            try:
                return conformed(self.body.evaluate(scope, session), self.result, self.name, session)
            finally:
                session.fired, session.trace = outer
                run.calls -= 1

        return Function(parameters=self.parameters, call=call)


@dataclass(frozen=True, slots=True, kw_only=True)
class InvocationLogic:
    """A boxed invocation with arguments by name."""

    name: str
    function: Logic
    names: tuple[str, ...]
    arguments: tuple[Logic, ...]

    def evaluate(self, values: Mapping[str, Any], session: Session) -> Any:
        """Invoke the function."""
        function = self.function.evaluate(values, session)
        if type(function) is not Function:
            session.find("error", (), f"a {type_name(function)} cannot be invoked")
            return None
        arguments = [argument.evaluate(values, session) for argument in self.arguments]
        before = len(session.run.diagnostics)
        value = call_function(session.run, function, arguments, self.names, 0)
        session.note_cell(before, (), self.name)
        return value


def conformed(value: Any, wanted: ItemType, name: str, session: Session) -> Any:
    """Return the value as one of the type, or null with a finding."""
    try:
        return conform(value, wanted)
    except NotConformingError as error:
        session.wrong_type(name, str(error))
        return None
