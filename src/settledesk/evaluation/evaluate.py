"""Evaluate a pack: every scenario as often as asked, one by one or in processes side by side, with one result."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import structlog

from settledesk.evaluation.bench import Bench, open_bench
from settledesk.evaluation.errors import EvaluationError
from settledesk.evaluation.report import Report, ScenarioReport
from settledesk.evaluation.scenario import Scenario
from settledesk.evaluation.scenario_files import choose
from settledesk.evaluation.trial import RunResult, run_once

MODELS = ("none",)
"""The models that can be chosen, by name."""

PARALLEL_MAX = 64
CHUNK = 4
"""How many runs a process takes at once."""

Progress = Callable[[int, int], None]
Task = tuple[str, int]

_bench: Bench | None = None
"""The bench of a worker process, opened once when it starts."""


def evaluate_pack(
    folder: Path,
    *,
    runs: int | None = None,
    parallel: int = 1,
    scenarios: Sequence[str] | None = None,
    model: str = "none",
    progress: Progress | None = None,
) -> Report:
    """Run the scenarios of the pack in `folder`, each `runs` times or as often as it says itself, and score them.

    `parallel` is a number of processes and changes nothing but the time it takes; `progress` is told (done, all).
    Raises `EvaluationError` if that cannot be run, and `PackError`, `PackFileError` or `PolicyLoadError` for the pack.
    """
    _check(runs, parallel, model)
    cpu, wall = time.process_time(), time.perf_counter()
    bench = open_bench(folder)
    chosen = choose(bench.scenarios, scenarios)
    tasks = [(item.name, run) for item in chosen for run in range(1, _count(item, runs) + 1)]
    cpu = time.process_time() - cpu
    results = []
    with _running(folder, bench, tasks, parallel) as running:
        for result in running:
            results.append(result)
            if progress is not None:
                progress(len(results), len(tasks))
    return Report(
        pack=bench.pack.name,
        pack_version=bench.pack.version_label,
        policy_hash=bench.policy.policy_hash,
        model=model,
        scenarios=tuple(_scenario_report(item, results) for item in chosen),
        cpu_s=cpu + sum(result.cpu_s for result in results),
        wall_s=time.perf_counter() - wall,
    )


def _check(runs: int | None, parallel: int, model: str) -> None:
    if model not in MODELS:
        raise EvaluationError(
            f"`{model}` is not a model of this evaluation yet: use `none`, the other models come with the agent"
        )
    if runs is not None and runs < 1:
        raise EvaluationError(f"`{runs}` is not a number of runs: give 1 or more")
    if not 1 <= parallel <= PARALLEL_MAX:
        raise EvaluationError(f"`{parallel}` is not a number of processes: give 1 to {PARALLEL_MAX}")


def _count(scenario: Scenario, runs: int | None) -> int:
    return scenario.runs_or_default if runs is None else runs


def _scenario_report(scenario: Scenario, results: Iterable[RunResult]) -> ScenarioReport:
    own = tuple(result for result in results if result.scenario == scenario.name)
    return ScenarioReport(name=scenario.name, results=own)


@contextmanager
def _running(folder: Path, bench: Bench, tasks: Sequence[Task], parallel: int) -> Iterator[Iterable[RunResult]]:
    """Give the results in the order of the tasks, whoever does them."""
    if parallel == 1:
        yield (run_once(bench, bench.scenarios[name], run) for name, run in tasks)
        return
    context = get_context("spawn")
    workers = min(parallel, len(tasks))
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start, initargs=(folder,)) as pool:
        yield pool.map(_work, tasks, chunksize=CHUNK)


def _start(folder: Path) -> None:
    """Open the bench of a worker process. Standard output belongs to the one document of the command."""
    global _bench
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    _bench = open_bench(folder)


def _work(task: Task) -> RunResult:
    assert _bench is not None, "a worker process opens its bench before it works"
    name, run = task
    return run_once(_bench, _bench.scenarios[name], run)
