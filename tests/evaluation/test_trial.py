"""One run from an empty world to its scores, on the shipped pack: what people, outsiders and faults really do."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from settledesk.cases import EntryKind
from settledesk.evaluation import play
from settledesk.evaluation.bench import Bench
from settledesk.evaluation.fingerprint import fingerprint, normalised
from settledesk.evaluation.observe import trail_of
from settledesk.evaluation.play import Play, Played
from settledesk.evaluation.scenario import Scenario
from settledesk.evaluation.trial import RunResult, run_once
from settledesk.evaluation.world import World, open_world, suffix_of

THEN = {"acceptable": {"approve-variance": ["buyer"]}, "settled_by": "rules"}
SMALL = {"seed": "price-variance-small"}


def _scenario(*, given: dict[str, Any] = SMALL, when: Any = None, then: dict[str, Any] = THEN) -> Scenario:
    data = {"name": "example", "about": "an example", "given": given, "when": when or {}, "then": then}
    return Scenario.model_validate(data)


@pytest.fixture
def run(bench: Bench) -> Callable[..., RunResult]:
    """Run an example scenario once."""
    return lambda number=1, **parts: run_once(bench, _scenario(**parts), number)


async def _played(bench: Bench, scenario: Scenario, look: Callable[[World, Played], Awaitable[Any]]) -> Any:
    async with open_world(bench, scenario, 1) as world:
        return await look(world, await Play(world).until_quiet())


def _look(bench: Bench, look: Callable[[World, Played], Awaitable[Any]], **parts: Any) -> Any:
    """Play the first run of an example and return what `look` sees of its world."""
    return asyncio.run(_played(bench, _scenario(**parts), look))


async def _kinds(world: World, _: Played) -> list[str]:
    return [entry.kind.value for entry in trail_of(world).log]


def test_a_run_passes_and_keeps_no_timeline(run: Callable[..., RunResult]) -> None:
    """The person whom the policy named approves, and what passed is kept short."""
    result = run()
    assert result.passed, result
    assert (result.actions, result.final_action, result.touches) == (("approve-variance",), "approve-variance", 1)
    assert (result.settled_by, result.status, result.timeline) == ("rules", "resolved", ())


def test_every_run_has_documents_of_its_own_and_the_same_fingerprint(run: Callable[..., RunResult]) -> None:
    """Runs differ in the numbers of their documents and in nothing else that the desk sees, says or writes."""
    suffixes = {suffix_of("example", number) for number in range(1, 201)}
    assert len(suffixes) == 200
    assert all(len(suffix) == 8 and set(suffix) <= set("0123456789ABCDEF") for suffix in suffixes)
    prints = {run(number).fingerprint for number in (1, 2, 3)}
    assert len(prints) == 1
    assert None not in prints


def test_the_fingerprint_tells_runs_apart_that_differ(run: Callable[..., RunResult]) -> None:
    """Another decision, another seed or another answer is another fingerprint."""
    decline = {"action": "approve-variance", "words": "no"}
    substituted = {"seed": "item-substituted"}
    reading = {"intent": "SUBSTITUTED_ITEM", "shipped_item": "M8-HEX-SS-100"}
    answers = [[{"asked": "substitution_reason", "reading": {**reading, "substitution_reason": why}}] for why in WHYS]
    results = [
        run(),
        run(when={"people": {"decides": {"decline": decline}}}),
        run(given={"seed": "price-variance-large"}),
        run(given=substituted),
        *(run(given=substituted, when={"vendor": answer}) for answer in answers),
    ]
    assert len({result.fingerprint for result in results}) == len(results)


WHYS = ("OUT_OF_STOCK", "DISCONTINUED")


def test_the_fingerprint_covers_the_letters(bench: Bench) -> None:
    """A letter with another word is another fingerprint, even when the case went the same way."""

    async def look(world: World, _: Played) -> tuple[str, str]:
        trail = trail_of(world)
        assert trail.state is not None
        (letter,) = trail.letters
        other = replace(letter, body=letter.body + " ")
        prints = [fingerprint(trail.state, trail.log, [it], suffix=world.suffix) for it in (letter, other)]
        return prints[0], prints[1]

    first, second = _look(bench, look, given={"seed": "item-substituted"})
    assert first != second


def test_a_text_is_normalised_to_what_all_runs_share() -> None:
    """Suffix, case id and the hash of a withheld text are put aside; every other byte stays."""
    text = "PO-00AF12CD of po-00af12cd in ap-0123456789ab: (withheld 89abcdef) 00AF12CE"
    assert normalised(text, suffix="00AF12CD", case_id="ap-0123456789ab") == (
        "PO-{suffix} of po-{suffix} in {case}: (withheld) 00AF12CE"
    )


def test_a_decline_is_delivered_once(run: Callable[..., RunResult]) -> None:
    """The scripted action is declined the first time, and what the rules say next is approved."""
    decline = {"action": "approve-variance", "words": "not agreed"}
    then = {"acceptable": {"request-credit-memo": ["ap-clerk"]}, "settled_by": "rules"}
    result = run(when={"people": {"decides": {"decline": decline}}}, then=then)
    assert result.passed, result
    assert (result.actions, result.touches) == (("approve-variance", "request-credit-memo"), 2)


def test_what_the_script_has_and_the_run_did_not_meet_is_told(run: Callable[..., RunResult]) -> None:
    """A decline of an action that is never proposed, an event for a status that never comes, a fault never hit."""
    result = run(
        given={**SMALL, "faults": [{"path": "/api/nowhere", "error_rate": 1.0}]},
        when={
            "people": {"decides": {"decline": {"action": "reject", "words": "no"}}},
            "events": [{"redeliver": "subject", "after_status": "needs_person"}],
        },
    )
    assert result.passed, result
    assert result.missed == ("event 1 did not happen", "no proposal of reject came to be declined", "no call failed")


def test_a_silent_person_leaves_the_proposal_waiting(run: Callable[..., RunResult]) -> None:
    """Nobody decides in the place of a silent role, and the run comes to rest all the same."""
    waiting = {**THEN, "waiting_acceptable_on": "buyer"}
    assert run(when={"people": {"silent": ["buyer"]}}, then=waiting).passed
    result = run(when={"people": {"silent": ["bob"]}})
    assert result.scores.to_json()["correct"][0].startswith("ended awaiting_decision")
    assert result.timeline


def test_an_answer_comes_only_to_a_letter(bench: Bench, run: Callable[..., RunResult]) -> None:
    """A scripted answer is given by whoever was asked, after the letter; without a letter it is not given."""
    reading = {"intent": "SUBSTITUTED_ITEM", "substitution_reason": "UPGRADE", "shipped_item": "M8-HEX-SS-100"}
    vendor = [{"asked": "substitution_reason", "reading": reading}]

    async def look(world: World, played: Played) -> tuple[tuple[str, ...], list[str]]:
        return played.replies, [entry.kind.value for entry in trail_of(world).log]

    replies, kinds = _look(bench, look, given={"seed": "item-substituted"}, when={"vendor": vendor})
    assert len(replies) == 1
    assert kinds.index(EntryKind.LETTER_SENT) < kinds.index(EntryKind.REPLIED)
    assert run(when={"vendor": vendor}).passed


def test_a_redelivered_event_reaches_the_desk_and_changes_nothing(bench: Bench) -> None:
    """The event comes twice, the desk takes both in before the person decides, and the log is that of one."""

    async def look(world: World, played: Played) -> tuple[tuple[str, ...], list[str], int, list[str]]:
        events = await world.simulator.events(after=0, limit=100)
        twice = [event.id for event in events if event.id == world.opening_event]
        taken_in = await world.desk.store.tx(lambda tx: tx.cursor("erp"))
        assert taken_in == events[-1].seq
        return played.missed, await _kinds(world, played), len(twice), [event.type for event in events]

    missed, kinds, twice, types = _look(bench, look, when={"events": [{"redeliver": "subject", "after_s": 3}]})
    assert (missed, twice) == ((), 2)
    assert types[-2:] == ["document.received", "subject.changed"]
    assert kinds == _look(bench, _kinds)


def test_a_posted_record_belongs_to_the_run_s_own_documents(bench: Bench) -> None:
    """`{suffix}` in a scripted record is the run's, so a later receipt for a seeded order wakes the case."""
    line = {"line": "1", "po_line": "1", "item": "M8-HEX-ZN-100", "accepted": "10", "rejected": "0", "unit": "C62"}
    record = {
        "id": "receipt:GR-{suffix}-2",
        "kind": "receipt",
        "number": "GR-{suffix}-2",
        "po_number": "PO-{suffix}",
        "received_on": "2026-10-02",
        "status": "POSTED",
        "returned": False,
        "lines": [{**line, "vendor_item": None}],
    }
    event = {"post": {"collection": "receipts", "record": record}, "after_status": "on_hold"}
    given = {"seed": "qty-over-receipt"}
    plain, woken = _look(bench, _kinds, given=given), _look(bench, _kinds, given=given, when={"events": [event]})
    assert woken.count(EntryKind.WOKEN) == plain.count(EntryKind.WOKEN) + 1


