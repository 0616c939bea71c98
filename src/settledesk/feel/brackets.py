"""What stands in brackets: parentheses, lists, ranges, contexts, filters, arguments, and the tests behind `in`."""

from collections.abc import Iterator
from contextlib import contextmanager

import regex

from settledesk.feel.errors import FeelSyntaxError
from settledesk.feel.forms import Expressions
from settledesk.feel.names import NameTable
from settledesk.feel.tree import (
    CompareTest,
    ContextLiteral,
    Filter,
    Invoke,
    ListLiteral,
    Node,
    RangeLiteral,
    Test,
    Tests,
    ValueTest,
)

TEST_OPERATORS = ("<=", ">=", "!=", "<", ">", "=")
_OPERATOR_STARTS = frozenset("<>!=")
CLOSES_RANGE = regex.compile(
    r"\[\s*+(?:$|[,)\]}=<>!+*/]|-\s|\.(?![0-9])|(?:and|or|then|else|return|satisfies|in|between|instance)\b)"
)
"""A `[` at the end of a range: what follows could not begin the condition of a filter."""
_NAMED_ARGUMENT = regex.compile(r"[\p{L}_\U00010000-\U000EFFFF][\p{L}\p{M}\p{N}_·.+\-*/'\s\U00010000-\U000EFFFF]*+:")


@contextmanager
def _inside(parser: Expressions) -> Iterator[None]:
    """Within a bracket a `[` is a filter; at the upper end of a range it may be what closes the range."""
    outer, parser.range_end = parser.range_end, False
    yield
    parser.range_end = outer


def parenthesis(parser: Expressions, position: int) -> Node:
    """Parse `(x)`, `(low..high]` or a test as a range: `(< 5)`."""
    scan = parser.scan
    scan.expect("(")
    outer, parser.range_end = parser.range_end, False
    operator = test_operator(parser)
    inner = parser.expression() if operator is None else parser.operand()
    parser.range_end = outer
    if operator is not None:
        scan.expect(")")
        return _open_range(position, operator, inner)
    if scan.at(".."):
        return range_rest(parser, position, inner, included=False)
    scan.expect(")")
    return inner


def _open_range(position: int, operator: str, bound: Node) -> RangeLiteral:
    if operator in ("=", "!="):
        included = operator == "="
        return RangeLiteral(
            position=position,
            low=bound,
            high=bound,
            low_included=included,
            high_included=included,
            operator=operator,
        )
    included = operator.endswith("=")
    if operator.startswith("<"):
        return RangeLiteral(position=position, low=None, high=bound, low_included=False, high_included=included)
    return RangeLiteral(position=position, low=bound, high=None, low_included=included, high_included=False)


def bracket(parser: Expressions, position: int) -> Node:
    """Parse `[a, b]` or `[low..high)`."""
    scan = parser.scan
    scan.expect("[")
    if scan.take("]"):
        return ListLiteral(position=position, items=())
    outer, parser.range_end = parser.range_end, False
    items = [parser.expression()]
    while scan.take(","):
        items.append(parser.expression())
    parser.range_end = outer
    if len(items) > 1 or not scan.at(".."):
        scan.expect("]")
        return ListLiteral(position=position, items=tuple(items))
    return range_rest(parser, position, items[0], included=True)


def reversed_bracket(parser: Expressions, position: int) -> Node:
    """Parse `]low..high[`."""
    parser.scan.expect("]")
    with _inside(parser):
        low = parser.expression()
    return range_rest(parser, position, low, included=False)


def range_rest(parser: Expressions, position: int, low: Node, *, included: bool) -> Node:
    """Parse a range from its `..` on."""
    scan = parser.scan
    if not scan.take(".."):
        raise scan.error("`..` is expected in a range")
    outer, parser.range_end = parser.range_end, True
    high = parser.operand()
    parser.range_end = outer
    high_included = scan.at("]")
    if not (scan.take("]") or scan.take(")") or scan.take("[")):
        raise scan.error("`]`, `)` or `[` is expected at the end of a range")
    return RangeLiteral(position=position, low=low, high=high, low_included=included, high_included=high_included)


