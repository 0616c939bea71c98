"""Tree to text, with the fewest parentheses that give the same tree again.

Positions apart, parsing what is printed gives the tree that was printed, under the same names in scope. A name may run
on into the words and operators behind it (with `a-b` in scope, `a - b` is one name), so a part that would do so stands
in parentheses: `(a) - b`.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import regex

from settledesk.feel import temporal
from settledesk.feel.binding import (
    ADD,
    COMPARE,
    INSTANCE,
    NEGATE,
    OR,
    PRIMARY,
    TAKES_THE_REST,
    binding,
    leftmost,
    looks_negated,
    waits_for_type,
)
from settledesk.feel.builtins import BUILTINS
from settledesk.feel.literals import text_literal, value_text
from settledesk.feel.names import IDENTIFIER, PIECE, NameTable, spelling
from settledesk.feel.tree import (
    Arithmetic,
    Between,
    BuiltinName,
    CompareTest,
    Comparison,
    ContextLiteral,
    Filter,
    For,
    FunctionLiteral,
    If,
    In,
    InputMark,
    InstanceOf,
    Invoke,
    ItemProperty,
    Iterator,
    Junction,
    ListLiteral,
    Literal,
    Name,
    Negate,
    Node,
    Path,
    Quantified,
    RangeLiteral,
    Slot,
    Test,
    Tests,
    TypeExpression,
    ValueTest,
)

_PLAIN_KEY = regex.compile(rf"{IDENTIFIER.pattern}(?: ?(?:{PIECE.pattern}))*+")
_COMMENT = regex.compile(r"/\s*+[/*]")

Printed: TypeAlias = Node | Tests


def print_expression(tree: Printed, names: Iterable[str] = (), *, properties: Iterable[str] = ()) -> str:
    """Return the text of an expression, checked or not.

    `names` and `properties` are those in scope where the text will stand, as for `compile_expression`: they decide
    where a name ends. Names that the text itself declares need not be among them.
    """
    if isinstance(tree, Tests):
        return print_tests(tree, names, properties=properties)
    return _settled([*names, *properties], lambda printer: printer.node(tree))


def print_tests(tests: Tests, names: Iterable[str] = (), *, properties: Iterable[str] = ()) -> str:
    """Return the text of a cell, checked or not: `-`, `not(…)`, or tests with commas between."""
    return _settled([*names, *properties], lambda printer: printer.cell(tests))


def _settled(names: Sequence[str], write: Callable[["_Printer"], None]) -> str:
    """Print; then again with parentheses around each part whose last name runs on into what follows."""
    wrapped: set[int] = set()
    while True:
        printer = _Printer(wrapped)
        write(printer)
        text = "".join(printer.parts)
        known = _COMMON.extended([*printer.declared, *names])
        running_on = {owner for start, end, owner in printer.ends if _runs_on(known, text, start, end)}
        if running_on <= wrapped:
            return text
        wrapped |= running_on


_LONG_NAMES = (
    "date and time",
    "days and time duration",
    "years and months duration",
    "day time duration",
    "year month duration",
    "start included",
    "end included",
    *sorted({name for properties in temporal.PROPERTIES.values() for name in properties}),
)
_COMMON = NameTable([*BUILTINS, *_LONG_NAMES])
"""Names that need no declaration: built-ins, types, and entries of temporal values and ranges."""


def _runs_on(known: NameTable, text: str, start: int, end: int) -> bool:
    found = known.match(text, start)
    return found is not None and found[1] > end


class _Printer:
    """Writes one tree. `ends` are the names that nothing closes: where each begins and ends, and whose end it is."""

    def __init__(self, wrapped: set[int]) -> None:
        self.parts: list[str] = []
        self.declared: set[str] = {"item", "partial"}
        self.ends: list[tuple[int, int, int]] = []
        self._wrapped = wrapped
        self._length = 0

    def put(self, text: str) -> None:
        """Write."""
        self.parts.append(text)
        self._length += len(text)

    def name(self, text: str, owner: Node) -> None:
        """Write a name that ends `owner`."""
        start = self._length
        self.put(text)
        self.ends.append((start, self._length, id(owner)))

    def cell(self, tests: Tests) -> None:
        """Write a cell."""
        if not tests.tests:
            self.put("-")
        elif tests.negated:
            self.put("not(")
            self.tests(tests.tests)
            self.put(")")
        elif looks_negated(tests.tests):
            self.put("(")
            self.test(tests.tests[0])
            self.put(")")
            for test in tests.tests[1:]:
                self.put(", ")
                self.test(test)
        else:
            self.tests(tests.tests)

    def tests(self, tests: Sequence[Test]) -> None:
        """Write tests with commas between."""
        for number, test in enumerate(tests):
            self.put(", " if number else "")
            self.test(test)

    def test(self, test: Test) -> None:
        """Write one test."""
        if isinstance(test, CompareTest):
            self.put(f"{test.operator} ")
            self.node(test.operand, ADD)
        else:
            self.node(test.value)

    def node(self, node: Node, power: int = OR, *, followed: bool = False, first: bool = True) -> None:
        """Write an operand of an operator that binds as tightly as `power`.

        `followed` says that an operator stands behind it, `first` that none stands before it: what begins with a word
        or a sign can stand behind any operator, and takes all that follows.
        """
        needed = self.needs_parentheses(node, power, followed=followed, first=first)
        self.put("(" if needed else "")
        _KINDS[type(node)](self, node, followed and not needed)
        self.put(")" if needed else "")

    def needs_parentheses(self, node: Node, power: int, *, followed: bool, first: bool = True) -> bool:
        """Tell whether an operand would be read otherwise without parentheses."""
        if id(node) in self._wrapped:
            return True
        if isinstance(node, TAKES_THE_REST):
            return followed or power == PRIMARY
        bound = binding(node)
        if bound < power and (first or bound != NEGATE):
            return True
        return followed and waits_for_type(node)

    def begins_with_parenthesis(self, node: Node, power: int) -> bool:
        """Tell whether the text of an operand begins with `(`."""
        followed = False
        while not self.needs_parentheses(node, power, followed=followed):
            power = PRIMARY if isinstance(node, Path | Filter | Invoke) else binding(node) + isinstance(node, Junction)
            inner = node.function if isinstance(node, Invoke) else leftmost(node)
            if inner is None:
                return isinstance(node, RangeLiteral) and _range_opening(node) == "("
            node, followed = inner, True
        return True

    def many(self, nodes: Sequence[Node]) -> None:
        """Write expressions with commas between."""
        for number, node in enumerate(nodes):
            self.put(", " if number else "")
            self.node(node)

    def type(self, wanted: TypeExpression, owner: Node) -> None:
        """Write a type."""
        self.name(wanted.name, owner)
        if wanted.name == "context" and wanted.members:
            self.put("<")
            for number, (key, member) in enumerate(wanted.members):
                self.put(f"{', ' if number else ''}{key}: ")
                self.type(member, owner)
            self.put(">")
            return
        function = wanted.name == "function" and bool(wanted.arguments)
        arguments = wanted.arguments[:-1] if function else wanted.arguments
        if arguments or function:
            self.put("<")
            for number, argument in enumerate(arguments):
                self.put(", " if number else "")
                self.type(argument, owner)
            self.put(">")
        if function:
            self.put(" -> ")
            self.type(wanted.arguments[-1], owner)

    def key(self, key: str) -> None:
        """Write the name of an entry, in quotes if it is none."""
        plain = spelling(key) == key and _PLAIN_KEY.fullmatch(key) and not _COMMENT.search(key)
        self.put(key if plain else text_literal(key))
        self.declared.add(key)


def _literal(printer: _Printer, node: Literal, _followed: bool) -> None:
    printer.put(value_text(node.value))


def _named(printer: _Printer, node: Name | Slot | BuiltinName | ItemProperty, _followed: bool) -> None:
    printer.name(node.name, node)


def _input(printer: _Printer, _node: InputMark, _followed: bool) -> None:
    printer.put("?")


def _negate(printer: _Printer, node: Negate, followed: bool) -> None:
    printer.put("-")
    printer.node(node.operand, PRIMARY, followed=followed, first=False)


def _binary(printer: _Printer, node: Arithmetic | Comparison, followed: bool) -> None:
    bound = binding(node)
    printer.node(node.left, bound, followed=True)
    printer.put(f" {node.operator} ")
    printer.node(node.right, bound + 1, followed=followed, first=False)


def _junction(printer: _Printer, node: Junction, followed: bool) -> None:
    bound = binding(node)
    for number, part in enumerate(node.parts):
        if number:
            printer.put(" and " if node.conjunction else " or ")
        last = number == len(node.parts) - 1
        printer.node(part, bound + 1, followed=followed or not last, first=number == 0)


def _between(printer: _Printer, node: Between, followed: bool) -> None:
    printer.node(node.value, COMPARE, followed=True)
    printer.put(" between ")
    printer.node(node.low, ADD, followed=True, first=False)
    printer.put(" and ")
    printer.node(node.high, ADD, followed=followed, first=False)


def _in(printer: _Printer, node: In, followed: bool) -> None:
    printer.node(node.value, COMPARE, followed=True)
    printer.put(" in ")
    test = node.tests[0]
    if len(node.tests) > 1 or (isinstance(test, ValueTest) and _needs_list(printer, test.value)):
        printer.put("(")
        printer.tests(node.tests)
        printer.put(")")
    elif isinstance(test, CompareTest):
        printer.put(f"{test.operator} ")
        printer.node(test.operand, ADD, followed=followed)
    else:
        printer.node(test.value, ADD, followed=followed)


def _needs_list(printer: _Printer, value: Node) -> bool:
    """Tell whether a lone test behind `in` would begin with `(`, which there begins a list of tests or a range."""
    closed = isinstance(value, RangeLiteral) and None not in (value.low, value.high) and value.operator is None
    return printer.begins_with_parenthesis(value, ADD) and not closed


def _instance(printer: _Printer, node: InstanceOf, _followed: bool) -> None:
    printer.node(node.value, INSTANCE, followed=True)
    printer.put(" instance of ")
    printer.type(node.type, node)


def _if(printer: _Printer, node: If, _followed: bool) -> None:
    printer.put("if ")
    printer.node(node.condition)
    printer.put(" then ")
    printer.node(node.yes)
    printer.put(" else ")
    printer.node(node.no)


def _for(printer: _Printer, node: For, _followed: bool) -> None:
    printer.put("for ")
    _iterators(printer, node.iterators)
    printer.put(" return ")
    printer.node(node.body)


def _quantified(printer: _Printer, node: Quantified, _followed: bool) -> None:
    printer.put("every " if node.every else "some ")
    _iterators(printer, node.iterators)
    printer.put(" satisfies ")
    printer.node(node.condition)


def _iterators(printer: _Printer, iterators: Sequence[Iterator]) -> None:
    for number, iterator in enumerate(iterators):
        printer.put(f"{', ' if number else ''}{iterator.name} in ")
        printer.declared.add(iterator.name)
        printer.node(iterator.source)
        if iterator.end is not None:
            printer.put("..")
            printer.node(iterator.end)


def _function(printer: _Printer, node: FunctionLiteral, _followed: bool) -> None:
    printer.put("function(")
    for number, (parameter, wanted) in enumerate(zip(node.parameters, node.types, strict=True)):
        printer.put(f"{', ' if number else ''}{parameter}")
        printer.declared.add(parameter)
        if wanted is not None:
            printer.put(": ")
            printer.type(wanted, node)
    printer.put(") ")
    printer.node(node.body)


def _invoke(printer: _Printer, node: Invoke, _followed: bool) -> None:
    printer.node(node.function, PRIMARY)
    printer.put("(")
    if node.names:
        for number, (name, argument) in enumerate(zip(node.names, node.arguments, strict=True)):
            printer.put(f"{', ' if number else ''}{name}: ")
            printer.node(argument)
    else:
        printer.many(node.arguments)
    printer.put(")")


def _path(printer: _Printer, node: Path, _followed: bool) -> None:
    printer.node(node.base, PRIMARY)
    printer.put(".")
    printer.name(node.name, node)


def _filter(printer: _Printer, node: Filter, _followed: bool) -> None:
    printer.node(node.base, PRIMARY)
    printer.put("[")
    printer.node(node.condition)
    printer.put("]")


def _context(printer: _Printer, node: ContextLiteral, _followed: bool) -> None:
    printer.put("{")
    for number, (key, value) in enumerate(node.entries):
        printer.put(", " if number else "")
        printer.key(key)
        printer.put(": ")
        printer.node(value)
    printer.put("}")


def _list(printer: _Printer, node: ListLiteral, _followed: bool) -> None:
    printer.put("[")
    printer.many(node.items)
    printer.put("]")


def _range(printer: _Printer, node: RangeLiteral, _followed: bool) -> None:
    if node.low is None or node.high is None or node.operator is not None:
        bound = node.high if node.low is None else node.low
        assert bound is not None
        opening = ("<" if node.low is None else ">") + ("=" if node.low_included or node.high_included else "")
        printer.put(f"({node.operator or opening} ")
        printer.node(bound, ADD)
        printer.put(")")
        return
    printer.put(_range_opening(node))
    printer.node(node.low)
    printer.put("..")
    printer.node(node.high, ADD)
    printer.put("]" if node.high_included else ")")


def _range_opening(node: RangeLiteral) -> str:
    return "[" if node.low_included and node.high is not None and node.operator is None else "("


_KINDS: dict[type, Callable[[_Printer, Any, bool], None]] = {
    Literal: _literal,
    Name: _named,
    Slot: _named,
    BuiltinName: _named,
    ItemProperty: _named,
    InputMark: _input,
    Negate: _negate,
    Arithmetic: _binary,
    Comparison: _binary,
    Junction: _junction,
    Between: _between,
    In: _in,
    InstanceOf: _instance,
    If: _if,
    For: _for,
    Quantified: _quantified,
    FunctionLiteral: _function,
    Invoke: _invoke,
    Path: _path,
    Filter: _filter,
    ContextLiteral: _context,
    ListLiteral: _list,
    RangeLiteral: _range,
}
