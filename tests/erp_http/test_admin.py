"""The admin routes: what an evaluation needs when the simulator runs in a process of its own."""

import httpx2
import pytest

from settledesk.simulator import Simulator


def _session(over_http, steps):
    """Send (method, path, body) in order and return (status, body) of each."""

    async def use(url: str):
        answers = []
        async with httpx2.AsyncClient(base_url=url, trust_env=False) as client:
            for method, path, body in steps:
                response = await client.request(method, path, json=body)
                answers.append((response.status_code, response.json()))
        return answers

    return over_http(use)


def test_a_situation_is_seeded_continued_and_redelivered(over_http, simulator: Simulator) -> None:
    """Seeds, later receipts and redelivery do the same as in process."""
    receipt = {"id": "receipt:late", "kind": "receipt", "po_number": "PO-A1", "lines": []}
    names, seeded, posted, events = _session(
        over_http,
        [
            ("GET", "/admin/seeds", None),
            ("POST", "/admin/seeds/qty-over-receipt", {"suffix": "A1", "texts": {"line_text": "bolts"}}),
            ("POST", "/admin/records/receipts", {"record": receipt}),
            ("GET", "/events?after=0&limit=100", None),
        ],
    )
    assert len(names[1]["seeds"]) == 14
    assert seeded[1]["subject_id"] == "invoice:INV-A1"
    assert seeded[1]["facts"]["receipts"] == ["receipt:GR-A1-1"]
    assert posted == (200, {"id": "receipt:late"})
    last = events[1][-1]
    ((status, body),) = _session(over_http, [("POST", f"/admin/events/{last['id']}/redeliver", None)])
    assert (status, body) == (200, {"seq": last["seq"] + 1})
    assert simulator._ledger.events(after=last["seq"], limit=9)[0].id == last["id"]


def test_faults_are_set_listed_and_cleared(over_http) -> None:
    """A fault set over HTTP answers with its status until it is cleared."""
    fault = {"path_pattern": "/api/vendors", "error_rate": 1, "status": 429}
    answers = _session(
        over_http,
        [
            ("PUT", "/admin/faults", fault),
            ("GET", "/admin/faults", None),
            ("GET", "/api/vendors", None),
            ("GET", "/api/invoices", None),
            ("DELETE", "/admin/faults?path_pattern=%2Fapi%2Fvendors", None),
            ("GET", "/api/vendors", None),
            ("PUT", "/admin/faults", {**fault, "path_pattern": "("}),
        ],
    )
    assert [status for status, _ in answers] == [200, 200, 429, 200, 200, 200, 400]
    assert answers[1][1]["faults"][0]["path_pattern"] == "/api/vendors"


def test_a_bank_change_is_proposed_called_back_and_confirmed(over_http) -> None:
    """The three steps work over HTTP with the same refusals, 403 where the person has no grant."""
    change, part = "/admin/verifications/bank-change", "bank-account:BA-A1-2"
    who = {"record_id": "vendor:V-A1", "part_id": part}
    answers = _session(
        over_http,
        [
            ("POST", "/admin/seeds/clean-match", {"suffix": "A1"}),
            ("POST", f"{change}/propose", {"record_id": "vendor:V-A1", "part": {"id": part, "iban": "XX"}}),
            ("POST", f"{change}/confirm", {**who, "user": "connie"}),
            ("POST", f"{change}/call-back", {**who, "user": "clara", "phone": "+1-555-0100", "confirmed": True}),
            ("POST", f"{change}/call-back", {**who, "user": "mark", "phone": "+1-555-0100", "confirmed": "yes"}),
            ("POST", f"{change}/call-back", {**who, "user": "mark", "phone": "+1-555-0100", "confirmed": True}),
            ("POST", f"{change}/confirm", {**who, "user": "connie"}),
            ("GET", "/admin/audit?entity=vendor%3AV-A1", None),
            ("POST", "/admin/verifications/none/confirm", {**who, "user": "connie"}),
        ],
    )
    assert [status for status, _ in answers] == [200, 200, 422, 403, 400, 200, 200, 200, 404]
    assert [row["user"] for row in answers[7][1]["audit"]] == ["", "mark", "connie"]


def test_effects_are_counted_and_reset_forgets(over_http, simulator: Simulator) -> None:
    """Effects are readable by key; a reset leaves nothing."""
    subject = simulator.seed("clean-match", "A1").subject_id

    async def use(url: str):
        async with httpx2.AsyncClient(base_url=url, trust_env=False) as client:
            headers = {"Idempotency-Key": "k", "X-Acting-User": "clara"}
            body = {"expected_version": 1, "amount_minor": None, "currency": "EUR"}
            held = await client.post(f"/api/subjects/{subject}/hold", json=body, headers=headers)
            counts = await client.get("/admin/effects")
            one = await client.get("/admin/effects?key=k")
            await client.post("/admin/reset")
            return held.json(), counts.json(), one.json(), (await client.get("/api/invoices")).json()

    counts = {"effects": {"k": 1}}
    assert over_http(use) == ({"status": "ON_HOLD", "version": 2}, counts, counts, [])


@pytest.mark.parametrize(
    ("path", "headers", "body", "status"),
    [
        ("/api/subjects/x/hold", {}, b"{}", 400),
        ("/api/subjects/x/hold", {"Idempotency-Key": "k"}, b"{}", 400),
        ("/api/subjects/x/hold", {"Idempotency-Key": "k"}, b"[]", 400),
        ("/api/subjects/x/hold", {"Idempotency-Key": "k"}, b"{", 400),
        ("/api/subjects/x/hold", {"Idempotency-Key": "k"}, b"[" * 100_000, 400),
        ("/api/subjects/x/hold", {"Idempotency-Key": "k"}, b'{"expected_version": true, "currency": "EUR"}', 400),
        ("/api/invoices/x/hold", {"Idempotency-Key": "k"}, b"{}", 404),
        ("/intake", {}, b'{"documents": 1}', 400),
        ("/intake", {}, b'{"documents": [{"key": "k"}]}', 400),
        ("/admin/seeds/none", {}, b'{"suffix": "A1"}', 400),
        ("/admin/seeds/no-po", {}, b"{}", 400),
    ],
)
def test_a_request_of_the_wrong_shape_is_told_so(over_http, path: str, headers, body: bytes, status: int) -> None:
    """A malformed request is answered with 400 or 404 and a reason, and changes nothing."""

    async def use(url: str):
        async with httpx2.AsyncClient(base_url=url, trust_env=False) as client:
            response = await client.post(path, content=body, headers=headers)
            return response.status_code, response.json()

    code, answer = over_http(use)
    assert code == status
    assert answer["detail"]
