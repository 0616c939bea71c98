"""The simulator over HTTP: the same read paths, commands in a person's name, faults as 429 and 5xx, admin routes.

It trusts the header that names who acts, as an ERP behind its own sign-in does: serve it on loopback only.
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from settledesk.ports import ErpCommand, ErpUnavailableError, IntakeDocument
from settledesk.simulator.admin_http import admin_routes
from settledesk.simulator.faults import FaultError, FaultSettingError
from settledesk.simulator.http_body import BadRequestError, body_of, integer, mapping, problem, result_response, text
from settledesk.simulator.paths import UnknownPathError
from settledesk.simulator.seeds import SeedError
from settledesk.simulator.simulator import EVENTS_PATH, INTAKE_PATH, Simulator

KEY_HEADER = "Idempotency-Key"
USER_HEADER = "X-Acting-User"
_COMMANDS = "/api/subjects/"


def create_app(simulator: Simulator) -> Starlette:
    """Return the app that serves this simulator; it must run on one event loop, in one process."""
    routes = [
        Route("/api/{rest:path}", _with(simulator, _read), methods=["GET"]),
        Route("/api/{rest:path}", _with(simulator, _command), methods=["POST"]),
        Route(EVENTS_PATH, _with(simulator, _events), methods=["GET"]),
        Route(INTAKE_PATH, _with(simulator, _intake), methods=["POST"]),
        *admin_routes(simulator),
    ]
    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        FaultError: _on_fault,
        UnknownPathError: _answer(HTTPStatus.NOT_FOUND, "UNKNOWN_PATH"),
        ErpUnavailableError: _answer(HTTPStatus.UNPROCESSABLE_ENTITY, "REFUSED"),
        BadRequestError: _answer(HTTPStatus.BAD_REQUEST, "BAD_REQUEST"),
        FaultSettingError: _answer(HTTPStatus.BAD_REQUEST, "BAD_REQUEST"),
        SeedError: _answer(HTTPStatus.BAD_REQUEST, "BAD_REQUEST"),
        LookupError: _answer(HTTPStatus.NOT_FOUND, "NOT_FOUND"),
    }
    return Starlette(routes=routes, exception_handlers=handlers)


async def _read(simulator: Simulator, request: Request) -> Response:
    # The path as it was sent: a decoded one could no longer tell a slash inside an id from one between parts.
    query = request.scope["query_string"].decode("latin-1")
    path = request.scope["raw_path"].decode("latin-1").partition("?")[0]
    return JSONResponse(list(await simulator.read(f"{path}?{query}" if query else path)))


async def _command(simulator: Simulator, request: Request) -> Response:
    path = request.scope["raw_path"].decode("latin-1").partition("?")[0]
    parts = [unquote(part) for part in path.removeprefix(_COMMANDS).split("/")]
    if not path.startswith(_COMMANDS) or len(parts) != 2:
        raise UnknownPathError(f"commands are posted to `{_COMMANDS}{{id}}/{{action}}`, not to `{path}`")
    body = await body_of(request)
    command = ErpCommand(
        action=parts[1],
        subject=parts[0],
        user=request.headers.get(USER_HEADER, ""),
        idempotency_key=request.headers.get(KEY_HEADER, ""),
        expected_version=integer(body, "expected_version"),
        amount_minor=None if body.get("amount_minor") is None else integer(body, "amount_minor"),
        currency=text(body, "currency"),
    )
    return result_response(await simulator.command(command))


async def _events(simulator: Simulator, request: Request) -> Response:
    try:
        after, limit = int(request.query_params.get("after", "0")), int(request.query_params.get("limit", "100"))
    except ValueError as error:
        raise BadRequestError("`after` and `limit` must be whole numbers") from error
    events = await simulator.events(after=after, limit=limit)
    return JSONResponse([{"seq": e.seq, "id": e.id, "type": e.type, "payload": dict(e.payload)} for e in events])


async def _intake(simulator: Simulator, request: Request) -> Response:
    documents = (await body_of(request)).get("documents")
    if not isinstance(documents, list) or not all(isinstance(item, dict) for item in documents):
        raise BadRequestError("`documents` must be a list of objects with `key`, `collection` and `record`")
    count = await simulator.intake(
        [
            IntakeDocument(key=text(item, "key"), collection=text(item, "collection"), record=mapping(item, "record"))
            for item in documents
        ]
    )
    return JSONResponse({"new": count})


def _with(
    simulator: Simulator, handler: Callable[[Simulator, Request], Awaitable[Response]]
) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        return await handler(simulator, request)

    return handle


async def _on_fault(_request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, FaultError) else HTTPStatus.SERVICE_UNAVAILABLE
    return problem(status, "UNAVAILABLE", str(error))


def _answer(status: HTTPStatus, code: str) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(_request: Request, error: Exception) -> Response:
        return problem(status, code, str(error))

    return answer
