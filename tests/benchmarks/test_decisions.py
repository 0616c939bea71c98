"""What of the benchmark could be wrong without anybody seeing it: that all engines decide the same tables."""

from collections.abc import Callable
from typing import Any

import pytest
from benchmarks.decisions.cells import as_python, as_zen, read_cell
from benchmarks.decisions.draw import Facts, as_json_has_them, random_table
from benchmarks.decisions.engines import Engine, bare, same, traced
from benchmarks.decisions.every_row import every_row
from benchmarks.decisions.peers import installed, spiff_engine, zen_engines
from benchmarks.decisions.race import Pace, run
from benchmarks.decisions.sides import results
from benchmarks.decisions.subjects import FACTS, Subject, subjects

from settledesk.decisions import load_model

CARRIAGE, RESOLUTION = subjects()
BOTH = pytest.mark.parametrize("subject", [CARRIAGE, RESOLUTION], ids=lambda subject: subject.decision)
PEERS: dict[str, Callable[[Subject], list[Engine]]] = {
    "zen-engine": lambda subject: zen_engines(subject.table),
    "SpiffWorkflow": lambda subject: [spiff_engine(subject.table)],
}


@BOTH
def test_our_engine_gives_what_the_table_written_by_hand_gives(subject: Subject) -> None:
    """Bare or with a trace, from decimals or floats, all answers are the ones that plain Python gives."""
    ways = [bare(subject.model, subject.decision, json=json) for json in (False, True)]
    ways += [traced(subject.model, subject.decision, json=json, read=True) for json in (False, True)]
    assert {way.name: way.wrong(subject.draw(FACTS), subject.truth) for way in ways} == {way.name: 0 for way in ways}


@pytest.mark.parametrize("package", PEERS)
@BOTH
def test_a_peer_decides_the_same_table(subject: Subject, package: str) -> None:
    """What a peer is timed on are the same rows: all its answers are right."""
    if installed(package) is None:
        pytest.skip(f"{package} is not installed (it is in the extra `bench`)")
    ways = PEERS[package](subject)
    assert {way.name: way.wrong(subject.draw(FACTS), subject.truth) for way in ways} == {way.name: 0 for way in ways}


@BOTH
def test_the_facts_reach_every_row_and_now_and_then_none(subject: Subject) -> None:
    """No row is left out of what is timed, and no match is not the usual case."""
    fired = [subject.model.evaluate(subject.decision, facts).fired for facts in subject.draw(FACTS)]
    assert {row for rows in fired for row in rows} == set(subject.table.rows)
    assert 0 < fired.count(()) < FACTS / 4


@BOTH
def test_the_facts_are_of_the_declared_types(subject: Subject) -> None:
    """Nothing odd is timed: there is no finding but that no row matches."""
    found = [subject.model.evaluate(subject.decision, facts).findings for facts in subject.draw(FACTS)]
    assert {finding.kind for findings in found for finding in findings} == {"no_match"}


@BOTH
def test_trying_every_row_by_hand_finds_the_one_row(subject: Subject) -> None:
    """The variant that tries all rows gives the same answers, and never meets two rows."""
    tried = every_row(subject.truth)
    for facts in subject.draw(FACTS):
        assert tried(facts) == subject.truth(facts)


def overlapping(facts: Facts) -> dict[str, Any] | None:
    """Two rows of which the second is hidden behind the first."""
    if facts["x"] > 1:
        return {"y": 1}
    elif facts["x"] > 2:  # noqa: RET505
        return {"y": 2}
    return None


def test_trying_every_row_refuses_two() -> None:
    """A second matching row is seen, which the chain of `elif` cannot do."""
    assert every_row(overlapping)({"x": 2}) == {"y": 1}
    with pytest.raises(ValueError, match="2 rows match"):
        every_row(overlapping)({"x": 3})


@BOTH
def test_a_wrong_answer_is_counted(subject: Subject) -> None:
    """An engine that always says nothing is as often wrong as a row matches."""
    silent = Engine(name="silent", given=dict, one=lambda _: None, loop=lambda _: None)
    facts = subject.draw(FACTS)
    assert silent.wrong(facts, subject.truth) == sum(subject.truth(one) is not None for one in facts) > 0


