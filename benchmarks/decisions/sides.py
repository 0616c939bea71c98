"""One table, all engines side by side: first their answers, then their rates, then the ratios that are demanded."""

from collections.abc import Iterator, Sequence

from benchmarks.decisions import race
from benchmarks.decisions.draw import Facts
from benchmarks.decisions.engines import Engine, bare, by_hand, traced
from benchmarks.decisions.every_row import every_row
from benchmarks.decisions.peers import (
    MAY_BE_ABSENT,
    SPIFF,
    SPIFF_PACKAGE,
    ZEN,
    ZEN_BYTES,
    ZEN_PACKAGE,
    ZEN_TRACE,
    installed,
    spiff_engine,
    zen_engines,
)
from benchmarks.decisions.subjects import FACTS, Subject
from benchmarks.result import Result

HAND = "by hand"
HAND_ALL = "by hand, every row tried"
DECIMALS = "bare, decimals"
FLOATS = "bare, floats"
RECORDED = "trace recorded"
READ = "trace read"
OURS = ("bare", "trace")

FLOORS: Sequence[tuple[str, str, float | None]] = (
    (DECIMALS, ZEN, 8.0),
    (FLOATS, ZEN, 8.0),
    (FLOATS, ZEN_BYTES, None),
    (f"{RECORDED}, decimals", ZEN, 3.0),
    (f"{RECORDED}, floats", ZEN, 3.0),
    (f"{READ}, decimals", ZEN, None),
    (f"{READ}, decimals", ZEN_TRACE, 3.0),
    (f"{READ}, floats", ZEN_TRACE, 3.0),
    (DECIMALS, SPIFF, 200.0),
    (FLOATS, SPIFF, 200.0),
    (DECIMALS, HAND, 0.5),
    (DECIMALS, HAND_ALL, None),
)
"""What is compared with what, and the least ratio that is demanded.

A trace that is recorded is judged beside zen-engine without one; a trace that is also read, beside zen-engine with its
own, which it always writes out. Facts go to zen-engine as a dict, as they do to us. Bytes of JSON are a little quicker
for it, and would have to be parsed by us first.
"""


def results(subject: Subject, pace: race.Pace) -> Iterator[Result]:
    """Compare the answers, race the engines, judge the ratios."""
    engines = _engines(subject)
    facts = subject.draw(FACTS)
    yield from _answers(subject, engines, facts)
    outcome = race.run(engines, facts, pace)
    for engine in engines:
        yield Result(name=f"{subject.decision}: {engine.name}", value=outcome.rate(engine.name), unit="evaluations/s")
    for name, against, floor in FLOORS:
        there = against in outcome.rates
        ratio = outcome.ratio(name, against) if there else None
        if not there and (floor is None or MAY_BE_ABSENT):
            continue
        yield Result(
            name=f"{subject.decision}: {name} / {against}",
            value=outcome.rate(name),
            unit="evaluations/s",
            ratio=ratio,
            against=against,
            floor=floor,
            passed=None if floor is None else ratio is not None and ratio >= floor,
        )


def _engines(subject: Subject) -> list[Engine]:
    model, decision, table = subject.model, subject.decision, subject.table
    engines = [
        by_hand(subject.truth, HAND),
        by_hand(every_row(subject.truth), HAND_ALL),
        *(bare(model, decision, json=json) for json in (False, True)),
        *(traced(model, decision, json=json, read=read) for read in (False, True) for json in (False, True)),
    ]
    for package, make in ((ZEN_PACKAGE, zen_engines), (SPIFF_PACKAGE, lambda table: [spiff_engine(table)])):
        found = installed(package)
        if found is None:
            judged = "which is allowed" if MAY_BE_ABSENT else "so its floors count as missed"
            print(f"  {subject.decision}: {package} is not installed, {judged}")
            continue
        print(f"  {subject.decision} ({subject.shape}): beside {package} {found}")
        engines += make(table)
    return engines


def _answers(subject: Subject, engines: Sequence[Engine], facts: Sequence[Facts]) -> Iterator[Result]:
    """Compare all answers with the truth. Ours must all be right; a peer's wrong ones are printed."""
    for engine in engines:
        wrong = engine.wrong(facts, subject.truth)
        ours = engine.name.startswith(OURS)
        yield Result(
            name=f"{subject.decision}: {engine.name}, wrong",
            value=wrong,
            unit=f"of {len(facts)}",
            ratio=1 - wrong / len(facts) if ours else None,
            against="all are right" if ours else None,
            floor=1.0 if ours else None,
            passed=wrong == 0 if ours else None,
        )
