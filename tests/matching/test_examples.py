"""The folder that we ship as an example shows one of each thing that can be wrong, and what is not wrong."""

from pathlib import Path

import matching_world
import pytest

from settledesk.adapters.documents import FolderReading, read_folder
from settledesk.matching import Record, three_way

ROOT = Path(__file__).parents[2]
EXPECTED = {
    "QF-2201": {"price_over"},
    "QF-2202": {"price_over"},
    "QF-2203": {"quantity_over_received"},
    "BM-55104": {"nothing_received"},
    "QF-2205": set(),
    "QF 2205": {"duplicate"},
    "BM-55106": set(),
    "BM-55121": {"possible_duplicate"},
    "EP/870": {"charge_unplanned"},
    "TB31877": {"payment_details_unverified"},
    "EP/871": {"item_substituted"},
    "BM-55110": set(),
    "BM-55130": {"order_unknown"},
    "EP/874": {"price_over", "quantity_over_received", "charge_unplanned"},
    "QF-2212": {"line_arithmetic"},
    "QF-2213": set(),
    "QFC-31": set(),
}


@pytest.fixture(scope="module")
def reading() -> FolderReading:
    return read_folder(ROOT / "examples" / "accounts_payable")


def _world(reading: FolderReading) -> dict[str, list[Record]]:
    names = {"vendors": "vendor", "purchase-orders": "purchase_orders", "credit-notes": "credit_notes"}
    found: dict[str, list[Record]] = {"invoices": [], "credit_notes": []}
    for place, document in enumerate(reading.documents):
        name = names.get(document.collection, document.collection)
        found.setdefault(name, []).append({**document.record, "intake_seq": place})
    return found


def test_every_document_of_the_example_has_its_findings(reading: FolderReading) -> None:
    """Each invoice has exactly the findings that it was written to have, and none lacks a record."""
    records = _world(reading)
    found = {}
    for subject in [*records["invoices"], *records["credit_notes"]]:
        own = {**records, "vendor": [one for one in records["vendor"] if one["id"] == subject["vendor_id"]]}
        assessment = three_way(matching_world.reads_for(own, subject), matching_world.settings())
        assert assessment.missing == ()
        found[subject["number"]] = {finding.kind for finding in assessment.findings}
    assert found == EXPECTED


def test_the_two_files_that_cannot_be_read_are_listed(reading: FolderReading) -> None:
    """One file is cut off and one is a waybill; both are named with place and reason."""
    assert [(one.path, one.place, one.reason) for one in reading.unread] == [
        ("invoices/quillfeather-2299.xml", "line 30", "the XML is broken and cannot be parsed"),
        ("receipts/waybill-5512.xml", "/Waybill", "not a document type that the desk reads"),
    ]
    assert reading.files == 26


def test_every_order_of_the_example_has_a_buyer(reading: FolderReading) -> None:
    """The small variance goes to the buyer of the order, so the example names one."""
    orders = [one.record for one in reading.documents if one.collection == "purchase-orders"]
    assert {order["buyer"] for order in orders} == {"bob"}
    assert {order["currency"] for order in orders} == {"EUR"}
