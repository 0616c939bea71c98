"""Decision tables evaluated row by row and cell by cell, written from chapter 8 of the standard and from nothing else.

It knows of no index, no masks and no generated code: it asks each cell alone. Findings are those that the desk names.
"""

from dataclasses import dataclass, field
from decimal import Decimal, localcontext

from settledesk.feel import FeelError, compile_expression, compile_unary_tests
from settledesk.feel.run import DECIMAL_CONTEXT
from settledesk.feel.tree import CompareTest, ListLiteral, Literal, RangeLiteral
from settledesk.feel.values import to_feel, type_name

LISTS = ("RULE ORDER", "OUTPUT ORDER", "COLLECT")


@dataclass(slots=True)
class Expected:
    """What a table must give: value, rows that it rests on, kinds of findings, rows in conflict."""

    value: object = None
    fired: tuple = ()
    kinds: set = field(default_factory=set)
    conflict: tuple = ()
    ended: bool = False


class Reference:
    """One table, compiled cell by cell; raises `FeelError` for a cell that cannot be compiled."""

    def __init__(self, table, *, standard):
        self.table = table
        self.standard = standard
        names = tuple(table.data)
        self.rows = table.names()
        self.columns = [compile_expression(column.text, names) for column in table.columns]
        self.cells = [
            [compile_unary_tests(c, names, unknown_nulls=not standard) for c in row.cells] for row in table.rows
        ]
        self.allowed = [
            None if column.allowed is None else compile_unary_tests(column.allowed, names, unknown_nulls=not standard)
            for column in table.columns
        ]
        self.outputs = [[compile_expression(_written(text), names) for text in row.outputs] for row in table.rows]
        self.defaults = [_default(output, names) for output in table.outputs]
        self.listed = [_listed(output) for output in table.outputs]

    def evaluate(self, inputs):
        """Return what the table gives for the inputs; a limit that is reached ends it with null."""
        try:
            return self.unlimited(inputs)
        except LimitReachedError as reached:
            found = reached.args[0]
            return Expected(kinds=found.kinds | {"error"}, ended=True)

    def unlimited(self, inputs):
        """Return what the table gives if no limit is reached."""
        found = Expected()
        values = {name: self.given(name, inputs, found) for name in self.table.data}
        alive = list(range(len(self.rows)))
        for number in range(len(self.table.columns)):
            value = self.input(number, values, found)
            if found.ended:
                return found
            before = len(alive)
            alive = [row for row in alive if self.meets(row, number, value, values, found)]
            if before and not alive and not self.standard:
                break
        self.decide(alive, values, found)
        return found

    def given(self, name, inputs, found):
        """Return one input as a value of its stated type, or null with a finding."""
        if name not in inputs:
            found.kinds.add("missing_input")
            return None
        try:
            value = to_feel(inputs[name])
        except FeelError:
            found.kinds.add("wrong_type")
            return None
        return self.typed(value, self.table.data[name], found)

    def typed(self, value, kind, found):
        """Return the value if it is of the type; a list of one stands for its element, a date for its midnight."""
        if value is None or kind is None:
            return value
        if type(value) is list and len(value) == 1 and value[0] is not None:
            value = value[0]
        if kind == "date and time" and type_name(value) == "date":
            return to_feel(compile_expression('date and time(d, @"00:00:00Z")', ["d"]).evaluate({"d": value}))
        if type_name(value) == kind:
            return value
        found.kinds.add("wrong_type")
        return None

    def input(self, number, values, found):
        """Return the value that a column is about."""
        column = self.table.columns[number]
        result = self.columns[number].explain(values)
        note(result, found)
        value = self.typed(to_feel(result.value), column.stated, found)
        kinds = [constant_kinds(row[number].tree) for row in self.cells]
        if value is not None and None not in kinds and any(kinds) and type_name(value) not in set().union(*kinds):
            found.kinds.add("wrong_type")
        if self.allowed[number] is not None and (value is not None or self.standard):
            self.declared(number, value, values, found)
        return value

    def declared(self, number, value, values, found):
        """A value that the column does not declare is a finding; in the standard's reading the table is then null."""
        test = self.allowed[number].test
        each = type(value) is list and all(test(part, values) is True for part in value)
        if not (each or test(value, values) is True):
            found.kinds.add("wrong_type")
            found.ended = self.standard

    def meets(self, row, number, value, values, found):
        """Tell whether a row's cell is true of the value; null is not true."""
        cell = self.cells[row][number]
        result = cell.explain_test(value, values)
        if not is_silent(cell.tree):
            note(result, found)
        return result.value is True

    def output(self, row, values, found):
        """Return what a row gives."""
        return self.shaped([noted(cell.explain(values), found) for cell in self.outputs[row]])

    def shaped(self, made):
        """Return one output as it is, and several as a context."""
        if len(made) == 1:
            return made[0]
        return {output.name: value for output, value in zip(self.table.outputs, made, strict=True)}

    def decide(self, alive, values, found):
        """Apply the hit policy (section 8.2.10 of the standard)."""
        if not alive:
            return self.nothing(values, found)
        if self.table.policy == "UNIQUE" and len(alive) > 1:
            return self.conflict(alive, found)
        if self.table.policy == "FIRST":
            alive = alive[:1]
        results = [(row, self.output(row, values, found)) for row in alive]
        if self.table.policy in ("PRIORITY", "OUTPUT ORDER"):
            results.sort(key=lambda result: self.rank(result[1]))
        if self.table.policy == "PRIORITY":
            results = results[:1]
        if self.table.policy == "ANY" and not all(same(results[0][1], result) for _, result in results):
            return self.conflict(alive, found)
        found.fired = tuple(self.rows[row] for row, _ in results)
        outputs = [result for _, result in results]
        found.value = self.collected(outputs, found) if self.table.policy in LISTS else outputs[0]
        return None

    def conflict(self, alive, found):
        """Rows that must not match together: null, and a finding that names them."""
        found.fired = found.conflict = tuple(self.rows[row] for row in alive)
        found.kinds.add("conflict")

    def rank(self, result):
        """Return the places of the outputs in their lists; what is not listed comes last."""
        parts = [result] if len(self.listed) == 1 else list(result.values())
        places = []
        for listed, part in zip(self.listed, parts, strict=True):
            if listed is not None:
                fitting = [place for place, one in enumerate(listed) if identical(one, part)]
                places.append(fitting[0] if fitting else len(listed))
        return places

    def nothing(self, values, found):
        """No row matches: the default, an empty list, or null with a finding.

        In the standard's reading the default is not wrapped in a list, and the two orders without a match are null.
        """
        plain_list = self.table.policy in LISTS and self.table.aggregation is None
        if any(default is not None for default in self.defaults):
            default = self.shaped([None if one is None else noted(one.explain(values), found) for one in self.defaults])
            found.value = [default] if plain_list and not self.standard else default
        elif plain_list and (self.table.policy == "COLLECT" or not self.standard):
            found.value = []
        elif self.table.aggregation == "COUNT":
            found.value = Decimal(0)
        elif self.table.aggregation is None:
            found.kinds.add("no_match")

    def collected(self, outputs, found):
        """Aggregate the outputs; what has no sum or no order is null with a finding."""
        match self.table.aggregation:
            case None:
                return outputs
            case "COUNT":
                return Decimal(len(outputs))
        value = aggregated(self.table.aggregation, outputs)
        if value is None:
            found.kinds.add("error")
        return value


