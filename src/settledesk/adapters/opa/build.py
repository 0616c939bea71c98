"""Compile a pack's policy: `python -m settledesk.adapters.opa.build FOLDER --opa PATH [--check]`.

The same sources and the same compiler give the same bytes; `--check` compiles again and compares, and writes nothing.
"""

import argparse
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from settledesk.adapters.opa.lock import (
    ENTRYPOINT,
    LOCK_NAME,
    PINNED_OPA,
    WASM_NAME,
    PolicyLoadError,
    lock_for,
    read_lock,
    read_sources,
    read_wasm,
)

_TIMEOUT_S: Final = 120
_WASM_MEMBER: Final = "/policy.wasm"


class PolicyBuildError(Exception):
    """The compiler is missing, of another version, or found a fault in the policy; or a check found other bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltPolicy:
    """A compiled policy and the text of its lock."""

    wasm: bytes
    lock_text: str


def build_policy(folder: Path, opa: Path) -> BuiltPolicy:
    """Compile the policy of a folder with that `opa` binary, writing nothing beside it.

    Raises `PolicyBuildError`, and `PolicyLoadError` if the sources cannot be read.
    """
    version = opa_version(opa)
    if version != PINNED_OPA:
        raise PolicyBuildError(f"`{opa}` is version `{version}`, but `{PINNED_OPA}` is pinned: run `make opa`")
    sources = read_sources(folder)
    wasm = _compile(sources, opa)
    return BuiltPolicy(wasm=wasm, lock_text=lock_for(sources, wasm, opa_version=version).to_text())


def write_policy(folder: Path, built: BuiltPolicy) -> None:
    """Put the compiled policy and its lock into the folder. A crash in between leaves a pair that loading refuses."""
    (folder / WASM_NAME).write_bytes(built.wasm)
    (folder / LOCK_NAME).write_text(built.lock_text, encoding="utf-8")


def check_policy(folder: Path, built: BuiltPolicy) -> None:
    """Raise `PolicyBuildError` unless the folder holds the same bytes and the same lock as were just built."""
    if read_wasm(folder) != built.wasm:
        raise PolicyBuildError(f"`{folder / WASM_NAME}` is not what its sources compile to: run `make policy`")
    if read_lock(folder).to_text() != built.lock_text:
        raise PolicyBuildError(f"`{folder / LOCK_NAME}` does not belong to the policy beside it: run `make policy`")


def opa_version(opa: Path) -> str:
    """Ask an `opa` binary for its version; raises `PolicyBuildError`."""
    for line in _run([str(opa), "version"], cwd=None).splitlines():
        name, _, value = line.partition(":")
        if name == "Version":
            return value.strip()
    raise PolicyBuildError(f"`{opa}` does not say which version it is")


def _compile(sources: Mapping[str, bytes], opa: Path) -> bytes:
    # The compiler sees only the sources, under their bare names: neither the tests nor the place decide the bytes.
    with tempfile.TemporaryDirectory() as scratch:
        workplace = Path(scratch)
        for name, content in sources.items():
            (workplace / name).write_bytes(content)
        command = [str(opa.absolute()), "build", "--target", "wasm", "--entrypoint", ENTRYPOINT]
        _run([*command, "--output", "bundle.tar.gz", *sorted(sources)], cwd=workplace)
        return _member(workplace / "bundle.tar.gz")


def _member(bundle: Path) -> bytes:
    with tarfile.open(bundle) as archive:
        file = archive.extractfile(_WASM_MEMBER)
        if file is None:
            raise PolicyBuildError(f"the compiler wrote no `{_WASM_MEMBER}`")
        return file.read()


def _run(command: Sequence[str], *, cwd: Path | None) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - the binary is named by the developer who runs the build
            command, cwd=cwd, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PolicyBuildError(f"`{command[0]}` cannot be run: run `make opa` ({error})") from error
    if done.returncode != 0:
        raise PolicyBuildError(f"`{' '.join(command[:2])}` failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Build or check each folder; returns 0, or 1 after printing what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m settledesk.adapters.opa.build", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="policy folders of packs")
    parser.add_argument("--opa", required=True, type=Path, help="the pinned opa binary")
    parser.add_argument("--check", action="store_true", help="compile again and compare; write nothing")
    options = parser.parse_args(arguments)
    try:
        for folder in options.folders:
            built = build_policy(folder, options.opa)
            (check_policy if options.check else write_policy)(folder, built)
    except (PolicyBuildError, PolicyLoadError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
