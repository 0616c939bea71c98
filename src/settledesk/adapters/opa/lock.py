"""`policy.lock.json`: which sources the compiled policy belongs to, which compiler made it, and its own hash."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

PINNED_OPA: Final = "1.18.1"
"""The only version of OPA whose output is accepted; `tools/opa/go.mod` requires the same one."""

ENTRYPOINT: Final = "settledesk/decision"
"""The one document that is ever asked for; the path is constant, so no text of a question can choose another."""

WASM_NAME: Final = "policy.wasm"
LOCK_NAME: Final = "policy.lock.json"
_SOURCE_BYTES_MAX: Final = 1_000_000
_WASM_BYTES_MAX: Final = 8_000_000
_HASH_DIGITS: Final = 12


class PolicyLoadError(ValueError):
    """The policy of a folder cannot be used: a file is missing, too large, or does not belong to the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyLock:
    """What was compiled into what, by whom. Hashes are SHA-256 in hex; `compiler` is `opa` and its version."""

    compiler: str
    entrypoint: str
    sources_sha256: str
    wasm_sha256: str

    def to_text(self) -> str:
        """Return the lock as the text of its file, the same for the same lock byte for byte."""
        return json.dumps(asdict(self), indent=2, sort_keys=True) + "\n"


def compiler_name(version: str) -> str:
    """Return how a lock names the compiler of that version."""
    return f"opa {version}"


def lock_for(sources: Mapping[str, bytes], wasm: bytes, *, opa_version: str) -> PolicyLock:
    """Return the lock of a wasm that the compiler of that version has just made of these sources."""
    return PolicyLock(
        compiler=compiler_name(opa_version),
        entrypoint=ENTRYPOINT,
        sources_sha256=sources_sha256(sources),
        wasm_sha256=hashlib.sha256(wasm).hexdigest(),
    )


def sources_sha256(sources: Mapping[str, bytes]) -> str:
    """Hash sources in order of their names. Name and length go in too, so text cannot move between files unseen."""
    digest = hashlib.sha256()
    for name, content in sorted(sources.items()):
        digest.update(f"{name}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def policy_hash(sources: Mapping[str, bytes]) -> str:
    """Return the name of a policy in provenance: the first 12 hex digits of the hash of its sources and its wasm."""
    return sources_sha256(sources)[:_HASH_DIGITS]


def read_sources(folder: Path) -> dict[str, bytes]:
    """Read the Rego files of a pack's policy folder by name, its tests left out; raises `PolicyLoadError`."""
    names = sorted(path.name for path in folder.glob("*.rego") if not path.name.endswith("_test.rego"))
    if not names:
        raise PolicyLoadError(f"there is no policy in `{folder}`: a pack needs at least one .rego file there")
    return {name: read_file(folder / name, bytes_max=_SOURCE_BYTES_MAX) for name in names}


def read_wasm(folder: Path) -> bytes:
    """Read the compiled policy of a folder; raises `PolicyLoadError`."""
    return read_file(folder / WASM_NAME, bytes_max=_WASM_BYTES_MAX)


def read_lock(folder: Path) -> PolicyLock:
    """Read the lock of a folder. Raises `PolicyLoadError` if it is not exactly of the shape that `to_text` writes."""
    path = folder / LOCK_NAME
    try:
        data: Any = json.loads(read_file(path, bytes_max=_SOURCE_BYTES_MAX))
    except ValueError as error:
        if isinstance(error, PolicyLoadError):
            raise
        raise PolicyLoadError(f"`{path}` is not JSON: run `make policy`") from error
    if not isinstance(data, dict) or set(data) != set(PolicyLock.__slots__) or not _all_text(data):
        expected = ", ".join(f"`{name}`" for name in PolicyLock.__slots__)
        raise PolicyLoadError(f"`{path}` must hold the texts {expected} and nothing else: run `make policy`")
    return PolicyLock(**data)


def verify(folder: Path, lock: PolicyLock, sources: Mapping[str, bytes], wasm: bytes) -> None:
    """Raise `PolicyLoadError` unless the wasm was made of exactly these sources by the pinned compiler."""
    if lock.compiler != compiler_name(PINNED_OPA):
        raise PolicyLoadError(
            f"the policy in `{folder}` was compiled by `{lock.compiler}` where `{compiler_name(PINNED_OPA)}`"
            " is required: run `make policy`"
        )
    expected = lock_for(sources, wasm, opa_version=PINNED_OPA)
    if lock.entrypoint != expected.entrypoint:
        raise PolicyLoadError(
            f"the policy in `{folder}` answers at `{lock.entrypoint}` instead of `{expected.entrypoint}`"
        )
    if lock.sources_sha256 != expected.sources_sha256:
        raise PolicyLoadError(
            f"the policy in `{folder}` was compiled from other sources than the .rego files beside it:"
            " run `make policy`"
        )
    if lock.wasm_sha256 != expected.wasm_sha256:
        raise PolicyLoadError(f"`{folder / WASM_NAME}` is not the file that the lock names: run `make policy`")


def read_file(path: Path, *, bytes_max: int) -> bytes:
    """Read a file of at most that many bytes; raises `PolicyLoadError` if it is missing or larger."""
    try:
        with path.open("rb") as file:
            content = file.read(bytes_max + 1)
    except OSError as error:
        raise PolicyLoadError(f"`{path}` cannot be read: {error.strerror}") from error
    if len(content) > bytes_max:
        raise PolicyLoadError(f"`{path}` is larger than the {bytes_max} bytes that are read of it")
    return content


def _all_text(data: Mapping[str, object]) -> bool:
    return all(isinstance(value, str) for value in data.values())
