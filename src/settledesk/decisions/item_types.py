"""Item definitions: the types of a model, and how a value is made to conform to one."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree

from settledesk.decisions.errors import ModelError, Place, at_place
from settledesk.decisions.source import attribute, child, children, text_of
from settledesk.feel import FeelError, UnaryTests, compile_unary_tests, temporal
from settledesk.feel.builtins.conversions import text_of as text_of_value
from settledesk.feel.run import Run
from settledesk.feel.tree import TypeExpression
from settledesk.feel.types import BASE_TYPES, base_name
from settledesk.feel.values import type_name

DEPTH_MAX = 40
NAMES_MAX = 5_000
"""Names of types of imported models that expressions may use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemType:
    """A type: a built-in one, one with components, or one that is made of another by a list or by allowed values.

    Components may be of the type itself: a tree has branches that are trees.
    """

    name: str
    base: "str | ItemType" = "any"
    components: Mapping[str, "ItemType"] | None = field(default=None, repr=False)
    collection: bool = False
    allowed: UnaryTests | None = None
    complete: bool = False
    """Whether a context without one of the components is none of the type, as the standard has it."""
    parameters: "tuple[ItemType, ...] | None" = None
    """The types of the parameters of a function type."""
    output: "ItemType | None" = None
    """What a function of the type gives."""


ANY = ItemType(name="Any")


class NotConformingError(Exception):
    """A value is not of its type; the text says how."""


def conform(value: Any, wanted: ItemType) -> Any:
    """Return the value as one of the type; raises `NotConformingError`.

    A list of one stands for its element and an element for a list of one; a date stands for its midnight UTC.
    """
    if value is None:
        return None
    if not wanted.collection:
        return _conform_one(value, wanted)
    items = value if type(value) is list else [value]
    return [None if item is None else _conform_one(item, wanted) for item in items]


def _conform_one(value: Any, wanted: ItemType) -> Any:
    if wanted.components is not None:
        value = _conform_components(value, wanted.components, wanted)
    elif isinstance(wanted.base, ItemType):
        value = conform(value, wanted.base)
    else:
        value = _conform_base(value, wanted.base)
    if wanted.allowed is not None and wanted.allowed.test(value) is not True:
        raise NotConformingError(f"`{_short(value)}` is not one of the values that `{wanted.name}` allows")
    return value


def _conform_base(value: Any, base: str) -> Any:
    found = type_name(value)
    if base == "any" or found == base:
        return value
    if type(value) is list and len(value) == 1 and type(value[0]) is not list and value[0] is not None:
        return _conform_base(value[0], base)
    if base == "date and time" and found == "date":
        return temporal.parse_date_time(f"{text_of_value(value, Run())}T00:00:00Z")
    raise NotConformingError(f"a {base} is needed, but `{_short(value)}` is a {found}")


def _conform_components(value: Any, components: Mapping[str, ItemType], wanted: ItemType) -> Any:
    if type(value) is list and len(value) == 1:
        value = value[0]
    if type(value) is not dict:
        raise NotConformingError(f"a `{wanted.name}` is needed, but `{_short(value)}` is a {type_name(value)}")
    made = dict(value)
    for key, component in components.items():
        if key in value:
            made[key] = conform(value[key], component)
        elif wanted.complete:
            raise NotConformingError(f"a `{wanted.name}` is needed, but the context has no `{key}`")
    return made


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "…"


class TypeWriter:
    """Writes types as FEEL does, without constraints. Inside of itself a type is `Any`."""

    def __init__(self) -> None:
        self._written: dict[int, TypeExpression] = {}
        self._open: set[int] = set()

    def written(self, wanted: ItemType) -> TypeExpression:
        """Return the type written out."""
        identity = id(wanted)
        if identity in self._open:
            return TypeExpression(position=0, name="Any")
        if identity not in self._written:
            self._open.add(identity)
            made = self._one(wanted)
            self._open.discard(identity)
            if wanted.collection:
                made = TypeExpression(position=0, name="list", arguments=(made,))
            self._written[identity] = made
        return self._written[identity]

    def _one(self, wanted: ItemType) -> TypeExpression:
        if wanted.components is not None:
            members = tuple((key, self.written(part)) for key, part in wanted.components.items())
            return TypeExpression(position=0, name="context", members=members)
        if wanted.parameters is not None:
            arguments = tuple(self.written(part) for part in (*wanted.parameters, wanted.output or ANY))
            return TypeExpression(position=0, name="function", arguments=arguments)
        if isinstance(wanted.base, ItemType):
            return self.written(wanted.base)
        return TypeExpression(position=0, name=wanted.base)


