"""The made-up invoices on AdventureWorks' orders have exactly the findings that were worked out without the matcher."""

import json
import sys
from collections import Counter
from pathlib import Path

import matching_world
import pytest

from settledesk.adapters.documents import read_folder
from settledesk.matching import Record, three_way

ROOT = Path(__file__).parents[2]
DATA = ROOT / ".." / "shared" / "data" / "adventureworks-purchasing"
ORDERS = 240


def _written(out: Path) -> dict[str, dict[str, list[str] | str]]:
    sys.path.insert(0, str(ROOT))
    from benchmarks.adventureworks.write import write_folder

    manifest = json.loads(write_folder(DATA, out, orders=ORDERS).read_text())
    assert manifest["orders"] == ORDERS
    invoices: dict[str, dict[str, list[str] | str]] = manifest["invoices"]
    return invoices


@pytest.mark.shared_data
def test_each_class_of_invoice_has_its_findings(tmp_path: Path) -> None:
    """Clean, +2.00 %, +2.01 %, +10.00 %, +10.01 %, short and duplicate invoices end where they must, all of them."""
    if not DATA.exists():
        pytest.skip("the AdventureWorks tables are not here: ../shared/data/adventureworks-purchasing is absent")
    expected = _written(tmp_path / "aw")
    reading = read_folder(tmp_path / "aw")
    assert reading.unread == ()
    by_order: dict[str, dict[str, list[Record]]] = {}
    names = {"purchase-orders": "purchase_orders", "receipts": "receipts", "invoices": "invoices"}
    for place, document in enumerate(reading.documents):
        if document.collection in names:
            order = document.record.get("po_number") or document.record["number"]
            group = by_order.setdefault(order, {"credit_notes": [], "receipts": [], "invoices": []})
            group.setdefault(names[document.collection], []).append({**document.record, "intake_seq": place})
    seen: Counter[str] = Counter()
    for group in by_order.values():
        for subject in group["invoices"]:
            wanted = expected[subject["number"]]
            assessment = three_way(matching_world.reads_for(group, subject), matching_world.settings())
            assert sorted(finding.kind for finding in assessment.findings) == wanted["kinds"], subject["number"]
            assert assessment.missing == ()
            seen[str(wanted["class"])] += 1
    assert set(seen) == {"clean", "+2.00 %", "+2.01 %", "+10.00 %", "+10.01 %", "short", "duplicate"}
    assert sum(seen.values()) == len(expected)


@pytest.mark.shared_data
def test_writing_twice_gives_the_same_files(tmp_path: Path) -> None:
    """The seed is fixed, so two writings agree byte for byte."""
    if not DATA.exists():
        pytest.skip("the AdventureWorks tables are not here: ../shared/data/adventureworks-purchasing is absent")
    assert _written(tmp_path / "one") == _written(tmp_path / "two")
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.xml"))
    assert files
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
