"""Two tables on the same input: evaluated through both models, as anybody else would evaluate them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Any, cast

from settledesk.decisions import DecisionTable, Model
from settledesk.decisions.item_types import ANY
from settledesk.verify.diff.joint import Joint
from settledesk.verify.diff.outcomes import Outcome, same_text
from settledesk.verify.tables.examined import Counters, Examined, spread
from settledesk.verify.tables.partition import Subject, base_kind
from settledesk.verify.tables.replay import Played, Replayer
from settledesk.verify.tables.samples import guesses
from settledesk.verify.tables.search import Box

TRIALS_MAX = 240
"""Inputs that are tried to show that outputs which are calculated differ."""
CHOICES_MAX = 5
_HINTS = [Decimal(7), Decimal("2.5"), "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A table of a model. `decision` is `None` for a table that is no decision's own."""

    model: Model
    decision: str | None
    subject: Subject
    replayer: Replayer


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedPair:
    """What both models did with an input; `pasteable` tells that it can be given to either as it stands."""

    input: Mapping[str, Any]
    columns: Mapping[str, Any]
    pasteable: bool
    old: Outcome
    new: Outcome

    def unusual(self) -> bool:
        """Whether a value was not of its declared type: what the tables say is then not all that counts."""
        return "wrong_type" in self.old.kinds | self.new.kinds

    def differs(self) -> bool:
        """Whether the outcomes are different."""
        return self.old.said != self.new.said


class PairReplayer:
    """Evaluates two tables on values of their columns."""

    def __init__(self, old: Unit, new: Unit) -> None:
        self._units = (old, new)

    def play(self, values: Mapping[str, Any], others: Mapping[str, Any] | None = None) -> PlayedPair:
        """Evaluate both tables: through their models if the input can be put together for both, else by themselves."""
        played = [unit.replayer.play(values, others) for unit in self._units]
        if all(one.pasteable for one in played):
            facts = _merged(played[0].input, played[1].input)
            if facts is not None and self._agree_on_required(facts):
                old, new = (_evaluated(unit, facts) for unit in self._units)
                return PlayedPair(input=facts, columns=values, pasteable=True, old=old, new=new)
        old, new = (_of(unit.replayer.by_table(values, others or {})) for unit in self._units)
        return PlayedPair(input={**(others or {}), **values}, columns=values, pasteable=False, old=old, new=new)

    def _agree_on_required(self, facts: Mapping[str, Any]) -> bool:
        """Tell whether the decisions that the tables read give the same in both models."""
        old, new = self._units
        names = {
            name
            for unit in self._units
            if unit.decision is not None
            for name in unit.model.decisions[unit.decision].requires_decisions
        }
        return all(
            name in old.model.decisions
            and name in new.model.decisions
            and same_text(old.model.evaluate(name, facts).value) == same_text(new.model.evaluate(name, facts).value)
            for name in names
        )


def _evaluated(unit: Unit, facts: Mapping[str, Any]) -> Outcome:
    assert unit.decision is not None
    return evaluated(unit.model, unit.decision, facts)


def evaluated(model: Model, decision: str, facts: Mapping[str, Any]) -> Outcome:
    """Return what a decision gives."""
    found = model.evaluate(decision, facts)
    return Outcome(value=found.value, kinds=frozenset(finding.kind for finding in found.findings), rows=found.fired)


def _of(played: Played) -> Outcome:
    return Outcome(value=played.value, kinds=played.kinds, rows=played.fired)


def _merged(one: Mapping[str, Any], two: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the entries of both, contexts in each other; `None` if they say different things."""
    made = dict(one)
    for key, value in two.items():
        mine = made.get(key)
        if key not in made or mine is None:
            made[key] = value
        elif isinstance(mine, dict) and isinstance(value, dict):
            inner = _merged(mine, value)
            if inner is None:
                return None
            made[key] = inner
        elif value is not None and same_text(mine) != same_text(value):
            return None
    return made


class Pair(Examined):
    """Two tables under examination; what is searched for is an input on which they differ."""

    def __init__(self, joint: Joint, old: Unit, new: Unit) -> None:
        self.joint = joint
        self.decision = old.subject.decision
        self.replayer = cast(Any, PairReplayer(old, new))
        self.dimensions = joint.dimensions
        self.declared: Box = joint.domain
        self.known: Box = tuple(dimension.bits(null=False) for dimension in joint.dimensions)
        self.masks = [dimension.masks[0] for dimension in joint.dimensions]
        self.counters = Counters()
        self.has_conditions = any(dimension.condition is not None for dimension in joint.dimensions)
        self._others = {}
        for unit in (new, old):
            self.table = unit.subject.table
            self._others |= self._read_elsewhere(unit.subject)
        own = {dimension.name for dimension in joint.dimensions}
        self._free = {
            name: base_kind(unit.subject.input_types.get(name, ANY))
            for unit in (new, old)
            for name in unit.subject.table.variables
            if name not in own and name not in self._others and _is_read(unit.subject.table, name)
        }
        """Variables that only outputs read, with their types."""

    def try_values(self, box: Box, shows: Callable[[PlayedPair], bool]) -> PlayedPair | None:
        """Try inputs of a box, and values of the variables that only outputs read, for one that shows something."""
        picks = [self._pick(number, bits) for number, bits in enumerate(box)]
        columns = [number for number, dimension in enumerate(self.dimensions) if dimension.condition is None]
        names = [*[self.dimensions[number].name for number in columns], *self._free]
        choices = [
            *[self._choices(self.dimensions[number], box[number], _HINTS)[:CHOICES_MAX] for number in columns],
            *[[*guesses(_HINTS, _kinds(kind))[:CHOICES_MAX], None] for kind in self._free.values()],
        ]
        for values in islice(spread(choices) if choices else iter([()]), TRIALS_MAX):
            played = self._play(picks, dict(zip(names, values, strict=True)))
            if shows(played):
                return cast(PlayedPair, played)
        return None

    def _play(self, picks: Any, given: Mapping[str, Any]) -> Any:
        values = self.values(picks)
        others = {name: given.get(name) for name in (*self._others, *self._free)}
        return self.replayer.play({name: given.get(name, value) for name, value in values.items()}, others)


def _kinds(kind: str) -> list[str]:
    return ["number", "string", "boolean"] if kind == "any" else [kind]


def _is_read(table: DecisionTable, name: str) -> bool:
    """Tell whether an output may read a variable: its name stands in one."""
    return any(name in cell for output in table.outputs for cell in output.cells)
