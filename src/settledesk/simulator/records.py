"""Records in memory, by id and by equality of fields. A record is replaced as a whole, never changed in place."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from settledesk.matching.assessment import Record

Key: TypeAlias = str | Decimal
_Index: TypeAlias = dict[tuple[Key, ...], dict[str, None]]


def values_at(record: Mapping[str, Any], path: str) -> tuple[Any, ...]:
    """Return the scalars at a dotted path; a list on the way gives one value per element (`lines.po_number`).

    Absent and `null` give nothing: an unknown value equals no other.
    """
    found: list[Any] = [record]
    for name in path.split("."):
        found = [item[name] for value in found for item in _flat(value) if isinstance(item, Mapping) and name in item]
    return tuple(value for item in found for value in _flat(item) if not isinstance(value, Mapping | None))


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _flat(item)
    elif value is not None:
        yield value


class Collection:
    """The records of one collection in the order they came in, with an index for every set of fields ever asked."""

    def __init__(self, *, numbers: frozenset[str] = frozenset()) -> None:
        self._numbers = numbers
        self._records: dict[str, Record] = {}
        self._places: dict[str, int] = {}
        self._indexes: dict[tuple[str, ...], _Index] = {}

    def get(self, record_id: str) -> Record | None:
        """Return the record with that id, or none."""
        return self._records.get(record_id)

    def put(self, record: Record) -> None:
        """Add the record, or replace the one with its id (it keeps its place in the order)."""
        old = self._records.get(record["id"])
        self._records[record["id"]] = record
        self._places.setdefault(record["id"], len(self._places))
        for fields, index in self._indexes.items():
            if old is not None:
                for key in self._keys(old, fields):
                    index.get(key, {}).pop(record["id"], None)
            for key in self._keys(record, fields):
                index.setdefault(key, {})[record["id"]] = None

    def equal(self, conditions: Mapping[str, Any]) -> tuple[Record, ...]:
        """Return the records of which every field named equals its value, in the order they came in."""
        fields = tuple(sorted(conditions))
        if not fields:
            return tuple(self._records.values())
        wanted = tuple(self.key_of(field, conditions[field]) for field in fields)
        ids = self._index(fields).get(wanted, {})
        return self.in_order(ids)

    def in_order(self, ids: Iterable[str]) -> tuple[Record, ...]:
        """Return the records of these ids in the order they came in."""
        return tuple(self._records[record_id] for record_id in sorted(ids, key=self._places.__getitem__))

    def key_of(self, field: str, value: Any) -> Key:
        """Return the value in the form in which it is compared: numbers by value, all else as text."""
        if isinstance(value, bool):
            return "true" if value else "false"
        text = str(value)
        if field in self._numbers:
            try:
                return Decimal(text).normalize()
            except InvalidOperation:
                return text
        return text

    def __len__(self) -> int:
        return len(self._records)

    def _index(self, fields: tuple[str, ...]) -> _Index:
        index = self._indexes.get(fields)
        if index is None:
            index = self._indexes[fields] = {}
            for record in self._records.values():
                for key in self._keys(record, fields):
                    index.setdefault(key, {})[record["id"]] = None
        return index

    def _keys(self, record: Record, fields: Sequence[str]) -> Iterable[tuple[Key, ...]]:
        keys: list[tuple[Key, ...]] = [()]
        for field in fields:
            values = {self.key_of(field, value): None for value in values_at(record, field)}
            keys = [(*key, value) for key in keys for value in values]
        return keys
