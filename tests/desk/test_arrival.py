"""Documents that arrive one by one, in any order: goods are never paid for twice, and what is clean ends clean."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from world import SUFFIX, World

from settledesk.cases import Status

Make = Callable[..., World]
ORDER = f"PO-{SUFFIX}"


def documents(world: World, *, received: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return an order of 10, one receipt, and two invoices of 5 each, the later-named one with the earlier date."""
    other = World().seed("clean-match")
    invoice = other.run(other.erp.read(f"/api/invoices/{other.seeded.subject_id}"))[0]  # type: ignore[union-attr]
    order = other.run(other.erp.read(f"/api/purchase-orders?number={ORDER}"))[0]
    receipt = other.run(other.erp.read(f"/api/receipts?po_number={ORDER}"))[0]
    vendor = other.run(other.erp.read(f"/api/vendors/{invoice['vendor_id']}"))[0]
    other.close()
    world.erp.post("vendors", vendor)
    bill = {
        key: value for key, value in invoice.items() if key not in ("status", "version", "intake_seq", "number_key")
    }
    line = {**bill["lines"][0], "quantity": "5", "line_amount": "50.00"}
    half = {"line_total": "50.00", "total": "50.00", "tax": "0.00", "content_hash": None, "lines": [line]}
    ordered = {**order["lines"][0], "quantity": "10", "line_amount": "100.00"}
    arrived = {**receipt["lines"][0], "accepted": received}
    return {
        "order": ("purchase-orders", {**order, "lines": [ordered]}),
        "receipt": ("receipts", {**receipt, "lines": [arrived]}),
        "first": ("invoices", {**bill, **half, "id": "invoice:ONE", "number": "ONE-1", "issue_date": "2026-10-20"}),
        "second": ("invoices", {**bill, **half, "id": "invoice:TWO", "number": "TWO-2", "issue_date": "2026-09-01"}),
    }


def arrive(make_world: Make, sequence: tuple[str, ...], *, received: str) -> World:
    """Let the documents arrive in this sequence, with the desk at work after each."""
    world = make_world()
    made = documents(world, received=received)
    for name in sequence:
        world.erp.post(*made[name])
        world.work_for_all()
    return world


@pytest.mark.parametrize("sequence", list(permutations(("order", "receipt", "first", "second"))))
def test_goods_for_one_invoice_release_one(make_world: Make, sequence: tuple[str, ...]) -> None:
    """With goods for one of two invoices, never both are clean, whichever of the four documents came last."""
    world = arrive(make_world, sequence, received="5")
    states = [world.case_of(subject) for subject in ("invoice:ONE", "invoice:TWO")]
    clean = [state for state in states if state.status in (Status.MATCHED, Status.RESOLVED)]
    assert len(clean) <= 1, [(state.subject, state.status, state.row) for state in states]


@pytest.mark.parametrize("sequence", list(permutations(("order", "receipt", "first", "second"))))
def test_goods_for_both_release_both(make_world: Make, sequence: tuple[str, ...]) -> None:
    """Once goods for both and the order are there, both invoices are clean, in whatever order everything came."""
    world = arrive(make_world, sequence, received="10")
    states = [world.case_of(subject) for subject in ("invoice:ONE", "invoice:TWO")]
    assert {state.status for state in states} <= {Status.MATCHED, Status.RESOLVED}
