"""The verifier on the table of 12 rows and on random overlapping tables, in seconds, and beside loading the same file.

The demands are in seconds of CPU: a ratio here compares with the time that is allowed.
"""

from collections.abc import Iterator
from statistics import median

from benchmarks.decisions.draw import random_table
from benchmarks.decisions.loading import cpu_s
from benchmarks.decisions.subjects import Subject
from benchmarks.result import Result
from settledesk.decisions import load_model
from settledesk.verify.tables.check import check_model

RANDOM: tuple[tuple[int, int, float | None], ...] = (
    (10, 3, None),
    (20, 3, None),
    (30, 3, None),
    (30, 4, None),
    (40, 3, None),
    (50, 4, 1.0),
    (100, 4, None),
    (200, 4, 10.0),
)
"""Rows, columns, and the seconds that are allowed."""
SMALL_MAX_S = 0.020


def results(subject: Subject, repeats: int) -> Iterator[Result]:
    """Check the subject and the random tables; the small ones several times."""
    yield from _checked(subject.shape, subject.path.read_bytes(), SMALL_MAX_S, repeats * 4)
    for rows, columns, allowed_s in RANDOM:
        yield from _checked(
            f"{rows} x {columns} random", random_table(rows, columns), allowed_s, repeats if rows < 50 else 1
        )


def _checked(name: str, content: bytes, allowed_s: float | None, repeats: int) -> Iterator[Result]:
    model = load_model(content)
    load_s = median(cpu_s(lambda: load_model(content)) for _ in range(repeats))
    found: list[int] = []
    spent_s = median(cpu_s(lambda: found.append(len(check_model(model).findings))) for _ in range(repeats))
    yield Result(
        name=f"check {name}: {found[0]} findings",
        value=spent_s * 1000,
        unit="ms",
        ratio=spent_s / load_s,
        against="loading it",
    )
    if allowed_s is not None:
        yield Result(
            name=f"check {name}, of the time allowed",
            value=spent_s * 1000,
            unit="ms",
            ratio=spent_s / allowed_s,
            against=f"{allowed_s * 1000:g} ms",
            floor=1.0,
            passed=spent_s <= allowed_s,
        )
