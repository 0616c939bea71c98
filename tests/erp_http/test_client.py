"""The HTTP adapter against answers that no well-behaved server gives: all are 'unavailable', none is believed."""

import asyncio
import json

import httpx2
import pytest

from settledesk.adapters.erp_http import HttpErp, Timeouts
from settledesk.ports import ErpApplied, ErpCommand, ErpRefused, ErpUnavailableError

COMMAND = ErpCommand(
    action="hold",
    subject="invoice:a/b",
    user="clara",
    idempotency_key="key-1",
    expected_version=3,
    amount_minor=None,
    currency="EUR",
)


def _with(answer, use, **options):
    async def run():
        async with HttpErp("http://erp.example", transport=httpx2.MockTransport(answer), **options) as erp:
            return await use(erp)

    return asyncio.run(run())


def _answering(status: int, content: bytes):
    return lambda _request: httpx2.Response(status, content=content)


@pytest.mark.parametrize(
    ("status", "content"),
    [
        (200, b""),
        (200, b"<html>"),
        (200, b"{}"),
        (200, b"null"),
        (200, b"[1]"),
        (200, b'[{"kind": "x"}]'),
        (200, b"[" * 100_000),
        (200, b"\xff\xfe"),
        (204, b""),
        (302, b"[]"),
        (400, b"[]"),
        (404, b"[]"),
        (500, b"[]"),
        (429, b'{"detail": "slow down"}'),
    ],
)
def test_an_answer_that_is_no_list_of_records_is_unavailable(status: int, content: bytes) -> None:
    """A read believes a 200 with a list of records and nothing else."""
    with pytest.raises(ErpUnavailableError):
        _with(_answering(status, content), lambda erp: erp.read("/api/invoices"))


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {}),
        (200, {"status": "ON_HOLD"}),
        (200, {"status": 1, "version": "x"}),
        (200, {"code": "AUTHORITY", "detail": "no"}),
        (403, {"status": "ON_HOLD", "version": 4}),
        (403, {"code": "AUTHORITY"}),
        (500, {"code": "AUTHORITY", "detail": "no"}),
        (401, {"code": "AUTHORITY", "detail": "no"}),
        (503, {"status": "ON_HOLD", "version": 4}),
    ],
)
def test_a_command_without_a_clear_answer_is_not_known(status: int, body) -> None:
    """Neither applied nor refused: only status and body together say which."""
    with pytest.raises(ErpUnavailableError, match="not known whether it took effect"):
        _with(_answering(status, json.dumps(body).encode()), lambda erp: erp.command(COMMAND))


@pytest.mark.parametrize("status", [403, 409, 422])
def test_a_refusal_is_read(status: int) -> None:
    """A refusal keeps its code and its reason."""
    content = b'{"code": "AUTHORITY", "detail": "no grant"}'
    result = _with(_answering(status, content), lambda erp: erp.command(COMMAND))
    assert result == ErpRefused(code="AUTHORITY", detail="no grant")


def test_a_command_carries_key_and_person_in_headers() -> None:
    """The key and the person go as headers, the rest as the body, the subject percent-encoded in the path."""
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json={"status": "ON_HOLD", "version": 4})

    assert _with(answer, lambda erp: erp.command(COMMAND)) == ErpApplied(status="ON_HOLD", version=4)
    (request,) = seen
    assert request.url.raw_path == b"/api/subjects/invoice%3Aa%2Fb/hold"
    assert (request.headers["Idempotency-Key"], request.headers["X-Acting-User"]) == ("key-1", "clara")
    assert json.loads(request.content) == {"expected_version": 3, "amount_minor": None, "currency": "EUR"}


def test_an_answer_over_the_limit_is_not_read_to_its_end() -> None:
    """An answer longer than the limit is refused while it comes in, and says which limit."""
    sent = 0

    async def endless():
        nonlocal sent
        while sent < 1_000:
            sent += 1
            yield b"x" * 1_000

    with pytest.raises(ErpUnavailableError, match="response_bytes_max"):
        _with(
            lambda _request: httpx2.Response(200, content=endless()),
            lambda erp: erp.read("/api/invoices"),
            response_bytes_max=10_000,
        )
    assert sent < 20


@pytest.mark.parametrize(
    "error",
    [httpx2.ConnectError, httpx2.ReadTimeout, httpx2.WriteTimeout, httpx2.PoolTimeout, httpx2.RemoteProtocolError],
)
def test_a_call_that_does_not_get_through_is_unavailable(error) -> None:
    """Whatever breaks on the way is one error to the desk, and says which path."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        raise error("broken", request=request)

    with pytest.raises(ErpUnavailableError, match="`/api/invoices` did not get through"):
        _with(answer, lambda erp: erp.read("/api/invoices"))


def test_a_redirect_is_not_followed() -> None:
    """The desk talks to the address it was given: a redirect is an answer it does not believe."""
    hosts: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        hosts.append(request.url.host)
        return httpx2.Response(307, headers={"Location": "http://elsewhere.example/api/invoices"})

    with pytest.raises(ErpUnavailableError):
        _with(answer, lambda erp: erp.read("/api/invoices"))
    assert hosts == ["erp.example"]


@pytest.mark.parametrize("path", ["http://elsewhere.example/api/invoices", "//elsewhere.example/api"])
def test_a_path_cannot_name_another_host(path: str) -> None:
    """A path is a path: one that names a host is refused before anything is sent."""
    hosts: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        hosts.append(request.url.host)
        return httpx2.Response(200, json=[])

    with pytest.raises(ErpUnavailableError):
        _with(answer, lambda erp: erp.read(path))
    assert hosts == []


def test_a_server_that_is_silent_runs_into_the_time_out() -> None:
    """A server that accepts and never answers costs no more than the read time-out."""

    async def run() -> None:
        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, HttpErp(f"http://127.0.0.1:{port}", timeouts=Timeouts(read_s=0.05)) as erp:
            await erp.read("/api/invoices")

    with pytest.raises(ErpUnavailableError, match="ReadTimeout"):
        asyncio.run(run())
