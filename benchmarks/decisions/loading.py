"""Loading and compiling a table, beside parsing the same bytes with lxml; and parsing nested parentheses."""

import time
from collections.abc import Callable, Iterator
from io import BytesIO
from statistics import median
from typing import Any

from lxml import etree

from benchmarks.decisions.subjects import Subject
from benchmarks.result import Result
from settledesk.decisions import load_model
from settledesk.feel import compile_expression

MULTIPLE_MAX = 130.0
"""20 ms, where lxml parses the file of 12 kB in 0.15 ms."""
NESTED_MAX = 3.0
"""Twice the parentheses: 2 if it is linear, 4 if quadratic."""


def cpu_s(work: Callable[[], Any]) -> float:
    """Return the CPU seconds of one call."""
    started = time.process_time()
    work()
    return time.process_time() - started


def side_by_side(
    one: Callable[[], Any], other: Callable[[], Any], repeats: int, other_times: int
) -> tuple[float, float, float]:
    """Return the median CPU seconds of `one` and of `other` (run `other_times` in a row), and of their ratio."""
    one(), other()
    pairs = []
    for _ in range(repeats):
        slow = cpu_s(one)
        quick = cpu_s(lambda: [other() for _ in range(other_times)]) / other_times
        pairs.append((slow, quick))
    return median(a for a, _ in pairs), median(b for _, b in pairs), median(a / b for a, b in pairs)


def results(subject: Subject, repeats: int) -> Iterator[Result]:
    """Measure a load of the subject's file, and two depths of parentheses."""
    content = subject.path.read_bytes()
    load_s, parse_s, multiple = side_by_side(
        lambda: load_model(content), lambda: etree.parse(BytesIO(content)), repeats, other_times=40
    )
    yield Result(name=f"parse {subject.path.name} ({subject.shape}) with lxml", value=parse_s * 1000, unit="ms")
    yield Result(
        name=f"load and compile {subject.path.name} ({subject.shape})",
        value=load_s * 1000,
        unit="ms",
        ratio=multiple,
        against="parsing with lxml",
        floor=MULTIPLE_MAX,
        passed=multiple <= MULTIPLE_MAX,
    )
    deep, flat = (_nested(depth) for depth in (100, 50))
    deep_s, _, growth = side_by_side(
        lambda: [compile_expression(deep) for _ in range(20)], lambda: [compile_expression(flat) for _ in range(20)],
        repeats, other_times=1,
    )  # fmt: skip
    yield Result(
        name="100 nested parentheses",
        value=deep_s / 20 * 1000,
        unit="ms",
        ratio=growth,
        against="50 nested parentheses",
        floor=NESTED_MAX,
        passed=growth <= NESTED_MAX,
    )


def _nested(depth: int) -> str:
    return "(" * depth + "1" + ")" * depth
