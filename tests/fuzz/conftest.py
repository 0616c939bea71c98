"""Fixtures of the generated tests."""

import sys
from pathlib import Path

# The test folders are no packages (import-mode importlib), so the helpers beside the tests are found by their folder.
sys.path.insert(0, str(Path(__file__).parent))
