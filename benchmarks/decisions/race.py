"""Engines beside one another: turns of a fraction of a second, round after round, so that a slow moment meets all.

What counts is CPU time of the process: other processes do not weigh, and a peer's helper threads do. Before each turn
the garbage is collected, and none is during it, whoever's turn it is. A ratio is the median of the rounds' ratios, each
of two turns that lie close together.
"""

import gc
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.decisions.draw import Facts
from benchmarks.decisions.engines import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long each turn lasts and how many rounds there are."""

    turn_s: float
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The rates of each engine, one per round, in evaluations per second."""

    rates: Mapping[str, Sequence[float]]

    def rate(self, name: str) -> float:
        """Return the median rate."""
        return median(self.rates[name])

    def ratio(self, name: str, against: str) -> float:
        """Return how many times as many evaluations `name` does."""
        return median(one / other for one, other in zip(self.rates[name], self.rates[against], strict=True))


def run(engines: Sequence[Engine], facts: Sequence[Facts], pace: Pace) -> Outcome:
    """Let the engines take turns on the same facts, which each gets in its own form and before the clock runs."""
    given = {engine.name: [engine.given(one) for one in facts] for engine in engines}
    rates: dict[str, list[float]] = {engine.name: [] for engine in engines}
    for engine in engines:
        _turn(engine, given[engine.name], pace.turn_s / 4)
    for _ in range(pace.rounds):
        for engine in engines:
            rates[engine.name].append(_turn(engine, given[engine.name], pace.turn_s))
    return Outcome(rates=rates)


def _turn(engine: Engine, given: Sequence[Any], turn_s: float) -> float:
    """Return the rate over whole passes, so that no engine meets some of the facts more often than others."""
    gc.collect()
    gc.disable()
    try:
        started = time.process_time()
        passes, spent = 0, 0.0
        while spent < turn_s:
            engine.loop(given)
            passes += 1
            spent = time.process_time() - started
    finally:
        gc.enable()
    return passes * len(given) / spent
