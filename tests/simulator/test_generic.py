"""The simulator knows no domain: another one runs on it without Python, and the shipped pack's words are not in it."""

import ast
import tomllib
from pathlib import Path

import pytest

from settledesk.ports import ErpApplied, ErpRefused, IntakeDocument
from settledesk.simulator import PackFileError, PackFiles, Simulator, read_pack_files

PACK = Path(__file__).parents[2] / "packs" / "accounts_payable"
SOURCE = Path(__file__).parents[2] / "src" / "settledesk" / "simulator"

TOYS = {
    "simulator.toml": """
[collections.parcels]
kind = "parcel"
numbers = ["value"]
[views.neighbours]
collection = "parcels"
groups = [["street"]]
""",
    "people.toml": """
[users.olga]
name = "Olga"
role = "dispatcher"
[[grants]]
user = "olga"
actions = ["send-again"]
max_amount = { JPY = "5000" }
""",
    "lifecycle.toml": """
subjects = ["parcels"]
initial = "LOST"
states = ["LOST", "SENT"]
final = ["SENT"]
[authority]
amount = "subject.value"
[lookups.neighbours]
paths = ["/api/parcels?street={subject.street}"]
[guards.alone]
code = "CROWDED"
check = "count(neighbours) = 1"
refused = "somebody else in the street waits too"
unknown = "nobody knows the street"
[[transitions]]
action = "send-again"
from = ["LOST"]
to = "SENT"
guards = ["alone"]
set = { cost = "subject.value * 2" }
""",
    "seeds/base.yaml": """
templates:
  parcel: {collection: parcels, record: {id: "parcel:{suffix}", kind: parcel, currency: JPY}}
""",
    "seeds/lost.yaml": """
name: lost
about: one parcel is lost
documents: [{use: parcel, with: {street: "S-{suffix}", value: "4999"}}]
subject: "parcel:{suffix}"
facts: {parcel: ["parcel:{suffix}"]}
""",
}


def _write(folder: Path, changes=None) -> Path:
    for name, content in {**TOYS, **(changes or {})}.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(content)
    return folder


def test_another_domain_runs_without_python(make_desk, tmp_path) -> None:
    """Parcels in yen with actions, guards, views and seeds of their own need no change to the simulator."""
    desk = make_desk(pack=read_pack_files(_write(tmp_path)))
    one, two = (desk.simulator.seed("lost", suffix).subject_id for suffix in "ab")
    desk.intake(IntakeDocument(key="n", collection="parcels", record={"id": "n", "kind": "parcel", "street": "S-B"}))
    assert desk.command("send-again", one, "olga", key="1") == ErpApplied(status="SENT", version=2)
    assert desk.one("/api/parcels/parcel:A")["cost"] == "9998"
    crowded = desk.command("send-again", two, "olga", key="2")
    assert crowded == ErpRefused(code="CROWDED", detail="somebody else in the street waits too")
    assert [record["id"] for record in desk.read("/api/views/neighbours/parcel:B")] == ["n"]


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("lifecycle.toml", 'to = "SENT"', 'to = "GONE"', "`GONE` in `lifecycle.toml` is not one of its states"),
        (
            "lifecycle.toml",
            '"LOST", "SENT"]',
            '"LOST", "SENT", "X"]',
            "the state `X` in `lifecycle.toml` cannot be reached",
        ),
        ("lifecycle.toml", '["SENT"]', '["SENT", "LOST"]', "`LOST` in `lifecycle.toml` is final, yet"),
        (
            "lifecycle.toml",
            'guards = ["alone"]',
            'guards = ["alon"]',
            "`alon` in `lifecycle.toml` is not one of its guards",
        ),
        (
            "lifecycle.toml",
            "count(neighbours)",
            "count(neighbors)",
            "the expression of `guards.alone` in `lifecycle.toml`",
        ),
        ("lifecycle.toml", "count(neighbours) = 1", "count(neighbours", "the expression of `guards.alone`"),
        (
            "lifecycle.toml",
            'subjects = ["parcels"]',
            'subjects = ["letters"]',
            "`letters` is not one of the collections",
        ),
        ("lifecycle.toml", "unknown =", "unknwon =", "`guards.alone.unknown` in `lifecycle.toml` is not usable"),
        (
            "simulator.toml",
            'kind = "parcel"',
            'kind = "parcel"\nsame_id = "x"',
            "same_id` in `simulator.toml` is not usable",
        ),
        ("simulator.toml", "numbers =", 'derived = {a = {by = "magic"}}\nnumbers =', "`simulator.toml` names `magic`"),
        ("simulator.toml", '[["street"]]', "[[", "`simulator.toml` cannot be read"),
        ("people.toml", 'user = "olga"', 'user = "igor"', "grants something to `igor`"),
        ("seeds/lost.yaml", "name: lost", "name: found", "`lost.yaml` holds a seed named `found`"),
    ],
)
def test_a_pack_that_contradicts_itself_is_refused_when_it_is_opened(
    make_desk, tmp_path, file: str, old: str, new: str, message: str
) -> None:
    """A mistake in a pack's file is named with file and place before anything runs on it."""
    assert old in TOYS[file]
    with pytest.raises(PackFileError) as error:
        make_desk(pack=read_pack_files(_write(tmp_path, {file: TOYS[file].replace(old, new)})))
    assert message in str(error.value)


