"""Reads through the ERP port: each tried several times, a failure is Unread and never an empty answer."""

import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import regex

from settledesk.matching.assessment import Read, ReadRecords, Record, Unread
from settledesk.packs import ReadSpec
from settledesk.ports import Erp, ErpUnavailableError

_PLACEHOLDER = regex.compile(r"\{([a-z_]+)(?:\.([a-z_.+]+))?\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What was read, by the names of the pack's reads, and which reads failed every time."""

    reads: Mapping[str, Read]
    failed: tuple[str, ...]


async def gather(erp: Erp, specs: tuple[ReadSpec, ...], *, subject: str, tries_max: int) -> Gathered:
    """Do the pack's reads in order for one subject.

    A path whose value is absent (no order is cited) is not read: no records, known. A path that hangs on a read which
    failed is itself unread. Reads of one name are joined.
    """
    reads: dict[str, Read] = {}
    failed = []
    kind = subject.partition(":")[0]
    for spec in specs:
        if spec.kind not in (None, kind):
            continue
        found = await _read_one(erp, spec, reads, subject=subject, tries_max=tries_max)
        if isinstance(found, Unread):
            failed.append(spec.name)
        reads[spec.name] = _joined(reads.get(spec.name), found)
    return Gathered(reads=reads, failed=tuple(failed))


def _joined(before: Read | None, found: Read) -> Read:
    """Return two reads of one name as one: all their records, unread if either failed."""
    if not isinstance(before, ReadRecords) or isinstance(found, Unread):
        return before if isinstance(before, Unread) else found
    records = {record["id"]: record for record in (*before.records, *found.records)}
    return ReadRecords(records=tuple(records.values()))


async def _read_one(erp: Erp, spec: ReadSpec, reads: Mapping[str, Read], *, subject: str, tries_max: int) -> Read:
    paths = _paths(spec.path, reads, subject)
    if isinstance(paths, Unread):
        return paths
    records: dict[str, Record] = {}
    for path in paths:
        found = await _try(erp, path, tries_max)
        if isinstance(found, Unread):
            return Unread(reason=f"{spec.name.replace('_', ' ')} could not be read: {found.reason}")
        records.update((record["id"], record) for record in found.records)
    return ReadRecords(records=tuple(records.values()))


async def _try(erp: Erp, path: str, tries_max: int) -> Read:
    reason = ""
    for _ in range(tries_max):
        try:
            return ReadRecords(records=await erp.read(path))
        except ErpUnavailableError as error:
            reason = str(error)
    return Unread(reason=f"{reason} ({tries_max} tries)")


def _paths(template: str, reads: Mapping[str, Read], subject: str) -> tuple[str, ...] | Unread:
    """Fill the template: one path per distinct value, none if the value is absent."""
    match = _PLACEHOLDER.search(template)
    if match is None:
        return (template,)
    name, fields = match.group(1), match.group(2)
    if fields is None:
        values: tuple[str, ...] = (subject,)
    else:
        source = reads.get(name, Unread(reason=f"{name} was not asked for"))
        if isinstance(source, Unread):
            return Unread(reason=f"it hangs on {name.replace('_', ' ')}, which was not read")
        values = _values(source.records, fields)
    paths: list[str] = []
    for value in values:
        filled = template[: match.start()] + urllib.parse.quote(value, safe="") + template[match.end() :]
        rest = _paths(filled, reads, subject)
        if isinstance(rest, Unread):
            return rest
        paths.extend(rest)
    return tuple(paths)


def _values(records: tuple[Record, ...], fields: str) -> tuple[str, ...]:
    """Return the distinct values of `a+b.c`: field `a`, and field `c` inside list `b`, of every record."""
    found: dict[str, None] = {}
    for path in fields.split("+"):
        for record in records:
            for value in _walk(record, path.split(".")):
                if value is not None:
                    found[str(value)] = None
    return tuple(found)


def _walk(value: Any, steps: list[str]) -> list[Any]:
    if isinstance(value, list | tuple):
        return [item for part in value for item in _walk(part, steps)]
    if not steps:
        return [value]
    if isinstance(value, Mapping):
        return _walk(value.get(steps[0]), steps[1:])
    return []
