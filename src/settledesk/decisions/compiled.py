"""One function per table, generated from its columns' indexes: from the caller's inputs to what the matching rows give.

The function answers what is usual: every input is there and of its declared type. Anything else takes the long way,
which runs column after column and names what is odd; so the two cannot differ in what they report. The source is put
together from numbers and fixed names alone: what comes from the model (names, constants, masks) enters as values. No
text of the model becomes code.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from operator import itemgetter
from typing import Any, TypeAlias

from settledesk.decisions.column_source import class_check, mask_lines, result_lines, values
from settledesk.decisions.inlined import OPERATIONS, Inlining, as_number
from settledesk.decisions.item_types import ANY, ItemType
from settledesk.decisions.lookup import (
    Lookup,
    NumberLookup,
    OtherLookup,
    TextLookup,
    TruthLookup,
    lookup_of,
    plain_base,
)
from settledesk.decisions.results import Evaluation, Trace
from settledesk.decisions.row_results import OpaqueCells, RowResults, converter, is_usual, tested
from settledesk.decisions.table import DecisionTable
from settledesk.feel.limits import Limits

GROUP_MAX = 8_192
"""Combinations of the values that cells name, in a group of columns whose rows are kept together."""
KEPT_MAX = 16_384
"""Combinations of values whose rows a group keeps."""

Inputs: TypeAlias = Mapping[str, Any]
_EVALUATION = "o[4] or new(Evaluation, (o[3](o[0]), o[1], o[2], ()))"
"""An evaluation of the result `o`: one that may be shared, or a new one with a copy of the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledTable:
    """A decision that is one table over inputs.

    `bind(other)` is a function from inputs to their evaluation that asks `other` about inputs that are not usual.
    `explain` gives the trace besides, and `None` for such inputs. `evaluate_many` evaluates many inputs like `bind`.
    """

    bind: Callable[[Callable[[Inputs], Any]], Callable[[Inputs], Any]]
    explain: Callable[[Inputs], Evaluation | None]
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
    generator = _Generator(table=table, names=names, lookups=lookups, inlined=_inlined(table, names, types, lookups))
    space = generator.space(types)
    space |= {"known": (results := RowResults(table, result, limits)).kept.get, "fresh": results.fresh}
    opaque = OpaqueCells(table=table, names=names, types=types, limits=limits)
    space |= {"run": opaque.run, "write": table.tracing.write}
    for index, column in enumerate(table.columns):
        space[f"tested{index}"] = tested(types[str(column.variable)], column.item_type)
    # The text is made of numbers and of the fixed names of this module.
    exec(compile(generator.text(), "<decision table>", "exec"), space)  # noqa: S102
    return CompiledTable(bind=space["bind"], explain=space["explain"], evaluate_many=space["evaluate_many"])


