"""One evaluation: its diagnostics, its budget of steps, and the decimal context that holds while it lasts."""

from collections.abc import Callable
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Context
from typing import Any, TypeAlias

from settledesk.feel.errors import Diagnostic, FeelLimitError
from settledesk.feel.limits import DEFAULT_LIMITS, Limits

DECIMAL_CONTEXT = Context(prec=34, rounding=ROUND_HALF_EVEN, Emin=-6143, Emax=6144, traps=[])
"""IEEE 754 decimal128. Enter it with `localcontext`, so that nothing leaks to other threads or callers."""


Clock: TypeAlias = Callable[[], datetime]
"""Tells the moment, with its offset. The language has no clock of its own: without one `now()` is null."""


class Run:
    """The state of one evaluation. Made anew for each, so nothing is carried over."""

    __slots__ = ("calls", "clock", "diagnostics", "limits", "place", "regex_uses", "steps")

    def __init__(self, limits: Limits = DEFAULT_LIMITS, clock: Clock | None = None) -> None:
        self.limits = limits
        self.clock = clock
        self.diagnostics: list[Diagnostic] = []
        self.place = 0
        """The offset of the operator or invocation that is at work: where a diagnostic points unless it says where."""
        self.steps = 0
        self.calls = 0
        self.regex_uses = 0

    def note(self, kind: str, message: str, position: int | None = None) -> Any:
        """Record why a null appears and return that null, so that `return run.note(…)` reads as it acts."""
        if len(self.diagnostics) < self.limits.diagnostics_max:
            place = self.place if position is None else position
            self.diagnostics.append(Diagnostic(kind=kind, message=message, position=place))

    def spend(self, steps: int = 1) -> None:
        """Count work; raises `FeelLimitError` when the budget is used up."""
        self.steps += steps
        if self.steps > self.limits.steps_max:
            raise FeelLimitError("steps_max", f"the evaluation takes more than {self.limits.steps_max} steps")

    def made_list(self, size: int) -> None:
        """Count a list that is about to be made; raises `FeelLimitError` if it is too long."""
        if size > self.limits.list_max:
            raise FeelLimitError("list_max", f"a list would have more than {self.limits.list_max} elements")
        self.spend(size)

    def made_string(self, size: int) -> None:
        """Count a string that is about to be made; raises `FeelLimitError` if it is too long."""
        if size > self.limits.string_max:
            raise FeelLimitError("string_max", f"a string would have more than {self.limits.string_max} characters")
        self.spend(1 + size // 64)

    def regex_timeout_s(self) -> float:
        """Count one use of a regular expression and return the seconds it may take."""
        self.regex_uses += 1
        self.spend(self.limits.regex_steps)
        return max(self.limits.regex_time_s / self.regex_uses, self.limits.regex_time_s / 50)

    def enter_call(self) -> None:
        """Count an invocation inside another; raises `FeelLimitError` when they are nested too deep."""
        self.calls += 1
        self.spend()
        if self.calls > self.limits.calls_max:
            raise FeelLimitError("calls_max", f"functions invoke one another more than {self.limits.calls_max} deep")
