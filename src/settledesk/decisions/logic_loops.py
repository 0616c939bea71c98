"""The boxed filter and the boxed iterations as they run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, Protocol

from settledesk.decisions.logic import Logic
from settledesk.decisions.session import Session
from settledesk.feel import loops
from settledesk.feel.compiler import Compiled
from settledesk.feel.values import type_name

_SLOT = 2


class ItemLogic(Protocol):
    """Something that gives a value for an element of a list."""

    def evaluate(self, values: Mapping[str, Any], item: Any, session: Session) -> Any:
        """Return the value for the element."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemExpression:
    """A FEEL expression in whose scope the entries of the element come first."""

    text: str
    run_on: Compiled
    size: int
    item_slot: int
    variables: tuple[str, ...]

    def evaluate(self, values: Mapping[str, Any], item: Any, session: Session) -> Any:
        """Run the expression."""
        frame = [session.run, None, *[values.get(name) for name in self.variables]]
        frame.extend([None] * (self.size - len(frame)))
        frame[self.item_slot] = item
        before = len(session.run.diagnostics)
        value = self.run_on(frame)
        if len(session.run.diagnostics) > before:
            session.note_cell(before, (), self.text[:60])
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemScope:
    """Boxed logic that sees the element as `item`, and its entries if it is a context."""

    logic: Logic

    def evaluate(self, values: Mapping[str, Any], item: Any, session: Session) -> Any:
        """Evaluate the logic."""
        entries = item if type(item) is dict else {}
        return self.logic.evaluate({**values, **entries, "item": item}, session)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterLogic:
    """A boxed filter: the elements for which `match` is true; a number is the place of one element."""

    source: Logic
    match: ItemLogic

    def evaluate(self, values: Mapping[str, Any], session: Session) -> Any:
        """Return the elements that are kept; null if a match is neither a truth value nor null."""
        base = self.source.evaluate(values, session)
        if base is None:
            return None
        items = base if type(base) is list else [base]
        kept: list[Any] = []
        for index, item in enumerate(items):
            session.run.spend()
            found = self.match.evaluate(values, item, session)
            if type(found) is Decimal and index == 0:
                return loops.element(items, found, session.run, 0)
            if found is True:
                kept.append(item)
            elif found is not False and found is not None:
                session.find("error", (), f"a boxed filter needs a boolean, not a {type_name(found)}")
                return None
        return kept


@dataclass(frozen=True, slots=True, kw_only=True)
class ForLogic:
    """A boxed iteration: what `body` gives for each element of the source. `partial` are the results so far."""

    variable: str
    source: Logic
    body: Logic
    uses_partial: bool

    def evaluate(self, values: Mapping[str, Any], session: Session) -> Any:
        """Return the list of results; null if the source cannot be iterated."""
        base = self.source.evaluate(values, session)
        run = session.run

        def results(frame: list[Any]) -> list[Any]:
            made: list[Any] = []
            scope = dict(values)
            for element in _elements(base, frame):
                scope[self.variable] = element
                if self.uses_partial:
                    run.spend(len(made))
                    scope["partial"] = made.copy()
                made.append(self.body.evaluate(scope, session))
                if len(made) > run.limits.list_max:
                    run.made_list(len(made))
            return made

        return loops.null_if_sources_fail(results)([run, None, None])


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantifiedLogic:
    """A boxed `some` or `every`."""

    kind: Literal["some", "every"]
    variable: str
    source: Logic
    condition: Logic

    def evaluate(self, values: Mapping[str, Any], session: Session) -> Any:
        """Return true or false; null if that is not known, or if the condition gives another kind of value."""
        base = self.source.evaluate(values, session)
        decisive: bool = self.kind == "some"

        def decided(frame: list[Any]) -> bool | None:
            unknown = False
            for element in _elements(base, frame):
                found = self.condition.evaluate({**values, self.variable: element}, session)
                if found is None:
                    unknown = True
                elif type(found) is not bool:
                    session.find("error", (), f"a boxed `{self.kind}` needs a boolean, not a {type_name(found)}")
                    return None
                elif found == decisive:
                    return decisive
            return None if unknown else not decisive

        found: bool | None = loops.null_if_sources_fail(decided)([session.run, None, None])
        return found


def _elements(base: Any, frame: list[Any]) -> Iterator[Any]:
    source = loops.Source(slot=_SLOT, start=lambda _frame: base, end=None, position=0)
    for _ in loops.combinations([source], frame):
        yield frame[_SLOT]
