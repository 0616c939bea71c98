"""Generated decision tables as DMN, with inputs that sit on their edges."""

from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

from fuzz_trees import Trees
from fuzz_values import NUMBERS, value_of

from settledesk.feel.printer import print_tests

NAMESPACES = tuple(
    f"{scheme}://www.omg.org/spec/DMN/{dated}/MODEL/"
    for scheme, dated in (("https", "20191111"), ("http", "20180521"), ("https", "20211108"), ("https", "20230324"))
)
POLICIES = ("UNIQUE", "ANY", "FIRST", "PRIORITY", "RULE ORDER", "OUTPUT ORDER", "COLLECT")
AGGREGATIONS = ("SUM", "MIN", "MAX", "COUNT")
NAMES = ("amount", "y z", "a", "b", "a-b", "naïve ß", "days", "days in stock", "some.test")
KINDS = ("number", "string", "boolean", "date", "days and time duration", "years and months duration", "date and time")
CELLS = {
    "number": (
        *("0", "1", "2.5", "10", "-1", "< 1", "<= 1", "> 1", ">= 2.5", "[1..10]", "(1..10]", "[1..10)", "]1..10["),
        *("1, 2, 10", "< 1, > 10", "not(1)", "not(1, 10)", "not([1..10])", "[5..1]", "!= 1", "= 1", "[1, 2]", "(> 1)"),
        *("0.1", "0.30000000000000004", "1E+300", "[1..2.5], [5..10]", "not(< 1, 2)"),
    ),
    "string": (
        *('"a"', '"b"', '"A"', '""', '"a", "b"', 'not("a")', 'not("a", "b")', '["a".."c"]', '< "b"', '"a, b"', '"?"'),
        *('"say \\"hi\\""', '"two\\nlines"', '"5"', '"null"', '"é"', '["a", "b"]', '!= "a"'),
    ),
    "boolean": ("true", "false", "not(true)", "true, false", "= true", "!= false"),
    "date": (
        *(
            'date("2024-01-01")',
            '@"2024-01-01"',
            '< @"2024-01-01"',
            '[@"2023-12-31"..@"2024-01-01"]',
            '> date("2024-02-28")',
        ),
        *('not(@"2024-02-29")', '>= @"2024-01-01"'),
    ),
    "days and time duration": ('@"P1D"', '< @"P1D"', '[@"PT0S"..@"P400D"]', 'not(@"P1D")', '>= duration("-PT5H")'),
    "years and months duration": ('@"P1M"', '@"P1Y"', '< @"P1Y"', '[@"P0M"..@"P12M"]', 'not(@"P12M")'),
    "date and time": ('@"2024-01-01T12:30:00"', '< @"2024-01-01T00:00:00Z"', 'not(@"2024-01-01T01:00:00+01:00")'),
}
ANYWHERE = ("-", "null", "not(null)", "null, 1", "= null", "!= null", "? = null", "? != null", "")
CONDITIONS = (
    "> {0}",
    "? > {0}",
    "{0}",
    "not({0})",
    "? = {0}",
    "[{0}..10]",
    "? + {0} > 3",
    "{0} = 1",
    "<= {0} * 2",
    "? in ({0}, 1)",
)
CONDITIONS += (
    "? > {0}",
    'contains(?, "a")',
    "odd(?)",
    "? between 1 and {0}",
    "string length(?) > 1",
    "3 > 1",
    "list contains([1, 2], ?)",
)
OUTPUTS = {
    "number": ("1", "2", "3", "-1.5", "{0}", "1 / 0", "null"),
    "string": ('"x"', '"y"', '"z"', '"out"', "null", "string({0})"),
    "mixed": ("1", '"x"', "true", "null", "[1, 2]", '{{k: "v"}}', "{0}", "-", '@"P1D"', "1 + {0}"),
}
LISTS = ('"x", "y", "z"', '"z", "x"', "1, 2, 3", '"y", 1', "true, false")
COMPUTED = ("{0} + 1", "-{0}", "string({0})", "if {0} = null then 0 else {0}", "[{0}]", "{0} / 0")


@dataclass(slots=True, kw_only=True)
class Column:
    """An input: its expression, the type that it states, its declared values, and the type that its cells are of."""

    text: str
    kind: str
    stated: str | None = None
    allowed: str | None = None


@dataclass(slots=True, kw_only=True)
class Output:
    """An output."""

    name: str | None
    listed: str | None = None
    default: str | None = None


@dataclass(slots=True, kw_only=True)
class Row:
    """A row. Without an id it is called by its number."""

    identity: str | None
    cells: list[str]
    outputs: list[str]


@dataclass(slots=True, kw_only=True)
class Table:
    """A table in a model of one decision, `d`. `data` are the input data with the types that they state."""

    policy: str
    aggregation: str | None = None
    namespace: str = NAMESPACES[0]
    data: dict[str, str | None] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    columns: list[Column] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def names(self):
        """Return the names of the rows."""
        return [row.identity or f"row {number}" for number, row in enumerate(self.rows, 1)]

    def xml(self):
        """Return the model."""
        parts = [f'<definitions xmlns="{self.namespace}" name="m"']
        parts += [' namespace="https://m.example">']
        for number, (name, kind) in enumerate(self.data.items()):
            variable = f"<variable name={quoteattr(name)}{_reference(kind)}/>"
            parts.append(f'<inputData id="i{number}" name={quoteattr(name)}>{variable}</inputData>')
        links = [f'<requiredInput href="#i{number}"/>' for number in range(len(self.data))]
        parts.append('<decision id="d" name="d">')
        parts += [f"<informationRequirement>{link}</informationRequirement>" for link in links]
        policy = "" if self.policy == "UNIQUE" and len(self.rows) % 2 else f" hitPolicy={quoteattr(self.policy)}"
        aggregation = "" if self.aggregation is None else f' aggregation="{self.aggregation}"'
        parts.append(f"<decisionTable{policy}{aggregation}>")
        parts += [_column(column) for column in self.columns]
        parts += [_output(output) for output in self.outputs]
        parts += [_row(row) for row in self.rows]
        parts.append("</decisionTable></decision></definitions>")
        return "".join(parts).encode()


