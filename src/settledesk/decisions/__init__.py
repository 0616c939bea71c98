"""DMN files -> decision tables and graphs -> evaluation with a trace: which row fired, which did not, and why.

>>> from pathlib import Path
>>> from settledesk.decisions import load_model
>>> model = load_model(Path("discount.dmn"))  # doctest: +SKIP
>>> model.evaluate("discount", {"customer": "regular", "total": 120}).fired  # doctest: +SKIP
('regular_large',)
"""

from settledesk.decisions.elements import Decision, Service
from settledesk.decisions.errors import ModelError, Place
from settledesk.decisions.load import load_model
from settledesk.decisions.model import Model
from settledesk.decisions.results import Evaluation, FindingKind, RowTrace, TableFinding
from settledesk.decisions.table import DecisionTable

__all__ = [
    "Decision",
    "DecisionTable",
    "Evaluation",
    "FindingKind",
    "Model",
    "ModelError",
    "Place",
    "RowTrace",
    "Service",
    "TableFinding",
    "load_model",
]
