"""The comparison of two models: every table of both, and every other decision whose logic is not the same."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from settledesk.decisions import Decision, Model
from settledesk.decisions.item_types import ANY, ItemType
from settledesk.decisions.logic import FunctionLogic, TableLogic
from settledesk.verify.diff.fingerprint import context_fingerprint, fingerprint, table_fingerprint
from settledesk.verify.diff.pair import Unit
from settledesk.verify.diff.report import Change, Comparison
from settledesk.verify.diff.sampled import compare_by_samples
from settledesk.verify.diff.table_pair import compare_tables
from settledesk.verify.tables.partition import Subject
from settledesk.verify.tables.replay import Replayer
from settledesk.verify.tables.subjects import column_types, row_inputs, table_logics
from settledesk.verify.tables.upstream import Upstream


def compare_models(old: Model, new: Model, decision: str | None = None) -> Comparison:
    """Compare two models, or one decision of them; raises `ModelError` for a decision that neither has."""
    if decision is not None and decision not in old.decisions:
        new.inputs(decision)
    wanted = [name for name in dict.fromkeys((*new.decisions, *old.decisions)) if decision in (None, name)]
    both = [name for name in wanted if name in old.decisions and name in new.decisions]
    report = _Report(old=old, new=new)
    for name in both:
        report.add_decision(name)
    if decision is None:
        report.add_functions()
    report.add_followers(both)
    return Comparison(
        changes=tuple(report.changes),
        complete=not report.notes,
        notes=(*report.notes, *report.remarks),
        only_old=tuple(name for name in wanted if name not in new.decisions),
        only_new=tuple(name for name in wanted if name not in old.decisions),
        more=report.more,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A table in a model, with the declared type of what it gives."""

    unit: Unit
    result: ItemType


class _Report:
    def __init__(self, *, old: Model, new: Model) -> None:
        self._models = (old, new)
        self.changes: list[Change] = []
        self.notes: list[str] = []
        """Why the changes may not be all."""
        self.remarks: list[str] = []
        self.more = 0
        self._same_types = {
            name: fingerprint(wanted) == fingerprint(new.input_types.get(name, ANY))
            for name, wanted in old.input_types.items()
        }
        self._upstream = [Upstream(model, _RowInputs(model)) for model in self._models]

    def add_decision(self, name: str) -> None:
        """Compare a decision of both models."""
        old, new = (model.decisions[name] for model in self._models)
        same_context = self._same_context(old.requires_functions, new.requires_functions)
        same_around = same_context and self._same_types_around(old, new)
        if same_around and fingerprint(old.logic) == fingerprint(new.logic):
            return
        tables = [dict(self._tables(side, name)) for side in (0, 1)]
        for key, table in tables[0].items():
            if key in tables[1]:
                self._add_tables(table, tables[1][key], same_context=same_context)
        if list(tables[0]) == list(tables[1]) == [name]:
            return
        same_calls = self._same_context(old.requires_functions, new.requires_functions, tables=False)
        same_form = fingerprint(old.logic, tables=False) == fingerprint(new.logic, tables=False)
        if same_form and same_calls and self._same_types_around(old, new):
            return
        found, note = compare_by_samples(*self._models, name)
        self.changes.extend(found)
        self.notes.append(note)

    def _same_context(self, old: Iterable[str], new: Iterable[str], *, tables: bool = True) -> bool:
        """Tell whether functions are the same in both models, without `tables` but for the tables that they are."""
        one, two = self._models
        return bool(context_fingerprint(one, old, tables=tables) == context_fingerprint(two, new, tables=tables))

    def _same_types_around(self, old: Decision, new: Decision) -> bool:
        """Tell whether what a decision reads and gives is of the same types in both models."""
        required = (*old.requires_decisions, *new.requires_decisions)
        results = [
            [fingerprint(model.decisions[key].type) for key in required if key in model.decisions]
            for model in self._models
        ]
        inputs = all(self._same_types.get(key, True) for key in (*old.inputs, *new.inputs))
        return inputs and results[0] == results[1] and bool(fingerprint(old.type) == fingerprint(new.type))

    def _tables(self, side: int, name: str) -> Iterator[tuple[str, _Table]]:
        """Yield the tables of a decision by the way to each; the decision's own table has its name."""
        model = self._models[side]
        decision = model.decisions[name]
        for place, (path, logic) in enumerate(table_logics(decision.logic, ())):
            own = isinstance(decision.logic, TableLogic)
            types: Mapping[str, ItemType] = column_types(model, name, logic) if own else {}
            subject = Subject(decision=" / ".join((name, *path)), table=logic.table, input_types=types)
            replayer = Replayer(model, name if own else None, logic.table, types, self._upstream[side])
            unit = Unit(model=model, decision=name if own else None, subject=subject, replayer=replayer)
            key = name if own else f"{name}/{'/'.join(path)}/{place}"
            yield key, _Table(unit=unit, result=decision.type if own else ANY)

    def add_functions(self) -> None:
        """Compare the tables that are functions; other functions show in the decisions that invoke them."""
        old, new = self._models
        for name, knowledge in old.graph.functions.items():
            other = new.graph.functions.get(name)
            if other is None or fingerprint(knowledge.logic) == fingerprint(other.logic):
                continue
            tables = [_function_table(old, name, knowledge.logic), _function_table(new, name, other.logic)]
            if tables[0] is not None and tables[1] is not None:
                same = self._same_context(knowledge.requires_functions, other.requires_functions)
                self._add_tables(tables[0], tables[1], same_context=same)

    def _add_tables(self, old: _Table, new: _Table, *, same_context: bool) -> None:
        same_types = fingerprint((old.result, dict(old.unit.subject.input_types))) == fingerprint(
            (new.result, dict(new.unit.subject.input_types))
        )
        tables = [table_fingerprint(side.unit.subject.table) for side in (old, new)]
        if same_types and same_context and tables[0] == tables[1]:
            return
        found = compare_tables(old.unit, new.unit, (old.result, new.result), same_context=same_context)
        self.changes.extend(found.changes)
        self.notes.extend(found.notes)
        self.more += found.more

    def add_followers(self, names: list[str]) -> None:
        """Remark which decisions rest on one that changes, or on a function: they are compared on equal results."""
        changed = {change.decision.partition(" / ")[0] for change in self.changes}
        new = self._models[1]
        for name in names:
            decision = new.decisions[name]
            rests_on = [key for key in (*decision.requires_decisions, *decision.requires_functions) if key in changed]
            if rests_on:
                shown = ", ".join(f"`{key}`" for key in rests_on)
                self.remarks.append(f"`{name}` rests on {shown}: it was compared on equal results of that")


def _function_table(model: Model, name: str, logic: FunctionLogic) -> _Table | None:
    """Return the table that a function is, or `None` if it is none."""
    if not isinstance(logic.body, TableLogic):
        return None
    types = dict(zip(logic.parameters, logic.types, strict=True))
    subject = Subject(decision=name, table=logic.body.table, input_types=types)
    replayer = Replayer(model, None, logic.body.table, types)
    return _Table(unit=Unit(model=model, decision=None, subject=subject, replayer=replayer), result=logic.result)


class _RowInputs:
    """The inputs of the rows of a model's decisions, for the search for facts."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __call__(self, decision: str) -> list[Mapping[str, Any]]:
        return row_inputs(self._model, decision)