def aggregated(aggregation, outputs):
    """Return sum, least or greatest of outputs of one type, or null."""
    kinds = {type_name(output) for output in outputs}
    if len(kinds) != 1 or kinds & {"null", "boolean", "list", "context"}:
        return None
    if aggregation == "SUM":
        if kinds <= {"string", "date", "date and time", "time"}:
            return None
        return compile_expression("sum(l)", ["l"]).evaluate({"l": outputs})
    return compile_expression(f"{aggregation.lower()}(l)", ["l"]).evaluate({"l": outputs})


class LimitReachedError(Exception):
    """A cell took too much; it holds what was found before."""


def note(result, found):
    """Add the finding that diagnostics make: null that was handed on is none."""
    for diagnostic in result.diagnostics:
        if diagnostic.kind == "limit":
            raise LimitReachedError(found)
        if diagnostic.kind != "null":
            found.kinds.add("wrong_type" if diagnostic.kind == "type" else "error")


def noted(result, found):
    """Return the value of a result, with its findings added."""
    note(result, found)
    return to_feel(result.value)


def _written(text):
    return "null" if text in ("", "-") else text


def _default(output, names):
    return None if output.default is None else compile_expression(_written(output.default), names)


def _listed(output):
    if output.listed is None:
        return None
    return compile_expression(f"[{output.listed}]").evaluate()


def same(one, other):
    """Tell whether two outputs are equal as FEEL has it."""
    with localcontext(DECIMAL_CONTEXT):
        return compile_expression("a = b", ["a", "b"]).evaluate({"a": one, "b": other}) is True


def identical(one, other):
    """Tell whether two values are of one type and equal."""
    return type(one) is type(other) and one == other


def constant_kinds(tests):
    """Return the names of the types that a cell of constants can be true of; `None` where that is open."""
    if tests.negated:
        return None
    kinds = set()
    for test in tests.tests:
        compared = isinstance(test, CompareTest)
        if compared and test.operator == "!=":
            return None
        constants = _constants(test.operand if compared else test.value)
        if constants is None or (not compared and isinstance(test.value, ListLiteral)):
            return None
        kinds |= {type_name(value) for value in constants if value is not None}
    return kinds


def is_silent(tests):
    """Tell whether a cell says nothing of a value that it cannot be compared with: its type tells enough.

    So do cells of constants, but not of moments and times: two of one type may still differ in having a zone.
    """
    return all(_silent_test(test) for test in tests.tests)


def _silent_test(test):
    if not isinstance(test, CompareTest):
        return _silent(test.value)
    if not isinstance(test.operand, Literal):
        return False
    kind = type_name(test.operand.value)
    return kind in _SILENT and (kind not in ("boolean", "null") or test.operator in ("=", "!="))


def _silent(node):
    match node:
        case Literal():
            return type_name(node.value) in _SILENT
        case RangeLiteral():
            ends = [end for end in (node.low, node.high) if end is not None]
            kinds = {type_name(end.value) if isinstance(end, Literal) else "" for end in ends}
            return node.operator != "!=" and len(kinds) == 1 and kinds < _SILENT - {"boolean", "null"}
        case ListLiteral():
            return bool(node.items) and all(not isinstance(item, ListLiteral) and _silent(item) for item in node.items)
    return False


_SILENT = {
    *("null", "number", "string", "boolean", "date"),
    *("days and time duration", "years and months duration"),
}


def _constants(node):
    match node:
        case Literal():
            return [node.value]
        case RangeLiteral() | ListLiteral():
            parts = (
                node.items
                if isinstance(node, ListLiteral)
                else [end for end in (node.low, node.high) if end is not None]
            )
            found = [_constants(part) for part in parts if part is not None]
            return None if None in found else [value for values in found for value in values]
    return None


def plain(value):
    """Return a value with its types, so that 1, true and "1" are three."""
    if isinstance(value, list):
        return ["list", *(plain(item) for item in value)]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    found = to_feel(value)
    return (type(found), found)
