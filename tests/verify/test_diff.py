"""What the comparison of two models says, table by table, and of decisions that rest on one another."""

from pathlib import Path

import pytest
import yaml
from verify_tables import MODEL, model_bytes, random_intervals, table_xml

from settledesk.cli.commands.table_diff import change_text
from settledesk.decisions import ModelError, load_model
from settledesk.verify.diff import compare_models
from settledesk.verify.diff.pair import evaluated

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "diff.yaml").read_text())
INPUT = '<inputData id="i" name="n"><variable name="n" typeRef="number"/></inputData>'
READS_N = '<informationRequirement><requiredInput href="#i"/></informationRequirement>'


def model(*elements):
    """Return a model that reads the number `n`."""
    body = "".join(elements)
    return load_model(f'<definitions xmlns="{MODEL}" name="m" namespace="u">{INPUT}{body}</definitions>'.encode())


def graded(bound, limit=10):
    """Return a model with a decision `grade` and a decision `fee` that reads it."""
    grade = table_xml(
        {"inputs": {"n": "number"}, "rows": [["lo", f"< {bound}", '"low"'], ["hi", f">= {bound}", '"high"']]}
    )
    fee = table_xml({"inputs": {"grade": "string"}, "rows": [["l", '"low"', "1"], ["h", '"high"', str(limit)]]})
    reads = '<informationRequirement><requiredDecision href="#grade"/></informationRequirement>'
    return model(
        f'<decision id="grade" name="grade">{READS_N}{grade}</decision>',
        f'<decision id="fee" name="fee">{reads}{fee}</decision>',
    )


def invoking(bound):
    """Return a model with a table that is a function, and a decision that invokes it."""
    table = table_xml({"inputs": {"p": "number"}, "rows": [["lo", f"< {bound}", "1"], ["hi", f">= {bound}", "2"]]})
    return model(
        '<businessKnowledgeModel id="f" name="f"><encapsulatedLogic><formalParameter name="p" typeRef="number"/>'
        f"{table}</encapsulatedLogic></businessKnowledgeModel>",
        f'<decision id="d" name="d">{READS_N}<knowledgeRequirement><requiredKnowledge href="#f"/>'
        "</knowledgeRequirement><literalExpression><text>f(n)</text></literalExpression></decision>",
    )


def literal(text):
    """Return a model with a decision that is an expression."""
    return model(
        f'<decision id="d" name="d">{READS_N}<literalExpression><text>{text}</text></literalExpression></decision>'
    )


def told(found):
    """Return the changes as the command prints them."""
    return [change_text(change) for change in found.changes]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_pair_of_tables_has_these_changes(case):
    """The classes are told to the letter, each is shown by its input in both models, and proof is claimed only so."""
    old, new = (load_model(model_bytes(case[side])) for side in ("old", "new"))
    found = compare_models(old, new)
    assert told(found) == case["changes"]
    assert found.complete is not case.get("sampled", False)
    for change in found.changes:
        assert change.pasteable
        assert evaluated(old, "d", change.input) == change.old
        assert evaluated(new, "d", change.input) == change.new


def test_a_decision_that_reads_a_changed_one_is_compared_on_equal_results():
    """The change is told where it is made; a note names the decision that rests on it."""
    found = compare_models(graded(5), graded(6))
    assert told(found) == ['n in [5..6): "high" (row hi) -> "low" (row lo)']
    assert found.complete
    assert found.notes == ("`fee` rests on `grade`: it was compared on equal results of that",)


def test_a_change_below_a_required_decision_is_shown_by_facts():
    """Where a column is the result of another decision, the input is facts that give that result in both models."""
    found = compare_models(graded(5), graded(5, limit=12))
    (change,) = found.changes
    assert (change.decision, change.pasteable) == ("fee", True)
    assert dict(change.input) == {"n": 5}
    assert (change.old.value, change.new.value) == (10, 12)


def test_a_table_that_is_a_function_is_compared_itself():
    """A change in a business knowledge model is told of it, by the values of its columns."""
    found = compare_models(invoking(5), invoking(6))
    assert told(found) == ["p in [5..6): 2 (row hi) -> 1 (row lo)"]
    assert [change.decision for change in found.changes] == ["f"]
    assert not found.changes[0].pasteable
    assert found.complete


def test_a_decision_that_is_no_table_is_sampled():
    """An expression is evaluated on values that stand in it and beside them, and no proof is claimed."""
    found = compare_models(literal("if n &gt; 3 then 1 else 2"), literal("if n &gt; 4 then 1 else 2"))
    assert told(found) == ["such as n = 4: 1 -> 2"]
    assert not found.complete


def test_equal_models_do_not_differ():
    """A model against itself has no changes, and that is proven, whatever its logic is."""
    for made in (graded(5), invoking(5), literal("n + 1")):
        found = compare_models(made, made)
        assert (found.changes, found.complete, found.differs) == ((), True, False)


def test_a_decision_of_one_model_only_is_named():
    """A decision that was added or removed is a difference, though no outcome of another changes."""
    alone = model(f'<decision id="grade" name="grade">{READS_N}{table_xml({"rows": [["a", "1"]]})}</decision>')
    found = compare_models(alone, graded(5), "fee")
    assert (found.only_old, found.only_new, found.differs) == ((), ("fee",), True)


def test_an_unknown_decision_is_an_error():
    """A decision that neither model has is refused."""
    with pytest.raises(ModelError, match="`unheard` is not a decision"):
        compare_models(graded(5), graded(5), "unheard")


def test_too_many_changes_are_counted(monkeypatch):
    """Where nearly everything changes, some classes are told, the rest is counted, and no proof is claimed."""
    monkeypatch.setattr("settledesk.verify.diff.table_pair.PATHS_MAX", 5)
    old, new = (load_model(model_bytes(random_intervals(8, 2, seed))) for seed in (1, 2))
    found = compare_models(old, new)
    assert 0 < len(found.changes) <= 5
    assert found.more > 0
    assert not found.complete


def test_a_search_that_is_cut_claims_no_proof(monkeypatch):
    """With too few branches to follow, what is found is shown and no proof is claimed."""
    monkeypatch.setattr("settledesk.verify.diff.diagram.NODES_MAX", 40)
    old, new = (load_model(model_bytes(random_intervals(8, 2, seed))) for seed in (1, 2))
    found = compare_models(old, new)
    assert not found.complete
    assert any("the search was cut" in note for note in found.notes)


def test_one_changed_cell_of_a_large_table_is_proven():
    """Of 100 overlapping rows on four columns one cell changes: every class is found, and nothing is cut."""
    table = random_intervals(100, 4, seed=3)
    rows = [list(row) for row in table["rows"]]
    rows[50][1] = "[10..20)"
    found = compare_models(load_model(model_bytes(table)), load_model(model_bytes({**table, "rows": rows})))
    assert found.changes
    assert found.complete
