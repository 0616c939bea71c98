"""Trees of expressions and cells, right by construction, with operands of the right type and some of a wrong one.

Each tree is one that the parser can make: numbers without a sign, names that are in scope, junctions of two parts or
more.
"""

from decimal import Decimal

from fuzz_values import KINDS

from settledesk.feel import temporal
from settledesk.feel.builtins import BUILTINS
from settledesk.feel.tree import (
    Arithmetic,
    Between,
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
    Iterator,
    Junction,
    ListLiteral,
    Literal,
    Name,
    Negate,
    Path,
    Quantified,
    RangeLiteral,
    Tests,
    TypeExpression,
    ValueTest,
)

NAMES = {
    "x": "number",
    "y z": "number",
    "a": "number",
    "b": "number",
    "a-b": "number",
    "x*y": "number",
    "days": "number",
    "days in stock": "number",
    "stock": "list",
    "s": "string",
    "some.test": "string",
    "naïve ß": "string",
    "日本 語": "string",
    "ok": "boolean",
    "in1": "boolean",
    "start Date": "date",
    "moment": "date and time",
    "o'clock": "time",
    "stay": "days and time duration",
    "term + 1": "years and months duration",
    "term": "years and months duration",
    "window": "range",
    "items": "list",
    "person": "context",
    "nothing": "any",
}
"""The variables in scope, with their types. Some are the beginnings of others."""
PROPERTIES = ("a", "b c", "start Date", "line count", "x-1", "year", "time offset", "start", "start included")
KEYS = ("a", "b c", "x-1", "start Date", "é", "two  blanks", "", "a//b", "?", '"', "if", "in", "days")
NUMBERS = tuple(
    Decimal(text) for text in ("0", "1", "2", "3", "10", "0.1", "2.50", "5", "1E+6000", "1E-6000", "12345678901234")
)
TEXTS = (
    "",
    "a",
    "b",
    "A",
    "a, b",
    'say "hi"',
    "back\\slash",
    "two\nlines",
    "é",
    "e\u0301",
    "😀",
    "?",
    "\x07",
    "'",
    " ",
)
TEXTS += (
    "a, b",
    "2024-01-01",
    "P1D",
    "5",
    "[a-c]+",
    "(a|b)*",
    "(",
    "^a.*$",
    "\\d",
    "x",
    "$1",
    "P1Y",
    "12:00:00",
    "\U000e0001",
)
MOMENTS = ("2024-01-01", "2024-02-29", "2024-01-01T12:00:00", "2024-01-01T00:00:00Z", "12:00:00", "23:59:59+01:00")
LENGTHS = ("P1D", "PT1H", "-P2D", "P0D", "P1Y", "P1M", "-P7M", "P400D")
TYPES = (*KINDS[:9], "Any", "list", "range", "context", "function")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
VARYING = ("now", "today")
FUNCTIONS = tuple(name for name in sorted(BUILTINS) if name not in VARYING)
BY_RESULT = {
    "number": ("count", "sum", "min", "max", "abs", "modulo", "string length", "mean", "product", "median", "number"),
    "string": ("upper case", "substring", "string join", "string", "substring before", "replace", "lower case"),
    "boolean": ("not", "contains", "odd", "starts with", "list contains", "all", "any", "matches", "is", "ends with"),
    "list": ("append", "concatenate", "reverse", "flatten", "distinct values", "sublist", "split", "sort", "union"),
    "context": ("context put", "context merge", "context"),
    "date": ("date",),
    "date and time": ("date and time",),
    "time": ("time",),
    "days and time duration": ("duration",),
    "years and months duration": ("duration", "years and months duration"),
}
P = {"position": 0}


def literal(value):
    """Return a constant."""
    return Literal(position=0, value=value)