def test_faults_repeat_with_the_run_and_differ_between_runs(bench: Bench) -> None:
    """The same run meets the same failures; another run of the scenario meets others."""
    faults = [{"path": "/api", "error_rate": 0.4}]
    scenario = _scenario(given={**SMALL, "faults": faults})

    async def failed(number: int) -> dict[str, int]:
        async with open_world(bench, scenario, number) as world:
            await Play(world).until_quiet()
            return {path.replace(world.suffix, "").lower(): count for path, count in world.erp.failed.items()}

    first, again, other = (asyncio.run(failed(number)) for number in (1, 1, 2))
    assert first == again != other
    assert first


def test_a_feed_that_fails_is_looked_at_again(run: Callable[..., RunResult]) -> None:
    """An unreadable feed of events delays a run and does not end it."""
    for number in range(1, 6):
        result = run(number, given={**SMALL, "faults": [{"path": "/events", "error_rate": 0.7}]})
        assert result.passed, result


def test_a_run_without_a_case_fails(run: Callable[..., RunResult]) -> None:
    """If the desk never hears of the subject, the run ends at its limit and says both."""
    result = run(given={**SMALL, "faults": [{"path": "/events", "error_rate": 1.0}]})
    assert not result.passed
    assert any("no case was opened" in reason for reason in result.scores.correct)
    assert any("still moving after" in reason for reason in result.scores.correct)


def test_a_run_that_keeps_moving_is_given_up(run: Callable[..., RunResult], monkeypatch: pytest.MonkeyPatch) -> None:
    """Reaching the limit of steps is an outcome with its own reason."""
    monkeypatch.setattr(play, "STEPS_MAX", 1)
    assert "still moving after 1 steps" in run().scores.correct


def test_a_run_that_breaks_is_a_failed_run(run: Callable[..., RunResult]) -> None:
    """An error inside a run is its reason, and the run stays in the count."""
    post = {"collection": "receipts", "record": {"id": "receipt:1", "kind": "invoice"}}
    result = run(when={"events": [{"post": post, "after_s": 1}]})
    assert not result.passed
    assert result.broken is not None
    assert "the run broke: RefusedIntakeError" in result.scores.correct[0]
    assert result.settled_by is None
