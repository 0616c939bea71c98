"""One function per table, generated from its columns' indexes: from the caller's inputs to what the matching rows give.

The function answers what is usual: every input is there and of its declared type. For anything else it gives `None`,
and the caller takes the long way, which finds and names what is odd; so the two cannot differ in what they report. The
source is put together from numbers and fixed names alone: what comes from the model (names, constants, masks) enters
as values. No text of the model becomes code.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from operator import itemgetter
from typing import Any, TypeAlias

from settledesk.decisions.inlined import OPERATIONS, Inlining
from settledesk.decisions.item_types import ANY, ItemType
from settledesk.decisions.lookup import (
    Lookup,
    NumberLookup,
    OtherLookup,
    TextLookup,
    TruthLookup,
    is_usual_number,
    lookup_of,
    plain_base,
)
from settledesk.decisions.outcomes import OpaqueCells, Outcomes, Rows, converter, is_usual
from settledesk.decisions.results import Evaluation, Trace
from settledesk.decisions.table import DecisionTable
from settledesk.feel.limits import Limits

KEPT_MAX = 4096
"""Combinations of texts whose rows a batch keeps."""

Inputs: TypeAlias = Mapping[str, Any]
Evaluate: TypeAlias = Callable[[Inputs], Evaluation | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledTable:
    """A decision that is one table over inputs. Each function gives `None` for what is not usual.

    `evaluate` gives value, fired rows and findings, and `explain` the trace besides. `evaluate_many` evaluates many
    inputs, saving what they have in common; it asks the function that it is given about inputs that are not usual.
    """

    evaluate: Evaluate
    explain: Evaluate
    evaluate_many: Callable[[Iterable[Inputs], Callable[[Inputs], Evaluation]], Iterator[Evaluation]]


def compile_table(
    table: DecisionTable,
    inputs: Iterable[str],
    input_types: Mapping[str, ItemType],
    result: ItemType,
    limits: Limits,
) -> CompiledTable | None:
    """Return the functions of a table whose columns are inputs themselves; `None` if one is an expression.

    `inputs` are all inputs of the decision, `input_types` their declared types, `result` the type of the decision.
    """
    names = tuple(inputs)
    if not names or any(column.variable not in names for column in table.columns):
        return None
    types = {name: input_types.get(name, ANY) for name in names}
    lookups = [lookup_of(column, types[str(column.variable)]) for column in table.columns]
    generator = _Generator(table=table, names=names, lookups=lookups, inlined=_inlined(table, names, types))
    space = generator.space(types)
    space |= {"known": (outcomes := Outcomes(table, result, limits)).kept.get, "fresh": outcomes.fresh}
    opaque = OpaqueCells(table=table, names=names, types=types, limits=limits)
    rows = Rows(table, types, lookups)
    space |= {"run": opaque.run, "rows": rows.trace, "typed": rows.typed}
    # The text is made of numbers and of the fixed names of this module.
    exec(compile(generator.text(), "<decision table>", "exec"), space)  # noqa: S102
    return CompiledTable(evaluate=space["evaluate"], explain=space["explain"], evaluate_many=space["evaluate_many"])


def _inlined(
    table: DecisionTable, names: tuple[str, ...], types: Mapping[str, ItemType]
) -> dict[int, tuple[list[str], dict[str, Decimal]]]:
    places = {name: place for place, name in enumerate(names) if plain_base(types[name]) in ("number", "any")}
    found: dict[int, tuple[list[str], dict[str, Decimal]]] = {}
    for index, column in enumerate(table.columns):
        if column.variable in places and plain_base(column.item_type) in ("number", "any"):
            inlining = Inlining(column=index, value=f"v{places[column.variable]}", places=places)
            lines = inlining.lines(column.index.opaque) if column.index.opaque else None
            if lines is not None:
                found[index] = lines, inlining.constants
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Generator:
    """Writes the functions. Input `p` is `v{p}`; what belongs to column `i` is `d{i}` (masks), `e{i}` (the rest), …"""

    table: DecisionTable
    names: tuple[str, ...]
    lookups: list[Lookup]
    inlined: Mapping[int, tuple[list[str], dict[str, Decimal]]]
    """The source of the cells that need not be called, by column, and its constants."""

    def space(self, types: Mapping[str, ItemType]) -> dict[str, Any]:
        """Return the values that the source names."""
        space: dict[str, Any] = {
            "Decimal": Decimal,
            "Evaluation": Evaluation,
            "get": _getter(self.names),
            "kept_max": KEPT_MAX,
            "new": tuple.__new__,
            "numbers": frozenset({Decimal, int, float}),
            "new_trace": Trace,
            "usual": is_usual_number,
            **OPERATIONS,
        }
        for _, constants in self.inlined.values():
            space |= constants
        for index, lookup in enumerate(self.lookups):
            space |= _values(index, lookup)
        for place, name in enumerate(self.names):
            space[f"usual{place}"] = is_usual(converter(types[name]))
        if texts := self._texts():
            space["texts"] = itemgetter(*(str(self.table.columns[index].variable) for index in texts))
        return space

    def text(self) -> str:
        """Return the source of the three functions."""
        return "\n".join((*self._evaluate(), *self._explain(), *self._many(), ""))

    def _place(self, column: int) -> int:
        return self.names.index(str(self.table.columns[column].variable))

    def _unpacked(self) -> str:
        return "".join(f"v{place}, " for place in range(len(self.names)))

    def _others(self, odd: str) -> list[str]:
        """Check the inputs that are no column."""
        columns = {self._place(column) for column in range(len(self.table.columns))}
        rest = [place for place in range(len(self.names)) if place not in columns]
        return [f"if not usual{place}(v{place}): {odd}" for place in rest]

    def _evaluate(self) -> list[str]:
        odd = "return None"
        lines = ["def evaluate(inputs):", " try:", f"  {self._unpacked()}= get(inputs)", f" except KeyError: {odd}"]
        lines += _indented(self._others(odd), 1)
        lines += [f" m = {self._all_rows()}"]
        for column in range(len(self.lookups)):
            lines += _indented(self._narrow(column, odd), 1)
        lines += [*_indented(_outcome(odd), 1), " return o[4] or new(Evaluation, (o[3](o[0]), o[1], o[2], ()))"]
        return _guarded(lines, 1, odd)

    def _explain(self) -> list[str]:
        odd = "return None"
        lines = ["def explain(inputs):", " try:", f"  {self._unpacked()}= get(inputs)", f" except KeyError: {odd}"]
        lines += _indented(self._others(odd), 1)
        lines += [f" m = {self._all_rows()}", " dropped = []"]
        for column, lookup in enumerate(self.lookups):
            place = self._place(column)
            lines += _indented(_mask(column, place, lookup, odd), 1)
            lines += _indented(self._opaque(column, odd), 1)
            given = f"v{place}" if not isinstance(lookup, OtherLookup) else f"typed({column}, v{place})"
            lines += [f" if m & ~k: dropped.append((m & ~k, {column}, {given})); m &= k"]
        lines += _indented(_outcome(odd), 1)
        lines += [" return new(Evaluation, (o[3](o[0]), o[1], o[2], new_trace(rows, dropped)))"]
        return _guarded(lines, 1, odd)

    def _many(self) -> list[str]:
        odd = "yield other(inputs); continue"
        texts = self._texts()
        lines = ["def evaluate_many(batch, other):", " kept = {}", " for inputs in batch:", "  try:"]
        lines += [f"   {self._unpacked()}= get(inputs)"]
        if texts:
            lines += ["   t = texts(inputs)", "   m = kept.get(t)"]
        lines += [f"  except (KeyError, TypeError): {odd}"]
        lines += _indented(self._others(odd), 2)
        if texts:
            lines += ["  if m is None:", f"   m = {self._all_rows()}"]
            for column in texts:
                lines += _indented(self._narrow(column, odd), 3)
            lines += ["   if len(kept) < kept_max: kept[t] = m"]
        else:
            lines += [f"  m = {self._all_rows()}"]
        for column in range(len(self.lookups)):
            if column not in texts:
                lines += _indented(self._narrow(column, odd), 2)
        lines = _guarded([*lines, *_indented(_outcome(odd), 2)], 3, odd)
        return [*lines, "  yield o[4] or new(Evaluation, (o[3](o[0]), o[1], o[2], ()))"]

    def _all_rows(self) -> int:
        return (1 << len(self.table.rows)) - 1

    def _texts(self) -> list[int]:
        """Return the columns of texts whose masks a batch may join first: those before any cell that has to be run."""
        found: list[int] = []
        for column, lookup in enumerate(self.lookups):
            if self.table.columns[column].index.opaque:
                break
            if isinstance(lookup, TextLookup):
                found.append(column)
        return found if len(found) > 1 else []

    def _narrow(self, column: int, odd: str) -> list[str]:
        """Narrow the rows `m` by one column."""
        place, lookup = self._place(column), self.lookups[column]
        lines = [*_mask(column, place, lookup, odd), *self._opaque(column, odd), "m &= k"]
        match lookup:
            case NumberLookup():
                strange = f"v{place}.__class__ not in numbers and v{place} is not None"
            case TruthLookup():
                strange = f"v{place}.__class__ is not bool and v{place} is not None"
            case _:
                return lines
        return [
            f"if m & {lookup.care}:",
            *_indented(lines, 1),
            f"elif {strange}: {odd}",
        ]

    def _opaque_rows(self, column: int) -> int:
        mask = 0
        for cell in self.table.columns[column].index.opaque:
            mask |= cell.mask
        return mask

    def _opaque(self, column: int, odd: str) -> list[str]:
        mask = self._opaque_rows(column)
        if not mask:
            return []
        called = [f"r = run({column}, m, ({self._unpacked()}))", f"if r is None: {odd}"]
        inlined = self.inlined[column][0] if column in self.inlined else None
        if inlined is not None:
            called = ["r = None", *inlined, "if r is None:", *_indented(called, 1)]
        return [f"if m & {mask}:", *_indented(called, 1), " k |= r"]


def _getter(names: tuple[str, ...]) -> Callable[[Inputs], tuple[Any, ...]]:
    if len(names) > 1:
        return itemgetter(*names)
    (name,) = names
    return lambda inputs: (inputs[name],)


def _values(column: int, lookup: Lookup) -> dict[str, Any]:
    """Return what the source of a column names."""
    match lookup:
        case TextLookup():
            masks: dict[Any, int] = {**lookup.masks, None: lookup.null}
            return {f"d{column}": masks.get}
        case TruthLookup():
            return {}
        case NumberLookup():
            tables = {f"d{column}": lookup.masks, f"b{column}": lookup.bounds, f"f{column}": lookup.floats}
            tables[f"p{column}"] = lookup.points
            return {**tables, f"s{column}": lookup.find}
    return {f"g{column}": lookup.mask}


def _mask(column: int, place: int, lookup: Lookup, odd: str) -> list[str]:
    """Set `k` to the rows whose cell of constants is true of the input."""
    value = f"v{place}"
    match lookup:
        case TextLookup():
            lines = [f"k = d{column}({value})", "if k is None:"]
            if lookup.other is None:
                return [*lines, f" {odd}"]
            return [*lines, f" if {value}.__class__ is not str: {odd}", f" k = {lookup.other}"]
        case TruthLookup():
            cases = [("True", lookup.true), ("False", lookup.false), ("None", lookup.null)]
            lines = [f"elif {value} is {what}: k = {mask}" for what, mask in cases]
            return [lines[0].removeprefix("el"), *lines[1:], f"else: {odd}"]
        case NumberLookup():
            return _number_mask(column, value, lookup, odd)
    return [f"k = g{column}({value})", f"if k is None: {odd}"]


def _number_mask(column: int, value: str, lookup: NumberLookup, odd: str) -> list[str]:
    last = len(lookup.bounds)

    def found(bounds: str) -> list[str]:
        interval = f"k = d{column}[j]"
        if lookup.points is not None:
            interval = f"k = p{column}[j] if j < {last} and {bounds}{column}[j] == {value} else d{column}[j]"
        return [
            f" j = s{column}({bounds}{column}, {value})",
            f" if (j == 0 or j == {last}) and not usual({value}): {odd}",
            f" {interval}",
        ]

    lines = [f"c = {value}.__class__", "if c is Decimal:", *found("b")]
    if lookup.floats is not None:
        lines += ["elif c is int or c is float:", *found("f")]
    return [*lines, f"elif {value} is None: k = {lookup.null}", f"else: {odd}"]


def _outcome(odd: str) -> list[str]:
    """Set `o` to the outcome of the rows: an evaluation that may be shared, or its parts and how to copy the value."""
    return ["o = known(m)", "if o is None:", " o = fresh(m)", f" if o is None: {odd}"]


def _guarded(lines: list[str], first: int, odd: str) -> list[str]:
    """Take the long way where a comparison fails, as on a NaN under a caller's traps, or a value cannot be a key.

    `first` is the number of lines that stay outside.
    """
    depth = " " * (len(lines[first]) - len(lines[first].lstrip()))
    inside = _indented(lines[first:], 1)
    return [*lines[:first], f"{depth}try:", *inside, f"{depth}except (ArithmeticError, TypeError): {odd}"]


def _indented(lines: Iterable[str], depth: int) -> list[str]:
    return [" " * depth + line for line in lines]
