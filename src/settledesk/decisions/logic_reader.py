"""From the XML of decision logic to what runs. An unknown name is an error here, not at run time."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from lxml import etree

from settledesk.decisions.errors import ModelError, Place, at_place
from settledesk.decisions.item_types import ANY, ItemType, TypeTable
from settledesk.decisions.logic import (
    ConditionalLogic,
    ContextLogic,
    Entry,
    FailedLogic,
    FunctionLogic,
    InvocationLogic,
    ListLogic,
    LiteralLogic,
    Logic,
    TableLogic,
    TypedLogic,
)
from settledesk.decisions.logic_loops import (
    FilterLogic,
    ForLogic,
    ItemExpression,
    ItemLogic,
    ItemScope,
    QuantifiedLogic,
)
from settledesk.decisions.source import attribute, child, children, local_name, text_of
from settledesk.decisions.table_reader import TableReader
from settledesk.feel import FeelError
from settledesk.feel.checker import Checker, Layout
from settledesk.feel.compiler import Compiler
from settledesk.feel.expression import compile_in
from settledesk.feel.limits import DEFAULT_LIMITS
from settledesk.feel.names import spelling
from settledesk.feel.parser import Parser
from settledesk.feel.tree import Filter, Literal

NESTING_MAX = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class LogicReader:
    """Reads the logic of one element whose variables are `names`."""

    names: tuple[str, ...]
    types: TypeTable
    properties: tuple[str, ...]
    standard: bool
    depth: int = 0

    def with_names(self, *names: str) -> "LogicReader":
        """Return a reader that knows these names besides."""
        return replace(self, names=(*self.names, *names))

    def layout(self) -> Layout:
        """Return the layout of the variables in scope."""
        return Layout(self.names, self.properties, self.types.expressions(), standard=self.standard)

    def find(self, parent: etree._Element) -> etree._Element | None:
        """Return the child that is decision logic, or `None`."""
        return next(iter(self.logics(parent)), None)

    def logics(self, parent: etree._Element) -> list[etree._Element]:
        """Return the children that are decision logic; extension elements may have the same names."""
        namespace = etree.QName(parent).namespace
        return [
            item
            for item in parent.iterchildren(etree.Element)
            if local_name(item) in _READERS and etree.QName(item).namespace == namespace
        ]

    def read(self, element: etree._Element, name: str, place: Place) -> Logic:
        """Compile a logic element; raises `ModelError`."""
        if self.depth > NESTING_MAX:
            raise ModelError(f"decision logic may be nested at most {NESTING_MAX} levels deep", place)
        logic = _READERS[local_name(element)](replace(self, depth=self.depth + 1), element, name, place)
        wanted = self.types.find(attribute(element, "typeRef"), place)
        return logic if wanted is ANY else TypedLogic(logic=logic, item_type=wanted, name=name)

    def inner(self, parent: etree._Element, name: str, place: Place) -> Logic:
        """Compile the logic inside an element; one without any is null."""
        element = self.find(parent)
        return self.literal("null", place) if element is None else self.read(element, name, place)

    def part(self, parent: etree._Element, kind: str, name: str, place: Place) -> Logic:
        """Compile the logic inside the child of that kind; where there is none it is null."""
        element = child(parent, kind)
        return self.literal("null", place) if element is None else self.inner(element, name, place)

    def literal(self, text: str, place: Place) -> Logic:
        """Compile FEEL text; an empty one is null, and so is a wrong one in the standard's reading."""
        layout = self.layout()
        try:
            return LiteralLogic(program=compile_in(layout, text or "null"), variables=layout.variables)
        except FeelError as error:
            return self.failed(error, place)

    def failed(self, error: FeelError, place: Place) -> Logic:
        """Return null with a finding in the standard's reading; in the desk's a wrong text is an error."""
        failure = at_place(error, place)
        if self.standard:
            return FailedLogic(message=str(failure))
        raise failure from error

    def function(self, element: etree._Element, name: str, result: ItemType, place: Place) -> FunctionLogic:
        """Compile a function definition with its formal parameters."""
        if attribute(element, "kind") in ("Java", "PMML"):
            raise ModelError("external functions are not supported", place)
        formal = list(children(element, "formalParameter"))
        parameters = tuple(spelling(attribute(item, "name") or "") for item in formal)
        types = tuple(self.types.find(attribute(item, "typeRef"), place) for item in formal)
        body = self.with_names(*parameters).inner(element, name, place)
        return FunctionLogic(name=name, parameters=parameters, types=types, result=result, body=body)


def _literal(reader: LogicReader, element: etree._Element, _name: str, place: Place) -> Logic:
    return reader.literal(text_of(element), place)


