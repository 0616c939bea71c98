"""A clock that only moves when told, the shipped pack's files, and simulators on files of their own."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from settledesk.ports import ErpCommand, ErpResult
from settledesk.simulator import AuthorityMode, Chance, PackFiles, Simulator, read_pack_files

PACK = Path(__file__).parents[2] / "packs" / "accounts_payable"


class HandClock:
    """Time stands still except where somebody sleeps."""

    def __init__(self) -> None:
        self.time = datetime(2026, 10, 5, 9, 0, tzinfo=UTC)
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += timedelta(seconds=seconds)


class Desk:
    """A simulator with its clock, driven without an event loop of the test's own."""

    def __init__(self, simulator: Simulator, clock: HandClock) -> None:
        self.simulator = simulator
        self.clock = clock

    def read(self, path: str):
        return asyncio.run(self.simulator.read(path))

    def one(self, path: str):
        (record,) = self.read(path)
        return record

    def invoice(self, record_id: str):
        return self.one(f"/api/invoices/{record_id}")

    def intake(self, *documents) -> int:
        return asyncio.run(self.simulator.intake(documents))

    def events(self, after: int = 0):
        return asyncio.run(self.simulator.events(after=after, limit=10_000))

    def command(
        self,
        action: str,
        subject: str,
        user: str,
        *,
        key: str = "key-1",
        version: int = 1,
        amount_minor: int | None = None,
        currency: str = "EUR",
    ) -> ErpResult:
        command = ErpCommand(
            action=action,
            subject=subject,
            user=user,
            idempotency_key=key,
            expected_version=version,
            amount_minor=amount_minor,
            currency=currency,
        )
        return asyncio.run(self.simulator.command(command))


@pytest.fixture(scope="session")
def files() -> PackFiles:
    return read_pack_files(PACK)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def make_desk(files: PackFiles, clock: HandClock) -> Iterator[Callable[..., Desk]]:
    opened: list[Simulator] = []

    def make(path: str = ":memory:", *, mode: AuthorityMode = AuthorityMode.ENFORCE, seed: int = 1, pack=None) -> Desk:
        simulator = Simulator(pack or files, path=path, clock=clock, chance=Chance(seed), mode=mode)
        opened.append(simulator)
        return Desk(simulator, clock)

    yield make
    for simulator in opened:
        simulator.close()


@pytest.fixture
def desk(make_desk: Callable[..., Desk]) -> Desk:
    return make_desk()
