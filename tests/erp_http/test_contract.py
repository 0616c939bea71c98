"""The contract of the `Erp` port: the same cases in process and over HTTP, with the same answers."""

import asyncio
from urllib.parse import quote

import pytest

from settledesk.adapters.erp_http import HttpErp
from settledesk.ports import ErpApplied, ErpCommand, ErpRefused, ErpUnavailableError, IntakeDocument
from settledesk.simulator import Chance, Simulator


def _command(action: str, subject: str, user: str = "connie", **values) -> ErpCommand:
    return ErpCommand(
        **{
            "action": action,
            "subject": subject,
            "user": user,
            "idempotency_key": "key-1",
            "expected_version": 1,
            "amount_minor": None,
            "currency": "EUR",
            **values,
        }
    )


def _invoice(record_id: str, **values):
    return {"id": record_id, "kind": "invoice", "vendor_id": "v", "currency": "EUR", "total": "10.40", **values}


def _document(key: str, record, collection: str = "invoices") -> IntakeDocument:
    return IntakeDocument(key=key, collection=collection, record=record)


PATHS = [
    "/api/invoices/invoice:INV-A1-again",
    "/api/invoices/invoice:none",
    "/api/invoices?vendor_id=vendor:V-A1",
    "/api/invoices?total=1000&currency=EUR",
    "/api/invoices?number=INV%20A1",
    "/api/invoices?number=INV+A1",
    "/api/invoices?lines.item=M8-HEX-ZN-100",
    "/api/purchase-orders?number=PO-A1",
    "/api/purchase-orders?number=none",
    "/api/receipts",
    "/api/views/similar/invoice%3AINV-A1-again",
    "/api/views/similar/invoice:none",
]


@pytest.mark.parametrize("path", PATHS)
def test_a_read_gives_what_the_simulator_holds(on_erp, simulator: Simulator, path: str) -> None:
    """Every kind of path gives the same records, whichever way it is asked."""
    simulator.seed("duplicate", "A1")
    assert on_erp(lambda erp: erp.read(path)) == simulator._book.read(path)


@pytest.mark.parametrize(
    "record_id", ["invoice:a/b", "invoice:a b&c=d?e#f", "invoice:ü№", "invoice:%2F", "a..b", "a+b"]
)
def test_any_id_survives_the_way(on_erp, record_id: str) -> None:
    """An id with slashes, spaces, per cent signs or letters beyond ASCII comes in, is found and can be decided on."""

    async def use(erp):
        await erp.intake([_document("k", _invoice(record_id, number=record_id))])
        one = await erp.read(f"/api/invoices/{quote(record_id, safe='')}")
        same = await erp.read(f"/api/invoices?number={quote(record_id, safe='')}")
        return one, same, await erp.command(_command("reject", record_id))

    one, same, result = on_erp(use)
    assert [record["id"] for record in one] == [record["id"] for record in same] == [record_id]
    assert result == ErpApplied(status="REJECTED", version=2)


@pytest.mark.parametrize("path", ["/api/unicorns", "/api/views/none/1", "/nowhere", "/api/invoices?a=1&a=2"])
def test_a_wrong_path_is_unavailable_and_not_empty(on_erp, path: str) -> None:
    """A path that is not served raises, it is never 'there are none'."""
    with pytest.raises(ErpUnavailableError):
        on_erp(lambda erp: erp.read(path))


def test_intake_counts_what_is_new(on_erp) -> None:
    """Documents come in once per key, in order; a repeat is not new."""

    async def use(erp):
        first = await erp.intake([_document("a", _invoice("1")), _document("b", _invoice("1"))])
        second = await erp.intake([_document("b", _invoice("1")), _document("c", _invoice("1"))])
        return first, second, [record["id"] for record in await erp.read("/api/invoices")], await erp.intake([])

    assert on_erp(use) == (2, 1, ["1", "1~2", "1~3"], 0)


@pytest.mark.parametrize(
    "bad",
    [_document("x", _invoice("")), _document("x", _invoice("1", total=1.5)), _document("x", _invoice("1"), "none")],
)
def test_a_batch_with_a_bad_document_is_refused_whole(on_erp, bad) -> None:
    """One document that cannot be taken in keeps the whole batch out."""

    async def use(erp):
        with pytest.raises(ErpUnavailableError):
            await erp.intake([_document("a", _invoice("good")), bad])
        return await erp.read("/api/invoices"), await erp.events(after=0, limit=10)

    assert on_erp(use) == ((), ())