def _table(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    tables = TableReader(layout=reader.layout(), types=reader.types, standard=reader.standard)
    return TableLogic(table=tables.read(element, name, place))


def _context(reader: LogicReader, element: etree._Element, _name: str, place: Place) -> Logic:
    entries: list[Entry] = []
    for item in children(element, "contextEntry"):
        variable = child(item, "variable")
        name = None if variable is None else spelling(attribute(variable, "name") or "") or None
        there = replace(place, entry=name or "result")
        wanted = ANY if variable is None else reader.types.find(attribute(variable, "typeRef"), there)
        entries.append(Entry(name=name, item_type=wanted, logic=reader.inner(item, name or "result", there)))
        if name is not None:
            reader = reader.with_names(name)
    return ContextLogic(entries=tuple(entries))


def _invocation(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    function = reader.inner(element, name, place)
    names: list[str] = []
    arguments: list[Logic] = []
    for binding in children(element, "binding"):
        parameter = child(binding, "parameter")
        if parameter is None:
            raise ModelError("a binding of an invocation has no parameter", place)
        names.append(spelling(attribute(parameter, "name") or ""))
        arguments.append(reader.inner(binding, name, replace(place, entry=names[-1])))
    return InvocationLogic(name=name, function=function, names=tuple(names), arguments=tuple(arguments))


def _list(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    return ListLogic(items=tuple(reader.read(item, name, place) for item in reader.logics(element)))


def _relation(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    columns = [spelling(attribute(column, "name") or "") for column in children(element, "column")]
    rows: list[Logic] = []
    for number, row in enumerate(children(element, "row"), start=1):
        place = replace(place, row=f"row {number}", column=None)
        cells = reader.logics(row)
        if len(cells) != len(columns):
            raise ModelError(
                f"a row of the relation has {len(cells)} cells, but there are {len(columns)} columns", place
            )
        logics = [
            reader.read(cell, name, replace(place, column=column)) for cell, column in zip(cells, columns, strict=True)
        ]
        entries = zip(columns, logics, strict=True)
        rows.append(ContextLogic(entries=tuple(Entry(name=key, item_type=ANY, logic=logic) for key, logic in entries)))
    return ListLogic(items=tuple(rows))


def _conditional(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    condition, yes, no = (reader.part(element, part, name, place) for part in ("if", "then", "else"))
    return ConditionalLogic(condition=condition, yes=yes, no=no)


def _function(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    return reader.function(element, name, ANY, place)


def _filter(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    source = reader.part(element, "in", name, place)
    match = child(element, "match")
    logic = None if match is None else reader.find(match)
    if logic is None:
        raise ModelError("a boxed filter has no `match`", place)
    if local_name(logic) == "literalExpression" and attribute(logic, "typeRef") is None:
        try:
            return FilterLogic(source=source, match=_item_expression(reader, logic))
        except FeelError as error:
            return reader.failed(error, place)
    inner = reader.with_names(*reader.properties, "item")
    return FilterLogic(source=source, match=ItemScope(logic=inner.read(logic, name, place)))


def _item_expression(reader: LogicReader, element: etree._Element) -> ItemLogic:
    """Compile a literal match, in which a name may be an entry of the element. Raises `FeelError`."""
    layout, text = reader.layout(), text_of(element) or "null"
    names = layout.names.extended(("item",))
    tree = Parser(text, names, layout.properties.extended(()), DEFAULT_LIMITS).whole_expression()
    checker = Checker(text, layout, input_allowed=False)
    checked = checker.node(Filter(position=0, base=Literal(position=0, value=None), condition=tree))
    assert isinstance(checked, Filter)
    run_on = Compiler(unknown_nulls=False).node(checked.condition)
    return ItemExpression(
        text=text, run_on=run_on, size=checker.size, item_slot=checked.item_slot, variables=layout.variables
    )


def _for(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    variable = _iterator_variable(element, place)
    body = child(element, "return")
    uses_partial = body is not None and any("partial" in str(text) for text in body.itertext())
    return ForLogic(
        variable=variable,
        source=reader.part(element, "in", name, place),
        body=reader.with_names("partial", variable).part(element, "return", name, place),
        uses_partial=uses_partial,
    )


def _quantified(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    variable = _iterator_variable(element, place)
    return QuantifiedLogic(
        kind="some" if local_name(element) == "some" else "every",
        variable=variable,
        source=reader.part(element, "in", name, place),
        condition=reader.with_names(variable).part(element, "satisfies", name, place),
    )


def _iterator_variable(element: etree._Element, place: Place) -> str:
    variable = attribute(element, "iteratorVariable")
    if not variable:
        raise ModelError(f"a boxed `{local_name(element)}` has no `iteratorVariable`", place)
    return spelling(variable)


_READERS: dict[str, Callable[[LogicReader, etree._Element, str, Place], Logic]] = {
    "literalExpression": _literal,
    "decisionTable": _table,
    "context": _context,
    "invocation": _invocation,
    "list": _list,
    "relation": _relation,
    "conditional": _conditional,
    "functionDefinition": _function,
    "filter": _filter,
    "for": _for,
    "some": _quantified,
    "every": _quantified,
}
