"""One desk's view of the system of record, in process and over real HTTP on loopback."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import uvicorn

from settledesk.adapters.erp_http import HttpErp
from settledesk.ports import Erp
from settledesk.simulator import Chance, PackFiles, Simulator, read_pack_files
from settledesk.simulator.http import create_app

PACK = Path(__file__).parents[2] / "packs" / "accounts_payable"
START_TRIES = 500


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


class Served:
    """A simulator served by uvicorn on a free port of loopback, for as long as the block lasts."""

    def __init__(self, simulator: Simulator) -> None:
        config = uvicorn.Config(create_app(simulator), log_level="error", lifespan="off", access_log=False)
        self._server = uvicorn.Server(config)
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    async def __aenter__(self) -> str:
        self._task = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        for _ in range(START_TRIES):
            if self._server.started:
                return self.url
            await asyncio.sleep(0.01)
        raise AssertionError("the server did not start")

    async def __aexit__(self, *_: object) -> None:
        self._server.should_exit = True
        await self._task


@pytest.fixture(scope="session")
def files() -> PackFiles:
    return read_pack_files(PACK)


@pytest.fixture
def hand_clock() -> HandClock:
    return HandClock()


@pytest.fixture
def served() -> type[Served]:
    return Served


@pytest.fixture
def simulator(files: PackFiles):
    simulator = Simulator(files, path=":memory:", clock=HandClock(), chance=Chance(5))
    yield simulator
    simulator.close()


@pytest.fixture(params=["in process", "over HTTP"])
def on_erp(request, simulator: Simulator) -> Callable[[Callable[[Erp], Awaitable[object]]], object]:
    """Run a coroutine function with the port, once in process and once over HTTP."""

    async def over_http(use: Callable[[Erp], Awaitable[object]]) -> object:
        async with Served(simulator) as url, HttpErp(url) as erp:
            return await use(erp)

    async def in_process(use: Callable[[Erp], Awaitable[object]]) -> object:
        return await use(simulator)

    run = over_http if request.param == "over HTTP" else in_process
    return lambda use: asyncio.run(run(use))


@pytest.fixture
def over_http(simulator: Simulator):
    """Run a coroutine function with the base URL of the simulator served over HTTP."""

    async def run(use):
        async with Served(simulator) as url:
            return await use(url)

    return lambda use: asyncio.run(run(use))
