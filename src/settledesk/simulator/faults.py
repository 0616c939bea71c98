"""Faults on paths: calls that take longer, fail at a rate, or take effect and lose the answer."""

from dataclasses import dataclass

import regex

from settledesk.ports import Clock, ErpUnavailableError
from settledesk.simulator.chance import Chance

FAULTS_MAX = 100
PATTERN_TIMEOUT_S = 0.1


class FaultError(ErpUnavailableError):
    """A fault that was set on a path hit this call. `status` is what HTTP answers (503, 429, ...)."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class FaultSettingError(ValueError):
    """A fault cannot be set as asked; the text says what to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault. `path_pattern` is matched from the start of the path as it was asked, query included.

    `latency_s` passes on the clock before the call; `error_rate` lies in 0..1; with `answer_lost` the call takes effect
    first and only its answer is lost, which is what a connection cut after the commit looks like.
    """

    path_pattern: str
    latency_s: float = 0.0
    error_rate: float = 0.0
    status: int = 503
    answer_lost: bool = False


class Faults:
    """The faults that are set now. Every call consults all whose pattern matches, in the order they were first set."""

    def __init__(self, *, clock: Clock, chance: Chance) -> None:
        self._clock = clock
        self._chance = chance
        self._set: dict[str, tuple[Fault, regex.Pattern[str]]] = {}

    def put(self, fault: Fault) -> None:
        """Set a fault; one with the same pattern is replaced. Raises `FaultSettingError`."""
        _check(fault)
        if fault.path_pattern not in self._set and len(self._set) >= FAULTS_MAX:
            raise FaultSettingError(f"more than {FAULTS_MAX} faults are set, clear some first")
        try:
            pattern = regex.compile(fault.path_pattern)
        except regex.error as error:
            raise FaultSettingError(f"`{fault.path_pattern}` is not a regular expression: {error}") from error
        self._set[fault.path_pattern] = (fault, pattern)

    def clear(self, path_pattern: str | None = None) -> None:
        """Take one fault away, or all of them."""
        if path_pattern is None:
            self._set.clear()
        else:
            self._set.pop(path_pattern, None)

    def all(self) -> tuple[Fault, ...]:
        """Return the faults that are set."""
        return tuple(fault for fault, _ in self._set.values())

    async def before(self, path: str) -> None:
        """Let the latencies for `path` pass, then fail if a fault says so; raises `FaultError`."""
        matching = [fault for fault in self._matching(path) if not fault.answer_lost]
        latency_s = sum(fault.latency_s for fault in matching)
        if latency_s > 0:
            await self._clock.sleep(latency_s)
        self._draw(matching, f"the call to `{path}` failed because a fault is set on it")

    async def after(self, path: str) -> None:
        """Lose the answer of a call that took effect, if a fault says so; raises `FaultError`."""
        matching = [fault for fault in self._matching(path) if fault.answer_lost]
        self._draw(matching, f"the answer of `{path}` was lost because a fault is set on it")

    def _draw(self, faults: list[Fault], message: str) -> None:
        # Every fault draws, also after one has hit, so that the sequence does not depend on the order of setting them.
        hits = [fault for fault in faults if self._chance.happens(fault.error_rate)]
        if hits:
            raise FaultError(message, status=hits[0].status)

    def _matching(self, path: str) -> list[Fault]:
        matching = []
        for fault, pattern in self._set.values():
            try:
                if pattern.match(path, timeout=PATTERN_TIMEOUT_S):
                    matching.append(fault)
            except TimeoutError as error:
                message = f"the fault pattern `{fault.path_pattern}` takes too long on `{path}`, write it simpler"
                raise FaultError(message, status=500) from error
        return matching


def _check(fault: Fault) -> None:
    if not 0 <= fault.error_rate <= 1:
        raise FaultSettingError(f"the error rate `{fault.error_rate}` of `{fault.path_pattern}` must lie in 0..1")
    if not 0 <= fault.latency_s <= 86_400:
        raise FaultSettingError(f"the latency `{fault.latency_s}` of `{fault.path_pattern}` must lie in 0..86400 s")
    if not (fault.status == 429 or 500 <= fault.status <= 599):
        raise FaultSettingError(f"the status `{fault.status}` of `{fault.path_pattern}` must be 429 or 500..599")
