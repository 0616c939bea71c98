"""Normal forms of numbers and names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settledesk.matching import look_alike_key, number_key
from settledesk.matching.normal import digits_key, name_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("INV-1", "INV 1"),
        ("INV-1", "INV1"),
        ("INV-001", "inv.1"),
        ("003411", "3411"),
        ("01234-00000001", "1234-00000001"),
        ("ＩＮＶ-００１", "INV-1"),
        ("INV-1", "INV-١"),
        ("018304 / 28865", "18304/28865"),
        ("Straße 1", "STRASSE-1"),
    ],
)
def test_one_number_in_two_ways_of_writing_is_one(one: str, other: str) -> None:
    """Case, width, script of digits, punctuation and leading zeros do not make another number."""
    assert number_key(one) == number_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("12-3", "1-23"),
        ("12-3", "123"),
        ("lNV-001", "INV-001"),
        ("A3411", "3411"),
        ("018304 / 28865", "01830428865"),
        ("9314110911/00/M/00/N", "9314110911/M/N"),
        ("INV-1", "INV-10"),
    ],
)
def test_two_numbers_stay_two(one: str, other: str) -> None:
    """Where the runs of digits or the letters differ, so do the numbers."""
    assert number_key(one) != number_key(other)


def test_look_alike_letters_are_one_only_in_the_second_key() -> None:
    """An l for an I is the same only where a suspicion is asked for."""
    assert look_alike_key("lNV-001") == look_alike_key("INV-001")
    assert look_alike_key("Inv.№001") == look_alike_key("INV-001")
    assert look_alike_key("INV-002") != look_alike_key("INV-001")
    assert digits_key("A-3411") == digits_key("003411") == "3411"
    assert digits_key("A-1") == ""


def test_a_legal_form_does_not_make_another_name() -> None:
    """Names are compared without case, accents, punctuation and legal form, and no further."""
    assert name_key("Quillfeather Fasteners GmbH") == name_key("QUILLFEATHER FASTENERS")
    assert name_key("Tarnwick Bearings B.V.") == name_key("Tarnwick Bearings")
    assert name_key("Quillfeather Payments") != name_key("Quillfeather")
    assert name_key("Limited") == "limited"


@given(st.text(max_size=60))
def test_the_normal_form_is_its_own_normal_form(text: str) -> None:
    """Taking the normal form twice is taking it once, whatever the text."""
    assert number_key(number_key(text)) == number_key(text)
