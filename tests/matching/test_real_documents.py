"""The match on the real documents of ../shared/data."""

from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import matching_world
import pytest

from settledesk.adapters.documents import read_folder
from settledesk.facts import Known, Money
from settledesk.matching import Assessment, MatchSettings, Read, ReadRecords, Record, Tolerance, three_way
from settledesk.matching.arithmetic import line_discrepancies

ROOT = Path(__file__).parents[2]
DATA = ROOT / ".." / "shared" / "data"
SETTINGS = MatchSettings(
    tolerances=lambda kind, scope: Tolerance(name=kind, percent=Decimal(2 if kind == "price_over" else 0)),
    windows_days={"possible_duplicate": 7},
)


def _needs(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"the real documents are not here: {path.name} is absent from ../shared/data")
    return path


def _records(*paths: Path) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = defaultdict(list)
    for path in paths:
        for document in read_folder(path).documents:
            found[document.collection].append({**document.record, "intake_seq": sum(map(len, found.values()))})
    return found


def _match(records: dict[str, list[Record]], subject: Record) -> Assessment:
    number, order = subject["number"], subject["po_number"]
    groups = {
        "subject": [subject],
        "purchase_orders": [one for one in records["purchase-orders"] if one["number"] == order],
        "receipts": [one for one in records["receipts"] if one["po_number"] == order],
        "invoices": [one for one in records["invoices"] if one["po_number"] == order],
        "credit_notes": [one for one in records["credit-notes"] if number in one["invoice_numbers"]],
        "vendor": [one for one in records["vendors"] if one["id"] == subject["vendor_id"]],
        "similar": [one for one in records["invoices"] if one["vendor_id"] == subject["vendor_id"]],
    }
    reads: dict[str, Read] = {name: ReadRecords(records=tuple(group)) for name, group in groups.items()}
    return three_way(reads, SETTINGS)


@pytest.mark.shared_data
def test_the_oasis_chain_has_its_right_answer() -> None:
    """Over-receipt of 10 units, an order price that contradicts itself, no payee alarm, and a credit down to zero."""
    records = _records(_needs(DATA / "ubl-oasis"))
    original, *copies = [one for one in records["invoices"] if one["number"] == "A00095678"]
    assessment = _match(records, original)
    found = {finding.kind: finding for finding in assessment.findings}
    assert set(found) == {"order_price_unreadable", "quantity_over_received"}
    assert found["quantity_over_received"].amount == Money.of("10.00", "GBP")
    quantity = found["quantity_over_received"].measures["quantity"]
    assert isinstance(quantity, Known)
    assert quantity.value == 10
    credited, net = assessment.measures["fully_credited"], assessment.measures["net_billed"]
    assert isinstance(credited, Known)
    assert credited.value is True
    assert isinstance(net, Known)
    assert net.value == Money.of("0.00", "GBP")
    assert assessment.missing == ()
    assert assessment.payable(frozenset({"quantity"})) == Known(
        value=Money.of("96.75", "GBP"), evidence=found["quantity_over_received"].evidence
    )
    assert len(copies) == 6
    for copy in copies:
        assert [finding.kind for finding in _match(records, copy).findings] == ["duplicate"]


def _ordered(line: Record) -> Record:
    named = {name: line[name] for name in ("line", "vendor_item", "unit", "unit_price")}
    return {**named, "item": None, "quantity": "5" if line["vendor_item"] == "SFK5" else line["quantity"]}


@pytest.mark.shared_data
def test_two_partial_invoices_of_one_order_are_no_duplicates() -> None:
    """1 kg and then 4 kg of 5 kg, eight days apart: no duplicate, one wrong line, freight on no order line."""
    folder = _needs(DATA / "zugferd-corpus") / "XML-Rechnung" / "UBL"
    records = _records(folder / "EN16931_1_Teilrechnung.ubl.xml", folder / "EN16931_2_Teilrechnung.ubl.xml")
    first, second = records["invoices"]
    for one in records["invoices"]:
        assert not {f.kind for f in _match(records, one).findings} & {"duplicate", "possible_duplicate"}
    assert [(str(one.line), one.expected) for one in line_discrepancies(first)] == [("4", Decimal("55.40"))]
    assert line_discrepancies(second) == ()
    assert (first["prepaid"], first["charge_total"], first["total"]) == ("50", "5.8", "197.65")
    order = matching_world.order({"number": "2018-471331", "lines": [_ordered(line) for line in first["lines"]]})
    order = {**order, "vendor_id": first["vendor_id"]}
    records["purchase-orders"].append(order)
    kinds = {finding.kind for finding in _match(records, first).findings}
    assert {"charge_unplanned", "line_arithmetic", "nothing_received"} == kinds
    assert "quantity_over_ordered" not in {finding.kind for finding in _match(records, second).findings}


@pytest.mark.shared_data
def test_the_invoices_of_the_corpora_have_the_known_wrong_lines() -> None:
    """Five of the UBL invoices and credit notes hold a line that is not quantity by price, seven lines in all."""
    folders = [_needs(DATA / name) for name in ("ubl-oasis", "zugferd-corpus", "factur-x-fixtures")]
    wrong: list[int] = []
    for record in {
        (one["number"], one["content_hash"]): one
        for folder in folders
        for name in ("invoices", "credit-notes")
        for one in _records(folder)[name]
    }.values():
        wrong.append(len(line_discrepancies(record)))
    assert sum(1 for count in wrong if count) == 5
    assert sum(wrong) == 7
