"""What match and tables make of each scenario that brings its own records, without a store, a policy or a simulator."""

from typing import Any

import pytest
from ap_files import PACK
from ap_scenarios import scenarios

from settledesk.cases import CaseState, Outcome
from settledesk.desk.facts_of_case import Sources
from settledesk.desk.frame import Framed, frame
from settledesk.facts import Known, Money
from settledesk.matching import Assessment, Read, ReadRecords, number_key, three_way
from settledesk.packs import load_pack

_OWN = sorted(name for name, scenario in scenarios().items() if scenario.given.records)
_PACK = load_pack(PACK)


def _framed(name: str) -> tuple[Assessment, Framed]:
    given = scenarios()[name].given
    records = {group: [dict(record) for record in found] for group, found in (given.records or {}).items()}
    for place, record in enumerate((record for found in records.values() for record in found), start=1):
        record["intake_seq"] = place
    for invoice in records["invoices"]:
        invoice |= {"status": "EXCEPTION", "version": 1, "number_key": number_key(invoice["number"])}
    subject = next(invoice for invoice in records["invoices"] if invoice["id"] == given.subject)
    reads = _reads(records, subject)
    assessment = three_way(reads, _PACK.settings)
    state = CaseState(id="ap-1", pack=_PACK.name, subject=subject["id"], display="", opened_at="", updated_at="")
    return assessment, frame(Sources(pack=_PACK, state=state, assessment=assessment, reads=reads))


def _reads(records: dict[str, list[dict[str, Any]]], subject: dict[str, Any]) -> dict[str, Read]:
    others = [invoice for invoice in records["invoices"] if invoice is not subject]
    found = {
        "subject": [subject],
        "vendor": records["vendors"],
        "purchase_orders": records["purchase-orders"],
        "receipts": records.get("receipts", []),
        "despatches": [],
        "invoices": records["invoices"],
        "credit_notes": [],
        "similar": others,
    }
    return {name: ReadRecords(records=tuple(group)) for name, group in found.items()}


@pytest.mark.parametrize("name", _OWN)
def test_the_match_finds_the_reasons_that_a_scenario_names(name: str) -> None:
    """Every reason that a scenario demands is found, and nothing that a proposal rests on is missing."""
    assessment, _ = _framed(name)
    assert set(scenarios()[name].then.reasons) <= {_PACK.reason_of(finding.kind) for finding in assessment.findings}
    assert assessment.missing == ()


@pytest.mark.parametrize("name", [name for name in _OWN if scenarios()[name].when.people.decline is None])
def test_the_tables_make_the_proposal_that_a_scenario_accepts(name: str) -> None:
    """The first run of the tables gives an acceptable action, or asks the question that the scenario answers."""
    scenario = scenarios()[name]
    assessment, framed = _framed(name)
    if scenario.when.vendor:
        assert framed.outcome is Outcome.NEEDS_FACT
        assert framed.need is not None
        assert framed.need.fact == scenario.when.vendor[0].asked
        return
    assert framed.outcome is Outcome.RESOLVED, framed.stop_detail
    if scenario.then.acceptable:
        assert framed.action in scenario.then.acceptable
    if scenario.then.row:
        assert framed.leading is not None
        assert framed.leading.row == scenario.then.row
    if scenario.then.amount is not None:
        payable = assessment.payable(framed.left_out)
        assert isinstance(payable, Known)
        assert isinstance(payable.value, Money)
        assert payable.value.amount == scenario.then.amount
