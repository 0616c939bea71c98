"""What the check of a model says: findings with one input each, and notes on what could not be decided."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["overlap", "gap", "subsumed", "duplicate", "unreachable", "contradiction", "domain", "type"]
Severity: TypeAlias = Literal["error", "warning", "info"]

KINDS: tuple[Kind, ...] = (
    "type",
    "contradiction",
    "domain",
    "overlap",
    "unreachable",
    "duplicate",
    "subsumed",
    "gap",
)
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One fault, or one thing to know, of a table.

    `input` are the values that show it, replayed through the engine: `pasteable` tells whether they are the decision's
    own inputs; otherwise they are the values of the table's columns. It is `None` where the finding says that something
    may be (a cell that has to be run). `outputs` has what each of the rows gives on that input, in the order of `rows`,
    where it gives anything.
    """

    kind: Kind
    severity: Severity
    decision: str
    rows: tuple[str, ...]
    input: Mapping[str, Any] | None
    message: str
    outputs: tuple[Any, ...] = ()
    pasteable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All findings, the worst first. `unconfirmed` counts those that the engine did not bear out, which are withheld.

    Such a finding is a fault of the check itself: the number is zero unless something is broken.
    """

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    tables: int
    unconfirmed: int

    @property
    def has_errors(self) -> bool:
        """Whether any finding is an error."""
        return any(finding.severity == "error" for finding in self.findings)
