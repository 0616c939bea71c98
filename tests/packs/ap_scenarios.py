"""The scenario files of the accounts-payable pack, read by the evaluation's own strict model."""

from functools import cache
from pathlib import Path

import yaml

from settledesk.evaluation.scenario import Scenario

SCENARIOS = Path(__file__).parents[2] / "packs" / "accounts_payable" / "scenarios"


@cache
def scenarios() -> dict[str, Scenario]:
    """Return all scenarios of the pack by name."""
    paths = sorted(SCENARIOS.glob("*.yaml"))
    return {path.stem: Scenario.model_validate(yaml.safe_load(path.read_text(encoding="utf-8"))) for path in paths}
