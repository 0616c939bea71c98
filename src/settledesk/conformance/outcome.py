"""What became of a case of the kit."""

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """What became of a case."""

    PASSED = "passed"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"
    """The case invokes a Java function, which no engine in another language has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOutcome:
    """One case that was run. `id` is `level/folder/file/case`; `reason` says why it failed."""

    id: str
    level: str
    folder: str
    verdict: Verdict
    substantive: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A file of the kit that could not be read."""

    path: str
    reason: str
