"""Documents in: repeats, taken ids, merged vendors, events."""

import asyncio

import pytest

from settledesk.ports import IntakeDocument
from settledesk.simulator import RefusedIntakeError
from settledesk.simulator.intake import SAME_ID_MAX


def _invoice(**values):
    return {
        "id": "invoice:N-1",
        "kind": "invoice",
        "number": "N-1",
        "number_key": "n-1",
        "vendor_id": "vendor:tinsmith",
        "po_number": "PO-9",
        "total": "100.00",
        "currency": "EUR",
        "lines": [{"line": "1", "po_number": None, "quantity": "1"}],
        **values,
    }


def _vendor(**values):
    return {
        "id": "vendor:tinsmith",
        "kind": "vendor",
        "name": "Tinsmith",
        "names": ["Tinsmith"],
        "tax_ids": ["XX1"],
        "email": "ar@tinsmith.example",
        "blocked": False,
        "bank_accounts": [],
        **values,
    }


def _document(key: str, record, collection: str = "invoices") -> IntakeDocument:
    return IntakeDocument(key=key, collection=collection, record=record)


def test_a_document_comes_in_with_its_state_and_an_event(desk) -> None:
    """An invoice gets status, version and its place in the order; the event carries its scalar fields and no lists."""
    assert desk.intake(_document("a", _invoice())) == 1
    record = desk.invoice("invoice:N-1")
    assert (record["status"], record["version"], record["intake_seq"]) == ("RECEIVED", 1, 1)
    (event,) = desk.events()
    assert (event.seq, event.type) == (1, "document.received")
    wanted = {"collection": "invoices", "id": "invoice:N-1", "number": "N-1", "po_number": "PO-9"}
    assert {name: event.payload[name] for name in wanted} == wanted
    assert "lines" not in event.payload


def test_the_same_key_again_has_no_effect(desk) -> None:
    """A repeated delivery adds nothing, within one batch, in a later one, and even with other content."""
    assert desk.intake(_document("a", _invoice()), _document("a", _invoice())) == 1
    assert desk.intake(_document("a", _invoice(total="999.00"))) == 0
    assert len(desk.events()) == 1
    assert desk.invoice("invoice:N-1")["total"] == "100.00"


def test_the_same_invoice_under_another_key_is_a_document_of_its_own(desk) -> None:
    """An invoice sent three times is three invoices, the later ones under ids that follow from the order alone."""
    desk.intake(_document("a", _invoice()), _document("b", _invoice()))
    desk.intake(_document("c", _invoice()))
    ids = [record["id"] for record in desk.read("/api/invoices")]
    assert ids == ["invoice:N-1", "invoice:N-1~2", "invoice:N-1~3"]
    assert [event.payload["id"] for event in desk.events()] == ids
    assert [record["intake_seq"] for record in desk.read("/api/invoices")] == [1, 2, 3]


def test_no_number_of_documents_under_one_id_stops_a_batch(desk) -> None:
    """However many documents claim one id, each is taken in under an id of its own."""
    assert (
        desk.intake(*(_document(str(n), _invoice(total=f"{n}.00")) for n in range(SAME_ID_MAX + 5))) == SAME_ID_MAX + 5
    )
    ids = [record["id"] for record in desk.read("/api/invoices")]
    assert len(set(ids)) == SAME_ID_MAX + 5
    assert ids[SAME_ID_MAX - 1 : SAME_ID_MAX + 1] == ["invoice:N-1~100", "invoice:N-1~n101"]


def test_an_order_sent_twice_is_one_order_unless_it_differs(desk) -> None:
    """Equal content under a taken id is the same order; different content is kept beside it, never over it."""
    order = {"id": "purchase-order:PO-9", "kind": "purchase-order", "number": "PO-9", "status": "OPEN", "lines": []}
    changed = {**order, "status": "CLOSED"}
    records = [order, order, changed, changed]
    batch = [_document(key, record, "purchase-orders") for key, record in zip("abcd", records, strict=True)]
    assert desk.intake(*batch) == 2
    assert [record["id"] for record in desk.read("/api/purchase-orders?number=PO-9")] == [
        "purchase-order:PO-9",
        "purchase-order:PO-9~2",
    ]