class TypeTable:
    """The types of one model by name. `imported` has the tables of imported models by their name here.

    With `standard` a context lacks no component, and a constraint that cannot be read is none.
    """

    def __init__(
        self,
        root: etree._Element,
        file: str,
        *,
        imported: "Mapping[str, TypeTable] | None" = None,
        standard: bool = False,
    ) -> None:
        self._place = Place(file=file)
        self._imported = imported or {}
        self._standard = standard
        self._definitions = {str(item.get("name")): item for item in children(root, "itemDefinition")}
        self._made: dict[str, ItemType] = {}
        self._open: list[str] = []
        self._properties: frozenset[str] | None = None
        self._expressions: dict[str, TypeExpression] | None = None
        for name in self._definitions:
            self.find(name, self._place)

    def names(self) -> tuple[str, ...]:
        """Return the names of the types that the model defines itself."""
        return tuple(self._definitions)

    def find(self, reference: str | None, place: Place) -> ItemType:
        """Return the type that a `typeRef` names; none at all is Any. Raises `ModelError` for an unknown one."""
        if reference is None or not reference.strip():
            return ANY
        name = " ".join(reference.split())
        found = self._own(name, place) or self._of_import(name, place)
        if found is not None:
            return found
        local = name.rpartition(":")[2].strip()
        built_in = base_name(local)
        if built_in in BASE_TYPES:
            return ANY if built_in == "any" else ItemType(name=built_in, base=built_in)
        found = self._own(local, place) if local != name else None
        if found is not None:
            return found
        close = difflib.get_close_matches(name, [*self._definitions, *sorted(BASE_TYPES)], n=1)
        hint = f"; did you mean `{close[0]}`" if close else ""
        raise ModelError(f"`{name}` is not a known type{hint}", place)

    def _own(self, name: str, place: Place) -> ItemType | None:
        if name not in self._definitions:
            return None
        if name not in self._made:
            if name in self._open:
                raise ModelError(f"the type `{name}` is made of itself", place)
            if len(self._open) > DEPTH_MAX:
                raise ModelError(f"the type `{name}` is nested more than {DEPTH_MAX} deep", place)
            self._open.append(name)
            self._make(self._definitions[name], replace(self._place, element=("type", name)), 0, name)
            self._open.pop()
        return self._made[name]

    def _of_import(self, name: str, place: Place) -> ItemType | None:
        """Return a type of an imported model, which the import's name stands before unless it is empty."""
        for alias, table in self._imported.items():
            if alias and not name.startswith(f"{alias}."):
                continue
            inner = name.removeprefix(f"{alias}.") if alias else name
            found = table._own(inner, place) or table._of_import(inner, place)
            if found is not None:
                return found
        return None

    def expressions(self) -> Mapping[str, TypeExpression]:
        """Return the types by the names that an expression may use, as it would write them out."""
        if self._expressions is None:
            writer = TypeWriter()
            own = {name: writer.written(self.find(name, self._place)) for name in self._definitions}
            for alias, table in self._imported.items():
                for name, inner in table.expressions().items():
                    if len(own) >= NAMES_MAX:
                        break
                    own.setdefault(f"{alias}.{name}" if alias else name, inner)
            self._expressions = own
        return self._expressions

    def _make(self, element: etree._Element, place: Place, depth: int, register: str | None = None) -> ItemType:
        """Return the type that an item definition or component describes, known by its name before it is complete."""
        name = str(element.get("name"))
        if depth > DEPTH_MAX:
            raise ModelError(f"the type `{name}` is nested more than {DEPTH_MAX} deep", place)
        parts = list(children(element, "itemComponent"))
        components: dict[str, ItemType] = {}
        made = self._bare(element, name, components if parts else None, place)
        constraint = self._tests(element, "typeConstraint", place)
        if constraint is not None:
            made = ItemType(name=name, base=made, allowed=constraint)
        if register is not None:
            self._made[register] = made
        for part in parts:
            components[str(part.get("name"))] = self._make(part, place, depth + 1)
        return made

    def _bare(
        self, element: etree._Element, name: str, components: dict[str, ItemType] | None, place: Place
    ) -> ItemType:
        """Return the type without the constraint on the whole of it."""
        collection = element.get("isCollection") == "true"
        allowed = self._tests(element, "allowedValues", place)
        if components is not None:
            return ItemType(
                name=name, components=components, collection=collection, allowed=allowed, complete=self._standard
            )
        function = child(element, "functionItem")
        if function is not None:
            return ItemType(
                name=name,
                base="function",
                collection=collection,
                parameters=tuple(
                    self.find(attribute(item, "typeRef"), place) for item in children(function, "parameters")
                ),
                output=self.find(attribute(function, "outputTypeRef"), place),
            )
        reference = child(element, "typeRef")
        base = self.find(None if reference is None else reference.text, place)
        return ItemType(name=name, base="any" if base is ANY else base, collection=collection, allowed=allowed)

    def _tests(self, element: etree._Element, kind: str, place: Place) -> UnaryTests | None:
        text = text_of(child(element, kind))
        if not text:
            return None
        try:
            return compile_unary_tests(text, unknown_nulls=not self._standard)
        except FeelError as error:
            if self._standard:
                return None
            raise at_place(error, place) from error

    def property_names(self) -> frozenset[str]:
        """Return the names of all components, which a path may read; those of imported models too."""
        if self._properties is None:
            found: set[str] = set()
            for element in self._definitions.values():
                parts = element.iter(f"{{{etree.QName(element).namespace}}}itemComponent")
                found.update(str(attribute(part, "name")) for part in parts)
            for table in self._imported.values():
                found |= table.property_names()
            self._properties = frozenset(found)
        return self._properties