class Trees:
    """Reads choices into trees. `marks` allows `?`, the input of a cell."""

    def __init__(self, choices, *, names=NAMES, properties=PROPERTIES, marks=False):
        self.c = choices
        self.names = dict(names)
        self.properties = properties
        self.marks = marks

    def cell(self, kind, depth=2):
        """Return a cell for a column of the type."""
        shape = self.c.pick(12)
        if shape == 11:
            return Tests(**P, tests=())
        if shape == 4:
            return Tests(**P, tests=(self.value_test(self.refused("boolean")),))
        count = 1 + (self.c.pick(3) if shape >= 6 else 0)
        tests = tuple(self.test(kind, depth) for _ in range(count))
        return Tests(**P, tests=tests, negated=shape in (5, 10))

    def test(self, kind, depth):
        """Return one test."""
        shape = self.c.pick(8)
        if shape in (1, 2):
            return CompareTest(**P, operator=self.c.of(COMPARISONS), operand=self.node(kind, depth - 1))
        if shape == 3:
            return self.value_test(self.range(kind, depth - 1))
        if shape == 4:
            return self.value_test(self.condition(kind, depth))
        return self.value_test(self.node(kind, depth if shape > 4 else 0))

    def value_test(self, node):
        """Return an expression as a test."""
        return ValueTest(**P, value=node)

    def condition(self, kind, depth):
        """Return a condition on the input, where one is allowed."""
        left = InputMark(**P) if self.marks else self.node(kind, 0)
        return self.c.of([self.compare, self.between, self.within])(kind, depth, left)

    def node(self, kind, depth):
        """Return an expression of the type."""
        if self.c.rarely(20):
            kind = self.c.of(KINDS)
        if depth <= 0:
            return self.leaf(kind)
        shape = self.c.pick(12)
        if shape == 0:
            return self.leaf(kind)
        if shape == 1:
            return If(
                **P, condition=self.node("boolean", depth - 1), yes=self.node(kind, depth - 1), no=self.node(kind, 0)
            )
        if shape == 2:
            return self.call(self.c.of(BY_RESULT.get(kind, FUNCTIONS)), depth - 1)
        if shape == 3:
            return self.part(kind, depth - 1)
        if shape == 4:
            return self.invoked(kind, depth - 1)
        if shape == 5 and self.c.pick(2):
            return self.trap(kind) if "stock" in self.names and self.c.pick(3) else self.tower(kind)
        making = getattr(self, "make_" + kind.partition(" ")[0], self.any_call)
        return making(kind, depth - 1)

    def leaf(self, kind):
        """Return a constant or a name."""
        if self.marks and self.c.rarely(10):
            return InputMark(**P)
        if self.c.pick(3):
            known = [name for name, wanted in self.names.items() if wanted == kind or wanted == "any"]
            if known:
                return Name(**P, name=self.c.of(known))
        return self.constant(kind)

    def constant(self, kind):
        """Return a constant of the type."""
        match kind:
            case "number":
                return literal(self.c.of(NUMBERS))
            case "string":
                return literal(self.c.of(TEXTS))
            case "boolean":
                return literal(self.c.of((False, True)))
            case "list":
                return ListLiteral(**P, items=tuple(literal(self.c.of(NUMBERS)) for _ in range(self.c.pick(3))))
            case "context":
                return ContextLiteral(**P, entries=(("a", literal(self.c.of(NUMBERS))),) * self.c.pick(2))
            case "range":
                return self.range("number", 0)
            case "date" | "date and time" | "time":
                return literal(temporal.parse_any(self.c.of(MOMENTS)))
            case "days and time duration" | "years and months duration":
                return literal(temporal.parse_any(self.c.of(LENGTHS)))
        return literal(self.c.of((None, *NUMBERS[:4])))

    def make_number(self, kind, depth):
        """Return arithmetic."""
        if self.c.rarely(6):
            return Negate(**P, operand=self.node("number", depth))
        operator = self.c.of(("+", "-", "*", "/", "**"))
        return Arithmetic(**P, operator=operator, left=self.node("number", depth), right=self.node("number", depth))

    def make_string(self, kind, depth):
        """Return texts put together."""
        return Arithmetic(**P, operator="+", left=self.node("string", depth), right=self.node("string", depth))

    def make_boolean(self, kind, depth):
        """Return a condition."""
        shape = self.c.pick(6)
        about = self.c.of(("number", "boolean", *KINDS))
        if shape < 3:
            return (self.compare, self.between, self.within)[shape](about, depth, self.node(about, depth))
        if shape == 3:
            parts = tuple(self.node("boolean", depth) for _ in range(2 + self.c.pick(2)))
            return Junction(**P, conjunction=bool(self.c.pick(2)), parts=parts)
        if shape == 4:
            return InstanceOf(**P, value=self.node(about, depth), type=self.type(2))
        return self.quantified(depth)

    def compare(self, kind, depth, left):
        """Return a comparison."""
        return Comparison(**P, operator=self.c.of(COMPARISONS), left=left, right=self.node(kind, depth - 1))

    def between(self, kind, depth, left):
        """Return `between`."""
        return Between(**P, value=left, low=self.node(kind, depth - 1), high=self.node(kind, depth - 1))

    def within(self, kind, depth, left):
        """Return `in`."""
        marks, self.marks = self.marks, True
        tests = tuple(self.test(kind, depth - 1) for _ in range(1 + self.c.pick(3) // 2))
        self.marks = marks
        return In(**P, value=left, tests=tests)

    def quantified(self, depth):
        """Return `some` or `every`."""
        every = bool(self.c.pick(2))
        outer = dict(self.names)
        iterators = self.iterators(depth)
        condition = self.node("boolean", depth)
        self.names = outer
        return Quantified(**P, every=every, iterators=iterators, condition=condition)

    def iterators(self, depth):
        """Return one or two iterators and declare their names."""
        made = []
        for name in ("i", "j-1")[: 1 + self.c.pick(4) // 3]:
            counted = bool(self.c.pick(3) == 2)
            source = self.node("number" if counted else "list", min(depth, 1))
            end = self.node("number", 0) if counted else None
            made.append(Iterator(**P, name=name, source=source, end=end))
            self.names[name] = "number"
        return tuple(made)

    def make_list(self, kind, depth):
        """Return a list, a loop or a filter."""
        shape = self.c.pick(3)
        if shape == 0:
            kind = self.c.of(KINDS)
            return ListLiteral(**P, items=tuple(self.node(kind, depth) for _ in range(self.c.pick(4))))
        if shape == 1:
            outer = dict(self.names)
            iterators = self.iterators(depth)
            self.names["partial"] = "list"
            body = self.node(self.c.of(KINDS), depth)
            self.names = outer
            return For(**P, iterators=iterators, body=body)
        return self.filter(depth)

    def filter(self, depth):
        """Return a filter; inside, entries of the item are names."""
        base = self.node("list", depth)
        outer = dict(self.names)
        self.names |= {"item": "number", "a": "number", "b c": "string"}
        condition = self.node(self.c.of(("boolean", "number")), depth)
        self.names = outer
        return Filter(**P, base=base, condition=condition)

    def make_context(self, kind, depth):
        """Return a context, each entry seeing those before it."""
        outer = dict(self.names)
        entries = {}
        for _ in range(self.c.pick(4)):
            key, about = self.c.of(KEYS), self.c.of(KINDS)
            if key not in entries:
                entries[key] = self.node(about, depth)
                if key in ("a", "b c", "x-1", "start Date", "é", "days"):
                    self.names[key] = about
        self.names = outer
        return ContextLiteral(**P, entries=tuple(entries.items()))

    def make_range(self, kind, depth):
        """Return a range."""
        return self.range(self.c.of(KINDS), depth)

    def range(self, kind, depth):
        """Return a range of the type."""
        shape = self.c.pick(8)
        if shape > 5:
            bound, operator = self.node(kind, depth), ("!=", "=")[shape - 6]
            both = {"low_included": shape == 7, "high_included": shape == 7}
            return RangeLiteral(**P, low=bound, high=bound, **both, operator=operator)
        low = self.node(kind, depth) if shape != 4 else None
        high = self.node(kind, depth) if shape != 5 else None
        included = (self.c.pick(2) == 0, self.c.pick(2) == 0)
        return RangeLiteral(
            **P,
            low=low,
            high=high,
            low_included=included[0] and low is not None,
            high_included=included[1] and high is not None,
        )

    def make_date(self, kind, depth):
        """Return a date, or a date and time, moved by a duration."""
        length = self.node(self.c.of(KINDS[6:8]), depth)
        return Arithmetic(**P, operator=self.c.of(("+", "-")), left=self.node(kind, depth), right=length)

    make_time = make_date

    def make_days(self, kind, depth):
        """Return a duration from others, or from two moments."""
        about = self.c.of(("date", "date and time", "time", kind))
        return Arithmetic(**P, operator=self.c.of("-+"), left=self.node(about, depth), right=self.node(about, depth))

    def make_years(self, kind, depth):
        """Return a duration a number of times."""
        return Arithmetic(**P, operator=self.c.of("*/"), left=self.node(kind, depth), right=self.node("number", depth))

    def any_call(self, kind, depth):
        """Return an invocation of any built-in."""
        return self.call(self.c.of(FUNCTIONS), depth)

    def call(self, name, depth):
        """Return an invocation of a built-in with arguments that fit, by position or by name."""
        variant = self.c.of(BUILTINS[name].variants)
        parameters = [one for one in variant.parameters if not one.optional or self.c.pick(2)]
        optional = [one.optional for one in parameters]
        by_name = self.c.rarely(6) and variant.several == "one" and bool(parameters)
        if not by_name and optional != sorted(optional):
            parameters = [one for one in parameters if not one.optional]
        arguments = [self.argument(one.kind, depth) for one in parameters]
        if variant.several != "one" and self.c.pick(3) == 2:
            arguments[-1:] = [self.node("number", 0) for _ in range(2)]
        names = tuple(one.name for one in parameters) if by_name else ()
        return Invoke(**P, function=Name(**P, name=name), arguments=tuple(arguments), names=names)

    def argument(self, kind, depth):
        """Return an argument for a parameter."""
        if kind == "function":
            return self.function("boolean", depth, 1 + self.c.pick(2))
        kind = {
            "moment": "date",
            "timed": "time",
            "duration": "days and time duration",
            "any": "",
            "point": "number",
        }.get(kind, kind)
        return self.node(kind or self.c.of(KINDS), depth)

    def function(self, kind, depth, count):
        """Return a function literal."""
        parameters = ("p", "q r")[:count]
        types = tuple(self.type(1) if self.c.pick(3) == 2 else None for _ in parameters)
        outer = dict(self.names)
        self.names |= dict.fromkeys(parameters, "number")
        body = self.node(kind, depth)
        self.names = outer
        return FunctionLiteral(**P, parameters=parameters, types=types, body=body)

    def invoked(self, kind, depth):
        """Return a function literal that is invoked at once."""
        count = self.c.pick(3)
        function = self.function(kind, depth, count)
        return Invoke(**P, function=function, arguments=tuple(self.node("number", 0) for _ in range(count)))

    def part(self, kind, depth):
        """Return an entry or an element of something."""
        base = self.node(self.c.of(("context", "list", "date", "range")), depth)
        if self.c.pick(2):
            return Path(**P, base=base, name=self.c.of(self.properties))
        index = literal(Decimal(self.c.pick(3)))
        return Filter(**P, base=base, condition=Negate(**P, operand=index) if self.c.pick(2) else index)

    def trap(self, kind):
        """Return something that, without parentheses, would be read as something else."""
        a, b, days, stock = (Name(**P, name=name) for name in ("a", "b", "days", "stock"))
        listed = InstanceOf(**P, value=self.node(kind, 1), type=TypeExpression(**P, name=self.c.of(TYPES[-4:])))
        dated = InstanceOf(**P, value=a, type=TypeExpression(**P, name="date"))
        return self.c.of(
            (
                Arithmetic(**P, operator="-", left=a, right=b),
                In(**P, value=days, tests=(self.value_test(stock),)),
                Comparison(**P, operator="<", left=listed, right=self.node(kind, 1)),
                Junction(**P, conjunction=True, parts=(dated, self.call("time", 0))),
                Arithmetic(**P, operator="-", left=Path(**P, base=stock, name="x"), right=literal(Decimal(1))),
                self.refused(kind),
                In(**P, value=self.node(kind, 1), tests=(self.value_test(self.range(kind, 1)),)),
                Filter(**P, base=self.range(kind, 1), condition=self.node("number", 1)),
            )
        )

    def refused(self, kind):
        """Return an invocation of `not`, which as a whole cell would be read as the negation of tests."""
        return Invoke(**P, function=Name(**P, name="not"), arguments=(self.node(kind, 1),))

    def tower(self, kind):
        """Return something nested deep."""
        node = self.leaf(kind)
        build = self.c.of(
            (
                lambda inner: ListLiteral(**P, items=(inner,)),
                lambda inner: Negate(**P, operand=inner),
                lambda inner: Arithmetic(**P, operator="-", left=literal(Decimal(1)), right=inner),
                lambda inner: Invoke(**P, function=Name(**P, name="not"), arguments=(inner,)),
                lambda inner: If(**P, condition=inner, yes=literal(None), no=literal(None)),
                lambda inner: Path(**P, base=inner, name="a"),
                lambda inner: In(**P, value=literal(Decimal(1)), tests=(ValueTest(**P, value=inner),)),
                lambda inner: Arithmetic(**P, operator="+", left=inner, right=literal(Decimal(1))),
            )
        )
        for _ in range(self.c.pick(200)):
            node = build(node)
        return node

    def type(self, depth):
        """Return a type."""
        name = self.c.of(TYPES)
        if depth <= 0 or self.c.pick(2):
            return TypeExpression(**P, name=name)
        if name in ("list", "range"):
            return TypeExpression(**P, name=name, arguments=(self.type(depth - 1),))
        if name == "context":
            return TypeExpression(**P, name=name, members=(("a", self.type(depth - 1)), ("b c", self.type(depth - 1))))
        if name == "function":
            return TypeExpression(**P, name=name, arguments=(self.type(depth - 1), self.type(depth - 1)))
        return TypeExpression(**P, name=name)
