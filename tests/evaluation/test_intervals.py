"""The Wilson interval, against values that were published with the reference."""

import pytest

from settledesk.evaluation import wilson


@pytest.mark.parametrize(
    ("passed", "runs", "low", "high", "digits"),
    [
        (20, 20, 84, 100, 0),
        (18, 20, 70, 97, 0),
        (5, 5, 57, 100, 0),
        (548, 550, 98.7, 99.9, 1),
        (0, 550, 0, 0.7, 1),
        (399, 400, 98.6, 100, 1),
    ],
)
def test_the_interval_has_the_published_values(passed: int, runs: int, low: float, high: float, digits: int) -> None:
    """In percent and as many digits as were published, both ends agree."""
    found = [round(bound * 100, digits) for bound in wilson(passed, runs)]
    assert found == [low, high]


def test_the_interval_of_no_run_says_nothing() -> None:
    """Without a run every rate is possible."""
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_interval_never_leaves_zero_to_one_and_holds_the_rate() -> None:
    """For every count up to 60 the rate lies between the two ends, which lie between 0 and 1."""
    for runs in range(1, 61):
        for passed in range(runs + 1):
            low, high = wilson(passed, runs)
            assert 0 <= low <= passed / runs <= high <= 1


def test_a_count_that_is_no_rate_is_refused() -> None:
    """More passed runs than runs are an error of the caller."""
    with pytest.raises(ValueError, match="3 of 2 is not a rate"):
        wilson(3, 2)
