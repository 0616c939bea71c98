"""What one process keeps between runs, loaded once: pack, simulator's files, policy engine and scenarios."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from settledesk.adapters.opa import load_policy_engine
from settledesk.evaluation.scenario import Scenario
from settledesk.evaluation.scenario_files import load_scenarios
from settledesk.packs import Pack, load_pack
from settledesk.ports import PolicyEngine
from settledesk.simulator import PackFiles, read_pack_files


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """One pack, ready to be tried."""

    pack: Pack
    files: PackFiles
    policy: PolicyEngine
    scenarios: Mapping[str, Scenario]


def open_bench(folder: Path) -> Bench:
    """Load the pack in `folder` with its scenarios.

    Raises `PackError`, `PackFileError`, `PolicyLoadError` or `ScenarioError` with a sentence for a person.
    """
    pack, files = load_pack(folder), read_pack_files(folder)
    return Bench(
        pack=pack,
        files=files,
        policy=load_policy_engine(folder / "policy"),
        scenarios=load_scenarios(folder, pack, files),
    )
