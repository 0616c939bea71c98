"""A child process that takes documents in and holds them, says what was acknowledged, and never ends by itself."""

import asyncio
import sys
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from settledesk.ports import ErpApplied, ErpCommand
from settledesk.simulator import Simulator, read_pack_files

PACK = Path(__file__).parents[2] / "packs" / "accounts_payable"


class Clock:
    def now(self) -> datetime:
        return datetime(2026, 10, 5, tzinfo=UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def main(path: str) -> None:
    simulator = Simulator(read_pack_files(PACK), path=path, clock=Clock())
    print("ready", flush=True)
    for number in count():
        subject = simulator.seed("clean-match", f"K{number}").subject_id
        command = ErpCommand(
            action="hold",
            subject=subject,
            user="clara",
            idempotency_key=f"key-{number}",
            expected_version=1,
            amount_minor=None,
            currency="EUR",
        )
        assert isinstance(await simulator.command(command), ErpApplied)
        print(f"key-{number}", subject, ".", flush=True)


asyncio.run(main(sys.argv[1]))
