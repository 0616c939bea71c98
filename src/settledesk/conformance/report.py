"""The figures of a run: per level all cases, the substantive ones, and the mean of the folders' pass rates."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from settledesk.conformance.outcome import CaseOutcome, Unread, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelFigures:
    """The figures of one level. Cases that invoke Java are counted in `unsupported` and nowhere else.

    `folder_mean` is the mean of the folders' pass rates, from 0 to 1.
    """

    level: str
    cases: int
    passed: int
    substantive: int
    substantive_passed: int
    folder_mean: float
    unsupported: int

    def to_json(self) -> dict[str, Any]:
        """Return the figures under their names."""
        return {
            "cases": self.cases,
            "passed": self.passed,
            "substantive": self.substantive,
            "substantive_passed": self.substantive_passed,
            "folder_mean": self.folder_mean,
            "unsupported": self.unsupported,
        }


class KitReport:
    """What a run found, in the order in which it ran."""

    def __init__(self) -> None:
        self.outcomes: list[CaseOutcome] = []
        self.unread: list[Unread] = []

    def add(self, outcomes: Iterable[CaseOutcome], unread: Iterable[Unread]) -> None:
        """Add the outcomes of a folder."""
        self.outcomes.extend(outcomes)
        self.unread.extend(unread)

    def levels(self) -> list[LevelFigures]:
        """Return the figures of each level."""
        names = dict.fromkeys(outcome.level for outcome in self.outcomes)
        return [_figures(name, [outcome for outcome in self.outcomes if outcome.level == name]) for name in names]

    def with_verdict(self, verdict: Verdict) -> list[CaseOutcome]:
        """Return the outcomes of a verdict."""
        return [outcome for outcome in self.outcomes if outcome.verdict is verdict]

    def to_json(self) -> dict[str, Any]:
        """Return the figures by level, and the ids of the cases that failed or are not supported."""
        return {
            **{figures.level: figures.to_json() for figures in self.levels()},
            "failed": [outcome.id for outcome in self.with_verdict(Verdict.FAILED)],
            "unsupported": [outcome.id for outcome in self.with_verdict(Verdict.UNSUPPORTED)],
            "unread": [{"path": item.path, "reason": item.reason} for item in self.unread],
        }


def _figures(level: str, outcomes: list[CaseOutcome]) -> LevelFigures:
    run = [outcome for outcome in outcomes if outcome.verdict is not Verdict.UNSUPPORTED]
    passed = [outcome for outcome in run if outcome.verdict is Verdict.PASSED]
    folders: dict[str, list[bool]] = {}
    for outcome in run:
        folders.setdefault(outcome.folder, []).append(outcome.verdict is Verdict.PASSED)
    rates = [sum(results) / len(results) for results in folders.values()]
    return LevelFigures(
        level=level,
        cases=len(run),
        passed=len(passed),
        substantive=sum(outcome.substantive for outcome in run),
        substantive_passed=sum(outcome.substantive for outcome in passed),
        folder_mean=round(sum(rates) / len(rates), 6) if rates else 0.0,
        unsupported=len(outcomes) - len(run),
    )
