"""Unknown is never false, never zero, never empty: whatever cannot be read, nothing is paid, closed or called clean."""

from collections.abc import Callable

import pytest
from world import SUFFIX, World

from settledesk.cases import ProposalState, Status
from settledesk.desk.facts_of_case import Sources, cited, facts_of_subject, table_value
from settledesk.desk.frame import RESOLUTION, evaluate_table
from settledesk.desk.gather import gather
from settledesk.facts import Known, Unknown
from settledesk.matching import MATCHERS
from settledesk.matching.assessment import ReadRecords, Unread

Make = Callable[..., World]
PATHS = (
    "/api/invoices/",
    "/api/invoices\\?",
    "/api/vendors",
    "/api/purchase-orders",
    "/api/receipts",
    "/api/credit-notes",
    "/api/views/similar",
)
SEEDS = (
    "clean-match",
    "price-variance-small",
    "qty-over-receipt",
    "no-receipt",
    "duplicate",
    "possible-duplicate",
    "unplanned-freight",
    "bank-change-fraud",
    "item-substituted",
    "no-po",
)


def poke(world: World) -> None:
    """Publish something that makes the case look again and changes nothing."""
    assert world.seeded is not None
    number = f"PO-{SUFFIX}"
    world.erp.post("despatches", _despatch(number))
    world.work()


def _despatch(order: str) -> dict[str, object]:
    return {
        "id": f"despatch:{order}",
        "kind": "despatch",
        "number": "D-1",
        "po_number": order,
        "despatched_on": "2026-10-02",
        "lines": [],
    }


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_never_read_is_never_clean_or_paid(make_world: Make, seed: str, path: str) -> None:
    """With any one read failing from the start, no invoice is matched, closed, or proposed for payment."""
    world = make_world()
    world.erp.set_fault(path, error_rate=1.0)
    state = world.seed(seed).work()
    assert state.status not in (Status.MATCHED, Status.RESOLVED)
    assert state.action not in ("approve-variance", "short-pay")
    asks = state.status is Status.AWAITING_ANSWER
    assert asks or state.stop_reason is not None or state.action in ("reject", "hold", "request-credit-memo")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("seed", SEEDS)
def test_an_outage_later_closes_nothing(make_world: Make, seed: str, path: str) -> None:
    """A case that stands, looked at again while a read fails, is neither closed nor called clean by that failure."""
    world = make_world(seed)
    before = world.work()
    world.erp.set_fault(path, error_rate=1.0)
    poke(world)
    state = world.case()
    assert state.status is not Status.RESOLVED
    assert (state.status is Status.MATCHED) == (before.status is Status.MATCHED)
    world.erp.clear_faults()
    poke(world)
    assert world.case().status is not Status.RESOLVED


def test_what_rests_is_looked_at_again_once_it_can_be_read(make_world: Make) -> None:
    """A held case whose read fails stays held and tries on; when the read works again, the news is not lost."""
    world = make_world("qty-over-receipt")
    world.work()
    world.decide("clara")
    world.erp.set_fault("/api/vendors", error_rate=1.0)
    invoice = world.run(world.erp.read(f"/api/invoices/{world.case().subject}"))[0]
    receipt = world.run(world.erp.read(f"/api/receipts?po_number={invoice['po_number']}"))[0]
    line = {**receipt["lines"][0], "accepted": "40"}
    world.erp.post("receipts", {**receipt, "id": f"{receipt['id']}-rest", "number": "REST", "lines": [line]})
    world.work_for(24 * 3_600)
    assert world.case().status is Status.ON_HOLD
    world.erp.clear_faults()
    world.work_for(24 * 3_600)
    assert world.case().stop_reason == "receipt"


def test_an_unknown_enters_a_table_as_null() -> None:
    """A table sees null for an unknown: not false, not zero, not an empty text."""
    assert table_value(Unknown(reason="r")) is None


def test_a_citation_of_what_was_not_read_is_unknown() -> None:
    """If the record that must be cited could not be read, it is unknown whether it is cited."""
    assert isinstance(cited({"vendor": Unread(reason="r")}, "vendor", ()), Unknown)
    assert isinstance(cited({}, "vendor", ()), Unknown)
    known = cited({"vendor": ReadRecords(records=({"id": "vendor:1"},))}, "vendor", ())
    assert isinstance(known, Known)
    assert known.value is False


