"""The question: a proposal and the facts that the policy may ask for, as lean typed JSON with integer minor units."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from settledesk.facts import EvidenceId, Fact, Known, Money, Unknown

SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyQuestion:
    """May this proposal go to a person, and to whom? `facts` holds every fact that the pack marks for the policy."""

    action: str
    amount: Money | None
    reasons: tuple[str, ...]
    proposer: str
    evidence: tuple[EvidenceId, ...]
    facts: Mapping[str, Fact]


def question_to_json(question: PolicyQuestion) -> dict[str, Any]:
    """Return the policy's input document.

    A fact is `{"known": value}` (money: `{"known": minor units, "currency": code}`) or `{"unknown": reason}`. A field
    is never left out, since a missing field is malformed and not the same as unknown.
    """
    return {
        "schema": SCHEMA,
        "action": question.action,
        "amount": None if question.amount is None else _known(question.amount),
        "reasons": sorted(question.reasons),
        "proposer": question.proposer,
        "evidence": list(question.evidence),
        "facts": {name: _fact(fact) for name, fact in sorted(question.facts.items())},
    }


def _fact(fact: Fact) -> dict[str, Any]:
    if isinstance(fact, Unknown):
        return {"unknown": fact.reason}
    assert isinstance(fact, Known)
    return _known(fact.value)


def _known(value: object) -> dict[str, Any]:
    match value:
        case Money():
            return {"known": value.to_minor(), "currency": value.currency}
        case Decimal():
            return {"known": str(value)}
        case date():
            return {"known": value.isoformat()}
        case tuple():
            return {"known": list(value)}
    return {"known": value}
