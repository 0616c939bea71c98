"""One proposal per case: combine over every set of actions."""

from itertools import chain, combinations
from typing import Any

import pytest
from ap_files import cells
from ap_tables import evaluate

# The house's order. What the table must do is written here once more, on purpose, and not read from the table.
_ORDER = ("reject", "hold", "request-credit-memo", "short-pay", "approve-variance")
_SETS = list(chain.from_iterable(combinations(_ORDER, size) for size in range(1, len(_ORDER) + 1)))


def _combined(**inputs: Any) -> Any:
    value = evaluate("combine", inputs).value
    return value["action"] if isinstance(value, dict) else value


@pytest.mark.parametrize("actions", _SETS, ids="+".join)
def test_the_first_action_of_the_order_wins(actions: tuple[str, ...]) -> None:
    """Of any set of actions, in any order and repeated, the one that comes first in the house's order is proposed."""
    for given in (actions, actions[::-1], actions * 2):
        assert _combined(actions=list(given), subject_status="EXCEPTION", applied_action="none") == actions[0]
        assert _combined(actions=list(given)) == actions[0]


@pytest.mark.parametrize("actions", _SETS, ids="+".join)
def test_nothing_is_paid_from_a_hold_while_a_reason_to_hold_is_left(actions: tuple[str, ...]) -> None:
    """On hold, a set with a hold gives the rejection that it contains or nothing; nothing else changes."""
    expected = "reject" if "reject" in actions else "none" if "hold" in actions else actions[0]
    assert _combined(actions=list(actions), subject_status="ON_HOLD", applied_action="hold") == expected


@pytest.mark.parametrize("actions", _SETS, ids="+".join)
def test_a_credit_note_that_was_asked_for_is_not_asked_for_again(actions: tuple[str, ...]) -> None:
    """On hold for a credit note, a set with another request for it gives the rejection that it contains or nothing."""
    waits = "hold" in actions or "request-credit-memo" in actions
    expected = "reject" if "reject" in actions else "none" if waits else actions[0]
    assert _combined(actions=list(actions), subject_status="ON_HOLD", applied_action="request-credit-memo") == expected


def test_every_action_of_resolution_is_known_to_combine() -> None:
    """No exception resolves to an action that combine would overlook."""
    tested = " ".join(row["actions"] for row in cells("combine").values())
    assert all(f'"{action}"' in tested for action in _ORDER)
