"""Many facts in one call, beside a loop of single calls over the same facts.

Both go through all facts in slices, turn about; the batch is one call whose answers are taken slice by slice. The facts
of a slice are copied just before, outside of the measurement: rows come fresh from whatever reads them, and how long
the processor waits for memory is not what is compared.
"""

import gc
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, cycle, islice, repeat

from benchmarks.decisions.draw import Facts, as_json_has_them
from benchmarks.decisions.loading import cpu_s
from benchmarks.decisions.subjects import FACTS, Subject
from benchmarks.result import Result

FLOOR = 1.5
SLICE = 500


def results(subject: Subject, rows: int, distinct: int) -> Iterator[Result]:
    """Measure the batch with decimals and with floats; and with few facts, whose combinations of texts come again."""
    drawn = subject.draw(distinct)
    for kind, facts in (("decimals", drawn), ("floats", [as_json_has_them(one) for one in drawn])):
        yield _same_answers(subject, facts, kind)
        yield from _measured(subject, facts, rows, kind, FLOOR)
    yield from _measured(subject, subject.draw(FACTS), rows // 5, f"decimals, {FACTS} facts again and again", None)


def _measured(subject: Subject, facts: Sequence[Facts], rows: int, kind: str, floor: float | None) -> Iterator[Result]:
    single_s, many_s = _timed(subject, facts, rows)
    yield Result(name=f"batch: loop of single calls, {kind}", value=rows / single_s, unit="rows/s")
    yield Result(
        name=f"batch: {rows:,} rows at once, {kind}",
        value=rows / many_s,
        unit="rows/s",
        ratio=single_s / many_s,
        against="a loop of single calls",
        floor=floor,
        passed=None if floor is None else single_s / many_s >= floor,
    )


def _same_answers(subject: Subject, facts: Sequence[Facts], kind: str) -> Result:
    evaluate = subject.model.evaluate
    many = subject.model.evaluate_many(subject.decision, facts)
    differ = sum(evaluate(subject.decision, one) != other for one, other in zip(facts, many, strict=True))
    return Result(
        name=f"batch: rows that differ from single calls, {kind}",
        value=differ,
        unit=f"of {len(facts)}",
        ratio=1 - differ / len(facts),
        against="all are the same",
        floor=1.0,
        passed=differ == 0,
    )


def _timed(subject: Subject, facts: Sequence[Facts], rows: int) -> tuple[float, float]:
    """Return the CPU seconds of the single calls and of the batch, for `rows` rows, a multiple of a slice."""
    decision, evaluate = subject.decision, subject.model.evaluate
    again = cycle(facts)
    fresh: list[Facts] = []
    answers = subject.model.evaluate_many(decision, chain.from_iterable(repeat(fresh)))

    def single() -> None:
        for one in fresh:
            evaluate(decision, one)

    def many() -> None:
        deque(islice(answers, SLICE), maxlen=0)

    spent_s = {single: 0.0, many: 0.0}
    gc.collect()
    gc.disable()
    try:
        for turn in range(rows // SLICE):
            fresh[:] = [dict(one) for one in islice(again, SLICE)]
            for way in (single, many) if turn % 2 else (many, single):
                spent_s[way] += cpu_s(way)
    finally:
        gc.enable()
    return spent_s[single], spent_s[many]
