"""The elements of a model's requirement graph: decisions, business knowledge models, decision services.

Each has a key: its name, or `{namespace}name` for an element of an imported model. Expressions name a required element
by a path: its name alone, or for an imported one the import's name first.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from settledesk.decisions.item_types import ItemType
from settledesk.decisions.logic import FunctionLogic, Logic

Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision. `inputs` are the keys of input data that it needs, itself or through others.

    `paths` says how expressions name the required elements whose path is not their key.
    """

    name: str
    type: ItemType
    logic: Logic | None
    requires_inputs: tuple[str, ...]
    requires_decisions: tuple[str, ...]
    requires_functions: tuple[str, ...]
    inputs: tuple[str, ...]
    paths: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """A business knowledge model; it sees itself and the functions that it requires."""

    name: str
    logic: FunctionLogic
    requires_functions: tuple[str, ...]
    paths: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a decision service: input data, or a decision whose value the caller gives."""

    name: str
    key: str
    is_decision: bool
    type: ItemType


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A decision service. `outputs` are keys and names; with one of them its value is the service's."""

    name: str
    parameters: tuple[Parameter, ...]
    outputs: tuple[tuple[str, str], ...]
    result: ItemType


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """All elements of a model and of those that it imports, by key."""

    input_types: Mapping[str, ItemType]
    decisions: Mapping[str, Decision]
    functions: Mapping[str, Knowledge]
    services: Mapping[str, Service]


def own_name(key: str) -> str:
    """Return the name of an element without the namespace of its model."""
    return key.rpartition("}")[2] if key.startswith("{") else key
