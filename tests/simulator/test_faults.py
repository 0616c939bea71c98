"""Faults: latency through the clock, error rates that repeat, several at once, answers that get lost."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settledesk.ports import ErpApplied, ErpUnavailableError
from settledesk.simulator import Chance, FaultError, FaultSettingError

VENDOR = "/api/vendors/vendor:V-A1"
ORDER = "/api/purchase-orders?number=PO-A1"


def _outcomes(desk, path: str, tries: int) -> str:
    outcomes = ""
    for _ in range(tries):
        try:
            desk.read(path)
            outcomes += "."
        except FaultError as error:
            outcomes += str(error.status)[0]
    return outcomes


def test_splitmix64_gives_the_published_sequence() -> None:
    """The generator is splitmix64 and nothing else: these are the published first values for the seed 1234567."""
    chance = Chance(1234567)
    assert [chance.next_u64() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(st.integers(0, 2**64 - 1), st.floats(0.05, 0.95))
def test_a_rate_is_kept_over_many_draws(seed: int, rate: float) -> None:
    """Of 2,000 draws about as many happen as the rate says, for any seed."""
    chance = Chance(seed)
    happened = sum(chance.happens(rate) for _ in range(2_000))
    assert abs(happened / 2_000 - rate) < 0.08


def test_the_same_seed_fails_the_same_calls(make_desk) -> None:
    """Two simulators with the same seed and the same calls fail at the same calls; another seed at others."""
    outcomes = []
    for seed in (7, 7, 8):
        desk = make_desk(seed=seed)
        desk.simulator.seed("duplicate", "A1")
        desk.simulator.set_fault("/api/(vendors|purchase-orders)", error_rate=0.3)
        desk.simulator.set_fault("/api/views/similar", error_rate=0.5, status=429)
        mixed = "".join(
            _outcomes(desk, path, 1)
            for _ in range(40)
            for path in (VENDOR, ORDER, "/api/views/similar/invoice:INV-A1-again", "/api/receipts?po_number=PO-A1")
        )
        outcomes.append(mixed)
    assert outcomes[0] == outcomes[1] != outcomes[2]
    assert {outcomes[0][3::4]} == {"." * 40}, "no fault is set on receipts"
    assert set(outcomes[0][2::4]) == {".", "4"}
    assert set(outcomes[0][0::4] + outcomes[0][1::4]) == {".", "5"}


def test_latency_passes_on_the_clock_and_adds_up(desk) -> None:
    """Every matching fault's latency passes, on the simulator's clock and not in real time."""
    desk.simulator.seed("clean-match", "A1")
    desk.simulator.set_fault("/api/", latency_s=3)
    desk.simulator.set_fault("/api/vendors", latency_s=2)
    desk.read(VENDOR)
    desk.read(ORDER)
    desk.command("hold", "invoice:INV-A1", "clara")
    assert desk.clock.slept == [5, 3, 3]


def test_an_error_rate_of_one_always_fails_and_of_zero_never(desk) -> None:
    """The ends of the scale are certain."""
    desk.simulator.seed("clean-match", "A1")
    desk.simulator.set_fault("/api/vendors", error_rate=1)
    desk.simulator.set_fault("/api/purchase-orders", error_rate=0)
    assert _outcomes(desk, VENDOR, 20) == "5" * 20
    assert _outcomes(desk, ORDER, 20) == "." * 20
    desk.simulator.clear_faults("/api/vendors")
    assert _outcomes(desk, VENDOR, 20) == "." * 20
    assert [fault.path_pattern for fault in desk.simulator.faults()] == ["/api/purchase-orders"]


def test_setting_a_fault_again_replaces_it(desk) -> None:
    """One pattern has one fault."""
    desk.simulator.set_fault("/api/vendors", error_rate=1)
    desk.simulator.set_fault("/api/vendors", latency_s=1)
    assert desk.read("/api/vendors") == ()
    assert desk.clock.slept == [1]


def test_a_failed_command_took_no_effect_and_may_be_repeated(desk) -> None:
    """An error before the effect leaves the subject alone, and the same key works once the fault is gone."""
    subject = desk.simulator.seed("clean-match", "A1").subject_id
    desk.simulator.set_fault("/api/subjects/.*/hold", error_rate=1)
    with pytest.raises(ErpUnavailableError):
        desk.command("hold", subject, "clara", key="k")
    assert desk.invoice(subject)["version"] == 1
    desk.simulator.clear_faults()
    assert desk.command("hold", subject, "clara", key="k") == ErpApplied(status="ON_HOLD", version=2)


def test_a_lost_answer_hides_an_effect_that_the_same_key_does_not_repeat(desk) -> None:
    """A connection cut after the commit: the caller knows nothing, the repeat gets the first answer."""
    subject = desk.simulator.seed("clean-match", "A1").subject_id
    desk.simulator.set_fault("/api/subjects", error_rate=1, answer_lost=True)
    with pytest.raises(ErpUnavailableError):
        desk.command("hold", subject, "clara", key="k")
    assert desk.invoice(subject)["status"] == "ON_HOLD"
    desk.simulator.clear_faults()
    assert desk.command("hold", subject, "clara", key="k") == ErpApplied(status="ON_HOLD", version=2)
    assert desk.simulator.effects("k") == 1


def test_events_and_intake_can_fail_too(desk) -> None:
    """The paths `/events` and `/intake` take faults; a fault on `/api/` does not reach them."""
    desk.simulator.set_fault("/api/", error_rate=1)
    assert desk.events() == ()
    assert desk.intake() == 0
    desk.simulator.set_fault("/(events|intake)", error_rate=1)
    with pytest.raises(ErpUnavailableError):
        desk.events()
    with pytest.raises(ErpUnavailableError):
        desk.intake()


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ({"path_pattern": "("}, "is not a regular expression"),
        ({"path_pattern": "/api", "error_rate": 1.5}, "must lie in 0..1"),
        ({"path_pattern": "/api", "latency_s": -1}, "must lie in 0..86400 s"),
        ({"path_pattern": "/api", "status": 200}, "must be 429 or 500..599"),
    ],
)
def test_a_fault_that_makes_no_sense_is_refused(desk, fault, message: str) -> None:
    """A fault is checked when it is set, not when it should hit."""
    with pytest.raises(FaultSettingError, match=message):
        desk.simulator.set_fault(**fault)
    assert desk.simulator.faults() == ()


def test_a_pattern_that_never_ends_is_stopped(desk) -> None:
    """A pattern with catastrophic backtracking fails the call it was asked for within its time-out."""
    desk.simulator.set_fault("/api/vendors.name=(a|aa)+$")
    with pytest.raises(FaultError, match="write it simpler"):
        desk.read("/api/vendors?name=" + "a" * 4_000 + "!")


def test_two_reads_side_by_side_share_the_clock(desk) -> None:
    """Latency suspends the one call and not the others."""

    async def both() -> None:
        await asyncio.gather(desk.simulator.read(VENDOR), desk.simulator.read(ORDER))

    desk.simulator.set_fault("/api/", latency_s=3)
    asyncio.run(both())
    assert desk.clock.slept == [3, 3]
