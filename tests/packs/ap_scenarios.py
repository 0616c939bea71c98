"""The form of a scenario file (docs/scenarios.md), as strict models: a misspelt demand must not be a missing one."""

from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

SCENARIOS = Path(__file__).parents[2] / "packs" / "accounts_payable" / "scenarios"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fault(_Part):
    """A fault on every path that starts so."""

    path: str
    error_rate: float = Field(default=0, ge=0, le=1)
    latency_s: float = Field(default=0, ge=0)
    status: int = 503


class Given(_Part):
    """What the system of record holds: a seed by name, or the records themselves."""

    seed: str | None = None
    records: dict[str, list[dict[str, Any]]] | None = None
    subject: str | None = None
    facts: dict[str, list[str]] = Field(default_factory=dict)
    faults: list[Fault] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_of_the_two(self) -> "Given":
        if (self.seed is None) == (self.records is None):
            raise ValueError("a scenario has either `seed` or `records`")
        if self.records is not None and self.subject is None:
            raise ValueError("records need the `subject` whose case is judged")
        return self


class Decline(_Part):
    """A proposal of this action is declined, once; every other is approved."""

    action: str
    words: str
    reason: str | None


class Decides(_Part):
    """How the people decide, where they do not approve."""

    decline: Decline


class People(_Part):
    """How the people behave."""

    decides: Literal["approve"] | Decides = "approve"
    silent: list[str] = Field(default_factory=list)


class Answer(_Part):
    """The vendor's answer to a letter, as the typed reading that is made of it."""

    asked: str
    reading: dict[str, str]


class Post(_Part):
    """A record that arrives."""

    collection: str
    record: dict[str, Any]


class Event(_Part):
    """Something that happens while the case is worked: at a time, or once the case has a status."""

    redeliver: Literal["subject"] | None = None
    post: Post | None = None
    after_s: float | None = None
    after_status: str | None = None

    @model_validator(mode="after")
    def _what_and_when(self) -> "Event":
        if (self.redeliver is None) == (self.post is None) or (self.after_s is None) == (self.after_status is None):
            raise ValueError("an event has one of `redeliver` and `post`, and one of `after_s` and `after_status`")
        return self


class When(_Part):
    """What people and vendors do, and what happens meanwhile."""

    people: People = People()
    vendor: list[Answer] = Field(default_factory=list)
    events: list[Event] = Field(default_factory=list)


class Then(_Part):
    """What is demanded."""

    acceptable: dict[str, list[str]]
    facts_to_cite: list[str]
    settled_by: Literal["rules", "rules_facts", "agent", "person"]
    waiting_acceptable_on: str | None = None
    forbidden: list[str] = Field(default_factory=list)
    must_mail: list[str] = Field(default_factory=list)
    never_mail: list[str] = Field(default_factory=list)
    once: bool = False
    amount: str | None = None
    reasons: list[str] = Field(default_factory=list)
    row: str | None = None
    closed_by: str | None = None
    stop_reason: str | None = None


class Scenario(_Part):
    """One scenario file."""

    name: str
    about: str
    from_reference: bool = False
    alone: bool = False
    given: Given
    when: When = When()
    then: Then


@cache
def scenarios() -> dict[str, Scenario]:
    """Return all scenarios of the pack by name."""
    paths = sorted(SCENARIOS.glob("*.yaml"))
    return {path.stem: Scenario.model_validate(yaml.safe_load(path.read_text(encoding="utf-8"))) for path in paths}
