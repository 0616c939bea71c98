"""Scenario files: a misspelt demand is an error that names file, place and mistake, and all errors come at once."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from settledesk.evaluation import ScenarioError
from settledesk.evaluation.bench import Bench
from settledesk.evaluation.scenario_files import choose, load_scenarios

GOOD = """
name: example
about: an example
given: {seed: duplicate}
when:
  people: {decides: {decline: {action: hold, words: not now}}, silent: [buyer]}
  events: [{redeliver: subject, after_s: 3}]
then:
  acceptable: {reject: [ap-manager]}
  settled_by: rules
  facts_to_cite: [original_invoice]
"""


@pytest.fixture
def problems(tmp_path: Path, bench: Bench) -> Callable[..., str]:
    """Write one scenario file with some text replaced and return what loading says of it."""

    def load(old: str = "", new: str = "", *, file: str = "example.yaml") -> str:
        assert old in GOOD
        folder = tmp_path / "pack"
        (folder / "scenarios").mkdir(parents=True, exist_ok=True)
        (folder / "scenarios" / file).write_text(GOOD.replace(old, new) if old else GOOD, encoding="utf-8")
        try:
            load_scenarios(folder, bench.pack, bench.files)
        except ScenarioError as error:
            return str(error)
        return ""

    return load


def test_a_good_file_is_read(problems: Callable[..., str]) -> None:
    """The file from which the bad ones are made has no problem."""
    assert problems() == ""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("settled_by: rules", "settled_by: rules\n  forbiden: [hold]", "`then.forbiden` is not a key of a scenario"),
        ("about: an example", "", "`about` is missing"),
        ("about: an example", "about: ''", "`about` is not usable: string should have at least 1 character"),
        ("settled_by: rules", "settled_by: luck", "`then.settled_by` is not usable: input should be 'rules'"),
        ("settled_by: rules", "settled_by: rules\n  amount: 10.5", "write the `amount` as text, such as"),
        ("settled_by: rules", "settled_by: rules\n  forbidden: [reject]", "`reject` is both acceptable and forbidden"),
        ("{seed: duplicate}", "{}", "`given` is not usable: a scenario is given either a `seed` or `records`"),
        ("{seed: duplicate}", "{seed: nothing}", "`nothing` is not one of the seeds: "),
        ("{seed: duplicate}", "{records: {invoices: []}}", "`records` need the `subject` whose case is judged"),
        ("{seed: duplicate}", "{records: {bills: []}, subject: a}", "`bills` is not one of the collections: "),
        ("{seed: duplicate}", "{seed: duplicate, subject: a}", "a `seed` brings its own `subject` and `facts`"),
        (", words: not now", "", "a decline says why: in `words`, with a `reason`, or both"),
        ("words: not now", "reason: BORED", "`BORED` is not one of the decline reasons: "),
        ("action: hold", "action: smile", "`smile` is not one of the actions: "),
        ("[ap-manager]", "[king]", "`king` is not one of the roles: "),
        ("silent: [buyer]", "silent: [king]", "`king` is not one of the roles and users: "),
        (", after_s: 3", "", "an event happens either `after_s` seconds or `after_status`"),
        ("after_s: 3", "after_status: asleep", "`asleep` is not one of the statuses: "),
        ("redeliver: subject, ", "", "an event is either `redeliver` or `post`"),
        (
            "[original_invoice]",
            "[weather]",
            "`weather` is not one of the facts that `given.facts` or the seed has ids for: ",
        ),
        ("name: example", "name: another", "its name is `another`, a scenario's file carries its name"),
        ("name: example", "name: [", "cannot be read: while parsing"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(problems: Callable[..., str], old: str, new: str, says: str) -> None:
    """The message names the file, the place where there is one, and the mistake."""
    found = problems(old, new)
    assert "`example.yaml`" in found
    assert says in found


def test_the_problems_of_all_files_are_told_at_once(problems: Callable[..., str]) -> None:
    """Two bad files give one message with both."""
    problems("settled_by: rules", "settled_by: luck", file="first.yaml")
    found = problems("[ap-manager]", "[king]", file="second.yaml")
    assert "`first.yaml`" in found
    assert "`second.yaml`" in found


def test_a_pack_without_scenarios_is_an_error(tmp_path: Path, bench: Bench) -> None:
    """Nothing to run must not look like everything passed."""
    with pytest.raises(ScenarioError, match="has no scenarios"):
        load_scenarios(tmp_path, bench.pack, bench.files)


def test_a_scenario_that_is_not_there_is_an_error(bench: Bench) -> None:
    """A misspelt name on the command line must not run nothing."""
    with pytest.raises(ScenarioError, match="`duplicat` is not a scenario of this pack"):
        choose(bench.scenarios, ["duplicat"])
    assert [scenario.name for scenario in choose(bench.scenarios, ["redelivered", "redelivered"])] == ["redelivered"]


def test_every_shipped_scenario_says_how_often_it_runs(bench: Bench, pack_folder: Path) -> None:
    """Five times where faults are played alone, twenty times otherwise, and every file of the folder is read."""
    assert {path.stem for path in (pack_folder / "scenarios").glob("*.yaml")} == set(bench.scenarios)
    for name, scenario in bench.scenarios.items():
        text = yaml.safe_load((pack_folder / "scenarios" / f"{name}.yaml").read_text(encoding="utf-8"))
        assert scenario.runs_or_default == text.get("runs", 5 if scenario.alone else 20)
