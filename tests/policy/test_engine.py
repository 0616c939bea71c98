"""Whatever the engine or its answer does, nothing is allowed by it: a refusal, an incident, and the next one works."""

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import wasmtime

from settledesk.adapters.opa import WasmPolicyEngine, load_policy_engine
from settledesk.adapters.opa.build import build_policy, write_policy
from settledesk.adapters.opa.lock import ENTRYPOINT, read_wasm
from settledesk.adapters.opa.machine import QUESTION_BYTES_MAX, PolicyModule
from settledesk.facts import Known, Unknown
from settledesk.policy import Forbidden, PolicyQuestion, RouteTo, question_to_json

ROUTE = {"effect": "route", "role": "ap-clerk", "user": None}


class ScriptedModule:
    """Stands for a module whose machines say the scripted texts, or raise the scripted errors, in turn."""

    def __init__(self, *script: bytes | Exception) -> None:
        self.script = list(script)
        self.machines = 0

    def machine(self) -> "ScriptedModule":
        self.machines += 1
        return self

    def evaluate(self, question: bytes) -> bytes:
        said = self.script.pop(0)
        if isinstance(said, Exception):
            raise said
        return said

    def close(self) -> None:
        pass


def scripted(*script: bytes | Exception) -> tuple[WasmPolicyEngine, ScriptedModule]:
    module = ScriptedModule(*script)
    return WasmPolicyEngine(module, policy_hash="0" * 12), module  # type: ignore[arg-type]


HOSTILE_ANSWERS: list[Any] = [
    None,
    True,
    "route",
    [],
    {},
    [ROUTE],
    {"effect": "allow"},
    {"effect": "route"},
    {"effect": "route", "role": "ap-clerk"},
    {"effect": "route", "role": "", "user": None},
    {"effect": "route", "role": None, "user": None},
    {"effect": "route", "role": ["ap-clerk"], "user": None},
    {"effect": "route", "role": "buyer", "user": ""},
    {"effect": "route", "role": "buyer", "user": 7},
    {**ROUTE, "reason": "because"},
    {**ROUTE, "effect": "Route"},
    {"effect": "forbid"},
    {"effect": "forbid", "reason": ""},
    {"effect": "forbid", "reason": None},
    {"effect": "forbid", "reason": "no", "role": "ap-clerk"},
]


@pytest.mark.parametrize("answer", HOSTILE_ANSWERS, ids=json.dumps)
def test_an_answer_outside_the_closed_type_is_a_refusal_and_an_incident(answer: Any) -> None:
    """Nothing but exactly a route or a refusal is taken for an answer."""
    engine, _ = scripted(json.dumps([{"result": answer}]).encode())
    assert engine.answer({}) == Forbidden(why="the policy gave no valid answer, so nothing is allowed", incident=True)
    assert engine.incidents == 1


@pytest.mark.parametrize(
    "text",
    [
        b"[]",
        b"{}",
        b"null",
        b"",
        b"[{}]",
        b"\xff\xfe",
        b'[{"result": ',
        json.dumps([{"result": ROUTE}, {"result": ROUTE}]).encode(),
        json.dumps([{"result": ROUTE, "more": 1}]).encode(),
        json.dumps({"result": ROUTE}).encode(),
        b"[" * 100_000,
    ],
)
def test_undefined_several_or_broken_results_are_refusals(text: bytes) -> None:
    """An undefined decision, two of them, or text that is no result set allows nothing."""
    engine, _ = scripted(text)
    answer = engine.answer({})
    assert isinstance(answer, Forbidden)
    assert answer.incident


def test_a_failed_machine_is_replaced() -> None:
    """After an error the next question gets a machine of its own and its own answer."""
    good = json.dumps([{"result": ROUTE}]).encode()
    engine, module = scripted(good, wasmtime.WasmtimeError("out of memory"), good)
    assert engine.answer({}) == RouteTo(role="ap-clerk")
    assert engine.answer({}) == Forbidden(why="the policy engine failed, so nothing is allowed", incident=True)
    assert engine.answer({}) == RouteTo(role="ap-clerk")
    assert (module.machines, engine.incidents) == (2, 1)


def test_a_question_that_is_too_large_is_refused(engine: WasmPolicyEngine, ask: Callable[..., PolicyQuestion]) -> None:
    """A question above the limit never reaches the policy; the largest allowed one is answered."""
    answer = asyncio.run(engine.decide(ask(buyer=Known(value="b" * QUESTION_BYTES_MAX))))
    assert answer == Forbidden(why="the question is larger than the 262144 bytes that the policy reads", incident=True)
    fits = Known(value="b" * (QUESTION_BYTES_MAX - 2000))
    assert isinstance(asyncio.run(engine.decide(ask(buyer=fits))), RouteTo)


@pytest.mark.parametrize("document", [{"x": float("nan")}, {"x": object()}, {1: {2}}])
def test_what_is_no_json_is_refused(engine: WasmPolicyEngine, document: Any) -> None:
    """A document that cannot be written as JSON is a refusal and an incident."""
    answer = engine.answer(document)
    assert isinstance(answer, Forbidden)
    assert answer.incident


def test_a_question_that_cannot_be_written_down_is_refused(
    engine: WasmPolicyEngine, ask: Callable[..., PolicyQuestion]
) -> None:
    """`decide` never raises, even for a fact of a type that does not exist."""
    answer = asyncio.run(engine.decide(ask(buyer=object())))
    assert isinstance(answer, Forbidden)
    assert answer.incident


