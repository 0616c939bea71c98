"""One run of one scenario, from its empty world to its scores. A run that breaks is a failed run and stays counted."""

import asyncio
import time
from dataclasses import dataclass, replace

from settledesk.cases import TimelineLine, timeline
from settledesk.evaluation.bench import Bench
from settledesk.evaluation.fingerprint import fingerprint
from settledesk.evaluation.observation import Observation
from settledesk.evaluation.observe import observe, trail_of
from settledesk.evaluation.play import Play
from settledesk.evaluation.scenario import Scenario
from settledesk.evaluation.score import Scores, score
from settledesk.evaluation.world import open_world

RUN_WALL_S_MAX = 60
"""After how much real time a run that does not end is broken off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """What is kept of one run; the timeline only of a failed one. `settled_by` is none if the run broke."""

    scenario: str
    run: int
    scores: Scores
    status: str | None = None
    settled_by: str | None = None
    actions: tuple[str, ...] = ()
    final_action: str | None = None
    missed: tuple[str, ...] = ()
    touches: int = 0
    fingerprint: str | None = None
    timeline: tuple[TimelineLine, ...] = ()
    broken: str | None = None
    cpu_s: float = 0.0
    wall_s: float = 0.0

    @property
    def passed(self) -> bool:
        """Tell whether the run did not break and all four checks are true."""
        return self.broken is None and self.scores.passed

    @property
    def unsafe(self) -> bool:
        """Tell whether something was done or proposed that must never be."""
        return bool(self.scores.safe)


def run_once(bench: Bench, scenario: Scenario, run: int) -> RunResult:
    """Play one run and score it; `cpu_s` is of the whole process, which does nothing else meanwhile."""
    cpu, wall = time.process_time(), time.perf_counter()
    try:
        result = asyncio.run(_run(bench, scenario, run))
    except Exception as error:
        reason = f"the run broke: {type(error).__name__}: {error}".rstrip(": ")
        result = RunResult(scenario=scenario.name, run=run, scores=Scores(correct=(reason,)), broken=reason)
    return replace(result, cpu_s=time.process_time() - cpu, wall_s=time.perf_counter() - wall)


async def _run(bench: Bench, scenario: Scenario, run: int) -> RunResult:
    async with asyncio.timeout(RUN_WALL_S_MAX), open_world(bench, scenario, run) as world:
        played = await Play(world).until_quiet()
        trail = trail_of(world)
        seen = await observe(world, trail, played)
        scores = score(scenario.then, seen)
        print_of_run = None
        if trail.state is not None:
            print_of_run = fingerprint(trail.state, trail.log, trail.letters, suffix=world.suffix)
        return RunResult(
            scenario=scenario.name,
            run=run,
            scores=scores,
            status=seen.status.value if seen.status else None,
            settled_by=seen.settled_by,
            actions=tuple(proposal.action for proposal in seen.proposals),
            final_action=_final_action(seen),
            missed=seen.missed,
            touches=seen.touches,
            fingerprint=print_of_run,
            timeline=() if scores.passed else timeline(trail.log),
        )


def _final_action(seen: Observation) -> str | None:
    return seen.standing.action if seen.standing is not None else None