def test_a_fact_that_nothing_established_is_unknown(make_world: Make) -> None:
    """A fact without a measure behind it is unknown with a reason, and so is one that no fact of the pack is."""
    world = make_world("clean-match")
    state = world.work()
    pack = world.desk.pack
    reads = world.run(gather(world.erp, tuple(pack.file.reads), subject=state.subject, tries_max=1)).reads
    assessment = MATCHERS[pack.file.matcher](reads, pack.settings)
    facts = facts_of_subject(Sources(pack=pack, state=state, assessment=assessment, reads=reads))
    assert isinstance(facts["substitution_reason"], Unknown)
    assert isinstance(facts["percent"], Unknown)
    _, run = evaluate_table(pack, RESOLUTION, {}, None)
    assert set(run.inputs.values()) == {"unknown"}
    assert run.fired == ()


def test_a_read_that_hangs_on_a_failed_one_is_unread(make_world: Make) -> None:
    """What can only be asked for with a value that was not read is itself unread, never an empty answer."""
    world = make_world("clean-match")
    state = world.work()
    world.erp.set_fault("/api/invoices/", error_rate=1.0)
    gathered = world.run(gather(world.erp, tuple(world.desk.pack.file.reads), subject=state.subject, tries_max=2))
    assert isinstance(gathered.reads["purchase_orders"], Unread)
    assert isinstance(gathered.reads["vendor"], Unread)
    assert {"subject", "vendor", "purchase_orders"} <= set(gathered.failed)


def test_one_failed_read_of_a_name_makes_the_whole_unread(make_world: Make) -> None:
    """Two reads of one name are one answer: if either fails there is none."""
    world = make_world("clean-match")
    invoice = world.run(world.erp.read(f"/api/invoices/{world.work().subject}"))[0]
    note = {**invoice, "kind": "credit-note", "id": "credit-note:X", "number": "X", "invoice_numbers": [], "tax": "0"}
    world.erp.post("credit-notes", {k: v for k, v in note.items() if k not in ("status", "version", "intake_seq")})
    world.erp.set_fault("/api/invoices\\?po_number", error_rate=1.0)
    gathered = world.run(gather(world.erp, tuple(world.desk.pack.file.reads), subject="credit-note:X", tries_max=1))
    assert isinstance(gathered.reads["invoices"], Unread)


@pytest.mark.parametrize("name", ["zoe", "Bob", "mark", "connie"])
def test_a_buyer_who_is_none_is_unknown(make_world: Make, name: str) -> None:
    """An order placed by somebody who is no buyer of this desk has no known buyer, so the decision goes up."""
    world = make_world()
    seeded = world.erp.seed("price-variance-small", SUFFIX)
    world.seeded = seeded
    order = world.run(world.erp.read(f"/api/purchase-orders?number=PO-{SUFFIX}"))[0]
    invoice = world.run(world.erp.read(f"/api/invoices/{seeded.subject_id}"))[0]
    receipt = world.run(world.erp.read(f"/api/receipts?po_number=PO-{SUFFIX}"))[0]
    keep = {
        key: value for key, value in invoice.items() if key not in ("status", "version", "intake_seq", "number_key")
    }
    world.erp.post("purchase-orders", {**order, "id": "purchase-order:PO-B", "number": "PO-B", "buyer": name})
    world.erp.post("receipts", {**receipt, "id": "receipt:B", "number": "B", "po_number": "PO-B"})
    other = {**keep, "id": "invoice:B", "number": "B-77", "po_number": "PO-B", "content_hash": None}
    world.erp.post("invoices", other)
    world.work()
    state = world.case_of("invoice:B")
    assert state.proposal is not None
    assert state.proposal.state is ProposalState.PENDING
    assert (state.proposal.role, state.proposal.user) == ("ap-manager", None)
    assert "is not a buyer of this desk" in str(state.facts["buyer"])


@pytest.mark.parametrize(
    ("change", "ends"),
    [
        ({"bank_accounts": None}, "unread"),
        ({"bank_accounts": [{"id": "bank-account:1", "status": None}]}, "unread"),
        ({"bank_accounts": [{"id": "bank-account:1", "status": "PENDING"}]}, "hold"),
        ({"bank_accounts": [{"id": "bank-account:1", "status": "pending_verification"}]}, "hold"),
        ({"bank_accounts": [{"id": "bank-account:1", "status": "REJECTED"}]}, "hold"),
        ({"bank_accounts": []}, "matched"),
        ({"blocked": None}, "unread"),
        ({"blocked": "true"}, "unread"),
        ({"blocked": True}, "hold"),
    ],
)
def test_a_vendor_that_cannot_be_read_whole_is_not_clean(
    make_world: Make, change: dict[str, object], ends: str
) -> None:
    """Only accounts that are known to be verified, of a vendor known not to be blocked, let an invoice match."""
    world = make_world("clean-match")
    real = world.erp.read

    async def read(path: str) -> object:
        return tuple({**one, **change} if one["kind"] == "vendor" else one for one in await real(path))

    world.erp.read = read  # type: ignore[method-assign, assignment]
    state = world.work()
    assert ends in (state.status.value, state.stop_reason, state.action)
