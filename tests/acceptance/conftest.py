"""The real documents that none of us wrote, read where they lie."""

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real documents; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"the real documents are not here: no folder {SHARED.parent.name}/{SHARED.name} beside the project")
    return SHARED