def test_events_come_in_portions(on_erp, simulator: Simulator) -> None:
    """`after` and `limit` cut the stream in order, without gap or repeat, redeliveries included."""
    simulator.seed("duplicate", "A1")
    everything = simulator._ledger.events(after=0, limit=100)
    simulator.redeliver(everything[0].id)

    async def use(erp):
        seen, after = [], 0
        while portion := await erp.events(after=after, limit=2):
            seen += portion
            after = portion[-1].seq
        return tuple(seen)

    seen = on_erp(use)
    assert seen == simulator._ledger.events(after=0, limit=100)
    assert (seen[-1].id, seen[-1].payload) == (seen[0].id, seen[0].payload)


def test_a_command_takes_effect_once(on_erp, simulator: Simulator) -> None:
    """The first answer is repeated under the same key; another request under it is refused; one effect counts."""
    subject = simulator.seed("price-variance-small", "A1").subject_id
    approve = _command("approve-variance", subject, "bob", amount_minor=104000)

    async def use(erp):
        return [await erp.command(approve), await erp.command(approve), await erp.command(_command("reject", subject))]

    first, again, other = on_erp(use)
    assert first == again == ErpApplied(status="APPROVED", version=2)
    assert isinstance(other, ErpRefused)
    assert other.code == "IDEMPOTENCY"
    assert simulator.effects("key-1") == 1


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"user": ""}, "AUTHORITY"),
        ({"idempotency_key": ""}, "IDEMPOTENCY"),
        ({"user": "clara"}, "AUTHORITY"),
        ({"expected_version": 3}, "STALE_VERSION"),
        ({"action": "release-hold"}, "TRANSITION"),
        ({"amount_minor": 1}, "AMOUNT"),
        ({"currency": "USD"}, "CURRENCY"),
        ({"subject": "invoice:none"}, "UNKNOWN_SUBJECT"),
    ],
)
def test_a_refusal_has_its_code_and_its_reason(on_erp, simulator: Simulator, values, code: str) -> None:
    """A refusal is a result with code and reason, the same both ways, and not a failure of the call."""
    subject = simulator.seed("price-variance-small", "A1").subject_id
    command = _command(**{"action": "approve-variance", "subject": subject, "amount_minor": 104000, **values})
    result = on_erp(lambda erp: erp.command(command))
    assert isinstance(result, ErpRefused)
    assert result.code == code
    assert result.detail
    assert simulator.effects("key-1") == 0


@pytest.mark.parametrize("status", [429, 503])
def test_a_fault_is_unavailable(on_erp, simulator: Simulator, status: int) -> None:
    """Reads, commands, events and intake that meet a fault are unavailable, and work again without it."""
    subject = simulator.seed("clean-match", "A1").subject_id
    simulator.set_fault("/", error_rate=1, status=status)

    async def use(erp):
        calls = [
            lambda: erp.read(f"/api/invoices/{subject}"),
            lambda: erp.events(after=0, limit=1),
            lambda: erp.command(_command("hold", subject)),
            lambda: erp.intake([]),
        ]
        for call in calls:
            with pytest.raises(ErpUnavailableError):
                await call()
        simulator.clear_faults()
        for call in calls:
            await call()

    on_erp(use)
    assert simulator.effects("key-1") == 1


def test_a_lost_answer_is_unavailable_and_its_repeat_is_the_first_answer(on_erp, simulator: Simulator) -> None:
    """A command whose answer got lost took effect; asking again under the same key says so, once."""
    subject = simulator.seed("clean-match", "A1").subject_id
    simulator.set_fault("/api/subjects", error_rate=1, answer_lost=True)

    async def use(erp):
        with pytest.raises(ErpUnavailableError):
            await erp.command(_command("hold", subject))
        simulator.clear_faults()
        return await erp.command(_command("hold", subject))

    assert on_erp(use) == ErpApplied(status="ON_HOLD", version=2)
    assert simulator.effects("key-1") == 1


def test_faults_hit_the_same_calls_both_ways(files, hand_clock, served) -> None:
    """With the same seed the same calls fail, in process and over HTTP: evaluations do not depend on the way."""

    async def outcomes(erp) -> str:
        text = ""
        for _ in range(30):
            try:
                await erp.read("/api/vendors/vendor:V-A1")
                text += "."
            except ErpUnavailableError:
                text += "x"
        return text

    async def both() -> list[str]:
        found = []
        for http in (False, True):
            simulator = Simulator(files, path=":memory:", clock=hand_clock, chance=Chance(9))
            simulator.set_fault("/api/vendors", error_rate=0.3)
            if http:
                async with served(simulator) as url, HttpErp(url) as erp:
                    found.append(await outcomes(erp))
            else:
                found.append(await outcomes(simulator))
            simulator.close()
        return found

    first, second = asyncio.run(both())
    assert first == second
    assert set(first) == {".", "x"}
