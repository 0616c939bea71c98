"""Facts as JSON and back, without losing a type: numbers travel as text, money as text with its currency."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from settledesk.facts.fact import Fact, FactValue, Known, Unknown
from settledesk.facts.money import Money
from settledesk.facts.typed_ids import EvidenceId


class FactCodecError(ValueError):
    """A stored fact is not of the shape that `fact_to_json` writes."""


def fact_to_json(fact: Fact) -> dict[str, Any]:
    """Return `{"type", "value", "evidence"}` for a known fact and `{"unknown": reason}` for an unknown one."""
    if isinstance(fact, Unknown):
        return {"unknown": fact.reason}
    kind, value = _encode(fact.value)
    return {"type": kind, "value": value, "evidence": list(fact.evidence)}


def fact_from_json(data: Mapping[str, Any]) -> Fact:
    """Read what `fact_to_json` wrote; raises `FactCodecError` naming what is wrong."""
    if "unknown" in data:
        return Unknown(reason=str(data["unknown"]))
    try:
        value = _decode(data["type"], data["value"])
        evidence = tuple(EvidenceId(str(item)) for item in data["evidence"])
    except (KeyError, TypeError, ValueError, InvalidOperation) as error:
        raise FactCodecError(f"a stored fact cannot be read: {error!r} in `{dict(data)!r}`") from error
    return Known(value=value, evidence=evidence)


def _encode(value: FactValue) -> tuple[str, Any]:
    match value:
        case bool():
            return "boolean", value
        case str():
            return "string", value
        case Decimal():
            return "number", str(value)
        case Money():
            return "money", {"amount": str(value.amount), "currency": value.currency}
        case date():
            return "date", value.isoformat()
        case tuple():
            return "list", list(value)


def _decode(kind: str, value: Any) -> FactValue:
    match kind:
        case "boolean" if isinstance(value, bool):
            return value
        case "string" if isinstance(value, str):
            return value
        case "number":
            return Decimal(value)
        case "money":
            return Money.of(value["amount"], value["currency"])
        case "date":
            return date.fromisoformat(value)
        case "list":
            return tuple(str(item) for item in value)
    raise FactCodecError(f"`{kind}` is not a type of fact")
