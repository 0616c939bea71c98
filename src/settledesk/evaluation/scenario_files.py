"""Read a pack's scenario files and check them against the pack; everything that is wrong is told at once."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml
from pydantic import ValidationError

from settledesk.cases import Status, StopReason
from settledesk.evaluation.errors import ScenarioError
from settledesk.evaluation.scenario import Scenario
from settledesk.packs import Pack
from settledesk.simulator import PackFiles

FILE_BYTES_MAX = 1_000_000
SCENARIOS_MAX = 1_000

_LOADER: type[yaml.SafeLoader | yaml.CSafeLoader] = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
"""The safe loader, ten times as fast where libyaml is there."""


def load_scenarios(folder: Path, pack: Pack, files: PackFiles) -> Mapping[str, Scenario]:
    """Return the scenarios of the pack in `folder` by name, in order of their names; raises `ScenarioError`."""
    paths = sorted((folder / "scenarios").glob("*.yaml"))
    if not paths:
        raise ScenarioError(f"the pack `{folder.name}` has no scenarios: write `scenarios/NAME.yaml`")
    if len(paths) > SCENARIOS_MAX:
        raise ScenarioError(f"the pack `{folder.name}` has more than {SCENARIOS_MAX} scenarios (`SCENARIOS_MAX`)")
    problems: list[str] = []
    scenarios: dict[str, Scenario] = {}
    for path in paths:
        found = _read(path)
        if isinstance(found, Scenario):
            scenarios[found.name] = found
            found = [f"`{path.name}`: {problem}" for problem in _problems(found, path, pack, files)]
        problems.extend(found)
    if problems:
        raise ScenarioError(
            f"the scenarios of the pack `{folder.name}` cannot be used:\n"
            + "\n".join(f"  - {problem}" for problem in problems)
        )
    return scenarios


def choose(scenarios: Mapping[str, Scenario], names: Iterable[str] | None) -> tuple[Scenario, ...]:
    """Return the scenarios of these names, or all; raises `ScenarioError` for a name that is not there."""
    if names is None:
        return tuple(scenarios.values())
    wanted = list(dict.fromkeys(names))
    missing = [name for name in wanted if name not in scenarios]
    if missing:
        raise ScenarioError(f"`{missing[0]}` is not a scenario of this pack, there are: {', '.join(scenarios)}")
    return tuple(scenarios[name] for name in wanted)


def _read(path: Path) -> Scenario | list[str]:
    try:
        data = path.read_bytes()
        if len(data) > FILE_BYTES_MAX:
            return [f"`{path.name}` is larger than {FILE_BYTES_MAX} bytes"]
        return Scenario.model_validate(yaml.load(data.decode("utf-8"), Loader=_LOADER))  # noqa: S506 - both are safe loaders
    except ValidationError as error:
        return [f"`{path.name}`: {_place(item['loc'])}{_message(item['msg'])}" for item in error.errors()]
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        return [f"`{path.name}` cannot be read: {reason}"]


def _place(steps: tuple[int | str, ...]) -> str:
    return f"`{'.'.join(str(step) for step in steps)}` " if steps else ""


def _message(text: str) -> str:
    if text == "Extra inputs are not permitted":
        return "is not a key of a scenario"
    if text == "Field required":
        return "is missing"
    text = text.removeprefix("Value error, ")
    return f"is not usable: {text[:1].lower()}{text[1:]}"


def _problems(scenario: Scenario, path: Path, pack: Pack, files: PackFiles) -> list[str]:
    """Return what a scenario says in words that the pack does not have."""
    then, people = scenario.then, scenario.when.people
    problems = []
    if scenario.name != path.stem:
        problems.append(f"its name is `{scenario.name}`, a scenario's file carries its name")
    actions = {*then.acceptable, *then.forbidden, *([people.decline.action] if people.decline else ())}
    problems += _unknown("actions", actions, pack.file.actions)
    roles = {person.role for person in pack.people.values()}
    problems += _unknown("roles", {role for named in then.acceptable.values() for role in named}, roles)
    problems += _unknown("roles and users", people.silent, {*roles, *pack.people})
    problems += _unknown("reasons", then.reasons, pack.file.reasons)
    reasons = [people.decline.reason] if people.decline and people.decline.reason else []
    problems += _unknown("decline reasons", reasons, pack.file.decline_reasons)
    problems += _unknown("stop reasons", [then.stop_reason] if then.stop_reason else [], list(StopReason))
    statuses = [event.after_status for event in scenario.when.events if event.after_status]
    problems += _unknown("statuses", statuses, list(Status))
    problems += _unknown("facts", [answer.asked for answer in scenario.when.vendor], pack.facts)
    return [*problems, *_problems_of_records(scenario, files)]


def _problems_of_records(scenario: Scenario, files: PackFiles) -> list[str]:
    given = scenario.given
    posted = [event.post.collection for event in scenario.when.events if event.post]
    problems = _unknown("collections", [*(given.records or {}), *posted], files.simulator.collections)
    seed = files.seeds.get(given.seed) if given.seed else None
    if given.seed and seed is None:
        return [*problems, *_unknown("seeds", [given.seed], files.seeds)]
    aliases = given.facts if seed is None else seed.facts
    problems += _unknown("facts that `given.facts` or the seed has ids for", scenario.then.facts_to_cite, aliases)
    if given.records is not None:
        ids = {record.get("id") for records in given.records.values() for record in records}
        problems += _unknown("given records", [given.subject or ""], [str(item) for item in ids])
    return problems


def _unknown(what: str, used: Iterable[str], known: Iterable[str]) -> list[str]:
    there = list(known)
    shown = ", ".join(sorted(there)) or "there are none"
    return [f"`{name}` is not one of the {what}: {shown}" for name in sorted(set(used) - set(there))]
