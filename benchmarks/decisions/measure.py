"""The whole benchmark: its parts, in the order in which they are printed."""

import os
from collections.abc import Iterator
from importlib.metadata import version

from benchmarks.decisions import batch, checking, loading, sides
from benchmarks.decisions.race import Pace
from benchmarks.decisions.subjects import subjects
from benchmarks.result import Result

SHORT = os.environ.get("SETTLEDESK_BENCH") == "short"
PACE = Pace(turn_s=0.03, rounds=7) if SHORT else Pace(turn_s=0.05, rounds=25)
BATCH_ROWS, DISTINCT = (200_000, 20_000) if SHORT else (1_000_000, 50_000)
"""Rows of a batch, and facts that differ: they are gone through again until there are as many rows as wanted."""


def measure() -> list[Result]:
    """Measure everything; what was found on the way is printed."""
    return list(_parts())


def _parts() -> Iterator[Result]:
    print(f"  lxml {version('lxml')}; {PACE.rounds} rounds, a turn takes {PACE.turn_s} s of CPU or one pass")
    carriage, resolution = subjects()
    for subject in (carriage, resolution):
        yield from sides.results(subject, PACE)
    yield from batch.results(resolution, BATCH_ROWS, DISTINCT)
    yield from loading.results(carriage, repeats=21)
    yield from checking.results(carriage, repeats=1 if SHORT else 5)
