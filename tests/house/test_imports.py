"""The rooms' directions hold: `import-linter` says so, and would say otherwise."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from house_source import PACKAGE, ROOT

TIMEOUT_S = 120

WRONG = {"facts": "import settledesk.desk", "matching": "import sqlite3", "desk": "import httpx2"}
"""One wrong import for each contract: by room, what is added to it."""


def lint_imports(folder: Path, source: Path) -> subprocess.CompletedProcess[str]:
    """Run the contracts of `pyproject.toml` on the package below `source`, in `folder`."""
    command = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [str(command), "--no-cache", str(ROOT / "pyproject.toml")],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def test_the_import_contracts_hold() -> None:
    """No inner room imports an outer one, the pure rooms do no input or output, and the desk knows no technology."""
    done = lint_imports(ROOT, ROOT / "src")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_a_wrong_import_breaks_its_contract(tmp_path: Path) -> None:
    """No contract is empty: one import in the wrong direction breaks each of them."""
    copy = tmp_path / "src" / "settledesk"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for room, statement in WRONG.items():
        with (copy / room / "__init__.py").open("a", encoding="utf-8") as file:
            file.write(f"\n{statement}\n")
    done = lint_imports(tmp_path, tmp_path / "src")
    assert done.returncode == 1, done.stdout + done.stderr
    assert f" {len(WRONG)} broken" in done.stdout
