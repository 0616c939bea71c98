"""What a matcher says of a subject: generic findings, measures as facts, and what could not be read.

Nothing here knows a pack's reason codes; the pack maps each finding kind to its own code.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias

from settledesk.facts import EvidenceId, Fact, Money

Record: TypeAlias = Mapping[str, Any]
"""One record of the system of record as JSON: numbers as text, dates as ISO text, `id` and `kind` always present."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRecords:
    """A read that succeeded. No records is a known nothing, which is not the same as unread."""

    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A read that failed every time it was tried; what hangs on it stays unknown."""

    reason: str


Read: TypeAlias = ReadRecords | Unread


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """One tolerance: a difference is within it when it is within every limit that is set.

    `percent` and `absolute` (in the document's currency) are upper limits, inclusive; `None` sets no limit.
    """

    name: str
    percent: Decimal | None = None
    absolute: Decimal | None = None

    def allows(self, *, percent: Decimal | None, absolute: Decimal) -> bool:
        """Tell whether a difference lies within; an incomparable percent (`None`) is never within a percent limit."""
        if self.percent is not None and (percent is None or percent > self.percent):
            return False
        return self.absolute is None or absolute <= self.absolute


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSettings:
    """A pack's numbers for a matcher: tolerances by finding kind and scope, windows in days, thresholds."""

    tolerances: Callable[[str, Mapping[str, str]], Tolerance]
    """(finding kind, scope such as `{"vendor": …, "item": …}`) -> the first tolerance that matches."""
    windows_days: Mapping[str, int] = field(default_factory=dict)
    inference_threshold: Decimal = Decimal("0.90")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFinding:
    """Where on the subject a finding sits: the line and the two figures that differ."""

    line: str
    stated: str
    expected: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One generic finding, at most one per kind.

    `amount` is what is at issue, without tax, in the document's currency. `measures` are facts about this finding
    alone (`percent`, `quantity`, `excess`, …). `text` is one sentence in which text of outsiders never appears.
    """

    kind: str
    amount: Money
    text: str
    lines: tuple[LineFinding, ...] = ()
    measures: Mapping[str, Fact] = field(default_factory=dict)
    evidence: tuple[EvidenceId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """All that the matcher established about one subject.

    `missing` names what must be read before anything may be proposed (empty: complete). `payable` answers what is to
    be paid, tax in proportion, when the parts named are left out (`price`, `quantity`, `charge`): an unknown if that
    cannot be computed. `references` are the keys under which later events find this case.
    """

    findings: tuple[Finding, ...]
    measures: Mapping[str, Fact]
    missing: tuple[str, ...]
    payable: Callable[[frozenset[str]], Fact]
    references: tuple[tuple[str, str], ...]
    display: str
    """The subject's own reference as written (an invoice number); shown only through `display_reference`."""


Matcher: TypeAlias = Callable[[Mapping[str, Read], MatchSettings], Assessment]
