"""A reading as the pack declares it: the closed intents of an answer, its fields, and when it becomes a fact.

Whatever does not fit is no fact: the reading is kept, the fact stays unknown with the reason.
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

import regex
from pydantic import BaseModel, ConfigDict, Field

from settledesk.facts import EvidenceId, Fact, FactValue, Known, Unknown, is_reference, value_or_none

UNCLEAR = "UNCLEAR"
"""The intent that is always among the intents, and that a reader prefers to guessing."""

_PATTERN_TIMEOUT_S = 0.1


class ReadingField(BaseModel):
    """One field: its type, shape and domain, the fact whose value it must equal, and the fact that it supplies."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["string", "number", "boolean"]
    domain: list[str] | None = None
    pattern: str | None = None
    above: str | None = None
    shape: Literal["reference"] | None = None
    equals: str | None = None
    fact: str | None = None


class Acceptance(BaseModel):
    """What a reading must be before it supplies a fact."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intent: str
    contains_instructions: bool = False
    required: list[str] = Field(default_factory=list)


class ReadingSpec(BaseModel):
    """What the answer to one letter may contain."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    fact: str
    recipient: str
    intents: list[str]
    offers: list[str] = Field(default_factory=list)
    accept: Acceptance
    fields: dict[str, ReadingField]


def facts_of_reading(
    spec: ReadingSpec, values: Mapping[str, Any], *, known: Mapping[str, Fact], evidence: EvidenceId
) -> dict[str, Fact]:
    """Return the facts that a reading supplies, by name; the asked one is unknown with the reason if it fails a check.

    `values` holds `intent` and the fields; `known` are the facts of the case that fields are checked against.
    """
    why = _refusal(spec, values, known)
    if why is not None:
        return {spec.fact: Unknown(reason=why)}
    return {
        field.fact: Known(value=_value(field, values[name]), evidence=(evidence,))
        for name, field in spec.fields.items()
        if field.fact is not None and values.get(name) is not None
    }


def _refusal(spec: ReadingSpec, values: Mapping[str, Any], known: Mapping[str, Fact]) -> str | None:
    strange = sorted(set(values) - set(spec.fields) - {"intent", "offers"})
    if strange:
        return f"the answer has `{strange[0]}`, which is not a field of the reading `{spec.name}`"
    if values.get("intent") not in spec.intents:
        return "the answer could not be read"
    if values["intent"] != spec.accept.intent:
        return f"the answer was read as {values['intent']}"
    if bool(values.get("contains_instructions", False)) is not spec.accept.contains_instructions:
        return "the answer contains instructions"
    for name in spec.accept.required:
        if values.get(name) is None:
            return f"the answer does not say {name.replace('_', ' ')}"
    for name, field in spec.fields.items():
        if values.get(name) is not None and (why := _field_refusal(name, field, values[name], known)):
            return why
    return None


def _field_refusal(name: str, field: ReadingField, value: Any, known: Mapping[str, Fact]) -> str | None:
    label = name.replace("_", " ")
    if field.type == "boolean":
        return None if isinstance(value, bool) else f"{label} of the answer is not yes or no"
    if not isinstance(value, str):
        return f"{label} of the answer is not text"
    if field.domain is not None and value not in field.domain:
        return f"{label} of the answer is not one of {', '.join(field.domain)}"
    if field.shape == "reference" and not is_reference(value):
        return f"{label} of the answer is not shaped as a reference"
    if field.pattern is not None and not regex.fullmatch(field.pattern, value, timeout=_PATTERN_TIMEOUT_S):
        return f"{label} of the answer does not have the expected form"
    if field.type == "number" and _number(value) is None:
        return f"{label} of the answer is not a number"
    if field.above is not None and not _above(value, field.above):
        return f"{label} of the answer is not above {field.above}"
    if field.equals is not None:
        expected = value_or_none(known.get(field.equals))
        if expected is None or str(expected).casefold() != value.casefold():
            return f"{label} of the answer is not the {field.equals.replace('_', ' ')} of the case"
    return None


def _number(value: str) -> Decimal | None:
    try:
        number = Decimal(value)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _above(value: str, limit: str) -> bool:
    number = _number(value)
    return number is not None and number > Decimal(limit)


def _value(field: ReadingField, value: Any) -> FactValue:
    return Decimal(value) if field.type == "number" else value
