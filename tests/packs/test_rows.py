"""Every row of every accounts-payable table, the unhandled, the needed fact and the conflict, without any server."""

from pathlib import Path
from typing import Any

import pytest
from ap_files import TABLES, cases, cells
from ap_tables import evaluate

from settledesk.decisions import load_model

_ALL = [(name, case) for name in TABLES for case in cases(name)]
_FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.parametrize(("name", "case"), _ALL, ids=[f"{name}: {case['case']}" for name, case in _ALL])
def test_a_case_fires_exactly_the_rows_it_names(name: str, case: dict[str, Any]) -> None:
    """A case fires the rows it names and no other, gives the value it names, and nothing is found amiss."""
    result = evaluate(name, case["inputs"])
    assert sorted(result.fired) == sorted(case["fires"])
    assert [finding.kind for finding in result.findings if finding.kind not in ("no_match", "missing_input")] == []
    if "value" in case:
        assert _plain(result.value) == case["value"]
    if not case["fires"]:
        assert not result.value


@pytest.mark.parametrize("name", TABLES)
def test_every_row_has_a_case_of_its_own(name: str) -> None:
    """No row is without a case in which it fires."""
    fired = {row for case in cases(name) for row in case["fires"]}
    assert set(cells(name)) == fired


def test_two_rows_that_both_match_are_a_conflict_that_names_both() -> None:
    """Under UNIQUE two matching rows give no value but a finding with both names."""
    model = load_model(_FIXTURES / "overlapping.dmn")
    result = model.evaluate("resolution", {"reason_code": "PRICE_VARIANCE", "declined_action": "none"}, trace=True)
    conflict = next(finding for finding in result.findings if finding.kind == "conflict")
    assert set(conflict.rows) == {"one_opinion", "another_opinion"}
    assert not result.value


def test_a_trace_says_which_cell_kept_a_row_from_firing() -> None:
    """For a row that did not fire the trace names its cell and the value that failed."""
    result = evaluate("resolution", {"reason_code": "PRICE_VARIANCE", "declined_action": "none", "percent": 16})
    near = {row.row: row.cell for row in result.trace if not row.fired}
    assert near["small_variance"] in ("percent", "currency", "excess")
    assert near["over_receipt"] == "reason_code"


def _plain(value: Any) -> Any:
    """Return the value without the column name that a one-column table may put around it."""
    if isinstance(value, dict) and len(value) == 1:
        return next(iter(value.values()))
    return value
