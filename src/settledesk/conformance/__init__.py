"""The conformance kit of the DMN TCK: reading its folders, running its cases, comparing and counting.

>>> from pathlib import Path
>>> from settledesk.conformance import run_kit
>>> run_kit(Path("dmn-tck")).to_json()["compliance-level-2"]["passed"]  # doctest: +SKIP
116
"""

from settledesk.conformance.cases import CaseFileError, Expectation, KitCase, read_cases
from settledesk.conformance.compare import same
from settledesk.conformance.outcome import CaseOutcome, Verdict
from settledesk.conformance.ratchet import Ratchet
from settledesk.conformance.report import KitReport, LevelFigures
from settledesk.conformance.runner import run_folder, run_kit

__all__ = [
    "CaseFileError",
    "CaseOutcome",
    "Expectation",
    "KitCase",
    "KitReport",
    "LevelFigures",
    "Ratchet",
    "Verdict",
    "read_cases",
    "run_folder",
    "run_kit",
    "same",
]
