"""Same facts, same outcome, byte for byte: across repeats, across processes, whatever the hash seed."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from world import World

from settledesk.cases import Outcome
from settledesk.desk.facts_of_case import Sources, facts_of_subject
from settledesk.desk.frame import frame
from settledesk.desk.gather import gather
from settledesk.desk.ruling import ruling_data
from settledesk.matching import MATCHERS

REPEATS = 1_000
SEEDS = ("possible-duplicate", "unplanned-freight", "item-substituted")


def _ruling(world: World, reads: object, state: object) -> str:
    pack = world.desk.pack
    assessment = MATCHERS[pack.file.matcher](reads, pack.settings)  # type: ignore[arg-type]
    sources = Sources(pack=pack, state=state, assessment=assessment, reads=reads)  # type: ignore[arg-type]
    framed = frame(sources)
    return json.dumps(ruling_data(sources, framed, status=None, facts=facts_of_subject(sources)), default=str)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thousand_repeats_say_the_same(make_world: Callable[..., World], seed: str) -> None:
    """The same reads give the same ruling a thousand times: facts, rows, trace, evidence and texts."""
    world = make_world(seed)
    state = world.work()
    reads = world.run(gather(world.erp, tuple(world.desk.pack.file.reads), subject=state.subject, tries_max=1)).reads
    assert len({_ruling(world, reads, state) for _ in range(REPEATS)}) == 1
    assert state.outcome in (Outcome.RESOLVED, Outcome.NEEDS_FACT, Outcome.ESCALATE)


def test_processes_say_the_same() -> None:
    """Processes with different hash seeds give the same rulings, logs and letters, to the last byte."""
    outputs = set()
    for hash_seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, str(Path(__file__).with_name("print_rulings.py"))],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
            timeout=120,
        )
        assert done.stdout
        outputs.add(done.stdout)
    assert len(outputs) == 1
