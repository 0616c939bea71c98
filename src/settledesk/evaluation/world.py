"""One run's world: a fresh system of record, store, clock and mailbox; its chance comes from scenario and run."""

import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import regex

from settledesk.adapters.clocks import CountedIds, SimulatedClock
from settledesk.adapters.mail import MemoryMailbox
from settledesk.adapters.sqlite import open_store
from settledesk.desk import Desk
from settledesk.evaluation.bench import Bench
from settledesk.evaluation.scenario import Given, Scenario
from settledesk.evaluation.watched_erp import WatchedErp
from settledesk.simulator import Chance, Simulator

EVENTS_MAX = 10_000
"""How many events a scenario's starting situation may publish."""

_SUFFIX = "{suffix}"


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Everything around the desk of one run, and the desk itself."""

    scenario: Scenario
    suffix: str
    desk: Desk
    simulator: Simulator
    erp: WatchedErp
    clock: SimulatedClock
    mailbox: MemoryMailbox
    subject: str
    aliases: Mapping[str, tuple[str, ...]]
    collections: tuple[str, ...]
    """The collections of the system of record."""
    opening_event: str | None
    """The id of the event by which the subject came in."""


def suffix_of(scenario: str, run: int) -> str:
    """Return the 8 hex digits that keep the documents of one run apart from those of every other."""
    return hashlib.sha256(f"{scenario}\n{run}\ndocuments".encode()).hexdigest()[:8].upper()


def chance_of(scenario: str, run: int) -> Chance:
    """Return the run's own source of chance: the same run meets the same faults."""
    return Chance(int.from_bytes(hashlib.sha256(f"{scenario}\n{run}\nchance".encode()).digest()[:8]))


@asynccontextmanager
async def open_world(bench: Bench, scenario: Scenario, run: int) -> AsyncIterator[World]:
    """Make the world of one run, with its documents taken in and its faults set; everything is gone afterwards."""
    clock, mailbox, suffix = SimulatedClock(), MemoryMailbox(), suffix_of(scenario.name, run)
    simulator = Simulator(bench.files, path=":memory:", clock=clock, chance=chance_of(scenario.name, run))
    try:
        subject, aliases = _seed(simulator, scenario.given, suffix)
        opening_event = await _opening_event(simulator, subject)
        _set_faults(simulator, scenario.given)
        store = open_store(None)
        try:
            erp = WatchedErp(simulator, clock)
            desk = Desk(
                pack=bench.pack,
                erp=erp,
                policy=bench.policy,
                mailbox=mailbox,
                store=store,
                clock=clock,
                ids=CountedIds(),
                engine="settledesk evaluation",
            )
            yield World(
                scenario=scenario,
                suffix=suffix,
                desk=desk,
                simulator=simulator,
                erp=erp,
                clock=clock,
                mailbox=mailbox,
                subject=subject,
                aliases=aliases,
                collections=tuple(bench.files.simulator.collections),
                opening_event=opening_event,
            )
        finally:
            store.close()
    finally:
        simulator.close()


def _seed(simulator: Simulator, given: Given, suffix: str) -> tuple[str, Mapping[str, tuple[str, ...]]]:
    if given.seed is not None:
        seeded = simulator.seed(given.seed, suffix)
        return seeded.subject_id, seeded.facts
    assert given.records is not None, "a scenario without a seed has records"
    assert given.subject is not None, "records come with their subject"
    for collection, records in given.records.items():
        for record in records:
            simulator.post(collection, filled(record, suffix))
    facts = {name: tuple(filled(list(ids), suffix)) for name, ids in given.facts.items()}
    return filled(given.subject, suffix), facts


async def _opening_event(simulator: Simulator, subject: str) -> str | None:
    """Return the id of the event by which the subject came in; no fault is set yet."""
    events = await simulator.events(after=0, limit=EVENTS_MAX)
    return next((event.id for event in events if event.payload.get("id") == subject), None)


def _set_faults(simulator: Simulator, given: Given) -> None:
    for fault in given.faults:
        simulator.set_fault(
            regex.escape(fault.path), latency_s=fault.latency_s, error_rate=fault.error_rate, status=fault.status
        )


def filled(value: Any, suffix: str) -> Any:
    """Return a value of a scenario with `{suffix}` put in, wherever text stands."""
    if isinstance(value, str):
        return value.replace(_SUFFIX, suffix)
    if isinstance(value, Mapping):
        return {key: filled(item, suffix) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, suffix) for item in value]
    return value
