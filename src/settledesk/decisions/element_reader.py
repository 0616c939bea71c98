"""From the XML of one model file to the elements of its requirement graph."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

import regex
from lxml import etree

from settledesk.decisions.elements import Decision, Knowledge, Parameter, Path, Service
from settledesk.decisions.errors import ModelError, Place
from settledesk.decisions.imports import ModelFile
from settledesk.decisions.item_types import ANY, ItemType, TypeTable
from settledesk.decisions.logic import FailedLogic, FunctionLogic, Logic
from settledesk.decisions.logic_reader import LogicReader
from settledesk.decisions.source import attribute, child, children, local_name, text_of
from settledesk.feel.names import IDENTIFIER, KEYWORDS, pieces, spelling

_ELEMENTS = frozenset({"decision", "inputData", "businessKnowledgeModel", "decisionService"})
_FUNCTIONS = frozenset({"businessKnowledgeModel", "decisionService"})
_EXTERNAL = regex.compile(r"\)\s*(?::[^{}]*)?external\s*\{")
_Read = TypeVar("_Read")
_WORDS = {
    "decision": None,
    "inputData": "input",
    "businessKnowledgeModel": "business knowledge model",
    "decisionService": "decision service",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Required:
    """A required element: its key, and the path by which the logic names it."""

    key: str
    path: Path
    kind: str


@dataclass(slots=True, kw_only=True)
class ElementReader:
    """Reads one file. `prefix` stands before each key; `imported` reads the imported models, by their names here."""

    source: ModelFile
    prefix: str
    imported: Mapping[str, "ElementReader"]
    standard: bool
    types: TypeTable = field(init=False)
    external: set[str] = field(default_factory=set)
    """Keys of elements that invoke a function written in another language."""
    _by_id: dict[str, etree._Element] = field(default_factory=dict)
    _properties: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        tables = {alias: reader.types for alias, reader in self.imported.items()}
        self.types = TypeTable(self.source.root, self.source.file, imported=tables, standard=self.standard)
        self._collect()
        self._properties = tuple(sorted(self.types.property_names() | self._imported_names()))

    @property
    def place(self) -> Place:
        """The file."""
        return Place(file=self.source.file)

    def _collect(self) -> None:
        namespace = etree.QName(self.source.root).namespace
        for element in self.source.root.iter(etree.Element):
            found = attribute(element, "id")
            if found is None or etree.QName(element).namespace != namespace:
                continue
            if found in self._by_id:
                if local_name(element) in _ELEMENTS or local_name(self._by_id[found]) in _ELEMENTS:
                    raise ModelError(f"two elements have the id `{found}`", self.place)
                continue
            self._by_id[found] = element

    def _imported_names(self) -> set[str]:
        """Return the names that may stand after the name of an import."""
        names = set(self.imported)
        for reader in self.imported.values():
            names |= set(reader._properties)
            names |= {reader.name(element) for kind in _ELEMENTS for element in children(reader.source.root, kind)}
        return names

    def name(self, element: etree._Element) -> str:
        """Return an element's name; raises `ModelError` if it has none."""
        name = attribute(element, "name")
        if not name or not name.strip():
            raise ModelError(f"a `{local_name(element)}` has no name", self.place)
        return spelling(name)

    def key(self, element: etree._Element) -> str:
        """Return an element's key."""
        return self.prefix + self.name(element)

    def place_of(self, element: etree._Element) -> Place:
        """Return the place of an element of the file."""
        name, what = self.name(element), _WORDS[local_name(element)]
        return (
            Place(file=self.source.file, decision=name) if what is None else replace(self.place, element=(what, name))
        )

    def type_of(self, element: etree._Element) -> ItemType:
        """Return the type of an element's variable."""
        variable = child(element, "variable")
        return ANY if variable is None else self._type(attribute(variable, "typeRef"), self.place_of(element))

    def _type(self, reference: str | None, place: Place) -> ItemType:
        try:
            return self.types.find(reference, place)
        except ModelError:
            if self.standard:
                return ANY
            raise

    def target(self, href: str, place: Place) -> tuple["ElementReader", Path, etree._Element]:
        """Return what a reference points to, with the reader of its file and the names of the imports on the way."""
        namespace, _, identity = href.rpartition("#")
        found = self._reader(namespace)
        if found is None:
            raise ModelError(f"a requirement points to `{href}`, of a model that is not imported", place)
        reader, aliases = found
        element = reader._by_id.get(identity)
        if element is None:
            raise ModelError(f"a requirement points to `{href}`, which the model does not have", place)
        return reader, aliases, element

    def _reader(self, namespace: str) -> tuple["ElementReader", Path] | None:
        """Return the reader of a namespace, and the names of the imports that lead there, the nearest first."""
        if namespace in ("", self.source.namespace):
            return self, ()
        level: list[tuple[ElementReader, Path]] = [(self, ())]
        seen: set[str] = set()
        while level:
            deeper: list[tuple[ElementReader, Path]] = []
            for reader, aliases in level:
                for alias, inner in reader.imported.items():
                    path = (*aliases, alias) if alias else aliases
                    if inner.source.namespace == namespace:
                        return inner, path
                    if inner.source.namespace not in seen:
                        seen.add(inner.source.namespace)
                        deeper.append((inner, path))
            level = deeper
        return None

    def required(self, element: etree._Element, kind: str, link: str, expected: frozenset[str]) -> list[Required]:
        """Return the elements that `element` requires through `kind`/`link`; raises for one of another kind."""
        found: list[Required] = []
        for requirement in children(element, kind):
            target = child(requirement, link)
            if target is not None:
                found.append(self._pointed(target, expected, self.place_of(element)))
        return list({item.key: item for item in found}.values())

    def _pointed(self, pointer: etree._Element, expected: frozenset[str], place: Place) -> Required:
        reader, aliases, element = self.target(attribute(pointer, "href") or "", place)
        kind = local_name(element)
        name = reader.name(element)
        if kind not in expected:
            wanted = " or ".join(f"`{item}`" for item in sorted(expected))
            raise ModelError(f"`{name}` is required as {wanted}, but is a `{kind}`", place)
        return Required(key=reader.key(element), path=(*aliases, name), kind=kind)

    def _logic_reader(self, names: tuple[str, ...]) -> LogicReader:
        return LogicReader(names=names, types=self.types, properties=self._properties, standard=self.standard)

    def function(self, element: etree._Element) -> Knowledge:
        """Read a business knowledge model."""
        name = self.name(element)
        place = self.place_of(element)
        known = self.required(element, "knowledgeRequirement", "requiredKnowledge", _FUNCTIONS)
        reader = self._logic_reader((*(item.path[0] for item in known), name))
        logic = child(element, "encapsulatedLogic")
        self._note_external(element)
        result = self.type_of(element)
        return Knowledge(
            name=name,
            logic=self._tolerant(
                lambda: self._function(reader, logic, name, result, place),
                lambda failed: FunctionLogic(name=name, parameters=(), types=(), result=ANY, body=failed),
            ),
            requires_functions=tuple(item.key for item in known),
            paths=_paths(known),
        )

    def _function(
        self, reader: LogicReader, logic: etree._Element | None, name: str, variable: ItemType, place: Place
    ) -> FunctionLogic:
        if logic is None:
            raise ModelError("the business knowledge model has no logic", place)
        self._check_languages(logic, place)
        return reader.function(logic, name, result_of(variable), place)

    def decision(self, element: etree._Element) -> Decision:
        """Read a decision; its `inputs` are its own only."""
        name = self.name(element)
        place = self.place_of(element)
        inputs = self.required(element, "informationRequirement", "requiredInput", frozenset({"inputData"}))
        decisions = self.required(element, "informationRequirement", "requiredDecision", frozenset({"decision"}))
        functions = self.required(element, "knowledgeRequirement", "requiredKnowledge", _FUNCTIONS)
        logic = self._logic_reader(()).find(element)
        columns = [] if logic is None else column_names(logic)
        if child(element, "informationRequirement") is None:
            inputs = [Required(key=self.prefix + column, path=(column,), kind="inputData") for column in columns]
        reader = self._logic_reader(tuple(item.path[0] for item in (*inputs, *decisions, *functions)))
        own = [self.prefix + column for column in columns]
        keys = [item.key for item in inputs]
        self._note_external(element)
        return Decision(
            name=name,
            type=self.type_of(element),
            logic=self._tolerant(lambda: self._logic(reader, logic, name, place), lambda failed: failed),
            requires_inputs=tuple(keys),
            requires_decisions=tuple(item.key for item in decisions),
            requires_functions=tuple(item.key for item in functions),
            inputs=tuple(dict.fromkeys((*(key for key in own if key in keys), *keys))),
            paths=_paths([*inputs, *decisions, *functions]),
        )

    def _logic(self, reader: LogicReader, logic: etree._Element | None, name: str, place: Place) -> Logic | None:
        if logic is None:
            return None
        self._check_languages(logic, place)
        return reader.read(logic, name, place)

    def _tolerant(self, read: Callable[[], _Read], failed: Callable[[Logic], _Read]) -> _Read:
        """Read logic; what cannot be read is an error, and in the standard's reading null with a finding."""
        try:
            return read()
        except ModelError as error:
            if not self.standard:
                raise
            return failed(FailedLogic(message=str(error)))

    def service(self, element: etree._Element) -> Service:
        """Read a decision service. Its parameters are its input data, then its input decisions, in their order."""
        name = self.name(element)
        place = self.place_of(element)
        parameters: list[Parameter] = []
        for link, kind in (("inputData", "inputData"), ("inputDecision", "decision")):
            for pointer in children(element, link):
                reader, _, target = self.target(attribute(pointer, "href") or "", place)
                found = self._pointed(pointer, frozenset({kind}), place)
                parameters.append(
                    Parameter(
                        name=found.path[-1],
                        key=found.key,
                        is_decision=kind == "decision",
                        type=reader.type_of(target),
                    )
                )
        outputs = [
            self._pointed(pointer, frozenset({"decision"}), place) for pointer in children(element, "outputDecision")
        ]
        if not outputs:
            raise ModelError("the decision service has no output decision", place)
        return Service(
            name=name,
            parameters=tuple(parameters),
            outputs=tuple((item.key, item.path[-1]) for item in outputs),
            result=result_of(self.type_of(element)),
        )

    def _check_languages(self, element: etree._Element, place: Place) -> None:
        """Raise for an expression or cell that says it is in another language than FEEL, or of a model that does."""
        default = attribute(self.source.root, "expressionLanguage")
        for item in element.iter(etree.Element):
            language = attribute(item, "expressionLanguage") or default
            if language is not None and "FEEL" not in language.upper():
                text = text_of(item)[:60]
                shown = f" of `{text}`" if text else ""
                raise ModelError(f"the expression language `{language}`{shown} is not FEEL", place)

    def _note_external(self, element: etree._Element) -> None:
        for item in element.iter(etree.Element):
            kind = attribute(item, "kind")
            text = item.text or "" if local_name(item) == "text" else ""
            if kind in ("Java", "PMML") or ("external" in text and _EXTERNAL.search(text, timeout=1) is not None):
                self.external.add(self.key(element))


def result_of(variable: ItemType) -> ItemType:
    """Return the type of what a function gives, from the type of its variable, which may be that of the function."""
    if variable.base == "function" and not variable.collection:
        return variable.output or ANY
    return variable


def _paths(required: list[Required]) -> dict[str, Path]:
    return {item.key: item.path for item in required if item.path != (item.key,)}


def column_names(logic: etree._Element) -> list[str]:
    """Return the input expressions of a table that are one name each: without requirements they declare the inputs."""
    if local_name(logic) != "decisionTable":
        return []
    texts = [text_of(child(clause, "inputExpression")) for clause in children(logic, "input")]
    return list(dict.fromkeys(spelling(text) for text in texts if _is_name(text)))


def _is_name(text: str) -> bool:
    parts = pieces(text)
    whole = "".join(text.split()) == "".join(parts)
    return whole and bool(parts) and IDENTIFIER.match(text) is not None and parts[0] not in KEYWORDS
