"""Unknown is never false: over every input that matters, and over generated ones."""

from decimal import Decimal
from typing import Any

import pytest
from ap_files import cells, grid, needed
from ap_oracle import expected_question, expected_row
from ap_tables import evaluate
from hypothesis import given, settings
from hypothesis import strategies as st

_ACTIONS = ("none", "reject", "hold", "request-credit-memo", "short-pay", "approve-variance", None)
_BOOLEANS = (True, False, None)
_D = Decimal

# The values at which a cell of each column changes its mind, one on each side, and the unknown.
_POINTS: dict[str, tuple[Any, ...]] = {
    "declined_action": _ACTIONS,
    "decline_reason": ("none", "PAY_PO_PRICE", "RETURN_GOODS", None),
    "other_action": _ACTIONS,
    "currency": ("EUR", "JPY", None),
    "percent": (_D(-1), _D(0), _D("0.01"), _D(10), _D("10.004"), None),
    "excess": (_D(-1), _D(0), _D("0.01"), _D(1), _D("1.01"), _D(500), _D("500.01"), None),
    "original_found": _BOOLEANS,
    "receipts_cover_all": _BOOLEANS,
    "substitute_dearer": _BOOLEANS,
    "substitution_reason": ("OUT_OF_STOCK", "DISCONTINUED", "UPGRADE", "OTHER", None),
    "billed_unit_price": (_D(0), _D(1), _D("1.02"), _D("1.0201"), None),
    "po_unit_price": (_D(0), _D(1), None),
    "payment_details_unverified": _BOOLEANS,
    "billed_item": ("FELT-12", None),
    "subject_status": ("RECEIVED", "MATCHED", "EXCEPTION", "ON_HOLD", "APPROVED", "REJECTED", None),
    "fully_credited": _BOOLEANS,
    "open_findings": (_D(0), _D(1), None),
}
_REASONS = sorted({text.strip('"') for row in cells("resolution").values() if (text := row.get("reason_code"))})
_REASONS_ASKED = sorted({text.strip('"') for row in cells("needs").values() if (text := row.get("reason_code"))})


def _tested(name: str, reason: str) -> list[str]:
    rows = [row for row in cells(name).values() if row["reason_code"] == f'"{reason}"']
    return [column for column in _POINTS if any(column in row for row in rows)]


def _full(name: str, reason: str) -> list[dict[str, Any]]:
    return grid({"reason_code": (reason,), **{column: _POINTS[column] for column in _tested(name, reason)}})


def _assert_needs_what_it_tests(name: str, inputs: dict[str, Any]) -> None:
    for row in evaluate(name, inputs).fired:
        for column in needed(name, row):
            assert inputs[column] is not None, f"{row} fired though {column} is unknown"


@pytest.mark.parametrize("reason", _REASONS)
def test_resolution_fires_the_row_that_must_fire_and_no_other(reason: str) -> None:
    """Over every combination of the values at which a cell changes its mind, the one expected row fires, or none."""
    for inputs in _full("resolution", reason):
        expected = expected_row({**dict.fromkeys(_POINTS), **inputs})
        assert evaluate("resolution", inputs).fired == ((expected,) if expected else ()), inputs
        _assert_needs_what_it_tests("resolution", inputs)


@pytest.mark.parametrize("reason", _REASONS_ASKED)
def test_a_question_is_asked_on_known_facts_and_only_of_what_is_unknown(reason: str) -> None:
    """The one expected row of needs fires, or none: on known facts alone, and never for a fact that is known."""
    for inputs in _full("needs", reason):
        result = evaluate("needs", inputs)
        expected = expected_question({**dict.fromkeys(_POINTS), **inputs})
        assert result.fired == ((expected,) if expected else ()), inputs
        _assert_needs_what_it_tests("needs", inputs)
        for wanted in result.value or ():
            assert inputs[wanted["fact"]] is None


@pytest.mark.parametrize("reason", _REASONS_ASKED)
def test_nobody_is_asked_about_a_case_that_is_rejected_or_held_anyway(reason: str) -> None:
    """With another exception that leads to a rejection or a hold, needs asks for nothing."""
    for inputs in _full("needs", reason):
        if inputs["other_action"] in ("reject", "hold", None):
            assert not evaluate("needs", inputs).fired


def test_for_no_facts_do_two_rows_of_closure_match() -> None:
    """A case closes by one row or by none, and only on known facts."""
    names = ("subject_status", "fully_credited", "open_findings")
    for inputs in grid({name: _POINTS[name] for name in names}):
        assert len(evaluate("closure", inputs).fired) <= 1
        _assert_needs_what_it_tests("closure", inputs)


_number = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=4)


def _values(points: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    numeric = any(isinstance(point, Decimal) for point in points)
    return st.sampled_from(points) | _number if numeric else st.sampled_from(points)


_exceptions = st.fixed_dictionaries(
    {"reason_code": st.sampled_from([*_REASONS, "NO_PO", "CREDIT_WITHOUT_ORIGINAL", None])}
    | {column: _values(points) for column, points in _POINTS.items()}
    # Most rows want that nothing was declined, so that is drawn most.
    | {"declined_action": st.just("none") | st.sampled_from(("none", "approve-variance", *_ACTIONS))}
)


@given(inputs=_exceptions, data=st.data())
@settings(max_examples=500, deadline=None)
def test_a_fact_set_to_unknown_never_makes_a_row_fire_that_needs_it(
    inputs: dict[str, Any], data: st.DataObject
) -> None:
    """Whatever the facts are, a row that tests a fact does not fire once that fact is unknown."""
    for name in ("needs", "resolution", "closure"):
        own = {column: inputs[column] for column in _columns_of(name)}
        column = data.draw(st.sampled_from(sorted(own)))
        for row in evaluate(name, {**own, column: None}).fired:
            assert column not in needed(name, row)


@given(inputs=_exceptions)
@settings(max_examples=1000, deadline=None)
def test_generated_facts_never_make_two_rows_match(inputs: dict[str, Any]) -> None:
    """Whatever the facts are, UNIQUE holds, and it is the expected row of resolution and of needs that fires."""
    for name, expected in (
        ("resolution", expected_row(inputs)),
        ("needs", expected_question(inputs)),
        ("closure", None),
    ):
        result = evaluate(name, {column: inputs[column] for column in _columns_of(name)})
        assert len(result.fired) <= 1
        assert "conflict" not in [finding.kind for finding in result.findings]
        if name != "closure":
            assert result.fired == ((expected,) if expected else ())


def _columns_of(name: str) -> list[str]:
    return [column for column in ("reason_code", *_POINTS) if any(column in row for row in cells(name).values())]