@BOTH
def test_an_error_is_a_wrong_answer(subject: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    """An engine that raises does not end the benchmark: its answer is wrong, and a line says what it raised."""

    def raising(_: Any) -> None:
        raise TypeError("no such operand")

    facts = subject.draw(3)
    assert Engine(name="loud", given=dict, one=raising, loop=lambda _: None).wrong(facts, subject.truth) == 3
    assert "loud fails: no such operand" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "true", "is_same"),
    [
        ({"a": "x", "b": 4.9}, {"a": "x", "b": 4.9}, True),
        ({"a": "x"}, {"a": "x", "b": 4.9}, False),
        ({"a": "x", "b": 5}, {"a": "x", "b": 4.9}, False),
        ({"a": "y", "b": 4.9}, {"a": "x", "b": 4.9}, False),
        ({}, None, True),
        ({}, {"a": "x"}, False),
        ({"a": "x"}, None, False),
    ],
)
def test_answers_are_compared_by_name_and_value(answer: Any, true: Any, is_same: bool) -> None:
    """A peer may give numbers of another type and an empty answer for none, but nothing else."""
    assert same(answer, true) is is_same


@pytest.mark.parametrize(
    ("text", "zen", "python"),
    [
        ("-", "", "-"),
        ("null", "null", "? is None"),
        ("not(null)", "$ != null", "? is not None"),
        ("true", "true", "? is True"),
        ('"a"', '"a"', '? == "a"'),
        ('"a", "b"', '"a", "b"', '? in ("a", "b")'),
        ("(0..0.02]", "(0..0.02]", "? is not None and 0 < ? <= 0.02"),
        ("[1..2)", "[1..2)", "? is not None and 1 <= ? < 2"),
        (">= 5", ">= 5", "? is not None and ? >= 5"),
        ("<= other * 1.02", "<= other * 1.02", "? is not None and other is not None and ? <= other * 1.02"),
    ],
)
def test_a_cell_is_written_for_each_peer(text: str, zen: str, python: str) -> None:
    """Each form of cell has its counterpart in both languages."""
    assert (as_zen(text), as_python(text)) == (zen, python)


def test_a_cell_of_another_form_is_refused() -> None:
    """A table that the peers cannot be given is no table to compare on."""
    with pytest.raises(ValueError, match="has no form"):
        read_cell("not(1)")


def test_a_peer_that_is_absent_misses_its_floors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """Nothing is claimed over an engine that was not there: its floors are missed, and a line says why."""
    monkeypatch.setattr("benchmarks.decisions.sides.installed", lambda _: None)
    monkeypatch.setattr("benchmarks.decisions.sides.MAY_BE_ABSENT", False)
    found = list(results(CARRIAGE, Pace(turn_s=0.001, rounds=1)))
    judged = [result for result in found if result.against in ("zen-engine", "SpiffWorkflow")]
    assert judged
    assert all(result.passed is False and result.ratio is None for result in judged)
    assert "zen-engine is not installed, so its floors count as missed" in capsys.readouterr().out


def test_each_engine_runs_on_its_own_form_of_the_facts() -> None:
    """Every engine gets as many turns, each over whole passes of facts that were turned into its form before."""
    seen: list[Any] = []
    engine = Engine(name="one", given=as_json_has_them, one=dict, loop=seen.extend)
    outcome = run([engine], [{"a": 1}, {"a": 2}], Pace(turn_s=0.001, rounds=3))
    assert len(outcome.rates["one"]) == 3
    assert outcome.ratio("one", "one") == 1.0
    assert seen[:2] == [{"a": 1}, {"a": 2}]
    assert len(seen) % 2 == 0


def test_random_tables_overlap() -> None:
    """The tables for the verifier are of the shape that is asked for, the same each time, and full of overlaps."""
    content = random_table(10, 3)
    assert content == random_table(10, 3)
    table = load_model(content).table("random")
    assert table is not None
    assert (len(table.rows), len(table.columns)) == (10, 3)
    fired = [
        load_model(content).evaluate("random", {"x0": x, "x1": y, "x2": z}).fired
        for x in (20, 40, 60)
        for y in (20, 40, 60)
        for z in (20, 40, 60)
    ]
    assert any(len(rows) > 1 for rows in fired)
