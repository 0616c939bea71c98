"""The compiled policy answers as the real OPA does, on questions that are right, wrong and hostile."""

import copy
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from settledesk.adapters.opa import WasmPolicyEngine
from settledesk.adapters.opa.build import main
from settledesk.facts import Money, Unknown
from settledesk.policy import PolicyQuestion, parse_answer, question_to_json

pytestmark = pytest.mark.opa

Document = dict[str, Any]
Where = tuple[str | int, ...]

JUNK: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    10.5,
    9_007_199_254_740_992,
    1e300,
    "",
    "known",
    "\x00",
    "naïve \u202e \U0001f4b6 e\u0301",
    '`"\\\n',
    [],
    ["vendor:9", 7],
    {},
    {"known": None},
    {"unknown": "not read"},
    {"known": 1_000_001, "currency": "EUR"},
    {"known": 1, "unknown": "both"},
)
QUERY = "[answer | some question in data.questions; answer := data.settledesk.decision with input as question]"


def nodes(value: Any, where: Where = ()) -> Iterator[Where]:
    yield where
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from nodes(child, (*where, key))


def changed(document: Document, where: Where, change: Callable[[Any, str | int], None]) -> Document:
    copied = copy.deepcopy(document)
    parent: Any = copied
    for key in where[:-1]:
        parent = parent[key]
    change(parent, where[-1])
    return copied


def delete(parent: Any, key: str | int) -> None:
    del parent[key]


def put(junk: Any) -> Callable[[Any, str | int], None]:
    def change(parent: Any, key: str | int) -> None:
        parent[key] = junk

    return change


def hostile(document: Document) -> Iterator[Any]:
    """Delete every node, and put every piece of junk in its place."""
    yield from JUNK
    for where in nodes(document):
        if where:
            yield changed(document, where, delete)
            for junk in JUNK:
                yield changed(document, where, put(junk))


def around_limits(document: Document) -> Iterator[Document]:
    """Put amounts on both sides of every limit."""
    for action in ("approve-variance", "short-pay", "reject"):
        for minor in (-1_000_001, -1, 0, 1, 999_999, 1_000_000, 1_000_001, 9_007_199_254_740_991):
            for name in ("total", "amount_at_issue"):
                facts = {**document["facts"], name: {"known": minor, "currency": "EUR"}}
                yield {**document, "action": action, "facts": facts}
                yield {**document, "action": action, "amount": {"known": minor, "currency": "EUR"}, "facts": facts}


def by_opa(opa: Path, folder: Path, questions: list[Any], scratch: Path) -> list[Any]:
    data = scratch / "questions.json"
    data.write_text(json.dumps({"questions": questions}), encoding="utf-8")
    sources = [str(path) for path in sorted(folder.glob("*.rego")) if not path.name.endswith("_test.rego")]
    command = [str(opa), "eval", "--format", "raw", "--strict-builtin-errors"]
    for path in (*sources, str(data)):
        command += ["--data", path]
    done = subprocess.run([*command, QUERY], capture_output=True, text=True, timeout=300, check=True)
    answers: list[Any] = json.loads(done.stdout)
    return answers


def test_compiled_and_interpreted_policy_agree(
    engine: WasmPolicyEngine, opa: Path, policy_folder: Path, ask: Callable[..., PolicyQuestion], tmp_path: Path
) -> None:
    """On some 1,500 questions, most of them damaged in one place, both forms give the same answer, reason and all."""
    approval = question_to_json(ask())
    short_payment = question_to_json(ask("short-pay", amount=Money.of("10.00", "EUR"), buyer=Unknown(reason="none")))
    questions = [
        approval,
        short_payment,
        *hostile(approval),
        *hostile(short_payment),
        *around_limits(approval),
    ]
    assert len(questions) >= 1000
    incidents = engine.incidents
    for question, expected in zip(questions, by_opa(opa, policy_folder, questions, tmp_path), strict=True):
        assert engine.answer(question) == parse_answer(expected), question
    assert engine.incidents == incidents


def test_the_committed_policy_is_what_its_sources_compile_to(policy_folder: Path, opa: Path) -> None:
    """Compiling again gives the committed bytes and the committed lock."""
    assert main([str(policy_folder), "--opa", str(opa), "--check"]) == 0


def test_a_changed_source_is_found_and_rebuilt(
    policy_folder: Path, opa: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--check` fails on a source that was changed after the build, and a build makes it pass."""
    folder = tmp_path / "policy"
    shutil.copytree(policy_folder, folder)
    source = folder / "vocabulary.rego"
    source.write_text(source.read_text(encoding="utf-8").replace("1000000", "2000000"), encoding="utf-8")
    assert main([str(folder), "--opa", str(opa), "--check"]) == 1
    assert "is not what its sources compile to" in capsys.readouterr().err
    assert main([str(folder), "--opa", str(opa)]) == 0
    assert main([str(folder), "--opa", str(opa), "--check"]) == 0


def test_the_place_and_the_tests_do_not_decide_the_bytes(policy_folder: Path, opa: Path, tmp_path: Path) -> None:
    """Another folder, without the tests beside the sources, gives the same bytes."""
    for path in policy_folder.glob("*.rego"):
        if not path.name.endswith("_test.rego"):
            shutil.copy(path, tmp_path / path.name)
    assert main([str(tmp_path), "--opa", str(opa)]) == 0
    assert (tmp_path / "policy.wasm").read_bytes() == (policy_folder / "policy.wasm").read_bytes()
    assert (tmp_path / "policy.lock.json").read_bytes() == (policy_folder / "policy.lock.json").read_bytes()


def test_a_fault_in_the_policy_is_reported_as_the_compiler_says_it(
    opa: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A policy that does not compile writes nothing and names the place."""
    (tmp_path / "broken.rego").write_text("package settledesk\n\ndecision := nothing_of_that_name\n", encoding="utf-8")
    assert main([str(tmp_path), "--opa", str(opa)]) == 1
    assert "broken.rego:3" in capsys.readouterr().err
    assert not (tmp_path / "policy.wasm").exists()
