"""A clock that moves only when somebody waits, and ids that count: the same run gives the same times and ids."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 10, 1, 8, 0, tzinfo=UTC)


class SimulatedClock:
    """Implements `settledesk.ports.Clock`; waiting costs no real time."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start

    def now(self) -> datetime:
        """Return the simulated time."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Let the time pass at once."""
        self._now += timedelta(seconds=seconds)


class CountedIds:
    """Implements `settledesk.ports.Ids` by counting."""

    def __init__(self, prefix: str = "id") -> None:
        self._prefix = prefix
        self._count = 0

    def new(self) -> str:
        """Return the next id."""
        self._count += 1
        return f"{self._prefix}{self._count:06d}"
