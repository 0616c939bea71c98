"""`now` and `today`: what the clock of the run says. The language itself has none."""

from typing import Any

from settledesk.feel.builtins.registry import builtin
from settledesk.feel.run import Run
from settledesk.feel.values import to_feel

_NO_CLOCK = "the evaluation was given no clock, so the moment is unknown"


@builtin("now", "")
def _now(run: Run) -> Any:
    return run.note("missing", _NO_CLOCK) if run.clock is None else to_feel(run.clock())


@builtin("today", "")
def _today(run: Run) -> Any:
    return run.note("missing", _NO_CLOCK) if run.clock is None else to_feel(run.clock().date())
