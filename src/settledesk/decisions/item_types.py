"""Item definitions: the types of a model, and how a value is made to conform to one."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from lxml import etree

from settledesk.decisions.errors import ModelError, Place, at_place
from settledesk.decisions.source import attribute, child, children, text_of
from settledesk.feel import FeelError, UnaryTests, compile_unary_tests
from settledesk.feel.types import BASE_TYPES, base_name
from settledesk.feel.values import type_name

DEPTH_MAX = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemType:
    """A type: a built-in one, one with components, or one that is made of another by a list or by allowed values."""

    name: str
    base: "str | ItemType" = "any"
    components: Mapping[str, "ItemType"] | None = None
    collection: bool = False
    allowed: UnaryTests | None = None


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
        value = _conform_components(value, wanted.components, wanted.name)
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
    if type(value) is list and len(value) == 1 and type_name(value[0]) == base:
        return value[0]
    if base == "date and time" and type(value) is date:
        return datetime(value.year, value.month, value.day)  # noqa: DTZ001
    raise NotConformingError(f"a {base} is needed, but `{_short(value)}` is a {found}")


def _conform_components(value: Any, components: Mapping[str, ItemType], name: str) -> Any:
    if type(value) is list and len(value) == 1:
        value = value[0]
    if type(value) is not dict:
        raise NotConformingError(f"a `{name}` is needed, but `{_short(value)}` is a {type_name(value)}")
    made = dict(value)
    for key, component in components.items():
        if key in value:
            made[key] = conform(value[key], component)
    return made


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "…"


class TypeTable:
    """The types of one model by name."""

    def __init__(self, root: etree._Element, file: str) -> None:
        self._place = Place(file=file)
        self._definitions = {str(item.get("name")): item for item in children(root, "itemDefinition")}
        self._made: dict[str, ItemType] = {}
        for name in self._definitions:
            self.find(name, self._place)

    def find(self, reference: str | None, place: Place, depth: int = 0) -> ItemType:
        """Return the type that a `typeRef` names; none at all is Any. Raises `ModelError` for an unknown one."""
        if reference is None:
            return ANY
        name = reference.strip()
        if name in self._definitions:
            if name not in self._made:
                self._made[name] = self._make(self._definitions[name], place, depth)
            return self._made[name]
        built_in = base_name(name.rpartition(":")[2])
        if built_in in BASE_TYPES:
            return ItemType(name=built_in, base=built_in)
        close = difflib.get_close_matches(name, [*self._definitions, *sorted(BASE_TYPES)], n=1)
        hint = f"; did you mean `{close[0]}`" if close else ""
        raise ModelError(f"`{name}` is not a known type{hint}", place)

    def _make(self, element: etree._Element, place: Place, depth: int) -> ItemType:
        name = str(element.get("name"))
        if depth > DEPTH_MAX:
            raise ModelError(f"the type `{name}` is made of itself, or nested more than {DEPTH_MAX} deep", place)
        collection = element.get("isCollection") == "true"
        parts = list(children(element, "itemComponent"))
        allowed = self._allowed(element, place)
        if parts:
            components = {str(part.get("name")): self._make(part, place, depth + 1) for part in parts}
            return ItemType(name=name, components=components, collection=collection, allowed=allowed)
        if child(element, "functionItem") is not None:
            return ItemType(name=name, base="function", collection=collection)
        reference = child(element, "typeRef")
        base = self.find(None if reference is None else reference.text, place, depth + 1)
        return ItemType(name=name, base=base, collection=collection, allowed=allowed)

    def _allowed(self, element: etree._Element, place: Place) -> UnaryTests | None:
        text = text_of(child(element, "allowedValues")) or text_of(child(element, "typeConstraint"))
        if not text:
            return None
        try:
            return compile_unary_tests(text)
        except FeelError as error:
            raise at_place(error, place) from error

    def property_names(self) -> Iterator[str]:
        """Return the names of all components, which a path may read."""
        for element in self._definitions.values():
            for part in element.iter(f"{{{etree.QName(element).namespace}}}itemComponent"):
                yield str(attribute(part, "name"))
