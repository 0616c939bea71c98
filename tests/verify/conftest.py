"""Fixtures of the tests of the verifier."""

import sys
from pathlib import Path

# The test folders are no packages (import-mode importlib), so the helper beside the tests is found by its folder.
sys.path.insert(0, str(Path(__file__).parent))
