"""Bank changes: call-back on the phone of record, then a second person."""

import pytest

from settledesk.ports import ErpApplied, ErpRefused

CHANGE = "bank-change"
VENDOR, NEW, OLD = "vendor:V-A1", "bank-account:BA-A1-2", "bank-account:BA-A1-1"


def _call_back(desk, user: str = "mark", phone: str = "+1 (555) 0100", confirmed: bool = True):
    return desk.simulator.call_back(CHANGE, VENDOR, NEW, user=user, phone=phone, confirmed=confirmed)


def _confirm(desk, user: str = "connie"):
    return desk.simulator.confirm_change(CHANGE, VENDOR, NEW, user=user)


def _statuses(desk) -> dict[str, str]:
    return {account["id"]: account["status"] for account in desk.one(f"/api/vendors/{VENDOR}")["bank_accounts"]}


@pytest.fixture
def fraud(desk):
    desk.simulator.seed("bank-change-fraud", "A1")
    return desk


def _code(result) -> str:
    assert isinstance(result, ErpRefused), result
    return result.code


def test_two_people_and_a_call_make_a_change_active_and_release_payment(fraud) -> None:
    """After call-back and confirmation the new account is active, the old one superseded, and approval passes."""
    blocked = fraud.command("approve-variance", "invoice:INV-A1", "connie", key="1", amount_minor=100000)
    assert _code(blocked) == "BANK_CHANGE_UNVERIFIED"
    assert isinstance(_call_back(fraud), ErpApplied)
    assert isinstance(_confirm(fraud), ErpApplied)
    assert _statuses(fraud) == {OLD: "SUPERSEDED", NEW: "ACTIVE"}
    applied = fraud.command("approve-variance", "invoice:INV-A1", "connie", key="2", amount_minor=100000)
    assert applied == ErpApplied(status="APPROVED", version=2)


def test_who_called_cannot_confirm(fraud) -> None:
    """One person alone never makes a change active."""
    _call_back(fraud, user="connie")
    assert _code(_confirm(fraud, user="connie")) == "SAME_PERSON"
    assert _statuses(fraud)[NEW] == "PENDING_VERIFICATION"


def test_nothing_is_confirmed_before_a_call(fraud) -> None:
    """Confirmation needs a positive call-back first."""
    assert _code(_confirm(fraud)) == "NOT_CALLED_BACK"


@pytest.mark.parametrize("phone", ["+1-555-0101", "555-0100", "", "ask Ada"])
def test_only_the_phone_of_record_counts(fraud, phone: str) -> None:
    """A call to any number but the one on file verifies nothing; only its digits are compared."""
    assert _code(_call_back(fraud, phone=phone)) == "WRONG_PHONE"
    assert _code(_confirm(fraud)) == "NOT_CALLED_BACK"


def test_a_no_declines_the_change_for_good(fraud) -> None:
    """If the vendor denies the change it is over: the old account stays, and it cannot be confirmed afterwards."""
    _call_back(fraud, confirmed=False)
    assert _statuses(fraud)[OLD] == "ACTIVE"
    assert _statuses(fraud)[NEW] not in ("ACTIVE", "PENDING_VERIFICATION")
    assert _code(_confirm(fraud)) == "NOT_PENDING"


@pytest.mark.parametrize("user", ["clara", "bob", "audrey", "nobody-known", ""])
def test_only_verifiers_verify(fraud, user: str) -> None:
    """Call-back and confirmation need the grant for it."""
    assert _code(_call_back(fraud, user=user)) == "AUTHORITY"
    _call_back(fraud)
    assert _code(_confirm(fraud, user=user)) == "AUTHORITY"
    assert _statuses(fraud)[NEW] == "PENDING_VERIFICATION"


def test_a_second_call_does_not_overwrite_the_first(fraud) -> None:
    """The record of who called stays, so nobody can make room for themselves to confirm."""
    _call_back(fraud, user="connie")
    assert _code(_call_back(fraud, user="mark")) == "ALREADY_CALLED"
    assert _code(_confirm(fraud, user="connie")) == "SAME_PERSON"


def test_a_change_proposed_later_blocks_payment_too(desk) -> None:
    """A proposal is pending from the moment it is made, whenever that is, and is published."""
    subject = desk.simulator.seed("clean-match", "A1").subject_id
    part = {
        "id": NEW,
        "iban": "XX",
        "name": "Acme Fasteners",
        "proposed_by_email": "x@elsewhere.example",
        "status": "ACTIVE",
    }
    assert isinstance(desk.simulator.propose_change(CHANGE, VENDOR, part), ErpApplied)
    assert _statuses(desk)[NEW] == "PENDING_VERIFICATION"
    event = desk.events()[-1]
    assert (event.type, event.payload["collection"], event.payload["id"]) == ("record.changed", "vendors", VENDOR)
    result = desk.command("approve-variance", subject, "connie", amount_minor=100000)
    assert _code(result) == "BANK_CHANGE_UNVERIFIED"
    assert _code(desk.simulator.propose_change(CHANGE, VENDOR, part)) == "PART_ID"


def test_the_audit_holds_who_called_whom_and_when(fraud) -> None:
    """What an auditor asks for is on the record and in the trail: who, which number, when, and the outcome."""
    _call_back(fraud)
    _confirm(fraud)
    account = fraud.one(f"/api/vendors/{VENDOR}")["bank_accounts"][1]
    assert (account["call_back_by"], account["call_back_phone"], account["confirmed_by"]) == (
        "mark",
        "+1 (555) 0100",
        "connie",
    )
    assert account["called_at"] == account["confirmed_at"] == "2026-10-05T09:00:00+00:00"
    assert [(row.user, row.detail) for row in fraud.simulator.audit(entity=VENDOR)] == [
        ("mark", f"call-back about {NEW}: confirmed"),
        ("connie", f"{NEW} confirmed"),
    ]
