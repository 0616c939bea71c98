"""Loading a model. Everything is compiled and checked here, so that an evaluation cannot meet an unknown name."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from lxml import etree

from settledesk.decisions.compiled import CompiledTable, compile_table
from settledesk.decisions.errors import ModelError, Place
from settledesk.decisions.item_types import ANY, ItemType, TypeTable
from settledesk.decisions.logic import FunctionLogic, TableLogic
from settledesk.decisions.logic_reader import LogicReader
from settledesk.decisions.model import Decision, Model
from settledesk.decisions.source import NAMESPACES, attribute, child, children, local_name, parse_model, text_of
from settledesk.feel.limits import DEFAULT_LIMITS
from settledesk.feel.names import IDENTIFIER, KEYWORDS, pieces, spelling


def load_model(source: Path | bytes, *, name: str | None = None, standard: bool = False) -> Model:
    """Load a DMN file (1.2 to 1.5) from a path or from its bytes.

    `name` stands for the file in messages (default: the path). With `standard` a null is unequal to every value in
    cells and an expression that cannot be compiled is null, as the standard says; without, null is unknown and meets
    only cells that name it, and a wrong expression is an error here. Raises `ModelError` with
    the place, and `OSError` for a path that cannot be read.
    """
    content = source.read_bytes() if isinstance(source, Path) else source
    file = name or (str(source) if isinstance(source, Path) else "model")
    return _Loader(root=parse_model(content, file), file=file, standard=standard).load()


@dataclass(slots=True, kw_only=True)
class _Loader:
    root: etree._Element
    file: str
    standard: bool
    by_id: dict[str, etree._Element] = field(default_factory=dict)
    types: TypeTable = field(init=False)
    properties: tuple[str, ...] = ()

    def load(self) -> Model:
        place = Place(file=self.file)
        if child(self.root, "import") is not None:
            raise ModelError("imports of other models are not supported", place)
        self.types = TypeTable(self.root, self.file)
        self.properties = tuple(self.types.property_names())
        self._collect(place)
        inputs = {self._name(item, place): self._type_of(item, place) for item in children(self.root, "inputData")}
        functions = {
            self._name(item, place): self._function(item) for item in children(self.root, "businessKnowledgeModel")
        }
        decisions: dict[str, Decision] = {}
        for element in children(self.root, "decision"):
            decision = self._decision(element)
            if decision.name in decisions:
                raise ModelError(f"two decisions have the name `{decision.name}`", place)
            for required in decision.requires_functions:
                if required not in functions:
                    raise ModelError(
                        f"`{required}` is required as knowledge, but is no business knowledge model", place
                    )
            decisions[decision.name] = decision
        namespace = etree.QName(self.root).namespace or ""
        complete = {name: _with_inputs(name, decisions, place) for name in decisions}
        return Model(
            name=attribute(self.root, "name") or self.file,
            file=self.file,
            version=NAMESPACES[namespace],
            input_types=inputs,
            decisions=complete,
            compiled=_compiled(complete, inputs),
            functions=functions,
        )

    def _collect(self, place: Place) -> None:
        for element in self.root.iter(etree.Element):
            found = attribute(element, "id")
            if found is None or etree.QName(element).namespace != etree.QName(self.root).namespace:
                continue
            if found in self.by_id:
                if local_name(element) in _ELEMENTS or local_name(self.by_id[found]) in _ELEMENTS:
                    raise ModelError(f"two elements have the id `{found}`", place)
                continue
            self.by_id[found] = element

    def _name(self, element: etree._Element, place: Place) -> str:
        name = attribute(element, "name")
        if not name or not name.strip():
            raise ModelError(f"a `{local_name(element)}` has no name", place)
        return spelling(name)

    def _type_of(self, element: etree._Element, place: Place) -> ItemType:
        variable = child(element, "variable")
        return ANY if variable is None else self.types.find(attribute(variable, "typeRef"), place)

    def _required(self, element: etree._Element, kind: str, link: str, place: Place) -> tuple[str, ...]:
        """Return the names of the elements that `element` requires through `kind`/`link`."""
        names: list[str] = []
        for requirement in children(element, kind):
            target = child(requirement, link)
            if target is None:
                continue
            href = attribute(target, "href") or ""
            found = self.by_id.get(href.rpartition("#")[2])
            if found is None:
                raise ModelError(f"a requirement points to `{href}`, which the model does not have", place)
            names.append(self._name(found, place))
        return tuple(dict.fromkeys(names))

    def _reader(self, names: tuple[str, ...]) -> LogicReader:
        return LogicReader(names=names, types=self.types, properties=self.properties, standard=self.standard)

    def _function(self, element: etree._Element) -> FunctionLogic:
        place = Place(file=self.file)
        name = self._name(element, place)
        place = replace(place, decision=name)
        known = self._required(element, "knowledgeRequirement", "requiredKnowledge", place)
        logic = child(element, "encapsulatedLogic")
        if logic is None:
            raise ModelError("the business knowledge model has no logic", place)
        return self._reader((*known, name)).function(logic, name, self._type_of(element, place), place)

    def _decision(self, element: etree._Element) -> Decision:
        place = Place(file=self.file)
        name = self._name(element, place)
        place = replace(place, decision=name)
        inputs = self._required(element, "informationRequirement", "requiredInput", place)
        decisions = self._required(element, "informationRequirement", "requiredDecision", place)
        functions = self._required(element, "knowledgeRequirement", "requiredKnowledge", place)
        reader = self._reader(())
        logic = reader.find(element)
        columns = [] if logic is None else _column_names(logic)
        if child(element, "informationRequirement") is None:
            inputs = tuple(dict.fromkeys((*inputs, *columns)))
        reader = self._reader((*inputs, *decisions, *functions))
        own = [column for column in columns if column in inputs]
        return Decision(
            name=name,
            type=self._type_of(element, place),
            logic=None if logic is None else reader.read(logic, name, place),
            requires_inputs=inputs,
            requires_decisions=decisions,
            requires_functions=functions,
            inputs=tuple(dict.fromkeys((*own, *inputs))),
        )


def _compiled(decisions: dict[str, Decision], input_types: dict[str, ItemType]) -> dict[str, CompiledTable]:
    """Return the functions of each decision that is one table over inputs."""
    made: dict[str, CompiledTable] = {}
    for name, decision in decisions.items():
        if isinstance(decision.logic, TableLogic) and not (decision.requires_decisions or decision.requires_functions):
            table = decision.logic.table
            compiled = compile_table(table, decision.inputs, input_types, decision.type, DEFAULT_LIMITS)
            if compiled is not None:
                made[name] = compiled
    return made


_ELEMENTS = frozenset({"decision", "inputData", "businessKnowledgeModel"})


def _column_names(logic: etree._Element) -> list[str]:
    """Return the input expressions of a table that are one name each: without requirements they declare the inputs."""
    if local_name(logic) != "decisionTable":
        return []
    texts = [text_of(child(clause, "inputExpression")) for clause in children(logic, "input")]
    return [spelling(text) for text in texts if _is_name(text)]


def _is_name(text: str) -> bool:
    parts = pieces(text)
    whole = "".join(text.split()) == "".join(parts)
    return whole and bool(parts) and IDENTIFIER.match(text) is not None and parts[0] not in KEYWORDS


def _with_inputs(name: str, decisions: dict[str, Decision], place: Place) -> Decision:
    """Return the decision with the inputs of all that it requires; raises if decisions require each other."""
    found: dict[str, None] = {}
    done: set[str] = set()

    def visit(current: str, path: tuple[str, ...]) -> None:
        if current in path:
            circle = " -> ".join(f"`{step}`" for step in (*path[path.index(current) :], current))
            raise ModelError(f"decisions require each other: {circle}", place)
        if current in done:
            return
        decision = decisions.get(current)
        if decision is None:
            raise ModelError(f"`{current}` is required as a decision, which it is not", place)
        found.update(dict.fromkeys(decision.inputs))
        for required in decision.requires_decisions:
            visit(required, (*path, current))
        done.add(current)

    visit(name, ())
    return replace(decisions[name], inputs=tuple(found))
