"""A stored fact as text for people."""

from collections.abc import Mapping
from typing import Any

from settledesk.facts import Known, fact_from_json
from settledesk.packs import show_value


def fact_value(stored: Mapping[str, Any]) -> str:
    """Return the value as people read it, or `unknown` with the reason."""
    fact = fact_from_json(stored)
    return show_value(fact.value) if isinstance(fact, Known) else f"unknown: {fact.reason}"
