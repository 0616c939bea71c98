"""One evaluation of a model: its run, what was found on the way, and the results of decisions that others need."""

from typing import Any

from settledesk.decisions.results import FindingKind, RowTrace, TableFinding
from settledesk.feel.run import Run

FINDINGS_MAX = 100
_KINDS: dict[str, FindingKind] = {"type": "wrong_type"}


class Session:
    """Made anew for each evaluation, so that nothing is carried over."""

    __slots__ = ("decided", "findings", "fired", "run", "trace", "wanted")

    def __init__(self, run: Run, *, trace: bool) -> None:
        self.run = run
        self.wanted = trace
        self.findings: list[TableFinding] = []
        self.decided: dict[str, Any] = {}
        self.fired: tuple[str, ...] = ()
        self.trace: tuple[RowTrace, ...] = ()

    def find(self, kind: FindingKind, rows: tuple[str, ...], message: str) -> None:
        """Record a finding once."""
        finding = TableFinding(kind=kind, rows=rows, message=message)
        if len(self.findings) < FINDINGS_MAX and finding not in self.findings:
            self.findings.append(finding)

    def wrong_type(self, name: str, message: str) -> None:
        """Record that a value is not of its type."""
        self.find("wrong_type", (), f"`{name}`: {message}")

    def note_cell(self, since: int, rows: tuple[str, ...], column: str) -> None:
        """Turn the diagnostics since a point into findings; a null that was handed on is none."""
        for diagnostic in self.run.diagnostics[since:]:
            if diagnostic.kind != "null":
                self.find(_KINDS.get(diagnostic.kind, "error"), rows, f"`{column}`: {diagnostic.message}")