def test_a_missing_file_is_named(tmp_path) -> None:
    """A folder that is no pack is refused with the file that is missing."""
    with pytest.raises(PackFileError, match=r"`simulator.toml` is missing"):
        read_pack_files(tmp_path)


def test_the_simulator_names_no_word_of_the_pack(files: PackFiles) -> None:
    """No action, status, guard, refusal, user, role, seed or collection of the pack is a literal in the code."""
    lifecycle, people, simulator = files.lifecycle, files.people, files.simulator
    words = {transition.action for transition in lifecycle.transitions} | set(lifecycle.states) | set(lifecycle.guards)
    words |= {guard.code for guard in lifecycle.guards.values()} | set(people.users) | set(files.seeds)
    words |= {person.role for person in people.users.values()} | set(simulator.collections) | set(simulator.views)
    words |= {action for grant in people.grants for action in grant.actions}
    words |= {"accounts_payable"} | {rule.pending for rule in simulator.verifications.values()}
    for file in SOURCE.glob("*.py"):
        literals = {
            node.value
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert not literals & words, file.name


def test_every_guard_and_every_grant_of_the_pack_is_used(files: PackFiles) -> None:
    """A guard that nothing names, or a grant for no action, would be a hole that looks closed."""
    lifecycle = files.lifecycle
    used = {guard for transition in lifecycle.transitions for guard in transition.guards} | {
        lifecycle.authority.own_orders
    }
    assert used == set(lifecycle.guards)
    actions = {transition.action for transition in lifecycle.transitions if transition.by == "person"}
    actions |= {rule.action for rule in files.simulator.verifications.values()}
    assert {action for grant in files.people.grants for action in grant.actions} == actions


def test_every_way_to_approval_is_guarded(files: PackFiles) -> None:
    """Whatever approves an amount rules out a bank change and a duplicate first, and checks the amount last."""
    for transition in files.lifecycle.transitions:
        if "approved_amount" in transition.set:
            assert transition.guards[:2] == ("bank_change_verified", "not_a_duplicate")
            assert files.lifecycle.guards[transition.guards[-1]].code == "AMOUNT"


def test_the_limits_of_the_two_gates_agree(files: PackFiles) -> None:
    """What the policy sends to a buyer or manager, the system of record lets them do: one limit, told in two places."""
    vocabulary = (PACK / "policy" / "vocabulary.rego").read_text()
    currency = tomllib.loads((PACK / "pack.toml").read_text())["currency"]
    limits = [grant.max_amount[currency] for grant in files.people.grants if grant.max_amount is not None]
    assert limits
    for limit in limits:
        assert f'"{currency}": {limit * 100:.0f},' in vocabulary


def test_the_simulator_opens_on_the_shipped_pack(files: PackFiles, clock) -> None:
    """The pack in this repository is one that the simulator accepts."""
    Simulator(files, path=":memory:", clock=clock).close()
