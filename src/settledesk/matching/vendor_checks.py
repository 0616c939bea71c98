"""Checks on the vendor: is it blocked, is a change of its bank account unverified, is the payee one of its names."""

from settledesk.facts import Fact, Known, Unknown, merge_evidence
from settledesk.matching.assessment import Finding, ReadRecords, Record, Unread
from settledesk.matching.context import Match
from settledesk.matching.normal import name_key
from settledesk.matching.records import evidence_of

VERIFIED = frozenset({"ACTIVE", "SUPERSEDED"})
"""The statuses of an account that nobody has to call back about; any other one waits to be verified."""


def vendor_of(match: Match) -> Record | None:
    """Return the vendor's record if exactly one was read."""
    records = match.records("vendor")
    return records[0] if len(records) == 1 else None


def payment_details_fact(match: Match) -> Fact:
    """Tell whether a bank account of the vendor waits to be verified; unknown if the vendor was not read."""
    vendor = vendor_of(match)
    if vendor is None:
        return Unknown(reason=why_no_vendor(match))
    if not _accounts_readable(vendor):
        return Unknown(reason="the status of a bank account of the vendor cannot be read")
    return Known(value=bool(_pending(vendor)), evidence=evidence_of([vendor]))


def vendor_unreadable(match: Match) -> bool:
    """Tell whether the vendor was read and its record is not there or cannot be read whole.

    Of a read that failed the facts say so themselves, and the policy refuses with that reason.
    """
    if not isinstance(match.reads.get("vendor"), ReadRecords):
        return False
    vendor = vendor_of(match)
    return vendor is None or not _accounts_readable(vendor) or not isinstance(vendor.get("blocked"), bool)


def why_no_vendor(match: Match) -> str:
    """Say why there is no vendor to look at."""
    read = match.reads.get("vendor")
    return read.reason if isinstance(read, Unread) else "the vendor has no record"


def payment_details_unverified(match: Match) -> Finding | None:
    """Return a finding if any bank account of the vendor is proposed and not yet verified."""
    vendor = vendor_of(match)
    if vendor is None or not _pending(vendor):
        return None
    return Finding(
        kind="payment_details_unverified",
        amount=match.money(match.net),
        text="a change of the vendor's bank account is not verified",
        evidence=merge_evidence(evidence_of([match.subject]), evidence_of([vendor])),
    )


def vendor_blocked(match: Match) -> Finding | None:
    """Return a finding if the vendor is blocked."""
    vendor = vendor_of(match)
    if vendor is None or vendor.get("blocked") is not True:
        return None
    return Finding(
        kind="vendor_blocked",
        amount=match.money(match.net),
        text="the vendor is blocked",
        evidence=merge_evidence(evidence_of([match.subject]), evidence_of([vendor])),
    )


def payee_name_mismatch(match: Match) -> Finding | None:
    """Return a finding if the payee's account is in a name that is none of the vendor's (trading or registered)."""
    vendor = vendor_of(match)
    account = match.subject.get("payee_account") or {}
    stated = account.get("name")
    if vendor is None or not stated:
        return None
    names = [vendor.get("name"), *(vendor.get("names") or ())]
    on_file = [one.get("name") for one in vendor.get("bank_accounts") or () if one.get("status") == "ACTIVE"]
    known = {name_key(str(name)) for name in (*names, *on_file) if name}
    if not known or name_key(str(stated)) in known:
        return None
    return Finding(
        kind="payee_name_mismatch",
        amount=match.money(match.net),
        text="the payee's account is in a name that is none of the vendor's",
        evidence=merge_evidence(evidence_of([match.subject]), evidence_of([vendor])),
    )


def _accounts_readable(vendor: Record) -> bool:
    accounts = vendor.get("bank_accounts")
    return isinstance(accounts, list | tuple) and all(isinstance(one.get("status"), str) for one in accounts)


def _pending(vendor: Record) -> list[object]:
    accounts = vendor.get("bank_accounts") or ()
    return [one for one in accounts if isinstance(one.get("status"), str) and one["status"] not in VERIFIED]
