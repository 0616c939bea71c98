"""Every case of `cases/*.yaml`: documents in, findings, measures and quantities out, in whatever order they come."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import matching_world as world
import pytest
import yaml

from settledesk.facts import Fact, Known, Money
from settledesk.matching import Assessment, Record, three_way
from settledesk.matching.context import make_match

HERE = Path(__file__).parent


def _cases() -> Iterator[Any]:
    for path in sorted((HERE / "cases").glob("*.yaml")):
        for case in yaml.safe_load(path.read_text(encoding="utf-8")):
            yield pytest.param(case, id=f"{path.stem}-{case['name']}")


def _orders(records: dict[str, list[Record]]) -> Iterator[dict[str, list[Record]]]:
    yield records
    yield {name: list(reversed(group)) for name, group in reversed(records.items())}
    yield {name: [*group[1:], *group[:1]] for name, group in records.items()}
    yield {name: [*group[-1:], *group[:-1]] for name, group in records.items()}


def _subject(records: dict[str, list[Record]], number: str) -> Record:
    return next(one for name in ("invoices", "credit_notes") for one in records[name] if one["number"] == number)


def _plain(fact: Fact) -> Any:
    if not isinstance(fact, Known):
        return "unknown"
    if isinstance(fact.value, Money):
        return f"{fact.value.amount.normalize():f} {fact.value.currency}"
    return f"{fact.value.normalize():f}" if isinstance(fact.value, Decimal) else fact.value


def _check(assessment: Assessment, then: dict[str, Any]) -> None:
    expected = then.get("findings", {})
    assert sorted(finding.kind for finding in assessment.findings) == sorted(expected)
    for finding in assessment.findings:
        for name, value in (expected[finding.kind] or {}).items():
            if name == "amount":
                assert finding.amount.amount == Decimal(str(value)), finding.kind
            elif name == "lines":
                assert [line.line for line in finding.lines] == [str(line) for line in value]
            else:
                assert _plain(finding.measures[name]) == value, (finding.kind, name)
    for name, value in then.get("measures", {}).items():
        assert _plain(assessment.measures[name]) == value, name
    for parts, value in then.get("payable", {}).items():
        assert _plain(assessment.payable(frozenset(parts.split()) - {"billed"})) == value, parts
    assert list(assessment.missing) == then.get("missing", [])


@pytest.mark.parametrize("case", list(_cases()))
def test_case_has_its_right_answer_in_every_order_of_documents(case: dict[str, Any]) -> None:
    """The documents of a case give its right answer, and giving them in another order changes nothing."""
    settings = world.settings(case.get("tolerances"))
    for records in _orders(world.world(case["given"])):
        subject = _subject(records, case["subject"])
        reads = world.reads_for(records, subject)
        _check(three_way(reads, settings), case["then"])
        ledger = make_match(subject, reads, settings).ledger
        for key, figures in case["then"].get("ledger", {}).items():
            line = ledger[tuple(f"purchase-order:{key}".rsplit("/", 1))]
            assert {name: _plain(getattr(line, name)) for name in figures} == figures


def test_the_cases_cover_the_tables_of_the_field() -> None:
    """There are cases for quantities, prices, credits and duplicates, so that an empty folder cannot pass."""
    names = [case.values[0]["name"] for case in _cases()]
    assert len(names) == len(set(names))
    assert len(names) >= 60
