"""Conditions across columns as linear arithmetic, for the solver z3 (the extra `verify`).

A variable is a real number, or no number at all (null): a comparison with one that is none is not true. Exact
arithmetic stands for the decimals of FEEL; what is found is replayed, and what is refuted holds for exact numbers.
Variables of another type are places in an order: what is refuted of them holds, but values are left to trials.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from typing import Any

from settledesk.feel.run import DECIMAL_CONTEXT
from settledesk.feel.tree import (
    Arithmetic,
    Between,
    CompareTest,
    Comparison,
    InputMark,
    Junction,
    Literal,
    Negate,
    Node,
    RangeLiteral,
    Slot,
    Test,
    Tests,
)
from settledesk.verify.tables.partition import Dimension, Piece
from settledesk.verify.tables.samples import ORDERED_KINDS, in_order
from settledesk.verify.tables.search import Box, places
from settledesk.verify.tables.shapes import walk

WORK_MAX = 3_000_000
"""Units of work (z3's `rlimit`) for one question."""
_COMPARED = frozenset({*ORDERED_KINDS, "string", "boolean"})
_POWERS = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "=": "__eq__"}


class NotLinearError(Exception):
    """A cell is not linear arithmetic."""


@cache
def solver_is_there() -> bool:
    """Tell whether z3 is installed."""
    return find_spec("z3") is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`possible` is false if no input lies in the box; `values` are those of one that does, if one was found."""

    possible: bool
    values: Mapping[str, Any] = field(default_factory=dict)


def solve(
    dimensions: Sequence[Dimension], box: Box, others: Mapping[str, str], *, known: bool = False
) -> Answer | None:
    """Find values of the variables of linear conditions inside a box; `None` if that could not be decided.

    `others` are the variables that are no column, with their declared types; with `known` they have to be known.
    """
    if not solver_is_there():
        return None
    return _Question(dimensions, box, others, known=known).answer()


class _Question:
    def __init__(self, dimensions: Sequence[Dimension], box: Box, others: Mapping[str, str], *, known: bool) -> None:
        import z3

        self._others_known = known
        self._z3: Any = z3
        # A context of its own, so that what z3 answers does not depend on what it was asked before.
        self._context: Any = z3.Context()
        self._by_name = {
            dimension.name: (dimension, bits)
            for dimension, bits in zip(dimensions, box, strict=True)
            if dimension.condition is None
        }
        self._others = others
        self._numbers: dict[str, Any] = {}
        self._known: dict[str, Any] = {}
        self._facts: list[Any] = []
        self._linear = 0
        self._ranks = _ranks(dimensions)
        for dimension, bits in zip(dimensions, box, strict=True):
            if dimension.condition is not None and bits != dimension.bits():
                self._add(dimension, bits)

    def _add(self, dimension: Dimension, bits: int) -> None:
        condition = dimension.condition
        assert condition is not None
        try:
            true = self._tests(condition.tree, condition.column.variable or condition.column.name)
        except NotLinearError:
            return
        self._linear += 1
        self._facts.append(true if bits & 1 else self._z3.Not(true))

    def answer(self) -> Answer | None:
        if not self._linear:
            return None
        z3 = self._z3
        for name in self._numbers:
            if name in self._by_name:
                self._facts.append(self._inside(name))
        if self._others_known:
            self._facts.extend(self._known[name] for name in self._numbers if name not in self._by_name)
        known = [self._known[name] for name in self._numbers]
        numbers = list(self._numbers.values())
        if any(self._kind(name) != "number" for name in self._numbers):
            return self._possible()
        whole = [z3.IsInt(number) for number in numbers]
        cents = [z3.IsInt(number * 100) for number in numbers]
        for wish in ([*known, *whole], [*known, *cents], known, []):
            solver = z3.Solver(ctx=self._context)
            solver.set("rlimit", WORK_MAX)
            solver.add(*self._facts, *wish)
            found = solver.check()
            if found == z3.sat:
                values = self._values(solver.model())
                if values is not None:
                    return Answer(possible=True, values=values)
            elif found == z3.unsat and not wish:
                return Answer(possible=False)
        return None

    def _possible(self) -> Answer | None:
        solver = self._z3.Solver(ctx=self._context)
        solver.set("rlimit", WORK_MAX)
        solver.add(*self._facts)
        found = solver.check()
        return None if found == self._z3.unknown else Answer(possible=found == self._z3.sat)

    def _kind(self, name: str) -> str:
        """Return the one type that a variable has beside null; a variable of no declared type is taken for a number."""
        if name not in self._by_name:
            kind = self._others.get(name, "none")
            kinds = {"number" if kind == "any" else kind}
        else:
            kinds = {piece.kind for piece in self._by_name[name][0].pieces} - {"null"}
        if len(kinds) != 1 or not kinds <= _COMPARED:
            raise NotLinearError
        return kinds.pop()

    def _values(self, model: Any) -> dict[str, Any] | None:
        found: dict[str, Any] = {}
        for name, number in self._numbers.items():
            if self._z3.is_true(model.eval(self._known[name], model_completion=True)):
                value = model.eval(number, model_completion=True)
                if not self._z3.is_rational_value(value):
                    return None
                decimal = _decimal(Fraction(value.numerator_as_long(), value.denominator_as_long()))
                if decimal is None:
                    return None
                found[name] = decimal
            else:
                found[name] = self._no_number(name)
        return found

    def _no_number(self, name: str) -> Any:
        if name not in self._by_name:
            return None
        dimension, bits = self._by_name[name]
        pieces = [dimension.pieces[place] for place in places(bits) if dimension.pieces[place].kind != "number"]
        return pieces[-1].value if pieces else None

    def _variable(self, name: str) -> tuple[Any, Any]:
        self._kind(name)
        if name not in self._numbers:
            self._numbers[name] = self._z3.Real(name, self._context)
            self._known[name] = self._z3.Bool(f"known {name}", self._context)
        return self._numbers[name], self._known[name]

    def _inside(self, name: str) -> Any:
        z3 = self._z3
        dimension, bits = self._by_name[name]
        number, known = self._numbers[name], self._known[name]
        ways: list[Any] = []
        for place in places(bits):
            piece = dimension.pieces[place]
            ways.append(z3.Not(known) if piece.kind == "null" else self._both(known, *self._limits(piece, number)))
        return self._either(*ways)

    def _limits(self, piece: Piece, number: Any) -> list[Any]:
        """Return what lying in a piece means; less than that where an end cannot be written."""
        if piece.point or piece.witness:
            ends = [("__eq__", piece.value)]
        else:
            ends = [("__gt__", piece.low), ("__lt__", piece.high)]
        limits: list[Any] = []
        for operator, end in ends:
            place = None if end is None else self._place(end, piece.kind)
            if place is not None:
                limits.append(getattr(number, operator)(place))
        return limits

    def _place(self, value: Any, kind: str) -> Any:
        if kind != "number":
            rank = next((rank for rank, known in enumerate(self._ranks.get(kind, ())) if known == value), None)
            return None if rank is None else self._z3.RealVal(rank, self._context)
        return self._constant(value) if _is_writable(value) else None

    def _constant(self, value: Any) -> Any:
        if not _is_writable(value):
            raise NotLinearError
        return self._z3.RealVal(str(Fraction(value)), self._context)

    def _both(self, *parts: Any) -> Any:
        return self._z3.And(*parts, self._z3.BoolVal(True, self._context))

    def _either(self, *parts: Any) -> Any:
        return self._z3.Or(*parts, self._z3.BoolVal(False, self._context))

    def _tests(self, tests: Tests, column: str) -> Any:
        found = self._either(*[self._test(test, column) for test in tests.tests])
        if not tests.negated:
            return found
        if any(isinstance(node, Junction) for node in walk(tests)):
            raise NotLinearError
        known = [self._known[name] for name in self._names(tests, column)]
        return self._both(*known, self._z3.Not(found))

    def _names(self, node: Any, column: str) -> list[str]:
        return list(dict.fromkeys([column, *[inner.name for inner in walk(node) if isinstance(inner, Slot)]]))

    def _test(self, test: Test, column: str) -> Any:
        given = InputMark(position=0)
        if isinstance(test, CompareTest):
            return self._compare(test.operator, given, test.operand, column)
        if test.mentions_input:
            return self._condition(test.value, column)
        if isinstance(test.value, RangeLiteral):
            return self._range(test.value, column)
        if any(self._others.get(name) == "any" for name in self._names(test.value, column)):
            raise NotLinearError
        return self._compare("=", given, test.value, column)

    def _range(self, node: RangeLiteral, column: str) -> Any:
        given = InputMark(position=0)
        parts: list[Any] = []
        if node.low is not None:
            parts.append(self._compare(">=" if node.low_included else ">", given, node.low, column))
        if node.high is not None:
            parts.append(self._compare("<=" if node.high_included else "<", given, node.high, column))
        return self._both(*parts)

    def _condition(self, node: Node, column: str) -> Any:
        match node:
            case Junction():
                parts = [self._condition(part, column) for part in node.parts]
                return self._both(*parts) if node.conjunction else self._either(*parts)
            case Comparison():
                return self._compare(node.operator, node.left, node.right, column)
            case Between():
                low = self._compare(">=", node.value, node.low, column)
                return self._both(low, self._compare("<=", node.value, node.high, column))
        raise NotLinearError

    def _compare(self, operator: str, left: Node, right: Node, column: str) -> Any:
        kinds = {self._kind_of(left, column), self._kind_of(right, column)}
        if len(kinds) != 1 or (kinds == {"boolean"} and operator not in ("=", "!=")):
            raise NotLinearError
        one, needs_one = self._term(left, column)
        two, needs_two = self._term(right, column)
        if operator == "!=":
            return self._both(*needs_one, *needs_two, one != two)
        return self._both(*needs_one, *needs_two, getattr(one, _POWERS[operator])(two))

    def _kind_of(self, node: Node, column: str) -> str:
        """Return the type of a term: that of a variable by itself, a number for all that is worked out."""
        if isinstance(node, InputMark):
            return self._kind(column)
        return self._kind(node.name) if isinstance(node, Slot) else "number"

    def _term(self, node: Node, column: str) -> tuple[Any, list[Any]]:
        """Return a linear term, and the variables that have to be known for it to be one."""
        match node:
            case Literal(value=Decimal() as value):
                return self._constant(value), []
            case InputMark():
                number, known = self._variable(column)
                return number, [known]
            case Slot(name=name):
                number, known = self._variable(name)
                return number, [known]
            case Negate():
                self._check_number(node.operand, column)
                term, needs = self._term(node.operand, column)
                return -term, needs
            case Arithmetic():
                self._check_number(node.left, column)
                self._check_number(node.right, column)
                return self._arithmetic(node, column)
        raise NotLinearError

    def _check_number(self, node: Node, column: str) -> None:
        if self._kind_of(node, column) != "number":
            raise NotLinearError

    def _arithmetic(self, node: Arithmetic, column: str) -> tuple[Any, list[Any]]:
        left, needs = self._term(node.left, column)
        right, more = self._term(node.right, column)
        both = [*needs, *more]
        if node.operator == "+":
            return left + right, both
        if node.operator == "-":
            return left - right, both
        if node.operator == "*" and not (needs and more):
            return left * right, both
        if node.operator == "/" and not more and not self._z3.is_true(self._z3.simplify(right == 0)):
            return left / right, both
        raise NotLinearError


def _ranks(dimensions: Sequence[Dimension]) -> dict[str, list[Any]]:
    """Return for each type but number the constants of all dimensions in their order, where they have one."""
    found: dict[str, list[Any]] = {}
    for dimension in dimensions:
        for piece in dimension.pieces:
            if piece.kind in _COMPARED and piece.kind != "number":
                ends = [piece.value] if piece.point or piece.witness else [piece.low, piece.high]
                found.setdefault(piece.kind, []).extend(end for end in ends if end is not None)
    ordered = {kind: in_order(values) for kind, values in found.items() if kind != "boolean"}
    return {**{kind: values for kind, values in ordered.items() if values is not None}, "boolean": [False, True]}


def _is_writable(value: Any) -> bool:
    return type(value) is Decimal and value.is_finite() and abs(value.adjusted()) <= 100


def _decimal(number: Fraction) -> Decimal | None:
    """Return the fraction as a decimal if it is one."""
    with localcontext(DECIMAL_CONTEXT):
        found = Decimal(number.numerator) / Decimal(number.denominator)
        return found if Fraction(found) == number else None
