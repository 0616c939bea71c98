"""A compiled policy that does not belong to the sources beside it is never loaded, and the text says why."""

import json
import shutil
import stat
from pathlib import Path

import pytest
import regex

from settledesk.adapters.opa import PolicyLoadError, load_policy_engine
from settledesk.adapters.opa.build import main
from settledesk.adapters.opa.lock import PINNED_OPA, lock_for, policy_hash, read_sources, sources_sha256


@pytest.fixture
def folder(policy_folder: Path, tmp_path: Path) -> Path:
    copied = tmp_path / "policy"
    shutil.copytree(policy_folder, copied)
    return copied


def refusal(folder: Path) -> str:
    with pytest.raises(PolicyLoadError) as error:
        load_policy_engine(folder)
    return str(error.value)


def relock(folder: Path, **changes: str) -> None:
    path = folder / "policy.lock.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **changes}), encoding="utf-8")


def test_the_committed_policy_loads_and_carries_the_hash_of_its_sources(folder: Path) -> None:
    """The hash is the first twelve hex digits over the sources, tests left out, and over the wasm that runs."""
    before = load_policy_engine(folder)
    (folder / "checks_test.rego").unlink()
    (folder / "more_test.rego").write_text("package more_test\n", encoding="utf-8")
    after = load_policy_engine(folder)
    assert regex.fullmatch(r"[0-9a-f]{12}", before.policy_hash)
    whole = {**read_sources(folder), "policy.wasm": (folder / "policy.wasm").read_bytes()}
    assert before.policy_hash == after.policy_hash == policy_hash(whole)
    assert policy_hash({**whole, "policy.wasm": b"other"}) != before.policy_hash
    before.close()
    after.close()


def test_a_source_changed_after_compiling_is_refused(folder: Path) -> None:
    """One more space in one source is enough."""
    source = folder / "routing.rego"
    source.write_text(source.read_text(encoding="utf-8") + " ", encoding="utf-8")
    assert refusal(folder).endswith("was compiled from other sources than the .rego files beside it: run `make policy`")


def test_a_source_added_renamed_or_removed_is_refused(folder: Path) -> None:
    """The set of the sources and their names count, not only their text."""
    added = folder / "added.rego"
    added.write_text("package added\n", encoding="utf-8")
    assert "from other sources" in refusal(folder)
    added.unlink()
    (folder / "routing.rego").rename(folder / "routes.rego")
    assert "from other sources" in refusal(folder)
    (folder / "routes.rego").unlink()
    assert "from other sources" in refusal(folder)


def test_a_tampered_wasm_is_refused(folder: Path) -> None:
    """One flipped bit is enough."""
    path = folder / "policy.wasm"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    assert refusal(folder) == f"`{path}` is not the file that the lock names: run `make policy`"


def test_another_compiler_is_refused(folder: Path) -> None:
    """A policy that another version compiled is not accepted on its word."""
    relock(folder, compiler="opa 1.0.0")
    assert refusal(folder) == (
        f"the policy in `{folder}` was compiled by `opa 1.0.0` where `opa {PINNED_OPA}` is required: run `make policy`"
    )


def test_another_entrypoint_is_refused(folder: Path) -> None:
    """The lock cannot point to another document of the policy."""
    relock(folder, entrypoint="settledesk/routing/decider")
    assert refusal(folder).endswith("answers at `settledesk/routing/decider` instead of `settledesk/decision`")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"compiler": 1}', "\xff"])
def test_a_lock_of_another_shape_is_refused(folder: Path, text: str) -> None:
    """A lock says four texts and nothing else."""
    path = folder / "policy.lock.json"
    path.write_bytes(text.encode("latin-1"))
    assert refusal(folder).startswith(f"`{path}` ")


def test_a_lock_with_more_to_say_is_refused(folder: Path) -> None:
    """An additional key is not ignored."""
    relock(folder, note="trust me")
    assert "and nothing else" in refusal(folder)


@pytest.mark.parametrize("name", ["policy.wasm", "policy.lock.json"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    """The text names the file that is missing."""
    (folder / name).unlink()
    assert refusal(folder) == f"`{folder / name}` cannot be read: No such file or directory"


def test_a_folder_without_a_policy_is_refused(tmp_path: Path) -> None:
    """No policy is not an empty policy."""
    assert refusal(tmp_path).startswith(f"there is no policy in `{tmp_path}`")


@pytest.mark.parametrize("wasm", [b"", b"not wasm", b"\x00asm\x01\x00\x00\x00"])
def test_what_is_no_compiled_policy_is_refused(folder: Path, wasm: bytes) -> None:
    """Bytes with a lock of their own that are no policy module are refused when loaded, not when asked."""
    (folder / "policy.wasm").write_bytes(wasm)
    lock = lock_for(read_sources(folder), wasm, opa_version=PINNED_OPA)
    (folder / "policy.lock.json").write_text(lock.to_text(), encoding="utf-8")
    assert "cannot be used: the compiled policy is not a policy module" in refusal(folder)


def test_text_cannot_move_between_sources_unseen() -> None:
    """Two sources with the same text in all have different hashes when it is cut elsewhere."""
    assert sources_sha256({"a.rego": b"xy", "b.rego": b"z"}) != sources_sha256({"a.rego": b"x", "b.rego": b"yz"})
    assert sources_sha256({"a.rego": b"x", "b.rego": b"y"}) == sources_sha256({"b.rego": b"y", "a.rego": b"x"})


def test_the_pinned_compiler_is_the_one_that_is_built(root: Path) -> None:
    """The version that loading demands and the version that `make opa` builds are the same."""
    module = (root / "tools" / "opa" / "go.mod").read_text(encoding="utf-8")
    assert f"github.com/open-policy-agent/opa v{PINNED_OPA}" in module


def test_a_compiler_of_another_version_builds_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The build refuses a binary that is not the pinned version, and says how to get it."""
    other = tmp_path / "opa"
    other.write_text("#!/bin/sh\necho Version: 0.9.9\n", encoding="utf-8")
    other.chmod(other.stat().st_mode | stat.S_IXUSR)
    assert main([str(folder), "--opa", str(other)]) == 1
    assert capsys.readouterr().err == f"`{other}` is version `0.9.9`, but `{PINNED_OPA}` is pinned: run `make opa`\n"


def test_a_missing_compiler_is_named(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A build without the binary says what to run."""
    assert main([str(folder), "--opa", str(tmp_path / "none")]) == 1
    assert "cannot be run: run `make opa`" in capsys.readouterr().err