def _reference(kind):
    return "" if kind is None else f" typeRef={quoteattr(kind)}"


def _text(tag, text):
    return "" if text is None else f"<{tag}><text>{escape(text)}</text></{tag}>"


def _column(column):
    expression = f"<inputExpression{_reference(column.stated)}><text>{escape(column.text)}</text></inputExpression>"
    return f"<input>{expression}{_text('inputValues', column.allowed)}</input>"


def _output(output):
    name = "" if output.name is None else f" name={quoteattr(output.name)}"
    return f"<output{name}>{_text('outputValues', output.listed)}{_text('defaultOutputEntry', output.default)}</output>"


def _row(row):
    identity = "" if row.identity is None else f" id={quoteattr(row.identity)}"
    cells = "".join(_text("inputEntry", cell) for cell in row.cells)
    return f"<rule{identity}>{cells}{''.join(_text('outputEntry', output) for output in row.outputs)}</rule>"


class Tables:
    """Reads choices into tables."""

    def __init__(self, choices):
        self.c = choices

    def table(self):
        """Return a table."""
        policy = self.c.of(POLICIES)
        aggregated = policy == "COLLECT" and self.c.pick(4) > 0
        table = Table(policy=policy, aggregation=self.c.of(AGGREGATIONS) if aggregated else None)
        table.namespace = self.c.of(NAMESPACES)
        for _ in range(1 + self.c.pick(3)):
            name, kind = self.c.of(NAMES), self.c.of(KINDS)
            if name not in table.data:
                table.kinds[name] = kind
                table.data[name] = kind if self.c.pick(2) else None
        one = aggregated and table.aggregation != "COUNT"
        table.columns = [self.column(table) for _ in range(self.c.pick(5))] or [self.column(table)]
        table.outputs = self.outputs(table, 1 if one else 1 + self.c.pick(6) // 4)
        self.rows(table)
        return table

    def column(self, table):
        """Return an input column."""
        name = self.c.of(tuple(table.data))
        kind = table.kinds[name]
        text = self.c.of(COMPUTED).format(name) if self.c.rarely(8) else name
        stated = kind if text == name and self.c.pick(2) else None
        allowed = self.c.of(CELLS[kind]) if self.c.rarely(6) else None
        return Column(text=text, kind=kind, stated=stated, allowed=allowed)

    def outputs(self, table, count):
        """Return the outputs; the policies that rank need a list of values."""
        ranked = table.policy in ("PRIORITY", "OUTPUT ORDER")
        made = []
        for number in range(count):
            name = f"o{number}" if count > 1 or self.c.pick(2) else None
            listed = self.c.of(LISTS) if (ranked and number == 0) or self.c.rarely(5) else None
            default = self.c.of((*OUTPUTS["mixed"][:5], "1 / 0")).format("") if self.c.rarely(4) else None
            made.append(Output(name=name, listed=listed, default=default))
        return made

    def rows(self, table):
        """Fill in the rows, some of them twice."""
        kind = self.c.of(tuple(OUTPUTS))
        for number in range(self.c.pick(9)):
            if table.rows and self.c.rarely(8):
                cells = list(table.rows[-1].cells)
            else:
                cells = [self.cell(table, column) for column in table.columns]
            outputs = [self.output(table, kind) for _ in table.outputs]
            identity = None if self.c.rarely(4) else f"r{number}"
            table.rows.append(Row(identity=identity, cells=cells, outputs=outputs))

    def output(self, table, kind):
        """Return an output cell."""
        return self.c.of(OUTPUTS[kind]).format(self.c.of(tuple(table.data)))

    def cell(self, table, column):
        """Return an input cell."""
        shape = self.c.pick(16)
        if shape < 3:
            return "-"
        if shape == 3:
            return self.c.of(ANYWHERE)
        if shape in (4, 5):
            return self.c.of(CONDITIONS).format(self.c.of(tuple(table.data)))
        if shape == 6:
            return self.c.of(CELLS[self.c.of(KINDS)])
        if shape == 7:
            cell = Trees(self.c, names=table.kinds, properties=("a", "year"), marks=True).cell(column.kind, 1)
            text = print_tests(cell, table.kinds)
            return text if len(text) < 200 else "-"
        return self.c.of(CELLS[column.kind])

    def inputs(self, table, count):
        """Return inputs: some missing, some null, some of a wrong type, numbers in every Python type."""
        return [self.one(table) for _ in range(count)]

    def one(self, table):
        """Return one set of inputs."""
        made = {}
        for name, kind in table.kinds.items():
            if self.c.rarely(20):
                continue
            made[name] = self.c.of(NUMBERS[:16]) if kind == "number" and self.c.pick(2) else value_of(self.c, kind)
        return made
