"""Load a pack from its folder, check that its parts agree, and hash its content.

Everything that is wrong is collected and told at once; each problem names its file.
"""

import hashlib
import tomllib
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from settledesk.decisions import Model, ModelError, load_model
from settledesk.packs.check import check_parts
from settledesk.packs.errors import MissingPackError, PackError
from settledesk.packs.letters import LetterTemplates, parse_letter
from settledesk.packs.pack import Pack
from settledesk.packs.readings import ReadingSpec
from settledesk.packs.spec import FactSpec, PackFile, PeopleFile, ToleranceSpec

T = TypeVar("T")

TABLES = ("needs", "resolution", "combine", "closure")
_HASHED = ("*.toml", "decisions/*.dmn", "letters/*.j2", "readings/*.toml", "policy/*.rego")
_NOT_BEHAVIOUR = frozenset({"simulator.toml"})


def load_pack(folder: Path) -> Pack:
    """Load and check the pack in `folder`; raises `PackError` listing every problem."""
    if not (folder / "pack.toml").is_file():
        raise MissingPackError(f"`{folder}` is not a pack: it has no pack.toml")
    file = _toml(folder / "pack.toml", PackFile)
    pack = Pack(
        folder=folder,
        file=file,
        facts=_toml(folder / "facts.toml", dict[str, FactSpec]),
        tables={name: _table(folder, name) for name in TABLES},
        tolerances=tuple(_toml(folder / "tolerances.toml", dict[str, list[ToleranceSpec]]).get("tolerances", ())),
        rationales=_toml(folder / "rationales.toml", dict[str, str]),
        letters=_letters(folder),
        readings={path.stem: _toml(path, ReadingSpec) for path in sorted(folder.glob("readings/*.toml"))},
        people=_toml(folder / "people.toml", PeopleFile).users,
        content_hash=_hash(folder, _HASHED),
        tables_hash=_hash(folder, ("decisions/*.dmn",)),
    )
    problems = check_parts(pack)
    if problems:
        raise PackError(
            f"the pack `{folder}` does not hold together:\n" + "\n".join(f"  - {item}" for item in problems)
        )
    return pack


def _toml(path: Path, shape: type[T]) -> T:
    try:
        data = tomllib.loads(_text(path))
        return TypeAdapter(shape).validate_python(data)
    except tomllib.TOMLDecodeError as error:
        raise PackError(f"`{path}` is not TOML: {error}") from error
    except ValidationError as error:
        raise PackError(f"`{path}`: {_first_problem(error)}") from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise PackError(f"the pack has no `{path.name}`: write {path}") from error
    except UnicodeDecodeError as error:
        raise PackError(f"`{path}` is not UTF-8 text: byte {error.start} cannot be read") from error
    except OSError as error:
        raise PackError(f"`{path}` cannot be read: {error.strerror}") from error


def _first_problem(error: ValidationError) -> str:
    parts = [f"{'.'.join(str(step) for step in item['loc'])}: {item['msg']}" for item in error.errors()]
    return "; ".join(parts)


def _table(folder: Path, name: str) -> Model:
    path = folder / "decisions" / f"{name}.dmn"
    try:
        return load_model(path)
    except FileNotFoundError as error:
        raise PackError(f"the pack has no table `{name}`: write {path}") from error
    except OSError as error:
        raise PackError(f"`{path}` cannot be read: {error.strerror}") from error
    except ModelError as error:
        raise PackError(str(error)) from error


def _letters(folder: Path) -> LetterTemplates:
    templates = {}
    for path in sorted(folder.glob("letters/*.md.j2")):
        name = path.name.removesuffix(".md.j2")
        templates[name] = parse_letter(name, _text(path))
    return LetterTemplates(templates=templates)


def _hash(folder: Path, patterns: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    paths = sorted({path for pattern in patterns for path in folder.glob(pattern)})
    for path in paths:
        if path.name in _NOT_BEHAVIOUR or path.name.endswith("_test.rego"):
            continue
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()
