"""Reads: by id, by equal fields, views; and how fast."""

import time

import pytest

from settledesk.ports import IntakeDocument
from settledesk.simulator import UnknownPathError


def _ids(records) -> list[str]:
    return [record["id"] for record in records]


def _invoices(desk, *records) -> None:
    desk.intake(
        *[
            IntakeDocument(key=f"{n}", collection="invoices", record={"kind": "invoice", **record})
            for n, record in enumerate(records)
        ]
    )


def test_a_record_that_is_not_there_is_a_known_nothing(desk) -> None:
    """No record is an empty answer, not an error."""
    assert desk.read("/api/invoices/invoice:none") == ()
    assert desk.read("/api/invoices?number=none") == ()
    assert desk.read("/api/views/similar/invoice:none") == ()


@pytest.mark.parametrize(
    "path",
    [
        "/api/unicorns",
        "/api/unicorns/1",
        "/api/views/none/1",
        "/api/",
        "/api/invoices/",
        "/api/invoices/1/2",
        "/api/invoices/1?number=2",
        "/invoices",
        "invoices",
        "",
        "/api/invoices?number",
        "/api/invoices?number=1&number=2",
        "/api/invoices?" + "&".join(f"f{n}=1" for n in range(30)),
        "/api/invoices/" + "x" * 9_000,
    ],
)
def test_a_wrong_path_is_an_error_and_not_nothing(desk, path: str) -> None:
    """A path that is not served must never look like 'there are none'."""
    with pytest.raises(UnknownPathError):
        desk.read(path)


def test_values_are_percent_encoded(desk) -> None:
    """Ids and values with slashes, spaces, ampersands and letters beyond ASCII are found when encoded."""
    _invoices(desk, {"id": "invoice:a/b c&d=ü", "number": "9314110911/00/M/00/N &?"})
    assert _ids(desk.read("/api/invoices/invoice%3Aa%2Fb%20c%26d%3D%C3%BC")) == ["invoice:a/b c&d=ü"]
    assert _ids(desk.read("/api/invoices?number=9314110911%2F00%2FM%2F00%2FN%20%26%3F")) == ["invoice:a/b c&d=ü"]


def test_equality_compares_numbers_by_value_and_never_matches_the_unknown(desk) -> None:
    """100.0 is 100.00; a field that is null or absent equals nothing; several fields must all be equal."""
    _invoices(
        desk,
        {"id": "1", "total": "100.00", "po_number": "A"},
        {"id": "2", "total": "100.0", "po_number": None},
        {"id": "3", "total": "100.01"},
    )
    assert _ids(desk.read("/api/invoices?total=100")) == ["1", "2"]
    assert _ids(desk.read("/api/invoices?total=100&po_number=A")) == ["1"]
    assert desk.read("/api/invoices?po_number=None") == ()
    assert desk.read("/api/invoices?po_number=") == ()


def test_a_list_matches_by_any_of_its_elements(desk) -> None:
    """A dotted path reaches into lines, so invoices that cite an order only on a line are found by it."""
    _invoices(
        desk,
        {"id": "1", "lines": [{"po_number": "A"}, {"po_number": "B"}, {"po_number": "A"}]},
        {"id": "2", "lines": [{"po_number": None}]},
    )
    assert _ids(desk.read("/api/invoices?lines.po_number=A")) == ["1"]
    assert _ids(desk.read("/api/invoices?lines.po_number=B")) == ["1"]


def test_an_index_follows_every_change(desk) -> None:
    """A read by equality is right before and after records come in and change."""
    assert desk.read("/api/invoices?status=RECEIVED") == ()
    subject = desk.simulator.seed("clean-match", "A1").subject_id
    assert _ids(desk.read("/api/invoices?status=RECEIVED")) == [subject]
    desk.command("hold", subject, "clara")
    assert desk.read("/api/invoices?status=RECEIVED") == ()
    assert _ids(desk.read("/api/invoices?status=ON_HOLD")) == [subject]


def test_similar_finds_by_any_group_and_leaves_the_record_itself_out(desk) -> None:
    """Same vendor and number; or same vendor, order and total; or same vendor and look-alike number; nothing else."""
    base = {"vendor_id": "v1", "number": "INV-001", "po_number": "PO-1", "total": "10.00"}
    _invoices(
        desk,
        {**base, "id": "subject"},
        {**base, "id": "same-number", "number": "inv 1", "po_number": "PO-2"},
        {**base, "id": "same-order-and-total", "number": "77", "total": "10.0"},
        {**base, "id": "look-alike", "number": "lNV-001", "po_number": "PO-3"},
        {**base, "id": "other-vendor", "vendor_id": "v2"},
        {**base, "id": "other-total", "number": "88", "total": "11.00"},
        {**base, "id": "no-order", "number": "99", "po_number": None},
    )
    assert _ids(desk.read("/api/views/similar/subject")) == ["same-number", "same-order-and-total", "look-alike"]
    assert desk.read("/api/views/similar/no-order") == ()


def test_a_number_without_letters_or_digits_is_similar_to_nothing(desk) -> None:
    """An empty normal form says nothing about a number, so two of them are not alike."""
    _invoices(desk, {"id": "1", "vendor_id": "v", "number": "-"}, {"id": "2", "vendor_id": "v", "number": "?"})
    assert desk.read("/api/views/similar/1") == ()


def test_a_read_by_equality_does_not_grow_with_the_records(desk) -> None:
    """Among 20,000 records a read by equality takes less than a tenth of a millisecond, best of many."""
    _invoices(desk, *[{"id": f"invoice:{n}", "number": f"N-{n}", "vendor_id": f"v{n % 50}"} for n in range(20_000)])
    path = "/api/invoices?number=N-777&vendor_id=v27"
    assert _ids(desk.simulator._book.read(path)) == ["invoice:777"]
    best = min(_timed(desk, path) for _ in range(200))
    assert best < 100e-6


def _timed(desk, path: str) -> float:
    start = time.perf_counter()
    desk.simulator._book.read(path)
    return time.perf_counter() - start
