"""Tables that are not alone: behind other decisions, inside functions and contexts, with calls in their cells."""

from verify_tables import MODEL, table_xml, told

from settledesk.decisions import load_model
from settledesk.verify.tables import check_model

GRADE = table_xml(
    {
        "inputs": {"score": "number"},
        "outputs": {"out": None},
        "rows": [["low", "< 50", '"C"'], ["high", ">= 50", '"A"']],
    }
)
LIMIT = table_xml(
    {
        "inputs": {"grade": "string", "amount": "number"},
        "rows": [["good", '"A"', "< 100", "1"], ["good_too", '"A", "B"', "> 90", "2"], ["bad", '"C"', "-", "3"]],
    }
)


def chain(first=GRADE, second=LIMIT):
    """Return a model whose decision `limit` reads the decision `grade`."""
    return f"""<definitions xmlns="{MODEL}" name="m" namespace="https://m.example">
      <inputData id="i1" name="score"><variable name="score" typeRef="number"/></inputData>
      <inputData id="i2" name="amount"><variable name="amount" typeRef="number"/></inputData>
      <decision id="grade" name="grade">
        <informationRequirement><requiredInput href="#i1"/></informationRequirement>{first}</decision>
      <decision id="limit" name="limit">
        <informationRequirement><requiredInput href="#i2"/></informationRequirement>
        <informationRequirement><requiredDecision href="#grade"/></informationRequirement>{second}</decision>
    </definitions>""".encode()


def test_a_table_behind_another_is_shown_by_facts_that_reach_it():
    """The input of a finding has the facts that make the required decision give its value; they can be pasted."""
    model = load_model(chain())
    overlap = next(finding for finding in check_model(model, "limit").findings if finding.kind == "overlap")
    assert overlap.pasteable
    assert set(overlap.input) == {"score", "amount"}
    evaluation = model.evaluate("limit", overlap.input)
    assert evaluation.fired == ("good", "good_too")


def test_a_value_that_the_other_table_cannot_give_is_said_of_the_column():
    """Where no facts are found that give a required decision's value, the input is the columns' and says so."""
    found = check_model(load_model(chain()), "limit").findings
    gap = next(finding for finding in found if finding.kind == "gap" and finding.input.get("grade") == "B")
    assert not gap.pasteable
    assert told(gap).startswith("warning gap: ")


def test_only_the_wanted_decision_is_checked():
    """With a decision named, no other table is looked at."""
    report = check_model(load_model(chain()), "grade")
    assert report.tables == 1
    assert {finding.decision for finding in report.findings} == {"grade"}
    assert check_model(load_model(chain())).tables == 2


def test_tables_inside_functions_and_contexts_are_checked_under_their_names():
    """A table of a business knowledge model and one in a boxed context have their findings under their own names."""
    inner = table_xml(
        {"inputs": {"x": "number"}, "rows": [["a", "< 5", "1"], ["b", "< 6", "2"], ["c", ">= 6, null", "3"]]}
    )
    model = load_model(
        f"""<definitions xmlns="{MODEL}" name="m" namespace="https://m.example">
      <inputData id="i1" name="x"><variable name="x" typeRef="number"/></inputData>
      <businessKnowledgeModel id="f" name="fee"><encapsulatedLogic><formalParameter name="x" typeRef="number"/>{inner}
      </encapsulatedLogic></businessKnowledgeModel>
      <decision id="d" name="total"><informationRequirement><requiredInput href="#i1"/></informationRequirement>
        <context><contextEntry><variable name="part"/>{inner}</contextEntry></context></decision>
    </definitions>""".encode()
    )
    report = check_model(model)
    assert [finding.decision for finding in report.findings if finding.kind == "overlap"] == ["total / part", "fee"]
    assert report.unconfirmed == 0


def test_a_function_called_in_a_cell_leaves_the_other_columns_checked():
    """A cell that calls a business knowledge model is tried out; overlaps and gaps of the other columns are found."""
    table = table_xml(
        {
            "inputs": {"x": "number", "code": "string"},
            "rows": [["a", "double(?) > 10", '"A"', "double(x)"], ["b", "-", '"A"', "2"], ["c", "-", '"B"', "3"]],
        }
    )
    model = load_model(
        f"""<definitions xmlns="{MODEL}" name="m" namespace="https://m.example">
      <inputData id="i1" name="x"><variable name="x" typeRef="number"/></inputData>
      <inputData id="i2" name="code"><variable name="code" typeRef="string"/></inputData>
      <businessKnowledgeModel id="f" name="double"><encapsulatedLogic><formalParameter name="n" typeRef="number"/>
        <literalExpression><text>n * 2</text></literalExpression></encapsulatedLogic></businessKnowledgeModel>
      <decision id="d" name="d"><informationRequirement><requiredInput href="#i1"/></informationRequirement>
        <informationRequirement><requiredInput href="#i2"/></informationRequirement>
        <knowledgeRequirement><requiredKnowledge href="#f"/></knowledgeRequirement>{table}</decision>
    </definitions>""".encode()
    )
    findings = check_model(model).findings
    overlap = next(finding for finding in findings if finding.kind == "overlap")
    assert overlap.rows == ("a", "b")
    assert model.evaluate("d", overlap.input).fired == ("a", "b")
    assert {"other", None} == {finding.input["code"] for finding in findings if finding.kind == "gap"}