@pytest.mark.parametrize("text", ["\ud800", "\x00", "\U0001f4b6", "e\u0301\u202e", '"}],"effect":"route'])
def test_odd_texts_come_back_as_they_were_or_are_refused(
    engine: WasmPolicyEngine, ask: Callable[..., PolicyQuestion], text: str
) -> None:
    """A user name of any characters is the same in the answer; what is no Unicode text is never routed elsewhere."""
    answer = asyncio.run(engine.decide(ask(buyer=Known(value=text))))
    if text == "\ud800":
        assert isinstance(answer, Forbidden)
    else:
        assert answer == RouteTo(role="buyer", user=text)


def test_the_reason_of_an_unknown_is_text_and_nothing_more(
    engine: WasmPolicyEngine, ask: Callable[..., PolicyQuestion]
) -> None:
    """What an unknown says of itself cannot become part of the answer's structure."""
    hostile = '"}},{"result":{"effect":"route","role":"ap-clerk","user":null}'
    answer = asyncio.run(engine.decide(ask(amount_at_issue=Unknown(reason=hostile))))
    assert answer == Forbidden(why=f"the amount at issue is unknown ({hostile})")


def test_the_deadline_interrupts_the_guest(policy_folder: Path, ask: Callable[..., PolicyQuestion]) -> None:
    """A guest whose time is up is interrupted in the middle, which is an incident, and not answered late."""
    module = PolicyModule(read_wasm(policy_folder), entrypoint=ENTRYPOINT)
    module._deadline_ticks = 0
    engine = WasmPolicyEngine(module, policy_hash="0" * 12)
    answer = asyncio.run(engine.decide(ask()))
    assert answer == Forbidden(why="the policy engine failed, so nothing is allowed", incident=True)
    engine.close()


def test_a_guest_that_needs_too_much_memory_is_stopped(policy_folder: Path, ask: Callable[..., PolicyQuestion]) -> None:
    """Beyond its memory a question is an incident, and the next one is answered as ever."""
    engine = load_policy_engine(policy_folder, memory_pages_max=16)
    document = question_to_json(ask())
    answer = engine.answer({**document, "evidence": ["x"] * 60_000})
    assert answer == Forbidden(why="the policy engine failed, so nothing is allowed", incident=True)
    assert engine.answer(document) == RouteTo(role="buyer", user="bob")
    engine.close()


def test_a_machine_does_not_grow_from_question_to_question(
    policy_folder: Path, ask: Callable[..., PolicyQuestion]
) -> None:
    """Thousands of questions, refused and routed in turn, need the memory of a few and get the same answers."""
    engine = load_policy_engine(policy_folder)
    good, bad = question_to_json(ask()), question_to_json(ask("short-pay"))
    first = (engine.answer(good), engine.answer(bad), engine.answer({"facts": [good] * 50}))
    memory = engine._machine._runtime.memory.data_len(engine._machine._runtime.store)  # type: ignore[union-attr]
    for _ in range(2000):
        assert (engine.answer(good), engine.answer(bad)) == first[:2]
    assert engine._machine._runtime.memory.data_len(engine._machine._runtime.store) == memory  # type: ignore[union-attr]
    engine.close()


def test_threads_may_share_an_engine(engine: WasmPolicyEngine, ask: Callable[..., PolicyQuestion]) -> None:
    """Four threads with questions of their own each get their own answers."""
    wrong: list[object] = []

    def work(user: str) -> None:
        document = question_to_json(ask(buyer=Known(value=user)))
        for _ in range(100):
            answer = engine.answer(document)
            if answer != RouteTo(role="buyer", user=user):
                wrong.append(answer)

    threads = [threading.Thread(target=work, args=(f"buyer{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.opa
def test_a_policy_without_end_is_stopped_in_time(opa: Path, tmp_path: Path) -> None:
    """A real policy that would compute for ages is refused within its deadline."""
    (tmp_path / "slow.rego").write_text(
        "package settledesk\n\ndecision := count([1 | some x in numbers.range(1, 3000);"
        " some y in numbers.range(1, 3000); some z in numbers.range(1, 3000); x + y + z == 0])\n",
        encoding="utf-8",
    )
    write_policy(tmp_path, build_policy(tmp_path, opa))
    engine = load_policy_engine(tmp_path, deadline_s=0.2, memory_pages_max=4096)
    assert engine.answer({}) == Forbidden(why="the policy engine failed, so nothing is allowed", incident=True)
    engine.close()


@pytest.mark.opa
def test_a_policy_with_a_builtin_that_wasm_lacks_is_refused(opa: Path, tmp_path: Path) -> None:
    """Such a built-in would be silently undefined or run in Python, so the policy is not loaded."""
    source = 'package settledesk\n\ndecision := {"effect": "forbid", "reason": sprintf("%v", [input])}\n'
    (tmp_path / "text.rego").write_text(source, encoding="utf-8")
    write_policy(tmp_path, build_policy(tmp_path, opa))
    with pytest.raises(ValueError, match="the policy uses `sprintf`, which the compiled form does not have"):
        load_policy_engine(tmp_path)


@pytest.mark.opa
def test_an_undefined_decision_is_a_refusal(opa: Path, tmp_path: Path) -> None:
    """A policy without a default that does not match allows nothing."""
    (tmp_path / "silent.rego").write_text('package settledesk\n\ndecision := "yes" if input.never\n', encoding="utf-8")
    write_policy(tmp_path, build_policy(tmp_path, opa))
    engine = load_policy_engine(tmp_path)
    assert engine.answer({}) == Forbidden(why="the policy gave no valid answer, so nothing is allowed", incident=True)
    engine.close()
