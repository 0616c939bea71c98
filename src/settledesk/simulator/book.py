"""The book of records: in memory for reading and in the ledger for good, kept in step, one commit per change."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from settledesk.matching.assessment import Record
from settledesk.simulator.intake import RefusedIntakeError, arrive, check_derived, check_record, scalars
from settledesk.simulator.ledger import Ledger
from settledesk.simulator.pack_files import PackFileError, PackFiles
from settledesk.simulator.paths import EqualFields, OneRecord, ViewOf, parse_path, unknown_path
from settledesk.simulator.records import Collection, values_at

INTAKE_DOCUMENTS_MAX = 200_000
RECEIVED = "document.received"
STATUS = "status"
VERSION = "version"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A record on its way in; without a `key` it is never taken for a repeat. `state` overrides the initial one."""

    collection: str
    record: Record
    key: str | None = None
    state: Mapping[str, Any] | None = None


class Book:
    """All records, by the rules of the pack's `simulator.toml`."""

    def __init__(self, files: PackFiles, ledger: Ledger) -> None:
        """Load what the ledger holds; raises `PackFileError` for a collection that the pack does not have."""
        self._files = files
        self._rules = files.simulator.collections
        self._ledger = ledger
        self._numbers = {rule.kind: rule.numbers for rule in self._rules.values()}
        self._collections: dict[str, Collection] = {}
        self._home: dict[str, str] = {}
        self.load()

    def load(self) -> None:
        """Read everything from the ledger anew."""
        self._collections = {name: Collection(numbers=rule.numbers) for name, rule in self._rules.items()}
        self._home = {}
        for collection, record in self._ledger.records():
            self.keep(collection, record)

    def keep(self, collection: str, record: Record) -> None:
        """Take over a record that was committed."""
        if collection not in self._collections:
            raise PackFileError(f"the simulator's file holds `{collection}`, which `simulator.toml` does not have")
        self._collections[collection].put(record)
        self._home[record["id"]] = collection

    def find(self, record_id: str) -> Record | None:
        """Return the record with that id, or none."""
        home = self._home.get(record_id)
        return None if home is None else self._collections[home].get(record_id)

    def home(self, record_id: str) -> str | None:
        """Return the collection that holds the record of that id, or none."""
        return self._home.get(record_id)

    def numbers(self, record: Record) -> frozenset[str]:
        """Return which fields of the record are numbers."""
        return self._numbers.get(record.get("kind", ""), frozenset())

    def read(self, path: str) -> tuple[Record, ...]:
        """Return the records at `path`; raises `UnknownPathError`."""
        match parse_path(path):
            case OneRecord(collection=name, id=record_id) if name in self._collections:
                record = self._collections[name].get(record_id)
                return () if record is None else (record,)
            case EqualFields(collection=name, fields=fields) if name in self._collections:
                return self._collections[name].equal(dict(fields))
            case ViewOf(view=name, id=record_id) if name in self._files.simulator.views:
                return self._view(name, record_id)
        raise unknown_path(path)

    def _view(self, name: str, record_id: str) -> tuple[Record, ...]:
        view = self._files.simulator.views[name]
        collection = self._collections[view.collection]
        record = self.find(record_id)
        if record is None:
            return ()
        found: dict[str, None] = {}
        for group in view.groups:
            values = {field: values_at(record, field)[:1] for field in group}
            if all(value not in ((), ("",)) for value in values.values()):
                equal = collection.equal({field: value[0] for field, value in values.items()})
                found.update(dict.fromkeys(other["id"] for other in equal))
        found.pop(record_id, None)
        return collection.in_order(found)

    def take_in(self, arrivals: Sequence[Arrival]) -> list[str | None]:
        """Take records in as one commit; returns for each the id it got, or none if it had no effect.

        Raises `RefusedIntakeError`, and then nothing was taken in.
        """
        if len(arrivals) > INTAKE_DOCUMENTS_MAX:
            raise RefusedIntakeError(f"at most {INTAKE_DOCUMENTS_MAX} documents at once (`INTAKE_DOCUMENTS_MAX`)")
        staged: dict[str, tuple[str, Record]] = {}
        with self._ledger.transaction():
            ids = [self._take_in_one(arrival, staged) for arrival in arrivals]
        for collection, record in staged.values():
            self.keep(collection, record)
        return ids

    def _take_in_one(self, arrival: Arrival, staged: dict[str, tuple[str, Record]]) -> str | None:
        rule = self._rules.get(arrival.collection)
        if rule is None:
            raise RefusedIntakeError(f"`{arrival.collection}` is not a collection of this system")
        check_record(arrival.record, rule, arrival.collection)
        if arrival.key is not None and self._ledger.was_taken_in(arrival.key) is not None:
            return None
        place = self._ledger.next_place()
        record = arrive(
            arrival.record,
            rule=rule,
            state=self._initial(arrival),
            find=lambda record_id: staged[record_id][1] if record_id in staged else self.find(record_id),
            arrival=place,
        )
        if arrival.key is not None:
            self._ledger.write_intake(arrival.key, str((record or arrival.record)["id"]))
        if record is None:
            return None
        staged[record["id"]] = (arrival.collection, record)
        self._ledger.write_record(arrival.collection, record)
        payload = {"collection": arrival.collection, **scalars(record)}
        cause = arrival.key if arrival.key is not None else f"post:{place}:{record['id']}"
        self._ledger.publish(RECEIVED, payload, event_id=event_id(RECEIVED, cause))
        return str(record["id"])

    def _initial(self, arrival: Arrival) -> dict[str, Any]:
        lifecycle = self._files.lifecycle
        own = {STATUS: lifecycle.initial, VERSION: 1} if arrival.collection in lifecycle.subjects else {}
        return {**own, **(arrival.state or {})}


def event_id(event_type: str, cause: str) -> str:
    """Return an event's id, derived from what caused it.

    The same document taken in by an empty simulator gives the same event again.
    """
    return f"{event_type}:{hashlib.sha256(cause.encode()).hexdigest()[:24]}"


def check_collections(files: PackFiles) -> None:
    """Raise `PackFileError` if a file of the pack names a collection or a function that does not exist."""
    used = set(files.lifecycle.subjects)
    used |= {view.collection for view in files.simulator.views.values()}
    used |= {rule.collection for rule in files.simulator.verifications.values()}
    used |= {template.collection for template in files.templates.values()}
    missing = used - set(files.simulator.collections)
    if missing:
        raise PackFileError(f"`{min(missing)}` is not one of the collections of `simulator.toml`")
    for name, rule in files.simulator.collections.items():
        check_derived(name, rule)
