"""The machine's clock and its source of randomness."""

import asyncio
import secrets
from datetime import UTC, datetime


class SystemClock:
    """Implements `settledesk.ports.Clock` with the machine's time."""

    def now(self) -> datetime:
        """Return the time in UTC."""
        return datetime.now(UTC)  # noqa: TID251 - this is the port's one implementation

    async def sleep(self, seconds: float) -> None:
        """Wait in real time."""
        await asyncio.sleep(seconds)


class RandomIds:
    """Implements `settledesk.ports.Ids` with 80 random bits."""

    def new(self) -> str:
        """Return 20 hex digits."""
        return secrets.token_hex(10)
