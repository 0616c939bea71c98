"""Cells that compare a number with sums and products of other inputs, such as `<= po_unit_price * 1.02`, as source.

The source names variables and constants that this module makes up; the cell's text is not in it. It holds where all
inputs are numbers or null and all results are finite; anything else is for the compiled cell.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow
from typing import Any

from settledesk.decisions.index import OpaqueCell
from settledesk.feel.run import DECIMAL_CONTEXT
from settledesk.feel.tree import Arithmetic, CompareTest, Comparison, InputMark, Literal, Node, Slot, ValueTest
from settledesk.feel.values import to_feel

CONTEXT = DECIMAL_CONTEXT.copy()
"""FEEL's arithmetic, where an infinite result is raised: it is null, which a comparison of decimals cannot say."""
for _signal in (Overflow, InvalidOperation, DivisionByZero):
    CONTEXT.traps[_signal] = True

OPERATIONS = {"add": CONTEXT.add, "subtract": CONTEXT.subtract, "multiply": CONTEXT.multiply}
_NAMES = {"+": "add", "-": "subtract", "*": "multiply"}
_COMPARISONS = frozenset({"<", "<=", ">", ">="})


@dataclass(slots=True, kw_only=True)
class Inlining:
    """Collects what the source of one column's cells needs. `places` are the inputs that may be used, by name."""

    column: int
    place: int
    """The input that the column is."""
    places: Mapping[str, int]
    constants: dict[str, Decimal] = field(default_factory=dict)
    operands: dict[int, None] = field(default_factory=dict)
    results: list[str] = field(default_factory=list)

    def lines(self, cells: tuple[OpaqueCell, ...]) -> list[str] | None:
        """Return source that sets `r` to the rows that are true, or leaves it `None`; `None` if a cell is too much.

        All cells look at the same inputs, so that no cell is true where one of these is null.
        """
        terms: list[str] = []
        used: set[frozenset[int]] = set()
        for cell in cells:
            self.operands.clear()
            comparison = self._cell(cell)
            if comparison is None:
                return None
            used.add(frozenset(self.operands))
            terms.append(f"({cell.mask:#x} if {comparison} else 0)")
        if len(used) != 1:
            return None
        operands = list(self.operands)
        given = [f"w{name} = v{name} if type(v{name}) is Decimal else number(v{name})" for name in operands]
        unknown = " or ".join(f"w{name} is None" for name in operands)
        results = [line.partition(" ")[0] for line in self.results]
        finite = " and ".join(f"{name}.is_finite()" for name in (*(f"w{name}" for name in operands), *results))
        steps = [f" {line}" for line in self.results]
        return [*given, f"if {unknown}: r = 0", "else:", *steps, f" if {finite}: r = {' | '.join(terms)}"]

    def _cell(self, cell: OpaqueCell) -> str | None:
        if cell.tree.negated or len(cell.tree.tests) != 1:
            return None
        match cell.tree.tests[0]:
            case CompareTest(operator=operator, operand=operand):
                left: str | None = self._operand(self.place)
                right = self._node(operand)
            case ValueTest(value=Comparison(operator=operator, left=one, right=other)) as test:
                if not (test.mentions_input or test.mentions_variables):
                    return None
                left, right = self._node(one), self._node(other)
            case _:
                return None
        return None if left is None or right is None or operator not in _COMPARISONS else f"{left} {operator} {right}"

    def _operand(self, place: int) -> str:
        self.operands[place] = None
        return f"w{place}"

    def _node(self, node: Node) -> str | None:
        match node:
            case InputMark():
                return self._operand(self.place)
            case Slot(name=name) if name in self.places:
                return self._operand(self.places[name])
            case Literal(value=Decimal() as value):
                constant = f"q{self.column}_{len(self.constants)}"
                self.constants[constant] = value
                return constant
            case Arithmetic(operator=operator, left=left, right=right) if operator in _NAMES:
                one, other = self._node(left), self._node(right)
                if one is None or other is None:
                    return None
                result = f"t{self.column}_{len(self.results)}"
                self.results.append(f"{result} = {_NAMES[operator]}({one}, {other})")
                return result
        return None


def as_number(value: Any) -> Decimal | None:
    """Return a number as a decimal, and null as `None`. Raises `TypeError` for anything else."""
    if value is None or type(value) is int or type(value) is float:
        number: Decimal | None = to_feel(value)
        return number
    raise TypeError(type(value))
