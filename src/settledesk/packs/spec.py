"""The files of a pack as typed values. Unknown keys are errors: a misspelt limit must not be a missing one."""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _exact(value: Any) -> Any:
    if isinstance(value, float):
        raise ValueError('write decimals as text, such as "0.90": a TOML float is not exact')
    return value


ExactDecimal = Annotated[Decimal, BeforeValidator(_exact)]


class _Spec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Limits(_Spec):
    """Every accumulation has a limit with a name, and reaching it is an outcome."""

    letters_max: int = Field(ge=0)
    read_tries_max: int = Field(ge=1)
    read_attempts_max: int = Field(ge=1)
    read_backoff_s: int = Field(ge=0)
    backoff_max_s: int = Field(default=3_600, ge=0)
    apply_attempts_max: int = Field(default=10, ge=1)
    moment_attempts_max: int = Field(default=5, ge=1)
    inference_threshold: ExactDecimal = Field(ge=0, le=1)


class ReadSpec(_Spec):
    """One read: `{subject}` is the subject's id, `{other.field}` the values of a field in an earlier read.

    With a `kind` it is done only for subjects of that kind of record.
    """

    name: str
    path: str
    kind: str | None = None


class EventSpec(_Spec):
    """What an event of the system of record does: opens a case, wakes cases under references, or both."""

    type: str
    when: dict[str, str] = Field(default_factory=dict)
    opens: str | None = None
    wakes: list[str] = Field(default_factory=list)
    cause: str


class ReasonSpec(_Spec):
    """A reason code of the pack and the generic findings that raise it."""

    findings: list[str]
    title: str


class ActionSpec(_Spec):
    """An action that may be proposed; `after` is the case's status once it is applied."""

    title: str
    after: Literal["resolved", "on_hold"]
    amounts: bool = False
    moves_money: bool = False


class FactSpec(_Spec):
    """A fact: its type and domain, where it comes from, and who may use it."""

    type: Literal["string", "number", "boolean", "money", "date", "list"]
    source: Literal["finding", "subject", "case", "reading"]
    measure: str | None = None
    unit: str | None = None
    domain: list[str] | None = None
    role: str | None = None
    """The value must be a person of this role in people.toml; anybody else leaves the fact unknown."""
    policy: bool = False
    decides: bool = False
    supplied_by: list[str] = Field(default_factory=list)
    moves_money: bool = False
    check: str | None = None
    title: str | None = None


class PackFile(_Spec):
    """`pack.toml`."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    version: str
    owner: str
    case_prefix: str = Field(pattern=r"^[a-z]{2,6}$")
    currency: str
    matcher: str
    collection: str
    limits: Limits
    windows_days: dict[str, int] = Field(default_factory=dict)
    decides_all: list[str] = Field(default_factory=list)
    decline_reasons: list[str] = Field(default_factory=list)
    reads: list[ReadSpec]
    events: list[EventSpec]
    reasons: dict[str, ReasonSpec]
    actions: dict[str, ActionSpec]
    amounts: dict[str, list[str]]


class ToleranceSpec(_Spec):
    """One tolerance; the first whose scope matches counts, from the narrowest to the widest as written."""

    name: str
    finding: str
    scope: dict[str, str] = Field(default_factory=dict)
    percent: ExactDecimal | None = None
    absolute: ExactDecimal | None = None


class PersonSpec(_Spec):
    """A person who works at the desk: the role decides what may be put to them."""

    role: str
    name: str
    email: str | None = None


class PeopleFile(_Spec):
    """`people.toml`: the desk reads who there is; the grants are for the system of record to read."""

    users: dict[str, PersonSpec]
    grants: list[dict[str, Any]] = Field(default_factory=list)
