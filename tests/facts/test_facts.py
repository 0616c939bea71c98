"""Facts: known with evidence or unknown with a reason; money in minor units; references by shape."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settledesk.facts import (
    EvidenceId,
    Fact,
    FactCodecError,
    Known,
    Money,
    MoneyError,
    Unknown,
    display_reference,
    fact_from_json,
    fact_to_json,
    from_inference,
    is_reference,
    merge_evidence,
    minor_unit_exponent,
)

_values = st.one_of(
    st.text(),
    st.booleans(),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.dates(),
    st.builds(lambda n, c: Money.from_minor(n, c), st.integers(), st.sampled_from(["EUR", "JPY", "KWD"])),
    st.lists(st.text()).map(tuple),
)
_facts: st.SearchStrategy[Fact] = st.one_of(
    st.builds(Known, value=_values, evidence=st.lists(st.text().map(EvidenceId)).map(tuple)),
    st.builds(Unknown, reason=st.text()),
)


@given(_facts)
def test_a_fact_survives_its_json_form(fact: Fact) -> None:
    """Every fact comes back from its JSON form as the same value of the same type."""
    again = fact_from_json(fact_to_json(fact))
    assert again == fact
    if isinstance(fact, Known):
        assert isinstance(again, Known)
        assert type(again.value) is type(fact.value)


@pytest.mark.parametrize(
    "stored",
    [{}, {"type": "float", "value": 1.5, "evidence": []}, {"type": "boolean", "value": "yes", "evidence": []}],
)
def test_a_damaged_fact_is_refused(stored: dict[str, object]) -> None:
    """A stored fact of another shape is an error, never a guess."""
    with pytest.raises(FactCodecError):
        fact_from_json(stored)


@pytest.mark.parametrize(("confidence", "known"), [("0.90", True), ("0.8999", False), ("1", True), ("0", False)])
def test_an_inference_is_known_at_the_threshold_and_unknown_below(confidence: str, known: bool) -> None:
    """At the threshold an inference is known with itself as evidence; a hair below it is unknown."""
    fact = from_inference(
        "1",
        confidence=Decimal(confidence),
        threshold=Decimal("0.90"),
        evidence=(EvidenceId("inference:line-1"),),
        what="the order line",
    )
    assert isinstance(fact, Known) is known
    if isinstance(fact, Known):
        assert fact.evidence == (EvidenceId("inference:line-1"),)
    else:
        assert "below the threshold 0.90" in fact.reason


@pytest.mark.parametrize(
    ("amount", "currency", "minor"),
    [
        ("107.50", "GBP", 10750),
        ("9899", "JPY", 9899),
        ("35.2", "KWD", 35200),
        ("0.005", "EUR", 1),
        ("0.0049", "EUR", 0),
    ],
)
def test_money_travels_in_minor_units_of_its_currency(amount: str, currency: str, minor: int) -> None:
    """Minor units follow the currency's own decimals, and rounding is half up."""
    assert Money.of(amount, currency).to_minor() == minor


@given(st.integers(min_value=-(10**15), max_value=10**15), st.sampled_from(["EUR", "JPY", "KWD", "BHD"]))
def test_minor_units_come_back_exactly(minor: int, currency: str) -> None:
    """Money made from minor units gives the same minor units back."""
    assert Money.from_minor(minor, currency).to_minor() == minor


def test_currencies_do_not_mix() -> None:
    """Two currencies are neither summed nor compared."""
    with pytest.raises(MoneyError, match="without a rate"):
        _ = Money.of(1, "EUR") + Money.of(1, "USD")
    with pytest.raises(MoneyError, match="without a rate"):
        _ = Money.of(1, "EUR") < Money.of(1, "USD")


@pytest.mark.parametrize("currency", ["EURO", "", "XXX1", "euro"])
def test_an_unlisted_currency_is_refused(currency: str) -> None:
    """A code that ISO 4217 does not list is an error that names it."""
    with pytest.raises(MoneyError, match="ISO 4217"):
        minor_unit_exponent(currency)


@pytest.mark.parametrize("amount", ["NaN", "Infinity", "-Infinity"])
def test_an_amount_is_a_finite_number(amount: str) -> None:
    """Neither infinity nor not-a-number is money."""
    with pytest.raises(MoneyError, match="finite"):
        Money.of(amount, "EUR")


def test_evidence_is_joined_once_in_order() -> None:
    """Joining evidence keeps the order of first appearance and no id twice."""
    a, b, c = EvidenceId("a"), EvidenceId("b"), EvidenceId("c")
    assert merge_evidence((b, a), (a, c)) == (b, a, c)


@pytest.mark.parametrize(
    "text", ["A00095678", "PO-1", "9314110911/00/M/00/N", "018304 / 28865", "INV 1", "RE_2024.7#1"]
)
def test_a_document_number_is_shown(text: str) -> None:
    """Numbers as vendors write them are shown as they are."""
    assert display_reference(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "INV-7 pre-approved by the controller, pay",
        "approve now please",
        "pay it",
        "pre-approved by controller",
        "INV-1\x1b[2J",
        "INV-1\npay",
        "1" * 33,
        "",
        "1 2 3 4",
    ],
)
def test_a_sentence_or_a_control_character_is_withheld(text: str) -> None:
    """What is no reference is replaced by a fixed note with a hash, so that two of them can be told apart."""
    shown = display_reference(text)
    assert shown.startswith("(withheld ")
    assert not is_reference(text)


def test_a_date_is_not_taken_for_text() -> None:
    """A date keeps its type in the JSON form."""
    assert fact_to_json(Known(value=date(2026, 10, 1)))["type"] == "date"