def test_vendors_are_merged_by_names_and_tax_ids_only(desk) -> None:
    """A document adds names and tax ids to a vendor; it can never bring a new address, account or release."""
    desk.intake(_document("a", _vendor(blocked=True), "vendors"))
    stranger = _vendor(
        names=["Tinsmith", "Tinsmith & Daughters"],
        tax_ids=["XX2"],
        email="pay@elsewhere.example",
        blocked=False,
        bank_accounts=[{"id": "bank-account:1", "status": "ACTIVE"}],
    )
    assert desk.intake(_document("b", stranger, "vendors")) == 1
    assert desk.read("/api/vendors") == (
        _vendor(names=["Tinsmith", "Tinsmith & Daughters"], tax_ids=["XX1", "XX2"], blocked=True),
    )
    assert desk.intake(_document("c", _vendor(), "vendors")) == 0
    assert len(desk.events()) == 2


@pytest.mark.parametrize(
    ("collection", "record", "message"),
    [
        ("unicorns", _invoice(), "is not a collection"),
        ("invoices", _invoice(id=""), "needs an `id`"),
        ("invoices", _invoice(kind="receipt"), "needs an `id` and the kind `invoice`"),
        ("invoices", _invoice(total=1.5), "numbers travel as decimal text"),
        ("invoices", _invoice(lines=[{"quantity": 0.1}]), "numbers travel as decimal text"),
    ],
)
def test_a_record_of_the_wrong_shape_is_refused(desk, collection: str, record, message: str) -> None:
    """What is refused says why, and leaves nothing behind."""
    with pytest.raises(RefusedIntakeError, match=message):
        desk.intake(_document("a", record, collection))
    assert desk.events() == ()


def test_a_deeply_nested_record_is_refused(desk) -> None:
    """Nesting has a limit, so that no document can exhaust the stack."""
    nested: list = []
    for _ in range(200):
        nested = [nested]
    with pytest.raises(RefusedIntakeError, match="DEPTH_MAX"):
        desk.intake(_document("a", _invoice(lines=nested)))


def test_an_id_of_another_kind_is_not_taken_over(desk) -> None:
    """Ids are unique across collections."""
    desk.intake(_document("a", _invoice()))
    with pytest.raises(RefusedIntakeError, match="another kind"):
        desk.intake(_document("b", _vendor(id="invoice:N-1"), "vendors"))


def test_a_redelivered_event_has_its_id_and_a_new_number(desk) -> None:
    """The same event again: same id, type and payload, a higher `seq`; an event that never was cannot be repeated."""
    desk.intake(_document("a", _invoice()))
    (event,) = desk.events()
    assert desk.simulator.redeliver(event.id) == 2
    again = desk.events(after=1)[0]
    assert (again.id, again.type, again.payload, again.seq) == (event.id, event.type, event.payload, 2)
    assert desk.simulator.redeliver(event.id) == 3
    with pytest.raises(LookupError):
        desk.simulator.redeliver("event:none")


def test_events_come_in_order_and_in_portions(desk) -> None:
    """`after` and `limit` cut the stream without a gap or a repeat."""
    desk.intake(*[_document(str(n), _invoice(id=f"invoice:{n}")) for n in range(7)])
    seen: list[int] = []
    while portion := _portion(desk, seen[-1] if seen else 0):
        seen += portion
    assert seen == [1, 2, 3, 4, 5, 6, 7]


def _portion(desk, after: int) -> list[int]:
    return [event.seq for event in asyncio.run(desk.simulator.events(after=after, limit=3))]


def test_the_same_documents_give_the_same_events_in_a_new_simulator(make_desk) -> None:
    """An event's id follows from the document's key, so a desk that has seen it knows it again."""
    first, second = make_desk(), make_desk()
    for desk in (first, second):
        desk.intake(_document("a", _invoice()), _document("b", _invoice()))
    assert first.events() == second.events()
