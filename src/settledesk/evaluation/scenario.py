"""A scenario as typed values: given, when, then. Unknown keys are errors: a misspelt demand must not be a missing one.

The form is described in `docs/scenarios.md`. No word of a pack is in here: actions, roles and facts are the file's own.
"""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

RUNS = 20
"""How often a scenario runs unless it says otherwise."""

RUNS_ALONE = 5
"""How often a scenario runs that is not run beside others (faults), unless it says otherwise."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
ScenarioName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")]
SettledBy = Literal["rules", "rules_facts", "agent", "person"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fault(_Part):
    """A fault on every path that starts with `path`."""

    path: Name
    error_rate: float = Field(default=0.0, ge=0, le=1)
    latency_s: float = Field(default=0.0, ge=0)
    status: int = Field(default=503, ge=400, le=599)


class Given(_Part):
    """What the system of record holds: a seed of the pack by name, or the records themselves."""

    seed: Name | None = None
    records: dict[str, list[dict[str, Any]]] | None = None
    subject: Name | None = None
    facts: dict[str, list[Name]] = Field(default_factory=dict)
    faults: list[Fault] = Field(default_factory=list)

    @model_validator(mode="after")
    def _seed_or_records(self) -> "Given":
        if (self.seed is None) == (self.records is None):
            raise ValueError("a scenario is given either a `seed` or `records`")
        if self.records is not None and self.subject is None:
            raise ValueError("`records` need the `subject` whose case is judged")
        if self.seed is not None and (self.subject is not None or self.facts):
            raise ValueError("a `seed` brings its own `subject` and `facts`")
        return self


class Decline(_Part):
    """A proposal of this action is declined, once; every other is approved."""

    action: Name
    words: str | None = None
    reason: Name | None = None

    @model_validator(mode="after")
    def _says_why(self) -> "Decline":
        if not (self.words or "").strip() and self.reason is None:
            raise ValueError("a decline says why: in `words`, with a `reason`, or both")
        return self


class Decides(_Part):
    """How the people decide where they do not simply approve."""

    decline: Decline


class People(_Part):
    """What the people of the desk do: `silent` are roles or usernames that never decide."""

    decides: Literal["approve"] | Decides = "approve"
    silent: list[Name] = Field(default_factory=list)

    @property
    def decline(self) -> Decline | None:
        """Return what is declined, if anything."""
        return self.decides.decline if isinstance(self.decides, Decides) else None


class Answer(_Part):
    """The answer to a letter that asks for a fact, as the typed reading that is made of it."""

    asked: Name
    reading: dict[str, Any]


class Post(_Part):
    """A record that arrives at the system of record."""

    collection: Name
    record: dict[str, Any]


class Event(_Part):
    """Something that happens meanwhile: at a time after the start, or once the case has a status."""

    redeliver: Literal["subject"] | None = None
    post: Post | None = None
    after_s: float | None = Field(default=None, ge=0)
    after_status: Name | None = None

    @model_validator(mode="after")
    def _what_and_when(self) -> "Event":
        if (self.redeliver is None) == (self.post is None):
            raise ValueError("an event is either `redeliver` or `post`")
        if (self.after_s is None) == (self.after_status is None):
            raise ValueError("an event happens either `after_s` seconds or `after_status`")
        return self


class When(_Part):
    """What people, outsiders and the system of record do while the case is worked."""

    people: People = People()
    vendor: list[Answer] = Field(default_factory=list)
    events: list[Event] = Field(default_factory=list)


class Then(_Part):
    """What is demanded. `acceptable` maps the last action to the roles that it may have gone to."""

    acceptable: dict[Name, list[Name]]
    settled_by: SettledBy
    facts_to_cite: list[Name] = Field(default_factory=list)
    waiting_acceptable_on: Name | None = None
    forbidden: list[Name] = Field(default_factory=list)
    must_mail: list[Name] = Field(default_factory=list)
    never_mail: list[Name] = Field(default_factory=list)
    once: bool = False
    amount: Decimal | None = None
    reasons: list[Name] = Field(default_factory=list)
    row: Name | None = None
    closed_by: Name | None = None
    stop_reason: Name | None = None

    @model_validator(mode="before")
    @classmethod
    def _exact_amount(cls, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("amount"), float):
            raise ValueError('write the `amount` as text, such as "1000.00": a YAML float is not exact')
        return data

    @model_validator(mode="after")
    def _no_contradiction(self) -> "Then":
        both = sorted(set(self.acceptable) & set(self.forbidden))
        if both:
            raise ValueError(f"`{both[0]}` is both acceptable and forbidden")
        return self


class Scenario(_Part):
    """One scenario file. `alone` marks one that is not meant to run beside others; `runs` is how often it runs."""

    name: ScenarioName
    about: Name
    from_reference: bool = False
    alone: bool = False
    runs: int | None = Field(default=None, ge=1, le=100_000)
    given: Given
    when: When = When()
    then: Then

    @property
    def runs_or_default(self) -> int:
        """Return how often this scenario runs when nobody says otherwise."""
        return self.runs or (RUNS_ALONE if self.alone else RUNS)
