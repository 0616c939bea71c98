"""Text to tree: recursive descent with binding powers. Every operand is parsed once, so time is linear in the text.

Grammar: DMN 1.5, chapter 10.3.1. A unary minus binds tighter than `**`: `-3 ** 2` is 9.
"""

import regex

from settledesk.feel import temporal
from settledesk.feel.errors import FeelLimitError, FeelSyntaxError, UnknownNameError
from settledesk.feel.forms import FORMS, type_expression
from settledesk.feel.limits import DEFAULT_LIMITS, Limits
from settledesk.feel.names import IDENTIFIER, KEYWORDS, NameTable
from settledesk.feel.scanner import Scanner
from settledesk.feel.tree import (
    Arithmetic,
    Between,
    CompareTest,
    Comparison,
    ContextLiteral,
    Filter,
    In,
    InputMark,
    InstanceOf,
    Invoke,
    Junction,
    ListLiteral,
    Literal,
    Name,
    Negate,
    Node,
    Path,
    RangeLiteral,
    Test,
    Tests,
    ValueTest,
)

_OR, _AND, _COMPARE, _ADD, _MULTIPLY, _POWER, _INSTANCE = range(1, 8)
_SYMBOLS = (
    ("**", _POWER),
    ("<=", _COMPARE),
    (">=", _COMPARE),
    ("!=", _COMPARE),
    ("<", _COMPARE),
    (">", _COMPARE),
    ("=", _COMPARE),
    ("+", _ADD),
    ("-", _ADD),
    ("*", _MULTIPLY),
    ("/", _MULTIPLY),
)
_WORDS = {"or": _OR, "and": _AND, "between": _COMPARE, "in": _COMPARE, "instance": _INSTANCE}
_TEST_OPERATORS = ("<=", ">=", "!=", "<", ">", "=")
_CLOSES_RANGE = regex.compile(
    r"\[\s*+(?:$|[,)\]}=<>!+*/]|-\s|\.\.|(?:and|or|then|else|return|satisfies|in|between|instance)\b)"
)
_NAMED_ARGUMENT = regex.compile(r"[\p{L}_\U00010000-\U000EFFFF][\p{L}\p{M}\p{N}_·.+\-*/'\s\U00010000-\U000EFFFF]*+:")


