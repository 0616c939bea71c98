"""Admin routes of the simulator: seeds, later records, redelivery, faults, verification, audit, effects, reset."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from settledesk.simulator.http_body import BadRequestError, body_of, integer, mapping, number, result_response, text
from settledesk.simulator.simulator import Simulator

_Handler = Callable[[Request], Awaitable[Response]]


def admin_routes(simulator: Simulator) -> list[Route]:
    """Return the routes under `/admin`."""
    return [
        *_situation_routes(simulator),
        *_fault_routes(simulator),
        *_verification_routes(simulator),
        *_report_routes(simulator),
    ]


def _situation_routes(simulator: Simulator) -> list[Route]:
    async def seeds(_request: Request) -> Response:
        return JSONResponse({"seeds": list(simulator.seed_names())})

    async def seed(request: Request) -> Response:
        body = await body_of(request)
        texts = {name: text(mapping(body, "texts"), name) for name in mapping(body, "texts", default={})}
        seeded = simulator.seed(request.path_params["name"], text(body, "suffix"), texts)
        return JSONResponse(asdict(seeded))

    async def post(request: Request) -> Response:
        record = mapping(await body_of(request), "record")
        return JSONResponse({"id": simulator.post(request.path_params["collection"], record)})

    async def redeliver(request: Request) -> Response:
        return JSONResponse({"seq": simulator.redeliver(request.path_params["event_id"])})

    async def reset(_request: Request) -> Response:
        simulator.reset()
        return JSONResponse({})

    return [
        Route("/admin/seeds", seeds, methods=["GET"]),
        Route("/admin/seeds/{name}", seed, methods=["POST"]),
        Route("/admin/records/{collection}", post, methods=["POST"]),
        Route("/admin/events/{event_id}/redeliver", redeliver, methods=["POST"]),
        Route("/admin/reset", reset, methods=["POST"]),
    ]


def _fault_routes(simulator: Simulator) -> list[Route]:
    async def faults(_request: Request) -> Response:
        return JSONResponse({"faults": [asdict(fault) for fault in simulator.faults()]})

    async def set_fault(request: Request) -> Response:
        body = await body_of(request)
        simulator.set_fault(
            text(body, "path_pattern"),
            latency_s=number(body, "latency_s", 0.0),
            error_rate=number(body, "error_rate", 0.0),
            status=integer(body, "status") if "status" in body else 503,
            answer_lost=body.get("answer_lost") is True,
        )
        return JSONResponse({})

    async def clear(request: Request) -> Response:
        simulator.clear_faults(request.query_params.get("path_pattern"))
        return JSONResponse({})

    return [
        Route("/admin/faults", faults, methods=["GET"]),
        Route("/admin/faults", set_fault, methods=["PUT"]),
        Route("/admin/faults", clear, methods=["DELETE"]),
    ]


def _verification_routes(simulator: Simulator) -> list[Route]:
    async def propose(request: Request) -> Response:
        body = await body_of(request)
        result = simulator.propose_change(request.path_params["name"], text(body, "record_id"), mapping(body, "part"))
        return result_response(result)

    async def call_back(request: Request) -> Response:
        body = await body_of(request)
        if not isinstance(body.get("confirmed"), bool):
            raise BadRequestError("`confirmed` must be true or false")
        result = simulator.call_back(
            request.path_params["name"],
            text(body, "record_id"),
            text(body, "part_id"),
            user=text(body, "user", default=""),
            phone=text(body, "phone"),
            confirmed=body["confirmed"],
        )
        return result_response(result)

    async def confirm(request: Request) -> Response:
        body = await body_of(request)
        result = simulator.confirm_change(
            request.path_params["name"],
            text(body, "record_id"),
            text(body, "part_id"),
            user=text(body, "user", default=""),
        )
        return result_response(result)

    return [
        Route("/admin/verifications/{name}/propose", propose, methods=["POST"]),
        Route("/admin/verifications/{name}/call-back", call_back, methods=["POST"]),
        Route("/admin/verifications/{name}/confirm", confirm, methods=["POST"]),
    ]


def _report_routes(simulator: Simulator) -> list[Route]:
    async def audit(request: Request) -> Response:
        return JSONResponse({"audit": [asdict(r) for r in simulator.audit(entity=request.query_params.get("entity"))]})

    async def effects(request: Request) -> Response:
        key = request.query_params.get("key")
        counts = simulator.effect_counts() if key is None else {key: simulator.effects(key)}
        return JSONResponse({"effects": counts})

    return [
        Route("/admin/audit", audit, methods=["GET"]),
        Route("/admin/effects", effects, methods=["GET"]),
    ]
