"""Fixtures of the evaluation tests: the shipped pack, opened once, and copies of it that may be damaged."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from settledesk.evaluation.bench import Bench, open_bench

PACK = Path(__file__).parents[2] / "packs" / "accounts_payable"


@pytest.fixture(scope="session")
def pack_folder() -> Path:
    """The folder of the shipped pack."""
    return PACK


@pytest.fixture(scope="session")
def bench(pack_folder: Path) -> Bench:
    """The shipped pack, ready to be tried."""
    return open_bench(pack_folder)


@pytest.fixture
def altered(tmp_path: Path, pack_folder: Path) -> Callable[..., Path]:
    """Copy the pack with one text of one file replaced; a text that is not there is an error of the test."""

    def alter(file: str, old: str, new: str, *, after: str = "") -> Path:
        copy = tmp_path / pack_folder.name
        if not copy.exists():
            shutil.copytree(pack_folder, copy)
        path = copy / file
        text = path.read_text(encoding="utf-8")
        start = text.index(after)
        place = text.index(old, start)
        path.write_text(text[:place] + new + text[place + len(old) :], encoding="utf-8")
        return copy

    return alter
