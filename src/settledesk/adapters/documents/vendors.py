"""Which vendor a document comes from: one record per supplier, found by the strongest identity that matches.

Only vendor records and documents of our own (orders, receipts) say how a vendor is named and reached. What an invoice
says of its sender counts only for a vendor that nothing else names, and its address is never one to write to.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import regex

from settledesk.adapters.documents.reading import Draft, Party
from settledesk.matching.normal import name_key

SLUG_CHARACTERS_MAX = 100
_SLUG = regex.compile(r"[^\p{L}\p{N}._\-]+")


@dataclass(slots=True, kw_only=True)
class _Group:
    parties: list[Party] = field(default_factory=list)
    master: dict[str, Any] | None = None
    trusted: bool = False
    record_id: str = ""


@dataclass(slots=True)
class _Book:
    groups: list[_Group] = field(default_factory=list)
    strong: dict[str, _Group] = field(default_factory=dict)
    named: dict[str, _Group] = field(default_factory=dict)


def settle_vendors(drafts: list[Draft]) -> list[Draft]:
    """Give every draft with a party its `vendor_id` and return the drafts of vendors, given and derived.

    `drafts` must be in their final order, so that the outcome depends on nothing else.
    """
    book = _Book()
    for draft in drafts:
        if draft.kind == "vendor":
            _add_master(book, draft)
    for trusted in (True, False):
        for draft in drafts:
            if draft.party is not None and draft.trusted is trusted:
                _place(book, draft.party, trusted=trusted)
    for group in book.groups:
        group.record_id = _group_id(group)
    for draft in drafts:
        if draft.party is not None and "vendor_id" in draft.record:
            found = _find(book, draft.party)
            draft.record["vendor_id"] = found.record_id if found else None
    return [_derived(group) for group in book.groups if group.master is None]


def vendor_key(record_id: str) -> str:
    """Return the part of a vendor's id that customers use as the account id."""
    return record_id.removeprefix("vendor:").casefold()


def _add_master(book: _Book, draft: Draft) -> None:
    record = draft.record
    record.setdefault("id", f"vendor:{_slug(record['name'])}")
    record["names"] = list(dict.fromkeys((record["name"], *record["names"])))
    group = _Group(master=record, trusted=True)
    book.groups.append(group)
    book.strong.setdefault(f"account:{vendor_key(record['id'])}", group)
    for tax_id in record["tax_ids"]:
        plain = "".join(char for char in tax_id.upper() if char.isalnum())
        book.strong.setdefault(f"tax:{plain}", group)
    for name in record["names"]:
        book.named.setdefault(name_key(name), group)


def _strong_keys(party: Party) -> Iterable[str]:
    yield from (f"tax:{one}" for one in party.tax_ids)
    yield from (f"party:{one}" for one in party.party_ids)
    if party.account:
        yield f"account:{party.account.casefold()}"


def _find(book: _Book, party: Party) -> _Group | None:
    for key in _strong_keys(party):
        if key in book.strong:
            return book.strong[key]
    for name in party.names:
        group = book.named.get(name_key(name))
        # A name alone does not make two companies with different tax ids one.
        if group is not None and (not party.tax_ids or not _tax_ids(group)):
            return group
    return None


def _place(book: _Book, party: Party, *, trusted: bool) -> None:
    group = _find(book, party)
    if group is None:
        group = _Group(trusted=trusted)
        book.groups.append(group)
    if trusted or not group.trusted:
        group.parties.append(party)
        for key in _strong_keys(party):
            book.strong.setdefault(key, group)
        for name in party.names:
            book.named.setdefault(name_key(name), group)


def _tax_ids(group: _Group) -> list[str]:
    found = [one for party in group.parties for one in party.tax_ids]
    return list(dict.fromkeys((*(group.master["tax_ids"] if group.master else ()), *found)))


def _group_id(group: _Group) -> str:
    if group.master is not None:
        return str(group.master["id"])
    for identities in (
        [one for party in group.parties for one in party.tax_ids],
        [one for party in group.parties for one in party.party_ids],
        [party.account for party in group.parties if party.account],
        [name_key(name) for party in group.parties for name in party.names],
    ):
        if identities:
            return f"vendor:{_slug(identities[0])}"
    return "vendor:unnamed"


def _derived(group: _Group) -> Draft:
    names = list(dict.fromkeys(name for party in group.parties for name in party.names))
    record = {
        "id": group.record_id,
        "name": names[0] if names else None,
        "names": names,
        "tax_ids": _tax_ids(group),
        "email": _first(group, "email"),
        "phone": _first(group, "phone"),
        "contact": _first(group, "contact"),
        "blocked": False,
        "bank_accounts": [],
    }
    return Draft(kind="vendor", record=record, trusted=group.trusted)


def _first(group: _Group, name: str) -> str | None:
    if not group.trusted:
        return None
    return next((value for party in group.parties if (value := getattr(party, name))), None)


def _slug(text: str) -> str:
    plain = _SLUG.sub("-", text.casefold()).strip("-") or "unnamed"
    if len(plain) <= SLUG_CHARACTERS_MAX:
        return plain
    return f"{plain[:SLUG_CHARACTERS_MAX]}-{hashlib.sha256(plain.encode()).hexdigest()[:8]}"
