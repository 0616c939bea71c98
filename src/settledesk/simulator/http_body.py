"""What came in with a request, read with limits: JSON bodies, texts, whole numbers; and results as answers."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from settledesk.ports import ErpApplied, ErpResult
from settledesk.simulator.commands import result_to_json

BODY_BYTES_MAX = 256_000_000
_STATUS_BY_CODE = {"AUTHORITY": HTTPStatus.FORBIDDEN, "STALE_VERSION": HTTPStatus.CONFLICT}


class BadRequestError(ValueError):
    """A request of the wrong shape; the text says what to send instead."""


async def body_of(request: Request) -> Mapping[str, Any]:
    """Return the request's body, which must be one JSON object (or nothing) of at most `BODY_BYTES_MAX` bytes."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > BODY_BYTES_MAX:
            raise BadRequestError(f"a body may have at most {BODY_BYTES_MAX} bytes (`BODY_BYTES_MAX`)")
        parts.append(part)
    if size == 0:
        return {}
    try:
        body = json.loads(b"".join(parts))
    except (ValueError, RecursionError) as error:
        raise BadRequestError("the body is not readable as JSON") from error
    if not isinstance(body, dict):
        raise BadRequestError("the body must be one JSON object")
    return body


def text(body: Mapping[str, Any], name: str, *, default: str | None = None) -> str:
    """Return a text of the body; without a default it must be there."""
    value = body.get(name, default)
    if not isinstance(value, str):
        raise BadRequestError(f"`{name}` must be a text")
    return value


def integer(body: Mapping[str, Any], name: str) -> int:
    """Return a whole number of the body."""
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadRequestError(f"`{name}` must be a whole number")
    return value


def number(body: Mapping[str, Any], name: str, default: float) -> float:
    """Return a number of the body, or the default."""
    value = body.get(name, default)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BadRequestError(f"`{name}` must be a number")
    return float(value)


def mapping(body: Mapping[str, Any], name: str, *, default: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """Return an object of the body; without a default it must be there."""
    value = body.get(name, default)
    if not isinstance(value, Mapping):
        raise BadRequestError(f"`{name}` must be an object")
    return value


def result_response(result: ErpResult) -> JSONResponse:
    """Answer 200 for what was applied, 403 without authority, 409 for a stale version, 422 for any other refusal."""
    if isinstance(result, ErpApplied):
        return JSONResponse(result_to_json(result))
    status = _STATUS_BY_CODE.get(result.code, HTTPStatus.UNPROCESSABLE_ENTITY)
    return JSONResponse(result_to_json(result), status_code=status)


def problem(status: int, code: str, detail: str) -> JSONResponse:
    """Answer with `{code, detail}`."""
    return JSONResponse({"code": code, "detail": detail}, status_code=status)
