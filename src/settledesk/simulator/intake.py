"""What a record becomes when it comes in: an id of its own, an initial state, computed fields; or part of another."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from settledesk.matching.assessment import Record
from settledesk.matching.normal import look_alike_key, number_key
from settledesk.ports import ErpUnavailableError
from settledesk.simulator.pack_files import CollectionRule, Derived, PackFileError
from settledesk.simulator.records import values_at

DEPTH_MAX = 20
SAME_ID_MAX = 100
"""How many ids are tried with a number behind them, before a document's place in the order makes its id."""

Find: TypeAlias = Callable[[str], Record | None]


class RefusedIntakeError(ErpUnavailableError):
    """A document cannot be taken in; nothing of its batch was. The text names the document and what is wrong."""


def _content_hash(record: Record) -> str:
    return hashlib.sha256(_content(record).encode()).hexdigest()


_FUNCTIONS: Mapping[str, Callable[[Any], Any]] = {
    "number_key": number_key,
    "look_alike_key": look_alike_key,
    "content_hash": _content_hash,
}


def check_derived(collection: str, rule: CollectionRule) -> None:
    """Raise `PackFileError` if a derived field names a function that the simulator does not have."""
    for field, derived in rule.derived.items():
        if derived.by not in _FUNCTIONS:
            place = f"collections.{collection}.derived.{field}"
            known = ", ".join(sorted(_FUNCTIONS))
            raise PackFileError(f"`{place}` in `simulator.toml` names `{derived.by}`, known are: {known}")


def check_record(record: Record, rule: CollectionRule, collection: str) -> None:
    """Raise `RefusedIntakeError` unless the record has an id and the collection's kind, and no float anywhere."""
    record_id = record.get("id")
    if not isinstance(record_id, str) or not record_id or record.get("kind") != rule.kind:
        raise RefusedIntakeError(f"a record for `{collection}` needs an `id` and the kind `{rule.kind}`")
    _check_value(record, record_id, 0)


def _check_value(value: Any, record_id: str, depth: int) -> None:
    # By exact type and the commonest first: a folder of documents has a million values.
    kind = type(value)
    if kind is str or value is None or kind is int or kind is bool:
        return
    if depth > DEPTH_MAX:
        raise RefusedIntakeError(f"`{record_id}` is nested more than {DEPTH_MAX} levels deep (`DEPTH_MAX`)")
    if kind is dict or isinstance(value, Mapping):
        for item in value.values():
            _check_value(item, record_id, depth + 1)
    elif kind is list or kind is tuple:
        for item in value:
            _check_value(item, record_id, depth + 1)
    else:
        raise RefusedIntakeError(f"`{record_id}` holds a {kind.__name__}, numbers travel as decimal text")


def arrive(
    record: Record, *, rule: CollectionRule, state: Mapping[str, Any], find: Find, arrival: int
) -> Record | None:
    """Return the record as it is stored, or none if it adds nothing to what is there.

    `state` is set whatever the document says; `find` gives the record of an id; `arrival` is its place in the order.
    """
    there = find(record["id"])
    if there is not None and there.get("kind") != rule.kind:
        raise RefusedIntakeError(f"the id `{record['id']}` is taken by a record of another kind")
    if there is not None and rule.same_id == "merge":
        merged = _merge(there, record, rule.unite)
        return None if merged == there else merged
    complete = {**record, **rule.initial, **state}
    for field, derived in rule.derived.items():
        if complete.get(field) is None:
            complete[field] = _derive(derived, record)
    for record_id in _candidate_ids(record["id"], arrival):
        there = find(record_id)
        if there is None:
            place = {} if rule.arrival is None else {rule.arrival: arrival}
            return {**complete, **place, "id": record_id}
        if rule.same_id == "equal" and _same(complete, there):
            return None
    raise RefusedIntakeError(f"the id `{record['id']}` is taken in every form that was tried")


def _merge(there: Record, record: Record, unite: tuple[str, ...]) -> Record:
    merged = dict(there)
    for field in unite:
        merged[field] = list(dict.fromkeys([*(there.get(field) or ()), *(record.get(field) or ())]))
    return merged


def _derive(derived: Derived, record: Record) -> Any:
    function = _FUNCTIONS[derived.by]
    if derived.of is None:
        return function(record)
    values = values_at(record, derived.of)
    return function(values[0]) if values else None


def _candidate_ids(record_id: str, arrival: int) -> Iterator[str]:
    yield record_id
    for number in range(2, SAME_ID_MAX + 1):
        yield f"{record_id}~{number}"
    # However many documents claim one id, the next is still taken in: refusing it would refuse its whole batch.
    yield f"{record_id}~n{arrival}"


def _same(record: Record, there: Record) -> bool:
    return _content(record) == _content(there)


def _content(record: Record) -> str:
    return json.dumps({name: value for name, value in record.items() if name != "id"}, sort_keys=True)


def scalars(record: Record) -> dict[str, Any]:
    """Return the top-level fields that are no lists and no objects, as an event carries them."""
    return {name: value for name, value in record.items() if not isinstance(value, Mapping | list | tuple)}
