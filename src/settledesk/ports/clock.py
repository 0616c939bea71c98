"""Time comes through here, so that a simulated clock can stand in for waiting."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The time and the only way to let it pass."""

    def now(self) -> datetime:
        """Return the current time in UTC, with its zone."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return when `seconds` have passed on this clock."""
        ...
