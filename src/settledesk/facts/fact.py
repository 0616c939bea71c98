"""`Known(value, evidence) | Unknown(reason)`: the only two things that can be said of a fact."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeAlias

from settledesk.facts.money import Money
from settledesk.facts.typed_ids import EvidenceId

FactValue: TypeAlias = str | bool | Decimal | date | Money | tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A value that was established, and the ids of the records it rests on (in the order they were read)."""

    value: FactValue
    evidence: tuple[EvidenceId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A value that was not established. `reason` is one lower-case sentence without a full stop."""

    reason: str


Fact: TypeAlias = Known | Unknown


def from_inference(
    value: FactValue, *, confidence: Decimal, threshold: Decimal, evidence: tuple[EvidenceId, ...], what: str
) -> Fact:
    """Turn an inference into a fact: at or above the pack's threshold it is known, below it is unknown.

    `confidence` and `threshold` lie in 0..1; `evidence` is the inference's own id; `what` says what was inferred.
    """
    if confidence >= threshold:
        return Known(value=value, evidence=evidence)
    return Unknown(reason=f"{what} is only inferred with confidence {confidence}, below the threshold {threshold}")


def value_or_none(fact: Fact | None) -> FactValue | None:
    """Return the value, or `None` for an unknown or absent fact (FEEL's `null` means Unknown and nothing else)."""
    return fact.value if isinstance(fact, Known) else None


def merge_evidence(*groups: Iterable[EvidenceId]) -> tuple[EvidenceId, ...]:
    """Join evidence in order of first appearance, each id once."""
    return tuple(dict.fromkeys(evidence for group in groups for evidence in group))
