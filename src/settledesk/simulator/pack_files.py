"""The files of a pack that the simulator runs on: `simulator.toml`, `people.toml`, `lifecycle.toml`, `seeds/*.yaml`.

Their shape is checked here, unknown keys included; what they mean is checked where they are compiled.
"""

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

FILE_BYTES_MAX = 1_000_000
SEEDS_MAX = 1_000
_BASE_SEED = "base"

Name = Annotated[str, Field(min_length=1, max_length=200)]
Feel = Annotated[str, Field(min_length=1, max_length=4_000)]


class PackFileError(ValueError):
    """A file of the pack cannot be used; the text names the file, the place and what is wrong."""


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Derived(_Shape):
    """A field computed on arrival when absent: `by` names one of the simulator's functions, `of` the field it takes."""

    by: Name
    of: Name | None = None


class CollectionRule(_Shape):
    """What a collection does with a record that comes in."""

    kind: Name
    same_id: Literal["another", "equal", "merge"] = "another"
    unite: tuple[Name, ...] = ()
    arrival: Name | None = None
    numbers: frozenset[Name] = frozenset()
    initial: Mapping[str, str | int | bool] = {}
    derived: Mapping[str, Derived] = {}


class View(_Shape):
    """Records of `collection` that share all fields of at least one group with the record asked about."""

    collection: Name
    groups: tuple[tuple[Name, ...], ...]


class Verification(_Shape):
    """How a pending part of a record (a bank account of a vendor) is verified by call-back and a second person."""

    action: Name
    collection: Name
    parts: Name
    phone: Name
    status: Name = "status"
    pending: Name
    confirmed: Name
    superseded: Name
    declined: Name


class SimulatorFile(_Shape):
    """`simulator.toml`."""

    collections: Mapping[str, CollectionRule]
    views: Mapping[str, View] = {}
    verifications: Mapping[str, Verification] = {}


class Person(_Shape):
    """Somebody who works in the system of record."""

    name: Name
    role: Name
    email: Name | None = None


class Grant(_Shape):
    """What a person may decide. Without `max_amount` there is no limit; a limit is per currency."""

    user: Name
    actions: tuple[Name, ...]
    max_amount: Mapping[str, Decimal] | None = None
    own_orders_only: bool = False


class PeopleFile(_Shape):
    """`people.toml`."""

    users: Mapping[str, Person]
    grants: tuple[Grant, ...] = ()


class Authority(_Shape):
    """Which amount is compared with a person's limit (FEEL), and which guard stands behind `own_orders_only`."""

    amount: Feel
    own_orders: Name | None = None
    amount_by_action: Mapping[str, Feel] = {}


class Lookup(_Shape):
    """Records that guards may look at: all that the paths give, or with `one` the first of them or null."""

    paths: tuple[Name, ...]
    one: bool = False


class Guard(_Shape):
    """A condition in FEEL: `true` passes, `false` refuses with `refused`, null with `unknown`."""

    code: Name
    check: Feel
    refused: Name
    unknown: Name


class Transition(_Shape):
    """From one of the states to another by an action. Those `by` the system are no commands."""

    action: Name
    from_: tuple[Name, ...] = Field(alias="from")
    to: Name
    by: Literal["person", "system"] = "person"
    guards: tuple[Name, ...] = ()
    set: Mapping[str, Feel] = {}


class LifecycleFile(_Shape):
    """`lifecycle.toml`."""

    subjects: tuple[Name, ...]
    initial: Name
    states: tuple[Name, ...]
    final: tuple[Name, ...]
    authority: Authority
    lookups: Mapping[str, Lookup] = {}
    guards: Mapping[str, Guard] = {}
    transitions: tuple[Transition, ...]


class SeedDocument(_Shape):
    """One document of a seed: a template with values over it; `state` sets a status other than the initial one."""

    use: Name
    with_: Mapping[str, Any] = Field(default={}, alias="with")
    state: Name | None = None


class Seed(_Shape):
    """A starting situation. `facts` gives for each fact the ids that are equally good evidence of it."""

    name: Name
    about: Name
    documents: tuple[SeedDocument, ...]
    subject: Name
    facts: Mapping[str, tuple[Name, ...]] = {}
    texts: Mapping[str, str] = {}


class Template(_Shape):
    """A record that seeds start from; `each` completes every element of a list."""

    collection: Name
    record: Mapping[str, Any]
    each: Mapping[str, Mapping[str, Any]] = {}


class BaseSeed(_Shape):
    """`seeds/base.yaml`."""

    templates: Mapping[str, Template]


class PackFiles(_Shape):
    """All of them."""

    simulator: SimulatorFile
    people: PeopleFile
    lifecycle: LifecycleFile
    templates: Mapping[str, Template] = {}
    seeds: Mapping[str, Seed] = {}


_File = TypeVar("_File", bound=_Shape)


def read_pack_files(pack: Path) -> PackFiles:
    """Read the simulator's files of the pack in that folder; raises `PackFileError`."""
    seeds = pack / "seeds"
    base = _read(seeds / f"{_BASE_SEED}.yaml", BaseSeed) if seeds.is_dir() else BaseSeed(templates={})
    return PackFiles(
        simulator=_read(pack / "simulator.toml", SimulatorFile),
        people=_read(pack / "people.toml", PeopleFile),
        lifecycle=_read(pack / "lifecycle.toml", LifecycleFile),
        templates=base.templates,
        seeds=_read_seeds(seeds),
    )


def _read_seeds(folder: Path) -> dict[str, Seed]:
    files = sorted(folder.glob("*.yaml")) if folder.is_dir() else []
    if len(files) > SEEDS_MAX:
        raise PackFileError(f"`{folder.name}` holds more than {SEEDS_MAX} seeds")
    seeds = {}
    for file in files:
        if file.stem == _BASE_SEED:
            continue
        seed = _read(file, Seed)
        if seed.name != file.stem:
            raise PackFileError(f"`{file.name}` holds a seed named `{seed.name}`, a seed's file carries its name")
        seeds[seed.name] = seed
    return seeds


def _read(file: Path, shape: type[_File]) -> _File:
    try:
        data = file.read_bytes()
        if len(data) > FILE_BYTES_MAX:
            raise PackFileError(f"`{file.name}` is larger than {FILE_BYTES_MAX} bytes")
        text = data.decode("utf-8")
        return shape.model_validate(tomllib.loads(text) if file.suffix == ".toml" else yaml.safe_load(text))
    except FileNotFoundError as error:
        raise PackFileError(f"`{file.name}` is missing in the pack's folder `{file.parent.name}`") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise PackFileError(f"`{place}` in `{file.name}` is not usable: {first['msg'].lower()}") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, yaml.YAMLError) as error:
        raise PackFileError(f"`{file.name}` cannot be read: {error}") from error