class Parser:
    """One text and the names that are known where it stands."""

    def __init__(self, text: str, names: NameTable, properties: NameTable, limits: Limits = DEFAULT_LIMITS) -> None:
        self.scan = Scanner(text, limits)
        self.names = names
        self.properties = properties
        self._range_end = False
        self._deepest = 0

    def whole_expression(self) -> Node:
        """Parse all of the text as one expression."""
        node = self.expression()
        self._finish()
        return node

    def whole_tests(self) -> Tests:
        """Parse all of the text as a cell: `-`, `not(tests)`, or tests with commas between."""
        position = self.scan.position
        if self.scan.at_end():
            return Tests(position=position, tests=())
        if self.scan.text.strip() == "-":
            return Tests(position=position, tests=())
        negated = self._negated_tests()
        if negated is not None:
            return negated
        tests = self._tests()
        self._finish()
        return Tests(position=position, tests=tests)

    def _negated_tests(self) -> Tests | None:
        start = self.scan.position
        if not (self.scan.take_word("not") and self.scan.take("(")):
            self.scan.position = start
            return None
        tests = self._tests()
        if self.scan.take(")") and self.scan.at_end():
            return Tests(position=start, tests=tests, negated=True)
        self.scan.position = start
        return None

    def _tests(self) -> tuple[Test, ...]:
        tests = [self._test()]
        while self.scan.take(","):
            tests.append(self._test())
        return tuple(tests)

    def _test(self) -> Test:
        position = self.scan.position
        for operator in _TEST_OPERATORS:
            if self.scan.take(operator):
                return CompareTest(position=position, operator=operator, operand=self.expression(_ADD))
        return ValueTest(position=position, value=self.expression())

    def _finish(self) -> None:
        if self.scan.at_end():
            return
        raise self.scan.error("an operator or the end of the text is expected")

    def expression(self, power: int = _OR) -> Node:
        """Parse operators that bind at least as tightly as `power`."""
        self.scan.enter()
        outer, self._deepest = self._deepest, 0
        left = self._prefix()
        height = self._deepest + 1
        while (found := self._operator()) is not None and found[1] >= power:
            left = self._infix(left, found[0], found[1])
            height = max(height, self._deepest) + 1
            self._check_height(height)
        self._deepest = max(outer, height)
        self.scan.leave()
        return left

    def _check_height(self, height: int) -> None:
        if height > self.scan.limits.height_max:
            raise FeelLimitError(
                "height_max",
                f"operators may stand at most {self.scan.limits.height_max} levels above each other",
                text=self.scan.text,
                position=self.scan.position,
            )

    def _operator(self) -> tuple[str, int] | None:
        if self.scan.at("=="):
            raise self.scan.error("`=` compares for equality; an operator is expected")
        for symbol, power in _SYMBOLS:
            if self.scan.at(symbol):
                return symbol, power
        word = self.scan.word()
        return (word, _WORDS[word]) if word in _WORDS else None

    def _infix(self, left: Node, operator: str, power: int) -> Node:
        position = self.scan.position
        self.scan.advance(len(operator))
        match operator:
            case "and" | "or":
                return self._junction(left, operator, power, position)
            case "between":
                low = self.expression(_ADD)
                self.scan.expect_word("and")
                return Between(position=position, value=left, low=low, high=self.expression(_ADD))
            case "in":
                return In(position=position, value=left, tests=self._in_tests())
            case "instance":
                self.scan.expect_word("of")
                return InstanceOf(position=position, value=left, type=type_expression(self))
        right = self.expression(power + 1)
        if power == _COMPARE:
            return Comparison(position=position, operator=operator, left=left, right=right)
        return Arithmetic(position=position, operator=operator, left=left, right=right)

    def _junction(self, left: Node, operator: str, power: int, position: int) -> Node:
        parts = [left, self.expression(power + 1)]
        while self.scan.take_word(operator):
            parts.append(self.expression(power + 1))
        return Junction(position=position, conjunction=operator == "and", parts=tuple(parts))

    def _in_tests(self) -> tuple[Test, ...]:
        position = self.scan.position
        if not self.scan.at("("):
            test = self._test()
            if isinstance(test, ValueTest):
                return (ValueTest(position=position, value=test.value),)
            return (test,)
        self.scan.enter()
        self.scan.expect("(")
        tests = [self._test()]
        if isinstance(tests[0], ValueTest) and self.scan.at(".."):
            tests = [ValueTest(position=position, value=self._range_rest(position, tests[0].value, included=False))]
        else:
            while self.scan.take(","):
                tests.append(self._test())
            self.scan.expect(")")
        self.scan.leave()
        return tuple(tests)

    def _prefix(self) -> Node:
        scan = self.scan
        position = scan.position
        if scan.at_end():
            raise scan.error("an expression is expected")
        node = self._by_symbol(position)
        if node is None:
            number = scan.number()
            node = Literal(position=position, value=number) if number is not None else self._named(position)
        return self._postfix(node)

    def _by_symbol(self, position: int) -> Node | None:
        scan = self.scan
        match scan.text[position]:
            case "(":
                return self._parenthesis(position)
            case "[":
                return self._bracket(position)
            case "]":
                scan.expect("]")
                return self._range_rest(position, self.expression(), included=False)
            case "{":
                return self._context(position)
            case '"':
                return Literal(position=position, value=scan.string())
            case "@":
                scan.expect("@")
                if not scan.at('"'):
                    raise scan.error("a string is expected after `@`")
                return Literal(position=position, value=self._at_literal(position))
            case "-":
                scan.expect("-")
                return Negate(position=position, operand=self.expression(_INSTANCE))
            case "?":
                scan.expect("?")
                return InputMark(position=position)
        return None

    def _at_literal(self, position: int) -> object:
        text = self.scan.string()
        value = temporal.parse_any(text)
        if value is None:
            raise FeelSyntaxError(
                "the text after `@` is not a date, a time or a duration", text=self.scan.text, position=position
            )
        return value

    def _parenthesis(self, position: int) -> Node:
        scan = self.scan
        scan.expect("(")
        for operator in ("<=", ">=", "<", ">"):
            if scan.take(operator):
                bound = self.expression(_ADD)
                scan.expect(")")
                return _open_range(position, operator, bound)
        closing, self._range_end = self._range_end, False
        inner = self.expression()
        self._range_end = closing
        if scan.at(".."):
            return self._range_rest(position, inner, included=False)
        scan.expect(")")
        return inner

    def _bracket(self, position: int) -> Node:
        scan = self.scan
        scan.expect("[")
        if scan.take("]"):
            return ListLiteral(position=position, items=())
        closing, self._range_end = self._range_end, False
        items = [self.expression()]
        if scan.at(".."):
            self._range_end = closing
            return self._range_rest(position, items[0], included=True)
        while scan.take(","):
            items.append(self.expression())
        self._range_end = closing
        scan.expect("]")
        return ListLiteral(position=position, items=tuple(items))

    def _range_rest(self, position: int, low: Node, *, included: bool) -> Node:
        scan = self.scan
        if not scan.take(".."):
            raise scan.error("`..` is expected in a range")
        closing, self._range_end = self._range_end, True
        high = self.expression(_ADD)
        self._range_end = closing
        high_included = scan.at("]")
        if not (scan.take("]") or scan.take(")") or scan.take("[")):
            raise scan.error("`]`, `)` or `[` is expected at the end of a range")
        return RangeLiteral(position=position, low=low, high=high, low_included=included, high_included=high_included)

    def _context(self, position: int) -> Node:
        scan = self.scan
        scan.expect("{")
        entries: list[tuple[str, Node]] = []
        closing, self._range_end = self._range_end, False
        self.names.push()
        while not scan.at("}"):
            key = scan.string() if scan.at('"') else scan.declared_name()
            scan.expect(":")
            if any(key == other for other, _ in entries):
                raise FeelSyntaxError(f"the entry `{key}` stands twice in a context", text=scan.text, position=position)
            entries.append((key, self.expression()))
            self.names.declare(key)
            self.properties.declare(key)
            if not scan.take(","):
                break
        self.names.pop()
        self._range_end = closing
        scan.expect("}")
        return ContextLiteral(position=position, entries=tuple(entries))

    def _named(self, position: int) -> Node:
        scan = self.scan
        known = self.names.match(scan.text, position)
        word = scan.word()
        if known is not None and (word not in KEYWORDS or known[1] > position + len(word)):
            scan.advance(known[1] - position)
            return Name(position=position, name=known[0])
        if word in ("true", "false", "null"):
            scan.advance(len(word))
            return Literal(position=position, value={"true": True, "false": False, "null": None}[word])
        if word in FORMS:
            scan.advance(len(word))
            return FORMS[word](self, position)
        if not word or word in KEYWORDS:
            raise scan.error("an expression is expected")
        scan.advance(len(word))
        self._refuse_unknown_words(position)
        return Name(position=position, name=word)

    def _refuse_unknown_words(self, position: int) -> None:
        """Raise for an unknown name of several words: the second word could not be anything else."""
        following = self.scan.word()
        if not following or following in KEYWORDS:
            return
        end = self.scan.position
        while (found := IDENTIFIER.match(self.scan.text, end)) and found.group() not in KEYWORDS:
            end = found.end() + (self.scan.text[found.end() : found.end() + 1] == " ")
        name = self.scan.text[position:end].strip()
        similar = self.names.similar(name)
        raise UnknownNameError(
            f"`{name[:80]}` is not a known name",
            text=self.scan.text,
            position=position,
            hint=f"did you mean `{similar}`" if similar else "a text must stand in double quotes",
        )

    def _postfix(self, node: Node) -> Node:
        scan = self.scan
        while True:
            position = scan.position
            if scan.at(".") and not scan.at(".."):
                scan.expect(".")
                node = Path(position=position, base=node, name=self._property())
            elif scan.at("[") and not (self._range_end and _CLOSES_RANGE.match(scan.text, position)):
                node = self._filter(node, position)
            elif scan.at("(") and not isinstance(node, Literal):
                node = self._invocation(node, position)
            else:
                return node
            self._deepest += 1
            self._check_height(self._deepest)

    def _property(self) -> str:
        scan = self.scan
        position = scan.position
        known = self.properties.match(scan.text, position) or self.names.match(scan.text, position)
        name, end = known if known is not None else (scan.word(), position + len(scan.word()))
        if not name:
            raise scan.error("a name is expected after `.`")
        scan.advance(end - position)
        return name

    def _filter(self, base: Node, position: int) -> Node:
        scan = self.scan
        scan.enter()
        scan.expect("[")
        closing, self._range_end = self._range_end, False
        outer, self.names = self.names, _joined(self.names, self.properties)
        condition = self.expression()
        self.names = outer
        self._range_end = closing
        scan.expect("]")
        scan.leave()
        return Filter(position=position, base=base, condition=condition)

    def _invocation(self, function: Node, position: int) -> Node:
        scan = self.scan
        scan.enter()
        scan.expect("(")
        closing, self._range_end = self._range_end, False
        named = _NAMED_ARGUMENT.match(scan.text, scan.position) is not None
        names: list[str] = []
        arguments: list[Node] = []
        while not scan.at(")"):
            if named:
                names.append(scan.declared_name())
                scan.expect(":")
            arguments.append(self.expression())
            if not scan.take(","):
                break
        self._range_end = closing
        scan.expect(")")
        scan.leave()
        return Invoke(position=position, function=function, arguments=tuple(arguments), names=tuple(names))


def _open_range(position: int, operator: str, bound: Node) -> RangeLiteral:
    included = operator.endswith("=")
    if operator.startswith("<"):
        return RangeLiteral(position=position, low=None, high=bound, low_included=False, high_included=included)
    return RangeLiteral(position=position, low=bound, high=None, low_included=included, high_included=False)


def _joined(names: NameTable, properties: NameTable) -> NameTable:
    """Return the names together with the properties: inside a filter an entry of the item is a name."""
    joined = names.extended(["item"])
    joined.include(properties)
    return joined
