"""Loading a model. Everything is compiled and checked here, so that an evaluation cannot meet an unknown name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from lxml import etree

from settledesk.decisions.compiled import CompiledTable, compile_table
from settledesk.decisions.element_reader import ElementReader
from settledesk.decisions.elements import Decision, Graph, Knowledge, Service
from settledesk.decisions.errors import ModelError, Place
from settledesk.decisions.imports import Given, ImportReader, ModelFile
from settledesk.decisions.item_types import ItemType
from settledesk.decisions.logic import TableLogic
from settledesk.decisions.model import Model
from settledesk.decisions.source import NAMESPACES, attribute, children
from settledesk.feel.limits import DEFAULT_LIMITS
from settledesk.feel.run import Clock


def load_model(
    source: Path | bytes,
    *,
    name: str | None = None,
    standard: bool = False,
    imports: Given | None = None,
    clock: Clock | None = None,
) -> Model:
    """Load a DMN file (1.2 to 1.5) from a path or from its bytes.

    `name` stands for the file in messages (default: the path). With `standard` a null is unequal to every value in
    cells and an expression that cannot be compiled is null, as the standard says; without, null is unknown and meets
    only cells that name it, and a wrong expression is an error here.

    A model that it imports is one of `imports`, by its namespace; else one of the files in the same folder, by the
    import's `locationURI` or by the namespace. Raises `ModelError` with the place, and `OSError` for a path that
    cannot be read.

    `clock` is what `now()` and `today()` say; without one they are null, so that the same inputs give the same.
    """
    content = source.read_bytes() if isinstance(source, Path) else source
    file = name or (str(source) if isinstance(source, Path) else "model")
    folder = source.parent if isinstance(source, Path) else None
    read = ImportReader(given=imports or {}, standard=standard).read(content, file, folder)
    return _Loader(standard=standard, clock=clock).load(read)


@dataclass(slots=True, kw_only=True)
class _Loader:
    standard: bool
    clock: Clock | None
    readers: dict[str, ElementReader] = field(default_factory=dict)
    inputs: dict[str, ItemType] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)
    functions: dict[str, Knowledge] = field(default_factory=dict)
    services: dict[str, Service] = field(default_factory=dict)

    def load(self, source: ModelFile) -> Model:
        main = self._reader(source, "")
        for reader in (*self.readers.values(), main):
            self._read(reader)
        place = main.place
        decisions = _with_inputs(self.decisions, place)
        graph = Graph(input_types=self.inputs, decisions=decisions, functions=self.functions, services=self.services)
        own = {key: decision for key, decision in decisions.items() if not key.startswith("{")}
        return Model(
            name=attribute(source.root, "name") or source.file,
            file=source.file,
            namespace=source.namespace,
            version=NAMESPACES[etree.QName(source.root).namespace or ""],
            input_types=self.inputs,
            decisions=own,
            compiled=_compiled(own, self.inputs),
            services={key: service for key, service in self.services.items() if not key.startswith("{")},
            graph=graph,
            external=self._external(main.external),
            clock=self.clock,
        )

    def _reader(self, source: ModelFile, prefix: str) -> ElementReader:
        """Return the reader of a file, after those of its imports; a model that two others import has one reader."""
        imported: dict[str, ElementReader] = {}
        for alias, inner in source.imports.items():
            if inner.namespace not in self.readers:
                self.readers[inner.namespace] = self._reader(inner, f"{{{inner.namespace}}}")
            imported[alias] = self.readers[inner.namespace]
        return ElementReader(source=source, prefix=prefix, imported=imported, standard=self.standard)

    def _read(self, reader: ElementReader) -> None:
        root = reader.source.root
        for element in children(root, "inputData"):
            self.inputs[reader.key(element)] = reader.type_of(element)
        for element in children(root, "businessKnowledgeModel"):
            self.functions[reader.key(element)] = reader.function(element)
        for element in children(root, "decisionService"):
            self.services[reader.key(element)] = reader.service(element)
        for element in children(root, "decision"):
            key = reader.key(element)
            if key in self.decisions:
                raise ModelError(f"two decisions have the name `{reader.name(element)}`", reader.place)
            self.decisions[key] = reader.decision(element)

    def _external(self, own: Iterable[str]) -> frozenset[str]:
        """Return the keys of all that needs a function of another language, itself or through others."""
        found = set(own)
        for reader in self.readers.values():
            found |= reader.external
        needs = {
            **{key: {*item.requires_decisions, *item.requires_functions} for key, item in self.decisions.items()},
            **{key: set(item.requires_functions) for key, item in self.functions.items()},
            **{key: {output for output, _ in item.outputs} for key, item in self.services.items()},
        }
        while grown := {key for key, required in needs.items() if required & found} - found:
            found |= grown
        return frozenset(found)


def _compiled(decisions: Mapping[str, Decision], input_types: Mapping[str, ItemType]) -> dict[str, CompiledTable]:
    """Return the functions of each decision that is one table over inputs."""
    made: dict[str, CompiledTable] = {}
    for name, decision in decisions.items():
        required = decision.requires_decisions or decision.requires_functions or decision.paths
        if isinstance(decision.logic, TableLogic) and not required:
            table = decision.logic.table
            if table.standard and any(column.allowed is not None for column in table.columns):
                continue
            compiled = compile_table(table, decision.inputs, input_types, decision.type, DEFAULT_LIMITS)
            if compiled is not None:
                made[name] = compiled
    return made


def _with_inputs(decisions: Mapping[str, Decision], place: Place) -> dict[str, Decision]:
    """Return the decisions with the inputs of all that they require; raises if decisions require each other."""
    complete: dict[str, Decision] = {}
    for key in decisions:
        for current in _in_order(key, decisions, complete, place):
            decision = decisions[current]
            found = dict.fromkeys(decision.inputs)
            for required in decision.requires_decisions:
                found.update(dict.fromkeys(complete[required].inputs))
            complete[current] = replace(decision, inputs=tuple(found))
    return {key: complete[key] for key in decisions}


def _in_order(key: str, decisions: Mapping[str, Decision], done: Mapping[str, Decision], place: Place) -> Iterable[str]:
    """Yield the decisions that `key` requires and that are not done, each after those that it requires, `key` last."""
    path: list[str] = []
    waiting: list[tuple[str, bool]] = [(key, False)]
    while waiting:
        current, left = waiting.pop()
        if left:
            path.pop()
            yield current
        elif current in path:
            circle = " -> ".join(f"`{step}`" for step in (*path[path.index(current) :], current))
            raise ModelError(f"decisions require each other: {circle}", place)
        elif current not in done:
            path.append(current)
            waiting.append((current, True))
            waiting.extend((required, False) for required in reversed(decisions[current].requires_decisions))