def context(parser: Expressions, position: int) -> Node:
    """Parse `{a: 1, "b c": a + 1}`; each entry is a name in those behind it."""
    scan = parser.scan
    scan.expect("{")
    entries: list[tuple[str, Node]] = []
    seen: set[str] = set()
    parser.names.push()
    with _inside(parser):
        while not scan.at("}"):
            place = scan.position
            key = scan.string() if scan.at('"') else scan.declared_name()
            scan.expect(":")
            if key in seen:
                raise FeelSyntaxError(f"the entry `{key}` stands twice in a context", text=scan.text, position=place)
            entries.append((key, parser.expression()))
            seen.add(key)
            parser.names.declare(key)
            parser.properties.declare(key)
            if not scan.take(","):
                break
    parser.names.pop()
    scan.expect("}")
    return ContextLiteral(position=position, entries=tuple(entries))


def filtered(parser: Expressions, base: Node, position: int) -> Node:
    """Parse `[condition]` behind a list. Inside, the entries of an element are names."""
    scan = parser.scan
    scan.enter()
    scan.expect("[")
    outer, parser.names = parser.names, _joined(parser.names, parser.properties)
    with _inside(parser):
        condition = parser.expression()
    parser.names = outer
    scan.expect("]")
    scan.leave()
    return Filter(position=position, base=base, condition=condition)


def _joined(names: NameTable, properties: NameTable) -> NameTable:
    if names.shares(properties):
        return names  # a filter inside another, which knows them already
    joined = names.extended(["item"])
    joined.include(properties)
    return joined


def invocation(parser: Expressions, function: Node, position: int) -> Node:
    """Parse the arguments behind a function, all by position or all by name."""
    scan = parser.scan
    scan.enter()
    scan.expect("(")
    names: list[str] = []
    arguments: list[Node] = []
    with _inside(parser):
        named = _NAMED_ARGUMENT.match(scan.text, scan.position) is not None
        while not scan.at(")"):
            if named:
                names.append(scan.declared_name())
                scan.expect(":")
            arguments.append(parser.expression())
            if not scan.take(","):
                break
    scan.expect(")")
    scan.leave()
    return Invoke(position=position, function=function, arguments=tuple(arguments), names=tuple(names))


def test_operator(parser: Expressions) -> str | None:
    """Move over an operator that begins a test and return it, if one comes next."""
    if parser.scan.text[parser.scan.position : parser.scan.position + 1] not in _OPERATOR_STARTS:
        return None
    return next((operator for operator in TEST_OPERATORS if parser.scan.take(operator)), None)


def test(parser: Expressions) -> Test:
    """Parse one test of a cell: an operator and an operand, or an expression."""
    position = parser.scan.position
    operator = test_operator(parser)
    if operator is not None:
        return CompareTest(position=position, operator=operator, operand=parser.operand())
    return ValueTest(position=position, value=parser.expression())


def tests(parser: Expressions) -> tuple[Test, ...]:
    """Parse tests with commas between."""
    made = [test(parser)]
    while parser.scan.take(","):
        made.append(test(parser))
    return tuple(made)


def negated_tests(parser: Expressions) -> Tests | None:
    """Parse all of the text as `not(tests)`, or move back."""
    start = parser.scan.position
    if parser.scan.take_word("not") and parser.scan.take("("):
        made = tests(parser)
        if parser.scan.take(")") and parser.scan.at_end():
            return Tests(position=start, tests=made, negated=True)
    parser.scan.position = start
    return None


def tests_behind_in(parser: Expressions) -> tuple[Test, ...]:
    """Parse what stands behind `in`: one test, or several in parentheses, or a range that begins with `(`."""
    scan = parser.scan
    position = scan.position
    if not scan.at("("):
        return (_test_behind_in(parser),)
    scan.enter()
    scan.expect("(")
    with _inside(parser):
        first = test(parser)
    if isinstance(first, ValueTest) and scan.at(".."):
        made: list[Test] = [
            ValueTest(position=position, value=range_rest(parser, position, first.value, included=False))
        ]
    else:
        made = _list_of_tests(parser, first)
    scan.leave()
    return tuple(made)


def _list_of_tests(parser: Expressions, first: Test) -> list[Test]:
    made = [first]
    with _inside(parser):
        while parser.scan.take(","):
            made.append(test(parser))
    parser.scan.expect(")")
    return made


def _test_behind_in(parser: Expressions) -> Test:
    position = parser.scan.position
    operator = test_operator(parser)
    if operator is not None:
        return CompareTest(position=position, operator=operator, operand=parser.operand())
    return ValueTest(position=position, value=parser.operand())
