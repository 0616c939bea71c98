"""Text to tree: recursive descent with binding powers. Every operand is parsed once, so time is linear in the text.

Grammar: DMN 1.5, chapter 10.3.1. A unary minus binds tighter than `**`: `-3 ** 2` is 9.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from settledesk.feel import brackets, temporal
from settledesk.feel.errors import FeelLimitError, FeelSyntaxError, UnknownNameError
from settledesk.feel.forms import FORMS, type_expression
from settledesk.feel.limits import DEFAULT_LIMITS, Limits
from settledesk.feel.names import IDENTIFIER, KEYWORDS, NameTable, spelling
from settledesk.feel.scanner import Scanner
from settledesk.feel.tree import (
    Arithmetic,
    Between,
    Comparison,
    In,
    InputMark,
    InstanceOf,
    Junction,
    Literal,
    Name,
    Negate,
    Node,
    Path,
    Tests,
)

_OR, _AND, _COMPARE, _ADD, _MULTIPLY, _POWER, _INSTANCE = range(1, 8)
_SYMBOLS: dict[str, tuple[tuple[str, int], ...]] = {
    "*": (("**", _POWER), ("*", _MULTIPLY)),
    "<": (("<=", _COMPARE), ("<", _COMPARE)),
    ">": ((">=", _COMPARE), (">", _COMPARE)),
    "!": (("!=", _COMPARE),),
    "=": (("=", _COMPARE),),
    "+": (("+", _ADD),),
    "-": (("-", _ADD),),
    "/": (("/", _MULTIPLY),),
}
"""The operators by their first character, longer ones first."""
_WORDS = {"or": _OR, "and": _AND, "between": _COMPARE, "in": _COMPARE, "instance": _INSTANCE}
_WORD_STARTS = frozenset(word[0] for word in _WORDS)


@contextmanager
def _recursion_as_limit(text: str) -> Iterator[None]:
    """Where the caller is so deep in its own work that a text within the limits cannot be read, say so by name."""
    try:
        yield
    except RecursionError as error:
        raise FeelLimitError(
            "depth_max", "an expression is nested too deep for the place it is read at", text=text
        ) from error


class Parser:
    """One text and the names that are known where it stands."""

    def __init__(self, text: str, names: NameTable, properties: NameTable, limits: Limits = DEFAULT_LIMITS) -> None:
        self.scan = Scanner(text, limits)
        self.names = names
        self.properties = properties
        self.range_end = False
        self._deepest = 0

    def whole_expression(self) -> Node:
        """Parse all of the text as one expression."""
        with _recursion_as_limit(self.scan.text):
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
        with _recursion_as_limit(self.scan.text):
            negated = brackets.negated_tests(self)
            if negated is not None:
                return negated
            tests = brackets.tests(self)
        self._finish()
        return Tests(position=position, tests=tests)

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

    def operand(self) -> Node:
        """Parse an expression without comparisons, `and` and `or` outside of parentheses."""
        return self.expression(_ADD)

    def _check_height(self, height: int) -> None:
        if height > self.scan.limits.height_max:
            raise FeelLimitError(
                "height_max",
                f"operators may stand at most {self.scan.limits.height_max} levels above each other",
                text=self.scan.text,
                position=self.scan.position,
            )

    def _operator(self) -> tuple[str, int] | None:
        scan = self.scan
        first = scan.text[scan.position : scan.position + 1]
        if first in _SYMBOLS:
            if first == "=" and scan.at("=="):
                raise scan.error("`=` compares for equality; an operator is expected")
            return next((found for found in _SYMBOLS[first] if scan.at(found[0])), None)
        if first not in _WORD_STARTS:
            return None
        word = scan.word()
        return (word, _WORDS[word]) if word in _WORDS else None

    def _infix(self, left: Node, operator: str, power: int) -> Node:
        position = self.scan.position
        self.scan.advance(len(operator))
        match operator:
            case "and" | "or":
                return self._junction(left, operator, power, position)
            case "between":
                low = self.operand()
                self.scan.expect_word("and")
                return Between(position=position, value=left, low=low, high=self.operand())
            case "in":
                return In(position=position, value=left, tests=brackets.tests_behind_in(self))
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
                return brackets.parenthesis(self, position)
            case "[":
                return brackets.bracket(self, position)
            case "]":
                return brackets.reversed_bracket(self, position)
            case "{":
                return brackets.context(self, position)
            case '"':
                return Literal(position=position, value=scan.string())
            case "@":
                scan.expect("@")
                if not scan.at('"'):
                    raise scan.error("a string is expected after `@`")
                return Literal(position=position, value=self._at_literal(position))
            case "-":
                scan.expect("-")
                return Negate(position=position, operand=self.expression(_INSTANCE + 1))
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
            f"`{spelling(name)[:80]}` is not a known name",
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
            elif scan.at("[") and not (self.range_end and brackets.CLOSES_RANGE.match(scan.text, position)):
                node = brackets.filtered(self, node, position)
            elif scan.at("(") and not isinstance(node, Literal):
                node = brackets.invocation(self, node, position)
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
