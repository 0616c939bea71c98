"""Read paths: `/api/{collection}/{id}`, `/api/{collection}?field=value&…`, `/api/views/{view}/{id}`."""

from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import parse_qsl, quote, unquote

from settledesk.ports import ErpUnavailableError

PATH_CHARACTERS_MAX = 8_192
FIELDS_MAX = 16
_ROOT = "/api/"
_VIEWS = "views"


class UnknownPathError(ErpUnavailableError):
    """Nothing is served at this path. It counts as a read that failed: a wrong path must never look like 'none'."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneRecord:
    """`/api/{collection}/{id}`."""

    collection: str
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualFields:
    """`/api/{collection}?field=value&…`; without a query, all records of the collection."""

    collection: str
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewOf:
    """`/api/views/{view}/{id}`."""

    view: str
    id: str


ReadPath: TypeAlias = OneRecord | EqualFields | ViewOf


def parse_path(path: str) -> ReadPath:
    """Read a path as it was asked, still percent-encoded; raises `UnknownPathError`."""
    if len(path) > PATH_CHARACTERS_MAX:
        raise UnknownPathError(f"a path may have at most {PATH_CHARACTERS_MAX} characters, this one has {len(path)}")
    place, _, query = path.partition("?")
    if not place.startswith(_ROOT):
        raise unknown_path(path)
    match [unquote(part) for part in place.removeprefix(_ROOT).split("/")]:
        case [name, view, record_id] if name == _VIEWS and not query:
            return ViewOf(view=view, id=record_id)
        case [collection, record_id] if not query and record_id:
            return OneRecord(collection=collection, id=record_id)
        case [collection] if collection:
            return EqualFields(collection=collection, fields=_fields(query, path))
    raise unknown_path(path)


def unknown_path(path: str) -> UnknownPathError:
    """Return the error for a path that names nothing."""
    return UnknownPathError(f"`{path}` is not a path of this system, see the pack's simulator.toml for what there is")


def quoted(value: str) -> str:
    """Percent-encode one value for use in a path or a query."""
    return quote(value, safe="")


def _fields(query: str, path: str) -> tuple[tuple[str, str], ...]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=FIELDS_MAX)
    except ValueError as error:
        raise UnknownPathError(f"the query of `{path}` cannot be read: {error}") from error
    if len({name for name, _ in pairs}) != len(pairs):
        raise UnknownPathError(f"the query of `{path}` names a field twice")
    return tuple(pairs)
