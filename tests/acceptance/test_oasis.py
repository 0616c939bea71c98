"""The OASIS chain: Order AEG012345, receipt, Invoice A00095678 in seven copies, CreditNote CN758494."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.shared_data
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def result(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `settledesk run` prints of the folder."""
    store = tmp_path_factory.mktemp("oasis") / "desk.db"
    done = subprocess.run(
        [sys.executable, "-m", "settledesk", "run", str(shared_data / "ubl-oasis"), "--json", "--store", str(store)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=dict(os.environ),
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout), "store": str(store)}


def cases_of(result: dict[str, Any], subject: str) -> list[dict[str, Any]]:
    """Return the cases about one document number."""
    return [case for case in result["cases"] if case["subject"] == subject]


def original(result: dict[str, Any]) -> dict[str, Any]:
    """Return the case of the first of the seven copies."""
    (case,) = [case for case in cases_of(result, "A00095678") if "DUPLICATE" not in case["reasons"]]
    return case


def finding(case: dict[str, Any], reason: str) -> dict[str, Any]:
    """Return what a case says of one of its reasons."""
    (found,) = [item for item in case["exceptions"] if item["reason"] == reason]
    return found


def test_ten_units_more_were_billed_than_received(result: dict[str, Any]) -> None:
    """Billed 100, received 90: an over-receipt of exactly 10 units, worth 10.00."""
    found = finding(original(result), "QTY_OVER_RECEIPT")
    assert found["measures"]["quantity"]["value"] == "10"
    assert (found["amount_minor"], found["currency"]) == (1000, "GBP")


def test_the_orders_contradiction_is_an_unreadable_price(result: dict[str, Any]) -> None:
    """The order says 100.00 per unit and 100.00 for 100 units: its price is unreadable, which is no price drop."""
    case = original(result)
    assert "PO_PRICE_UNREADABLE" in case["reasons"]
    assert "PRICE_VARIANCE" not in case["reasons"]


def test_the_payee_account_raises_no_alarm(result: dict[str, Any]) -> None:
    """The account is in the seller's registered name, which is one of its names."""
    assert all("PAYEE_MISMATCH" not in case["reasons"] for case in cases_of(result, "A00095678"))


def test_the_other_copies_are_duplicates_by_content(result: dict[str, Any]) -> None:
    """Seven files with seven hashes are one invoice and six duplicates of it, proposed for rejection."""
    copies = cases_of(result, "A00095678")
    assert len(copies) == 7
    duplicates = [case for case in copies if case["reasons"] == ["DUPLICATE"]]
    assert Counter(case["row"] for case in duplicates) == {"duplicate": 6}
    assert {case["outcome"] for case in duplicates} == {"resolved"}


def test_the_credit_note_closes_the_case_at_net_zero(result: dict[str, Any]) -> None:
    """CN758494 cancels the whole invoice: nothing is billed net, and the case is closed as credited."""
    case = original(result)
    assert (case["status"], case["outcome"], case["row"]) == ("resolved", "resolved", "credited")
    shown = subprocess.run(
        [sys.executable, "-m", "settledesk", "show", case["id"], "--json", "--store", result["store"]],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    facts = {fact["name"]: fact for fact in json.loads(shown.stdout)["facts"]}
    assert facts["net_billed"]["value"] == {"amount": "0.00", "currency": "GBP"}
    assert any(item.startswith("credit-note:CN758494") for item in facts["fully_credited"]["evidence"])


def test_the_credit_note_itself_is_no_exception(result: dict[str, Any]) -> None:
    """A credit note that cancels an invoice to the penny needs nobody."""
    assert cases_of(result, "CN758494") == []


def test_an_invoice_and_its_credit_note_agree_about_each_other(result: dict[str, Any]) -> None:
    """Where an invoice is closed as credited, the credit note that closes it is not one without an original."""
    credited = {case["subject"] for case in result["cases"] if case["row"] == "credited"}
    orphans = {case["subject"] for case in result["cases"] if "CREDIT_WITHOUT_ORIGINAL" in case["reasons"]}
    assert credited & orphans == set()


def test_every_file_is_read_or_listed(result: dict[str, Any], shared_data: Path) -> None:
    """Each of the folder's files is either read or listed as unread with its reason; none is lost."""
    files = {
        path.relative_to(shared_data / "ubl-oasis").as_posix() for path in (shared_data / "ubl-oasis").rglob("*.*")
    }
    unread = {item["path"] for item in result["documents"]["unread"]}
    assert unread < files
    assert all(item["reason"] for item in result["documents"]["unread"])
    assert "raw/xml/UBL-Waybill-2.0-Example-International.xml" in unread