def _inlined(
    table: DecisionTable, names: tuple[str, ...], types: Mapping[str, ItemType], lookups: list[Lookup]
) -> dict[int, tuple[list[str], dict[str, Decimal]]]:
    """Return the source and the constants of the cells that compare numbers across columns, by column."""
    joined = TextLookup | TruthLookup
    others = {column.variable for column, one in zip(table.columns, lookups, strict=True) if isinstance(one, joined)}
    numeric = [name for name in names if plain_base(types[name]) in ("number", "any") and name not in others]
    places = {name: names.index(name) for name in numeric}
    found: dict[int, tuple[list[str], dict[str, Decimal]]] = {}
    for index, column in enumerate(table.columns):
        if column.variable in places and plain_base(column.item_type) in ("number", "any"):
            inlining = Inlining(column=index, place=places[column.variable], places=places)
            lines = inlining.lines(column.index.opaque) if column.index.opaque else None
            if lines is not None:
                found[index] = lines, inlining.constants
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Generator:
    """Writes the functions, with the names that `column_source` explains.

    Rows of several columns of texts and booleans are kept by their values, which come again and again. A key may be
    found by a value that is equal without being the same (1 is true), so classes are checked all the same.
    """

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
            "kept_max": KEPT_MAX,
            "get": _getter(self.names),
            "new": tuple.__new__,
            "new_trace": Trace,
            "number": as_number,
            **OPERATIONS,
        }
        for _, constants in self.inlined.values():
            space |= constants
        for index, lookup in enumerate(self.lookups):
            space |= values(index, lookup)
        for place, name in enumerate(self.names):
            space[f"usual{place}"] = is_usual(converter(types[name]))
        space["rest"] = _getter(tuple(self.names[place] for place in self._rest()))
        for group, columns in enumerate(self._groups()):
            kept: dict[tuple[Any, ...], int] = {}
            space |= {f"keep{group}": kept, f"kept{group}": kept.get}
            space[f"key{group}"] = itemgetter(*(str(self.table.columns[column].variable) for column in columns))
        return space

    def text(self) -> str:
        """Return the source of the three functions."""
        return "\n".join((*self._evaluate(), *self._explain(), *self._many(), ""))

    def _place(self, column: int) -> int:
        return self.names.index(str(self.table.columns[column].variable))

    def _listed(self, letter: str, places: Iterable[int]) -> str:
        return "".join(f"{letter}{place}, " for place in places)

    def _all(self) -> range:
        return range(len(self.names))

    def _rest(self) -> list[int]:
        """Return the inputs that are not only columns of groups."""
        kept = [column for columns in self._groups() for column in columns]
        others = {self._place(column) for column in range(len(self.lookups)) if column not in kept}
        grouped = {self._place(column) for column in kept} - others
        return [place for place in self._all() if place not in grouped]

    def _checks(self, odd: str, groups: list[list[int]]) -> list[str]:
        """Check the classes of the inputs whose source does not, and whatever is no column."""
        lines: list[str] = []
        for group, columns in enumerate(groups):
            truths = [isinstance(self.lookups[column], TruthLookup) for column in columns]
            names = (f"t{group}_{index}" if truth else "_" for index, truth in enumerate(truths))
            lines += [f"{', '.join(names)} = t{group}"] if any(truths) else []
        kept = {column: f"t{group}_{index}" for group, one in enumerate(groups) for index, column in enumerate(one)}
        checks = [class_check(kept.get(index, f"v{self._place(index)}"), one) for index, one in enumerate(self.lookups)]
        used = {self._place(column) for column in range(len(self.lookups))}
        checks += [f"usual{place}(v{place})" for place in self._all() if place not in used]
        parts = [check for check in checks if check is not None]
        return [*lines, f"if not ({' and '.join(parts)}): {odd}"] if parts else []

    def _evaluate(self) -> list[str]:
        odd = "return other(inputs)"
        lines = [*self._narrowed(odd), *result_lines(odd), f"return {_EVALUATION}"]
        lines = _guarded(["def evaluate(inputs):", *_indented(lines, 1)], odd)
        return ["def bind(other):", *_indented([*lines, "return evaluate"], 1)]

    def _many(self) -> list[str]:
        odd = "yield other(inputs); continue"
        lines = [*self._narrowed(odd), *result_lines(odd), f"answer = {_EVALUATION}"]
        lines = _guarded(["for inputs in batch:", *_indented(lines, 1)], odd)
        return ["def evaluate_many(batch, other):", *_indented([*lines, " yield answer"], 1)]

    def _explain(self) -> list[str]:
        odd = "return None"
        lines = [
            f"{self._listed('v', self._all())}= get(inputs)",
            *self._checks(odd, []),
            f"m = {self._all_rows():#x}",
            "dropped = []",
        ]
        for column, lookup in enumerate(self.lookups):
            place = self._place(column)
            lines += [*mask_lines(column, f"v{place}", lookup, odd), *self._opaque(column, odd)]
            given = f"v{place}" if not isinstance(lookup, OtherLookup) else f"tested{column}(v{place})"
            lines += [f"if m & ~k: dropped.append((m & ~k, {column}, {given})); m &= k"]
        lines += [*result_lines(odd), "return new(Evaluation, (o[3](o[0]), o[1], o[2], new_trace(write, dropped)))"]
        return _guarded(["def explain(inputs):", *_indented(lines, 1)], odd)

    def _narrowed(self, odd: str) -> list[str]:
        """Set `m` to the rows that match."""
        groups = self._groups()
        rest = self._rest()
        lines = [f"t{group} = key{group}(inputs)" for group in range(len(groups))]
        lines += [f"{self._listed('v', rest)}= rest(inputs)"] if rest else []
        for group, columns in enumerate(groups):
            lines += [f"k = kept{group}(t{group})", "if k is None:", *_indented(self._join(group, columns, odd), 1)]
            lines += ["m &= k" if group else "m = k"]
        lines += self._checks(odd, groups)
        lines += [] if groups else [f"m = {self._all_rows():#x}"]
        return [*lines, *self._narrowed_rest(groups, odd)]

    def _narrowed_rest(self, groups: list[list[int]], odd: str) -> list[str]:
        """Narrow the rows by the columns that are in no group."""
        lines: list[str] = []
        for column in range(len(self.lookups)):
            if not any(column in columns for columns in groups):
                lines += self._narrow(column, odd)
        return lines

    def _join(self, group: int, columns: list[int], odd: str) -> list[str]:
        """Find the rows of columns whose values have not been met together, and keep them."""
        lines = [f"n = {self._all_rows():#x}"]
        for index, column in enumerate(columns):
            value = f"t{group}[{index}]"
            check = class_check(value, self.lookups[column])
            lines += [] if check is None else [f"if not {check}: {odd}"]
            lines += [*mask_lines(column, value, self.lookups[column], odd), "n &= k"]
        return [*lines, "k = n", f"if len(keep{group}) < kept_max: keep{group}[t{group}] = n"]

    def _all_rows(self) -> int:
        return (1 << len(self.table.rows)) - 1

    def _groups(self) -> list[list[int]]:
        """Return columns of texts and booleans whose rows are kept together, in groups with few combinations each.

        They stand before any cell that has to be run, since those are run for the rows that are left there.
        """
        groups: list[list[int]] = []
        size = GROUP_MAX
        for column, lookup in enumerate(self.lookups):
            if self.table.columns[column].index.opaque:
                break
            if isinstance(lookup, TextLookup | TruthLookup):
                values = len(lookup.masks) + 2 if isinstance(lookup, TextLookup) else 3
                size *= values
                if size > GROUP_MAX:
                    groups.append([])
                    size = values
                groups[-1].append(column)
        return [columns for columns in groups if len(columns) > 1]

    def _narrow(self, column: int, odd: str) -> list[str]:
        """Narrow the rows `m` by one column."""
        place, lookup = self._place(column), self.lookups[column]
        lines = [*mask_lines(column, f"v{place}", lookup, odd), *self._opaque(column, odd), "m &= k"]
        if isinstance(lookup, NumberLookup | TruthLookup):
            return [f"if m & {lookup.care:#x}:", *_indented(lines, 1)]
        return lines

    def _opaque_rows(self, column: int) -> int:
        mask = 0
        for cell in self.table.columns[column].index.opaque:
            mask |= cell.mask
        return mask

    def _opaque(self, column: int, odd: str) -> list[str]:
        mask = self._opaque_rows(column)
        if not mask:
            return []
        called = [f"r = run({column}, m, get(inputs))", f"if r is None: {odd}"]
        inlined = self.inlined[column][0] if column in self.inlined else None
        if inlined is not None:
            called = ["r = None", *inlined, "if r is None:", *_indented(called, 1)]
        return [f"if m & {mask:#x}:", *_indented(called, 1), " k |= r"]


def _getter(names: tuple[str, ...]) -> Callable[[Inputs], tuple[Any, ...]]:
    if len(names) != 1:
        return itemgetter(*names) if names else lambda _: ()
    (name,) = names
    return lambda inputs: (inputs[name],)


def _guarded(lines: list[str], odd: str) -> list[str]:
    """Take the long way where an input is missing, a value cannot be a key, or a comparison fails, as on a NaN."""
    return [lines[0], " try:", *_indented(lines[1:], 1), f" except (KeyError, TypeError, ArithmeticError): {odd}"]


def _indented(lines: Iterable[str], depth: int) -> list[str]:
    return [" " * depth + line for line in lines]
