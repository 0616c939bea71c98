"""Fixtures of the desk's tests."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from world import PACK, World


@pytest.fixture
def make_world() -> Iterator[Callable[..., World]]:
    """Make worlds that are closed at the end."""
    worlds: list[World] = []

    def make(seed: str | None = None, pack: Path = PACK) -> World:
        world = World(pack)
        worlds.append(world)
        return world.seed(seed) if seed else world

    yield make
    for world in worlds:
        world.close()
