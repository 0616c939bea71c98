"""Imports of models: finding each imported file, reading it once, and refusing circles."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from lxml import etree

from settledesk.decisions.errors import ModelError, Place
from settledesk.decisions.source import FILE_BYTES_MAX, NAMESPACES, attribute, children, parse_model
from settledesk.feel.names import spelling

FOLDER_FILES_MAX = 500
"""Files of a folder in which an imported namespace is looked for."""
IMPORTS_MAX = 200
"""Models that one model may import, itself or through others."""
DEPTH_MAX = 30

Given: TypeAlias = Mapping[str, Path | bytes]
"""Imported models by their namespace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """A parsed file. `imports` are the imported models by the name that expressions use; it may be empty."""

    root: etree._Element
    file: str
    namespace: str
    imports: Mapping[str, "ModelFile"]


@dataclass(slots=True, kw_only=True)
class ImportReader:
    """Reads a model with all that it imports.

    An imported model is one of `given`, by namespace; else, in the folder of the importing file, the one that the
    import's `locationURI` names; else the one whose namespace it is.
    """

    given: Given
    standard: bool = False
    _read: dict[str, ModelFile] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)

    def read(self, content: bytes, file: str, folder: Path | None) -> ModelFile:
        """Parse a model and its imports; raises `ModelError` for a circle, a missing model or a name used twice."""
        root = parse_model(content, file)
        namespace = attribute(root, "namespace") or ""
        place = Place(file=file)
        if len(self._open) > DEPTH_MAX or len(self._read) > IMPORTS_MAX:
            raise ModelError(f"models import one another more than {DEPTH_MAX} deep or {IMPORTS_MAX} in all", place)
        self._open.append(namespace)
        imports: dict[str, ModelFile] = {}
        for element in children(root, "import"):
            if not self._is_model(element, place):
                continue
            name = spelling(attribute(element, "name") or "")
            if name in imports:
                raise ModelError(f"two imports have the name `{name}`", place)
            imports[name] = self._imported(element, folder, place)
        self._open.pop()
        return ModelFile(root=root, file=file, namespace=namespace, imports=imports)

    def _is_model(self, element: etree._Element, place: Place) -> bool:
        kind = attribute(element, "importType") or ""
        if kind in NAMESPACES or not kind or "/DMN/" in kind:
            return True
        if self.standard:
            return False
        raise ModelError(f"an import of the type `{kind}` is not read: only models can be imported", place)

    def _imported(self, element: etree._Element, folder: Path | None, place: Place) -> ModelFile:
        namespace = attribute(element, "namespace") or ""
        if namespace in self._open:
            circle = " -> ".join(f"`{step}`" for step in (*self._open[self._open.index(namespace) :], namespace))
            raise ModelError(f"models import one another in a circle: {circle}", place)
        if namespace not in self._read:
            content, file, inner = self._find(namespace, attribute(element, "locationURI"), folder, place)
            found = self.read(content, file, inner)
            if found.namespace != namespace:
                raise ModelError(f"`{file}` was imported as `{namespace}` but is `{found.namespace}`", place)
            self._read[namespace] = found
        return self._read[namespace]

    def _find(
        self, namespace: str, location: str | None, folder: Path | None, place: Place
    ) -> tuple[bytes, str, Path | None]:
        """Return the content of an imported model, its name for messages, and its folder."""
        given = self.given.get(namespace)
        if isinstance(given, bytes):
            return given, namespace, folder
        path = given if given is not None else _located(folder, location, namespace) or _by_namespace(folder, namespace)
        if path is None:
            where = "" if folder is None else f" among the models beside `{place.file}`"
            raise ModelError(f"the imported model `{namespace}` was not found{where}", place)
        try:
            return path.read_bytes(), str(path), path.parent
        except OSError as error:
            raise ModelError(f"the imported model `{namespace}` cannot be read: {error}", place) from error


def _located(folder: Path | None, location: str | None, namespace: str) -> Path | None:
    """Return the file that a location names, if it lies in the folder or below and holds that namespace."""
    if folder is None or not location or "://" in location:
        return None
    path = folder / location
    inside = path.resolve().is_relative_to(folder.resolve())
    return path if inside and path.is_file() and _namespace(path) == namespace else None


def _by_namespace(folder: Path | None, namespace: str) -> Path | None:
    if folder is None:
        return None
    files = sorted(path for path in folder.glob("*.dmn") if path.is_file())
    return next((path for path in files[:FOLDER_FILES_MAX] if _namespace(path) == namespace), None)


def _namespace(path: Path) -> str | None:
    """Return the namespace that a file's model declares, or `None` if it holds no readable one."""
    try:
        if path.stat().st_size > FILE_BYTES_MAX:
            return None
        return attribute(parse_model(path.read_bytes(), str(path)), "namespace")
    except (ModelError, OSError):
        return None
