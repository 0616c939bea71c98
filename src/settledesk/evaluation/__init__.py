"""The evaluation: scenarios run in process with a simulated clock, scored, counted, and compared run with run.

It knows no pack: actions, reasons, roles and facts are those of the pack's files.
"""

from settledesk.evaluation.errors import EvaluationError, ScenarioError
from settledesk.evaluation.evaluate import MODELS, evaluate_pack
from settledesk.evaluation.intervals import wilson
from settledesk.evaluation.report import NO_ACTION, Report, ScenarioReport, failure_json
from settledesk.evaluation.scenario import Scenario
from settledesk.evaluation.trial import RunResult

__all__ = [
    "MODELS",
    "NO_ACTION",
    "EvaluationError",
    "Report",
    "RunResult",
    "Scenario",
    "ScenarioError",
    "ScenarioReport",
    "evaluate_pack",
    "failure_json",
    "wilson",
]
