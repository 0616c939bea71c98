"""Take in events of the system of record: each one commit of inbox row, case and moment; a repeat changes nothing."""

from collections.abc import Sequence
from datetime import datetime

import regex
import structlog

from settledesk.cases import CaseState, EntryKind
from settledesk.desk.desk import RULES_MOMENT, Desk, because, entry, moment_key
from settledesk.facts import CaseId
from settledesk.matching.assessment import Record
from settledesk.packs import EventSpec
from settledesk.ports import ErpEvent, Transaction

SOURCE = "erp"
"""The inbox source of these events, and the name of the feed's cursor."""

BATCH_MAX = 200
"""How many events are asked for at once."""

UNUSABLE_MAX = 10_000
"""How much of an event that cannot be stored is kept, in characters."""

_log = structlog.get_logger(__name__)

_PLACEHOLDER = regex.compile(r"\{([a-z_]+)\}")


async def take_in_events(desk: Desk) -> int:
    """Take in one batch of events; returns how many there were (0: the feed is empty for now)."""
    after = await desk.store.tx(lambda tx: tx.cursor(SOURCE))
    events = await desk.erp.events(after=after, limit=BATCH_MAX)
    if events:
        now = desk.clock.now()
        desk.probe("before_inbox_commit")
        try:
            await _commit(desk, events, now)
        except ValueError:
            await _one_by_one(desk, events, now)
        desk.probe("after_inbox_commit")
    return len(events)


async def _one_by_one(desk: Desk, events: Sequence[ErpEvent], now: datetime) -> None:
    """Take in each event by itself, so that one which cannot be stored holds up no other; that one is kept as text."""
    for event in events:
        try:
            await _commit(desk, [event], now)
        except ValueError as error:
            kept = {"unusable": repr(event.payload)[:UNUSABLE_MAX], "why": str(error)}
            await _put_aside(desk, event, kept, now)
            _log.error("event_unusable", event_id=event.id, reason=str(error))


async def _commit(desk: Desk, events: Sequence[ErpEvent], now: datetime) -> None:
    await desk.store.tx(lambda tx: _take_in(tx, desk=desk, events=events, now=now))


async def _put_aside(desk: Desk, event: ErpEvent, kept: dict[str, str], now: datetime) -> None:
    def put_aside(tx: Transaction) -> None:
        tx.add_inbox(source=f"{SOURCE}-unusable", message_id=event.id, payload=kept, at=now)
        tx.set_cursor(SOURCE, event.seq)

    await desk.store.tx(put_aside)


def _take_in(tx: Transaction, *, desk: Desk, events: Sequence[ErpEvent], now: datetime) -> None:
    for event in events:
        payload = {"type": event.type, **event.payload}
        if tx.add_inbox(source=SOURCE, message_id=event.id, payload=payload, at=now):
            for spec in desk.pack.file.events:
                if _concerns(spec, event):
                    _act(desk, tx, spec, event, now)
    tx.set_cursor(SOURCE, events[-1].seq)


def _concerns(spec: EventSpec, event: ErpEvent) -> bool:
    return spec.type == event.type and all(event.payload.get(key) == value for key, value in spec.when.items())


def _act(desk: Desk, tx: Transaction, spec: EventSpec, event: ErpEvent, now: datetime) -> None:
    opened = None if spec.opens is None else _fill(spec.opens, event.payload)
    own = None
    if opened is not None:
        own = _open(desk, tx, opened, event, now)
        _wake(tx, own, spec.cause, event, now)
    for template in spec.wakes:
        reference = _fill(template, event.payload)
        for case_id in () if reference is None else tx.cases_referring(reference):
            if case_id != own:
                _wake(tx, case_id, spec.cause, event, now)


def _open(desk: Desk, tx: Transaction, subject: str, event: ErpEvent, now: datetime) -> CaseId:
    case_id = desk.case_id(subject)
    if tx.case(case_id) is None:
        display = str(event.payload.get("number") or subject)
        opening = entry(
            EntryKind.OPENED,
            now,
            SOURCE,
            pack=desk.pack.name,
            subject=subject,
            display=display,
            event=f"{event.type} {event.id}",
        )
        state = CaseState(
            id=case_id,
            pack=desk.pack.name,
            subject=subject,
            display=display,
            opened_at=opening.at,
            updated_at=opening.at,
        )
        tx.open_case(state)
        tx.append(state, [opening])
    return case_id


def _wake(tx: Transaction, case_id: CaseId, cause: str, event: ErpEvent, now: datetime) -> None:
    """Queue the rules for a case; causes that arrive before they run are one run."""
    payload = because(cause, f"{event.type} {event.id}")
    if not tx.join_moment(case_id=case_id, kind=RULES_MOMENT, payload=payload):
        key = moment_key(RULES_MOMENT, case_id, f"{SOURCE}:{event.id}")
        tx.add_moment(case_id=case_id, kind=RULES_MOMENT, key=key, payload=payload, not_before=now)


def _fill(template: str, payload: Record) -> str | None:
    """Fill a template from the event; `None` if a field that it needs is absent."""
    names = _PLACEHOLDER.findall(template)
    if any(payload.get(name) in (None, "") for name in names):
        return None
    return str(_PLACEHOLDER.sub(lambda match: str(payload[match.group(1)]), template))
