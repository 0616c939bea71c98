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
)
from settledesk.decisions.source import attribute, child, children, local_name, text_of
from settledesk.decisions.table_reader import TableReader
from settledesk.feel import FeelError
from settledesk.feel.checker import Layout
from settledesk.feel.expression import compile_in

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
        return Layout(self.names, self.properties)

    def find(self, parent: etree._Element) -> etree._Element | None:
        """Return the child that is decision logic, or `None`."""
        return next((item for item in parent.iterchildren(etree.Element) if local_name(item) in _READERS), None)

    def read(self, element: etree._Element, name: str, place: Place) -> Logic:
        """Compile a logic element; raises `ModelError`."""
        if self.depth > NESTING_MAX:
            raise ModelError(f"decision logic may be nested at most {NESTING_MAX} levels deep", place)
        return _READERS[local_name(element)](replace(self, depth=self.depth + 1), element, name, place)

    def inner(self, parent: etree._Element, name: str, place: Place) -> Logic:
        """Compile the logic inside an element; one without any is null."""
        element = self.find(parent)
        return self.literal("null", place) if element is None else self.read(element, name, place)

    def literal(self, text: str, place: Place) -> Logic:
        """Compile FEEL text; an empty one is null, and so is a wrong one in the standard's reading."""
        layout = self.layout()
        try:
            return LiteralLogic(program=compile_in(layout, text or "null"), variables=layout.variables)
        except FeelError as error:
            failure = at_place(error, place)
            if self.standard:
                return FailedLogic(message=str(failure))
            raise failure from error

    def function(self, element: etree._Element, name: str, result: ItemType, place: Place) -> FunctionLogic:
        """Compile a function definition with its formal parameters."""
        if attribute(element, "kind") in ("Java", "PMML"):
            raise ModelError("external functions are not supported", place)
        formal = list(children(element, "formalParameter"))
        parameters = tuple(str(attribute(item, "name")) for item in formal)
        types = tuple(self.types.find(attribute(item, "typeRef"), place) for item in formal)
        body = self.with_names(*parameters).inner(element, name, place)
        return FunctionLogic(name=name, parameters=parameters, types=types, result=result, body=body)


def _literal(reader: LogicReader, element: etree._Element, _name: str, place: Place) -> Logic:
    language = attribute(element, "expressionLanguage")
    if language is not None and "FEEL" not in language.upper():
        raise ModelError(f"the expression language `{language}` is not FEEL", place)
    return reader.literal(text_of(element), place)


def _table(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    tables = TableReader(layout=reader.layout(), types=reader.types, standard=reader.standard)
    return TableLogic(table=tables.read(element, name, place))


def _context(reader: LogicReader, element: etree._Element, _name: str, place: Place) -> Logic:
    entries: list[Entry] = []
    for item in children(element, "contextEntry"):
        variable = child(item, "variable")
        name = None if variable is None else attribute(variable, "name")
        wanted = ANY if variable is None else reader.types.find(attribute(variable, "typeRef"), place)
        entries.append(Entry(name=name, item_type=wanted, logic=reader.inner(item, name or "result", place)))
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
        names.append(str(attribute(parameter, "name")))
        arguments.append(reader.inner(binding, name, place))
    return InvocationLogic(function=function, names=tuple(names), arguments=tuple(arguments))


def _list(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    return ListLogic(
        items=tuple(
            reader.read(item, name, place)
            for item in element.iterchildren(etree.Element)
            if local_name(item) in _READERS
        )
    )


def _relation(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    columns = [str(attribute(column, "name")) for column in children(element, "column")]
    rows: list[Logic] = []
    for row in children(element, "row"):
        cells = [item for item in row.iterchildren(etree.Element) if local_name(item) in _READERS]
        if len(cells) != len(columns):
            raise ModelError(
                f"a row of the relation has {len(cells)} cells, but there are {len(columns)} columns", place
            )
        logics = [reader.read(cell, name, place) for cell in cells]
        entries = zip(columns, logics, strict=True)
        rows.append(ContextLogic(entries=tuple(Entry(name=key, item_type=ANY, logic=logic) for key, logic in entries)))
    return ListLogic(items=tuple(rows))


def _conditional(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    parts = [child(element, part) for part in ("if", "then", "else")]
    condition, yes, no = (
        reader.literal("null", place) if part is None else reader.inner(part, name, place) for part in parts
    )
    return ConditionalLogic(condition=condition, yes=yes, no=no)


def _function(reader: LogicReader, element: etree._Element, name: str, place: Place) -> Logic:
    return reader.function(element, name, ANY, place)


_READERS: dict[str, Callable[[LogicReader, etree._Element, str, Place], Logic]] = {
    "literalExpression": _literal,
    "decisionTable": _table,
    "context": _context,
    "invocation": _invocation,
    "list": _list,
    "relation": _relation,
    "conditional": _conditional,
    "functionDefinition": _function,
}
