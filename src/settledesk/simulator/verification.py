"""A pending change of a record (a vendor's new bank account), verified by a call-back and by a second person."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from settledesk.matching.assessment import Record
from settledesk.ports import ErpRefused
from settledesk.simulator.pack_files import Verification

CALLED_BY = "call_back_by"
CALLED_ON = "call_back_phone"
CALLED_AT = "called_at"
CONFIRMED_ON_PHONE = "call_back_confirmed"
CONFIRMED_BY = "confirmed_by"
CONFIRMED_AT = "confirmed_at"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A step that may be taken: the record as it will be, and one line for the audit."""

    record: Record
    detail: str


def call_back(
    rule: Verification, record: Record, part_id: str, *, user: str, phone: str, confirmed: bool, at: str
) -> Verified | ErpRefused:
    """Record the call-back: the phone dialled must be the one of record, digit by digit; a 'no' declines the change."""
    part = _pending(rule, record, part_id)
    if isinstance(part, ErpRefused):
        return part
    if part.get(CALLED_BY) is not None:
        return ErpRefused(
            code="ALREADY_CALLED", detail=f"`{part[CALLED_BY]}` has called back about `{part_id}` already"
        )
    of_record = _digits(str(record.get(rule.phone) or ""))
    if not of_record:
        return ErpRefused(code="NO_PHONE", detail="the record has no phone, so nobody can be called back")
    if _digits(phone) != of_record:
        detail = "the phone dialled is not the phone of record, and a call to any other number verifies nothing"
        return ErpRefused(code="WRONG_PHONE", detail=detail)
    changes = {CALLED_BY: user, CALLED_ON: phone, CALLED_AT: at, CONFIRMED_ON_PHONE: confirmed}
    if not confirmed:
        changes[rule.status] = rule.declined
    said = "confirmed" if confirmed else "denied, change declined"
    return Verified(record=_with_part(rule, record, part_id, changes), detail=f"call-back about {part_id}: {said}")


def confirm(rule: Verification, record: Record, part_id: str, *, user: str, at: str) -> Verified | ErpRefused:
    """Confirm a change that was confirmed by call-back; the older ones are superseded. Never by the one who called."""
    part = _pending(rule, record, part_id)
    if isinstance(part, ErpRefused):
        return part
    if part.get(CONFIRMED_ON_PHONE) is not True:
        return ErpRefused(code="NOT_CALLED_BACK", detail=f"nobody has called back about `{part_id}`, that comes first")
    if part[CALLED_BY] == user:
        detail = f"`{user}` made the call-back, so somebody else must confirm the change"
        return ErpRefused(code="SAME_PERSON", detail=detail)
    changes = {rule.status: rule.confirmed, CONFIRMED_BY: user, CONFIRMED_AT: at}
    changed = _with_part(rule, record, part_id, changes, others=rule.superseded)
    return Verified(record=changed, detail=f"{part_id} confirmed")


def _pending(rule: Verification, record: Record, part_id: str) -> Mapping[str, Any] | ErpRefused:
    for part in record.get(rule.parts) or ():
        if part.get("id") == part_id and part.get(rule.status) == rule.pending:
            return dict(part)
    return ErpRefused(code="NOT_PENDING", detail=f"`{part_id}` is not a change of `{record['id']}` that is pending")


def _with_part(
    rule: Verification, record: Record, part_id: str, changes: Mapping[str, Any], *, others: str | None = None
) -> Record:
    parts = []
    for part in record[rule.parts]:
        if part.get("id") == part_id:
            parts.append({**part, **changes})
        elif others is not None and part.get(rule.status) == rule.confirmed:
            parts.append({**part, rule.status: others})
        else:
            parts.append(part)
    return {**record, rule.parts: parts}


def _digits(text: str) -> str:
    return "".join(character for character in text if character.isdecimal())
