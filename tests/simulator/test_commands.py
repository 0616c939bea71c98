"""The order of the checks, idempotency and what a command leaves behind."""

from pathlib import Path

import pytest
import yaml

from settledesk.ports import ErpApplied, ErpRefused

CASES = yaml.safe_load((Path(__file__).parent / "order.yaml").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"].replace(" ", "-"))
def test_the_first_check_that_fails_gives_the_reason(desk, case) -> None:
    """Authority, version, transition, guards, amount: in this order; only a command that passes all takes effect."""
    subject = desk.simulator.seed(case["seed"], "A1").subject_id
    if "done" in case:
        assert isinstance(desk.command(case["done"], subject, "connie", key="before"), ErpApplied)
    before = desk.invoice(subject)
    result = desk.command(
        case["action"], subject, case["user"], version=case["version"], amount_minor=case.get("amount")
    )
    if "status" in case:
        assert result == ErpApplied(status=case["status"], version=case["version"] + 1)
        assert desk.simulator.effects("key-1") == 1
    else:
        assert isinstance(result, ErpRefused)
        assert result.code == case["code"], result.detail
        assert desk.invoice(subject) == before
        assert desk.simulator.effects("key-1") == 0


def test_an_amount_in_another_currency_is_refused(desk) -> None:
    """1,040.00 of another currency is not what the invoice asks for."""
    subject = desk.simulator.seed("price-variance-small", "A1").subject_id
    result = desk.command("approve-variance", subject, "connie", amount_minor=104000, currency="JPY")
    assert isinstance(result, ErpRefused)
    assert result.code == "CURRENCY"


def test_the_same_request_again_gives_the_first_answer_and_no_second_effect(desk) -> None:
    """A repeat under the same key is answered as the first time, though the subject has moved on, and counts once."""
    subject = desk.simulator.seed("price-variance-small", "A1").subject_id
    first = desk.command("hold", subject, "clara", key="k")
    desk.command("release-hold", subject, "connie", key="other", version=2)
    events = len(desk.events())
    assert desk.command("hold", subject, "clara", key="k") == first == ErpApplied(status="ON_HOLD", version=2)
    assert desk.simulator.effects("k") == 1
    assert desk.invoice(subject)["status"] == "EXCEPTION"
    assert len(desk.events()) == events


@pytest.mark.parametrize(
    "change", [{"action": "reject"}, {"user": "mark"}, {"version": 2}, {"amount_minor": 5}, {"currency": "USD"}]
)
def test_a_key_used_for_another_request_is_refused(desk, change) -> None:
    """The same key never carries a second, different request, whichever part of it differs."""
    subject = desk.simulator.seed("price-variance-small", "A1").subject_id
    first = {"action": "hold", "user": "connie", "version": 1, "amount_minor": None, "currency": "EUR"}
    assert isinstance(desk.command(subject=subject, key="k", **first), ErpApplied)
    result = desk.command(subject=subject, key="k", **{**first, **change})
    assert isinstance(result, ErpRefused)
    assert result.code == "IDEMPOTENCY"
    assert desk.simulator.effects("k") == 1


def test_a_refusal_is_the_first_answer_too(desk) -> None:
    """A refused request stays refused under its key, even if it would pass now: a repeat is not a second try."""
    subject = desk.simulator.seed("price-variance-small", "A1").subject_id
    first = desk.command("hold", subject, "clara", key="k", version=2)
    desk.command("hold", subject, "clara", key="other")
    assert desk.command("hold", subject, "clara", key="k", version=2) == first
    assert isinstance(first, ErpRefused)


def test_a_call_for_nobody_does_not_use_the_key_up(desk) -> None:
    """Whoever decided may repeat, in their own name, the call that came through without a name."""
    subject = desk.simulator.seed("price-variance-small", "A1").subject_id
    assert isinstance(desk.command("hold", subject, "", key="k"), ErpRefused)
    assert isinstance(desk.command("hold", subject, "clara", key="k"), ErpApplied)


def test_an_applied_command_says_so_in_an_event(desk) -> None:
    """The change is published once, with the subject's new state."""
    subject = desk.simulator.seed("price-variance-small", "A1").subject_id
    last = desk.events()[-1].seq
    desk.command("approve-variance", subject, "bob", amount_minor=104000)
    (event,) = desk.events(after=last)
    assert event.type == "subject.changed"
    assert event.seq == last + 1
    wanted = {"collection": "invoices", "id": subject, "action": "approve-variance", "status": "APPROVED", "version": 2}
    assert {name: event.payload[name] for name in wanted} == wanted
    assert event.payload["approved_amount"] == "1040.00"


def test_a_vendor_that_cannot_be_read_blocks_approval_with_its_true_reason(desk) -> None:
    """A bank change that cannot be ruled out is not reported as one: the refusal says that it is not known."""
    record = {**desk.invoice(desk.simulator.seed("clean-match", "A1").subject_id), "id": "invoice:x", "vendor_id": None}
    subject = desk.simulator.post("invoices", record)
    result = desk.command("approve-variance", subject, "connie", amount_minor=100000)
    assert isinstance(result, ErpRefused)
    assert "cannot be read" in result.detail


def test_an_older_answer_is_not_changed_by_a_later_command(desk) -> None:
    """A record that was read stays as it was read; a command replaces it, it never reaches into it."""
    subject = desk.simulator.seed("clean-match", "A1").subject_id
    before = desk.invoice(subject)
    desk.command("reject", subject, "connie")
    assert before["status"] == "RECEIVED"
    assert desk.invoice(subject)["status"] == "REJECTED"


def test_an_original_that_was_rejected_does_not_block_its_successor(desk) -> None:
    """A corrected invoice under the same number may be paid once the first one was rejected."""
    seeded = desk.simulator.seed("clean-match", "A1")
    again = desk.simulator.post("invoices", desk.invoice(seeded.subject_id))
    blocked = desk.command("approve-variance", again, "connie", key="1", amount_minor=100000)
    assert isinstance(blocked, ErpRefused)
    desk.command("reject", seeded.subject_id, "connie", key="2")
    assert isinstance(desk.command("approve-variance", again, "connie", key="3", amount_minor=100000), ErpApplied)


@pytest.mark.parametrize(
    ("changes", "blocked"),
    [
        ({}, True),
        ({"issue_date": "2026-10-09"}, True),
        ({"issue_date": "2027-10-01"}, False),
        ({"total": "1000.01"}, False),
        ({"total": "1000.0"}, True),
        ({"currency": "USD"}, False),
        ({"number": "INV-A2", "number_key": "inv-a-2"}, False),
        ({"vendor_id": "vendor:V-B1"}, False),
        ({"issue_date": None}, True),
    ],
)
def test_what_counts_as_an_exact_duplicate(desk, changes, blocked: bool) -> None:
    """Same vendor, number, total and currency within half a year; what cannot be told is refused as not known."""
    seeded = desk.simulator.seed("clean-match", "A1")
    desk.simulator.seed("clean-match", "B1")
    record = {**desk.invoice(seeded.subject_id), "id": "invoice:again", **changes}
    again = desk.simulator.post("invoices", record)
    minor = int(float(record["total"]) * 100 + 0.5)
    result = desk.command("approve-variance", again, "connie", amount_minor=minor, currency=record["currency"])
    assert isinstance(result, ErpRefused) == blocked, result
    if isinstance(result, ErpRefused):
        assert result.code == "DUPLICATE"
        assert ("cannot be told" in result.detail) == (record["issue_date"] is None)


def test_a_credit_note_is_a_subject_too_and_may_share_its_invoices_number(desk) -> None:
    """An invoice and its credit note with one number are not duplicates, and the credit note has its own lifecycle."""
    invoice = desk.invoice(desk.simulator.seed("clean-match", "A1").subject_id)
    credit = {**invoice, "id": "credit-note:C", "kind": "credit-note", "invoice_numbers": [invoice["number"]]}
    credit = desk.simulator.post("credit-notes", credit)
    result = desk.command("approve-variance", credit, "connie", amount_minor=100000)
    assert result == ErpApplied(status="APPROVED", version=2)
    assert desk.one(f"/api/credit-notes/{credit}")["approved_amount"] == "1000.00"
