"""The forms that begin with a word: `if`, `for`, `some`, `every`, `function`; and the names of types."""

from collections.abc import Callable
from typing import Protocol

from settledesk.feel.errors import FeelSyntaxError
from settledesk.feel.names import NameTable
from settledesk.feel.scanner import Scanner
from settledesk.feel.tree import For, FunctionLiteral, If, Iterator, Node, Quantified, TypeExpression


class Expressions(Protocol):
    """The parser, as far as a form needs it."""

    scan: Scanner
    names: NameTable
    properties: NameTable
    range_end: bool

    def expression(self) -> Node:
        """Parse an expression."""
        ...

    def operand(self) -> Node:
        """Parse an expression without comparisons, `and` and `or` outside of parentheses."""
        ...


def _if(parser: Expressions, position: int) -> Node:
    condition = parser.expression()
    parser.scan.expect_word("then")
    yes = parser.expression()
    parser.scan.expect_word("else")
    return If(position=position, condition=condition, yes=yes, no=parser.expression())


def _for(parser: Expressions, position: int) -> Node:
    iterators = _iterators(parser, "return")
    parser.names.declare("partial")
    body = parser.expression()
    parser.names.pop()
    return For(position=position, iterators=iterators, body=body)


def _some(parser: Expressions, position: int) -> Node:
    return _quantified(parser, position, every=False)


def _every(parser: Expressions, position: int) -> Node:
    return _quantified(parser, position, every=True)


def _quantified(parser: Expressions, position: int, *, every: bool) -> Node:
    iterators = _iterators(parser, "satisfies")
    condition = parser.expression()
    parser.names.pop()
    return Quantified(position=position, every=every, iterators=iterators, condition=condition)


def _iterators(parser: Expressions, end_word: str) -> tuple[Iterator, ...]:
    """Parse `a in xs, b in 1..3 return` and leave the layer with these names open."""
    scan = parser.scan
    parser.names.push()
    iterators: list[Iterator] = []
    while True:
        position = scan.position
        name = scan.declared_name(stop_words=frozenset({"in"}))
        scan.expect_word("in")
        source = parser.expression()
        end = parser.expression() if scan.take("..") else None
        iterators.append(Iterator(position=position, name=name, source=source, end=end))
        parser.names.declare(name)
        if not scan.take(","):
            break
    scan.expect_word(end_word)
    return tuple(iterators)


def _function(parser: Expressions, position: int) -> Node:
    scan = parser.scan
    scan.expect("(")
    parameters: list[str] = []
    types: list[TypeExpression | None] = []
    while not scan.at(")"):
        parameters.append(scan.declared_name())
        types.append(type_expression(parser) if scan.take(":") else None)
        if not scan.take(","):
            break
    scan.expect(")")
    if scan.word() == "external":
        raise FeelSyntaxError("external functions are not supported", text=scan.text, position=scan.position)
    parser.names.push(parameters)
    body = parser.expression()
    parser.names.pop()
    return FunctionLiteral(position=position, parameters=tuple(parameters), types=tuple(types), body=body)


def type_expression(parser: Expressions) -> TypeExpression:
    """Parse a type such as `number`, `list<string>` or `function<number, number> -> string`."""
    scan = parser.scan
    scan.enter()
    position = scan.position
    name = _type_name(parser)
    arguments: list[TypeExpression] = []
    members: list[tuple[str, TypeExpression]] = []
    if name in ("list", "range", "function", "context") and scan.take("<"):
        while not scan.at(">"):
            if name == "context":
                key = scan.declared_name()
                scan.expect(":")
                members.append((key, type_expression(parser)))
            else:
                arguments.append(type_expression(parser))
            if not scan.take(","):
                break
        scan.expect(">")
        if name == "function":
            scan.expect("->")
            arguments.append(type_expression(parser))
    scan.leave()
    return TypeExpression(position=position, name=name, arguments=tuple(arguments), members=tuple(members))


def _type_name(parser: Expressions) -> str:
    scan = parser.scan
    found = _TYPES.match(scan.text, scan.position) or parser.names.match(scan.text, scan.position)
    if found is not None:
        scan.advance(found[1] - scan.position)
        return found[0]
    name = scan.word()
    if not name:
        raise scan.error("a type is expected")
    scan.advance(len(name))
    while not scan.at("..") and scan.take("."):
        name = f"{name}.{scan.word()}"
        scan.advance(len(scan.word()))
    return name


_TYPES = NameTable(
    ["date and time", "days and time duration", "years and months duration", "day time duration", "year month duration"]
)
FORMS: dict[str, Callable[[Expressions, int], Node]] = {
    "if": _if,
    "for": _for,
    "some": _some,
    "every": _every,
    "function": _function,
}
"""What parses the rest of a form, by its first word."""
