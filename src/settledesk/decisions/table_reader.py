"""From the XML of a decision table to a compiled one. Every cell is compiled at load; an error names its place."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from lxml import etree

from settledesk.decisions.errors import ModelError, Place, at_place
from settledesk.decisions.hit_policy import AGGREGATIONS, HIT_POLICIES
from settledesk.decisions.index import OpaqueCell, build_index
from settledesk.decisions.item_types import TypeTable
from settledesk.decisions.source import attribute, child, children, text_of
from settledesk.decisions.table import Column, DecisionTable, Output
from settledesk.feel import FeelError
from settledesk.feel.checker import Layout
from settledesk.feel.compiler import Frame
from settledesk.feel.expression import Program, compile_in, compile_tests_in
from settledesk.feel.operators import belongs
from settledesk.feel.run import Run
from settledesk.feel.temporal import DATE_TIMES, TIMES
from settledesk.feel.tree import CompareTest, ListLiteral, Literal, Node, RangeLiteral, Slot, Tests, ValueTest

ROWS_MAX = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReader:
    """Reads tables whose cells see the variables of `layout`. `standard` reads null as the standard does."""

    layout: Layout
    types: TypeTable
    standard: bool = False

    def read(self, element: etree._Element, name: str, place: Place) -> DecisionTable:
        """Compile a `decisionTable` element; raises `ModelError`."""
        rules = list(children(element, "rule"))
        if len(rules) > ROWS_MAX:
            raise ModelError(f"a table may have at most {ROWS_MAX} rows", place)
        rows = _row_names(rules, place)
        sizes = [self.layout.size]
        inputs = list(children(element, "input"))
        cells = [
            _entries(rule, "inputEntry", len(inputs), replace(place, row=row))
            for rule, row in zip(rules, rows, strict=True)
        ]
        columns = tuple(
            self._column(clause, index, [row[index] for row in cells], rows, place, sizes)
            for index, clause in enumerate(inputs)
        )
        outputs = self._outputs(element, rules, rows, place, sizes)
        hit_policy = attribute(element, "hitPolicy") or "UNIQUE"
        aggregation = attribute(element, "aggregation")
        _check_policy(hit_policy, aggregation, outputs, place)
        return DecisionTable(
            name=name,
            hit_policy=hit_policy,
            aggregation=aggregation,
            rows=rows,
            columns=columns,
            outputs=outputs,
            variables=self.layout.variables,
            frame_size=max(sizes),
            standard=self.standard,
            annotations=tuple(_description(rule) for rule in rules),
        )

    def _column(
        self,
        clause: etree._Element,
        index: int,
        cells: list[str],
        rows: tuple[str, ...],
        place: Place,
        sizes: list[int],
    ) -> Column:
        expression = child(clause, "inputExpression")
        text = text_of(expression)
        if expression is None or not text:
            raise ModelError(f"input {index + 1} of the table has no expression", place)
        column_place = replace(place, column=text)
        program = self.expression(text, column_place)
        sizes.append(program.size)
        shared: dict[str, int] = {}
        for row, cell in enumerate(cells):
            shared[cell] = shared.get(cell, 0) | 1 << row
        programs: list[tuple[int, Program]] = []
        for cell, mask in shared.items():
            first = rows[(mask & -mask).bit_length() - 1]
            programs.append((mask, self.tests(cell, replace(column_place, row=first))))
        sizes.extend(cell_program.size for _, cell_program in programs)
        values = text_of(child(clause, "inputValues"))
        declared = self.tests(values, column_place) if values and values != "-" else None
        allowed = None if declared is None else _declared(declared)
        return Column(
            name=text,
            label=attribute(clause, "label") or text,
            item_type=self.types.find(attribute(expression, "typeRef"), column_place),
            variable=program.tree.name if isinstance(program.tree, Slot) else None,
            run_on=program.run_on,
            cells=tuple(cells),
            index=build_index(programs, _frames(programs)),
            expected=_expected(program for _, program in programs),
            allowed=allowed,
            allowed_index=None if declared is None else build_index([(1, declared)], _frames([(1, declared)])),
        )

    def _outputs(
        self,
        element: etree._Element,
        rules: list[etree._Element],
        rows: tuple[str, ...],
        place: Place,
        sizes: list[int],
    ) -> tuple[Output, ...]:
        clauses = list(children(element, "output"))
        if not clauses:
            raise ModelError("the table has no output", place)
        cells = [
            _entries(rule, "outputEntry", len(clauses), replace(place, row=row))
            for rule, row in zip(rules, rows, strict=True)
        ]
        made: list[Output] = []
        for index, clause in enumerate(clauses):
            name = attribute(clause, "name")
            if name is None and len(clauses) > 1:
                raise ModelError(f"output {index + 1} of several has no name", place)
            column_place = replace(place, column=name or attribute(clause, "label") or "output")
            texts = tuple(row[index] for row in cells)
            made.append(self._output(clause, name, texts, rows, column_place, sizes))
        return tuple(made)

    def _output(
        self,
        clause: etree._Element,
        name: str | None,
        texts: tuple[str, ...],
        rows: tuple[str, ...],
        place: Place,
        sizes: list[int],
    ) -> Output:
        programs = [self.expression(text, replace(place, row=row)) for text, row in zip(texts, rows, strict=True)]
        default_text = text_of(child(clause, "defaultOutputEntry"))
        default = self.expression(default_text, place) if default_text else None
        sizes.extend(program.size for program in (*programs, *([default] if default else ())))
        return Output(
            name=name,
            item_type=self.types.find(attribute(clause, "typeRef"), place),
            cells=texts,
            run_on=tuple(program.run_on for program in programs),
            constant=tuple(_is_constant(program.tree) for program in programs),
            default_constant=default is None or _is_constant(default.tree),
            default=None if default is None else default.run_on,
            rank=self._rank(text_of(child(clause, "outputValues")), place),
        )

    def _rank(self, text: str, place: Place) -> Callable[[Any], int] | None:
        if not text or text == "-":
            return None
        tests = self.tests(text, place).tree
        assert isinstance(tests, Tests)
        listed = [
            test.value.value for test in tests.tests if isinstance(test, ValueTest) and isinstance(test.value, Literal)
        ]
        if len(listed) < len(tests.tests):
            return None

        def rank(value: Any) -> int:
            for index, candidate in enumerate(listed):
                if type(candidate) is type(value) and belongs(value, candidate, Run()) is True:
                    return index
            return len(listed)

        return rank

    def expression(self, text: str, place: Place) -> Program:
        """Compile an expression; an empty one, or `-`, is null."""
        try:
            return compile_in(self.layout, "null" if text in ("", "-") else text)
        except FeelError as error:
            raise at_place(error, place) from error

    def tests(self, text: str, place: Place) -> Program:
        """Compile a cell; an empty one is true of everything."""
        try:
            return compile_tests_in(self.layout, text, unknown_nulls=not self.standard)
        except FeelError as error:
            raise at_place(error, place) from error


def _row_names(rules: list[etree._Element], place: Place) -> tuple[str, ...]:
    names = tuple(attribute(rule, "id") or f"row {number}" for number, rule in enumerate(rules, 1))
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ModelError(f"two rows have the id `{name}`", place)
        seen.add(name)
    return names


def _entries(rule: etree._Element, kind: str, count: int, place: Place) -> list[str]:
    entries = [text_of(entry) for entry in children(rule, kind)]
    if kind == "inputEntry" and not entries:
        return ["-"] * count
    if len(entries) != count:
        raise ModelError(f"the row has {len(entries)} of `{kind}`, but the table has {count} such columns", place)
    return entries


def _description(rule: etree._Element) -> str:
    holder = child(rule, "description")
    return "" if holder is None else (holder.text or "").strip()


def _check_policy(hit_policy: str, aggregation: str | None, outputs: tuple[Output, ...], place: Place) -> None:
    if hit_policy not in HIT_POLICIES:
        raise ModelError(f"`{hit_policy}` is not a hit policy: it is one of {', '.join(HIT_POLICIES)}", place)
    if aggregation is not None and (aggregation not in AGGREGATIONS or hit_policy != "COLLECT"):
        raise ModelError(f"the aggregation `{aggregation}` does not go with the hit policy {hit_policy}", place)
    if aggregation not in (None, "COUNT") and len(outputs) > 1:
        raise ModelError(f"the aggregation `{aggregation}` needs a table with one output", place)
    if hit_policy in ("PRIORITY", "OUTPUT ORDER") and all(output.rank is None for output in outputs):
        raise ModelError(f"the hit policy {hit_policy} needs an output with a list of its values", place)


def _declared(program: Program) -> OpaqueCell:
    assert isinstance(program.tree, Tests)
    return OpaqueCell(mask=1, run_on=program.run_on, tree=program.tree)


def _is_constant(node: Node | Tests) -> bool:
    if isinstance(node, ListLiteral):
        return all(_is_constant(item) for item in node.items)
    return isinstance(node, Literal)


def _frames(programs: list[tuple[int, Program]]) -> Callable[[], Frame]:
    """Return what makes a frame that any of the programs can run on, with every variable null."""
    size = max((program.size for _, program in programs), default=0)
    return lambda: [Run(), *[None] * (size - 1)]


def _expected(programs: Iterable[Program]) -> frozenset[type]:
    """Return the types that a column's cells can be true of; none if that is not known."""
    expected: set[type] = set()
    for program in programs:
        assert isinstance(program.tree, Tests)
        kinds = _kinds(program.tree)
        if kinds is None:
            return frozenset()
        expected |= kinds
    return frozenset(expected)


def _kinds(tests: Tests) -> set[type] | None:
    """Return the types that the cell can be true of, or `None` if that is not known (`not(null)`: all)."""
    if tests.negated:
        return None
    kinds: set[type] = set()
    for test in tests.tests:
        if isinstance(test, CompareTest) and test.operator == "!=":
            return None
        found = _kinds_of(test.operand if isinstance(test, CompareTest) else test.value)
        if found is None:
            return None
        kinds |= found
    return kinds


_ZONED = (DATE_TIMES, TIMES)
"""Kinds of values that are of one type, with a zone and without."""


def _kinds_of(node: Node) -> set[type] | None:
    if isinstance(node, Literal):
        kind = type(node.value)
        return set() if node.value is None else set(next((kinds for kinds in _ZONED if kind in kinds), (kind,)))
    if isinstance(node, RangeLiteral):
        ends = [_kinds_of(end) for end in (node.low, node.high) if end is not None]
        return None if None in ends else set().union(*(end for end in ends if end is not None))
    return None
