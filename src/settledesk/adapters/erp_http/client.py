"""The `Erp` port over HTTP. Whatever is not an expected answer is `ErpUnavailableError`: unknown is not false."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx2

from settledesk.matching.assessment import Record
from settledesk.ports import (
    ErpApplied,
    ErpCommand,
    ErpEvent,
    ErpRefused,
    ErpResult,
    ErpUnavailableError,
    IntakeDocument,
)

RESPONSE_BYTES_MAX = 4_000_000
KEY_HEADER = "Idempotency-Key"
USER_HEADER = "X-Acting-User"
_REFUSALS = (HTTPStatus.FORBIDDEN, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """How long each part of a call may take, in seconds."""

    connect_s: float = 5.0
    read_s: float = 30.0
    write_s: float = 30.0
    pool_s: float = 30.0


class HttpErp:
    """The system of record at `base_url`. Use as an async context manager, or call `aclose` at the end."""

    def __init__(
        self,
        base_url: str,
        *,
        timeouts: Timeouts | None = None,
        response_bytes_max: int = RESPONSE_BYTES_MAX,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        limits = timeouts or Timeouts()
        self._response_bytes_max = response_bytes_max
        # No redirects and no proxies from the environment: the desk talks to the one address it was given.
        self._client = httpx2.AsyncClient(
            base_url=base_url,
            timeout=httpx2.Timeout(
                connect=limits.connect_s, read=limits.read_s, write=limits.write_s, pool=limits.pool_s
            ),
            transport=transport,
            follow_redirects=False,
            trust_env=False,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def read(self, path: str) -> tuple[Record, ...]:
        """Return the records at `path`; raises `ErpUnavailableError`, also for a path that is not served."""
        data = await self._ok("GET", path)
        if not isinstance(data, list) or not all(isinstance(item, dict) and "id" in item for item in data):
            raise ErpUnavailableError(f"the answer of `{path}` is not a list of records")
        return tuple(data)

    async def events(self, *, after: int, limit: int) -> tuple[ErpEvent, ...]:
        """Return at most `limit` events with `seq` above `after`, in order."""
        path = f"/events?after={after}&limit={limit}"
        data = await self._ok("GET", path)
        try:
            events = tuple(
                ErpEvent(seq=int(item["seq"]), id=item["id"], type=item["type"], payload=dict(item["payload"]))
                for item in data
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ErpUnavailableError(f"the answer of `{path}` is not a list of events") from error
        return events

    async def command(self, command: ErpCommand) -> ErpResult:
        """Apply an action; raises `ErpUnavailableError` if it is not known whether it took effect."""
        path = f"/api/subjects/{quote(command.subject, safe='')}/{quote(command.action, safe='')}"
        body = {
            "expected_version": command.expected_version,
            "amount_minor": command.amount_minor,
            "currency": command.currency,
        }
        headers = {KEY_HEADER: command.idempotency_key, USER_HEADER: command.user}
        status, data = await self._call("POST", path, body=body, headers=headers)
        match data:
            case {"status": str(new), "version": int(version)} if status == HTTPStatus.OK:
                return ErpApplied(status=new, version=version)
            case {"code": str(code), "detail": str(detail)} if status in _REFUSALS:
                return ErpRefused(code=code, detail=detail)
        raise ErpUnavailableError(
            f"`{path}` answered {status} and no result, so it is not known whether it took effect"
        )

    async def intake(self, documents: Sequence[IntakeDocument]) -> int:
        """Post documents in this order, all or none; returns how many had an effect."""
        body = {
            "documents": [
                {"key": item.key, "collection": item.collection, "record": dict(item.record)} for item in documents
            ]
        }
        data = await self._ok("POST", "/intake", body=body)
        if not isinstance(data, dict) or not isinstance(data.get("new"), int):
            raise ErpUnavailableError("the answer of `/intake` does not say how many documents were new")
        return int(data["new"])

    async def _ok(self, method: str, path: str, *, body: Mapping[str, Any] | None = None) -> Any:
        status, data = await self._call(method, path, body=body)
        if status != HTTPStatus.OK:
            detail = data.get("detail") if isinstance(data, dict) else None
            raise ErpUnavailableError(f"`{path}` answered {status}{f': {detail}' if detail else ''}")
        return data

    async def _call(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, Any]:
        if not path.startswith("/") or path.startswith("//"):
            raise ErpUnavailableError(f"`{path}` is not a path of the system of record, it must begin with one slash")
        content = None if body is None else json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        sent = {**(headers or {}), **({} if content is None else {"Content-Type": "application/json"})}
        try:
            async with self._client.stream(method, path, content=content, headers=sent) as response:
                return response.status_code, _parsed(path, await self._bytes(path, response))
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            raise ErpUnavailableError(f"the call to `{path}` did not get through: {type(error).__name__}") from error

    async def _bytes(self, path: str, response: httpx2.Response) -> bytes:
        parts: list[bytes] = []
        size = 0
        async for part in response.aiter_bytes():
            size += len(part)
            if size > self._response_bytes_max:
                raise ErpUnavailableError(
                    f"the answer of `{path}` is longer than {self._response_bytes_max} bytes (`response_bytes_max`)"
                )
            parts.append(part)
        return b"".join(parts)


def _parsed(path: str, content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ErpUnavailableError(f"the answer of `{path}` is not JSON") from error
