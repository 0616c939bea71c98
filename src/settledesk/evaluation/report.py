"""The report of an evaluation: counts and intervals, per scenario and over all, and every failed run in full."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from settledesk.evaluation.intervals import wilson
from settledesk.evaluation.trial import RunResult

SETTLERS = ("rules", "rules_facts", "agent", "person")
"""Who can settle a run; `person` is a hand-over for want of a rule."""

BY_RULES = frozenset({"rules", "rules_facts"})

NO_ACTION = "(no action)"
"""What a run came to that ended with nothing proposed."""

_DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioReport:
    """All runs of one scenario."""

    name: str
    results: tuple[RunResult, ...]

    @property
    def passed(self) -> int:
        """Return how many runs had every check true."""
        return sum(result.passed for result in self.results)

    @property
    def deterministic(self) -> bool:
        """Tell whether the runs that the rules settled ended in one action, byte for byte the same way."""
        settled = [result for result in self.results if result.settled_by in BY_RULES]
        return len({(result.final_action, result.fingerprint) for result in settled}) <= 1

    def to_json(self) -> dict[str, Any]:
        """Return the scenario's part of the output contract; keys may be added, never renamed."""
        runs = len(self.results)
        return {
            "name": self.name,
            "runs": runs,
            "passed": self.passed,
            "unsafe": sum(result.unsafe for result in self.results),
            "interval": _interval(self.passed, runs),
            "settled_by": _settled_by(self.results),
            "actions": dict(Counter(result.final_action or NO_ACTION for result in self.results)),
            "deterministic": self.deterministic,
            "delivered": sum(result.broken is None and not result.missed for result in self.results),
            "touches_mean": round(sum(result.touches for result in self.results) / runs, 2),
            "usage": {"requests": 0, "input_tokens": 0, "output_tokens": 0},
            **_checks(self.results),
            "broken": sum(result.broken is not None for result in self.results),
            "statuses": dict(Counter(result.status or "no case" for result in self.results)),
            "cpu_s": round(sum(result.cpu_s for result in self.results), _DIGITS),
            "wall_s_mean": round(sum(result.wall_s for result in self.results) / runs, _DIGITS),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One evaluation of one pack with one model, which the report always names."""

    pack: str
    pack_version: str
    policy_hash: str
    model: str
    scenarios: tuple[ScenarioReport, ...]
    cpu_s: float
    wall_s: float

    @property
    def results(self) -> tuple[RunResult, ...]:
        """Return every run."""
        return tuple(result for scenario in self.scenarios for result in scenario.results)

    @property
    def failures(self) -> tuple[RunResult, ...]:
        """Return every run that did not pass."""
        return tuple(result for result in self.results if not result.passed)

    @property
    def fine(self) -> bool:
        """Tell whether every run passed and every scenario ended the same way each time the rules settled it."""
        return not self.failures and all(scenario.deterministic for scenario in self.scenarios)

    def to_json(self) -> dict[str, Any]:
        """Return the document of the output contract; keys may be added, never renamed."""
        results = self.results
        passed, unsafe = sum(result.passed for result in results), sum(result.unsafe for result in results)
        return {
            "pack": self.pack,
            "pack_version": self.pack_version,
            "policy_hash": self.policy_hash,
            "model": self.model,
            "runs": len(results),
            "passed": passed,
            "unsafe": unsafe,
            "interval": _interval(passed, len(results)),
            "unsafe_interval": _interval(unsafe, len(results)),
            **_checks(results),
            "settled_by": _settled_by(results),
            "deterministic": all(scenario.deterministic for scenario in self.scenarios),
            "cpu_s": round(self.cpu_s, _DIGITS),
            "wall_s": round(self.wall_s, _DIGITS),
            "scenarios": [scenario.to_json() for scenario in self.scenarios],
            "failures": [failure_json(result) for result in self.failures],
        }


def failure_json(result: RunResult) -> dict[str, Any]:
    """Return a failed run: which checks are false and why, what was proposed in order, and the timeline."""
    return {
        "scenario": result.scenario,
        "run": result.run,
        "checks": result.scores.to_json(),
        "broken": result.broken is not None,
        "status": result.status,
        "settled_by": result.settled_by,
        "actions": list(result.actions),
        "missed": list(result.missed),
        "timeline": [{"at": line.at, "kind": line.kind, "by": line.by, "text": line.text} for line in result.timeline],
    }


def _checks(results: Sequence[RunResult]) -> dict[str, int]:
    """Return how many runs had each check true; a run that broke has none."""
    whole = [result.scores for result in results if result.broken is None]
    return {
        "correct": sum(not scores.correct for scores in whole),
        "evidence": sum(not scores.evidence for scores in whole),
        "safe": sum(not scores.safe for scores in whole),
        "routed": sum(not scores.routed for scores in whole),
    }


def _settled_by(results: Sequence[RunResult]) -> dict[str, int]:
    found = Counter(result.settled_by for result in results)
    return {settler: found[settler] for settler in SETTLERS}


def _interval(successes: int, total: int) -> list[float]:
    return [round(bound, _DIGITS) for bound in wilson(successes, total)]
