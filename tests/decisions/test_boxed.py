"""Boxed expressions of every kind, in both readings."""

from html import escape
from pathlib import Path

import pytest
import regex
import yaml

from settledesk.decisions import ModelError, load_model
from settledesk.feel import compile_expression

CASES = yaml.safe_load(Path(__file__).with_name("cases").joinpath("boxed.yaml").read_text(encoding="utf-8"))
NAMESPACE = "https://www.omg.org/spec/DMN/20230324/MODEL/"
SHORT = regex.compile(r"\{((?:[^{}]|\{[^{}]*\})*)\}")
READINGS = {"both": (False, True), "desk": (False,), "standard": (True,)}


def feel(text):
    """Return the value of FEEL text."""
    return compile_expression(text).evaluate()


def boxed(text):
    """Return the XML with `{text}` written out as a literal expression."""
    return SHORT.sub(
        lambda found: f"<literalExpression><text>{escape(found.group(1), quote=False)}</text></literalExpression>", text
    )


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_boxed_expression_gives_its_value(make, case):
    """Each kind of boxed expression gives the value of `boxed.yaml`, and the finding if one is named."""
    inputs = case.get("inputs", {})
    links = "".join(
        f'<informationRequirement><requiredInput href="#input-{name}"/></informationRequirement>' for name in inputs
    )
    logic = f'<decision id="d" name="d">{links}{boxed(case["logic"])}</decision>'
    content = make.model(*(make.input(name) for name in inputs), logic, namespace=NAMESPACE)
    for standard in READINGS[case.get("reading", "both")]:
        found = load_model(content, standard=standard).evaluate(
            "d", {name: feel(text) for name, text in inputs.items()}
        )
        assert found.value == feel(case["value"]), standard
        messages = [finding.message for finding in found.findings]
        assert len(messages) == case.get("findings", len(messages))
        assert any(case.get("finding", "") in message for message in (messages or [""])), messages


WRONG = {
    "<filter><in>{[1]}</in></filter>": "a boxed filter has no `match`",
    "<filter><in>{[1]}</in><match>{itm > }</match></filter>": "decision `d`: ",
    "<for><in>{[1]}</in><return>{1}</return></for>": "a boxed `for` has no `iteratorVariable`",
    '<some iteratorVariable="i"><in>{[1]}</in><satisfies>{j}</satisfies></some>': "`j` is not a known name",
    '<context><contextEntry><variable name="a"/>{b}</contextEntry></context>': "decision `d`, entry `a`: `b` is not",
    '<relation><column name="a"/><row>{1}{2}</row></relation>': "row `row 1`: a row of the relation has 2 cells",
    '<relation><column name="a"/><row>{1}</row><row>{x}</row></relation>': "row `row 2`, column `a`: `x` is not",
    '<invocation>{sum}<binding><parameter name="list"/>{x}</binding></invocation>': "entry `list`: `x` is not",
    '<literalExpression expressionLanguage="urn:python"><text>1</text></literalExpression>': (
        "decision `d`: the expression language `urn:python` of `1` is not FEEL"
    ),
    '<decisionTable><input><inputExpression expressionLanguage="juel"><text>1</text></inputExpression></input><output/>'
    "</decisionTable>": "the expression language `juel` of `1` is not FEEL",
    '<literalExpression typeRef="numbr"><text>1</text></literalExpression>': "did you mean `number`",
    '<functionDefinition kind="Java">{1}</functionDefinition>': "external functions are not supported",
    f"{'<list>' * 40}{'</list>' * 40}": "nested at most 30 levels deep",
}


@pytest.mark.parametrize(("logic", "said"), WRONG.items(), ids=[said[:40] for said in WRONG.values()])
def test_wrong_logic_is_an_error_at_load_or_a_null_with_its_reason(make, logic, said):
    """What is wrong in boxed logic is an error with its place; the standard's reading makes it a finding of a null."""
    content = make.model(f'<decision id="d" name="d">{boxed(logic)}</decision>', namespace=NAMESPACE)
    with pytest.raises(ModelError) as caught:
        load_model(content)
    assert said in str(caught.value)
    found = load_model(content, standard=True).evaluate("d", {})
    assert found.value in (None, {"a": None}, [{"a": 1}, {"a": None}])
    assert said in found.findings[0].message


@pytest.mark.parametrize("name", ["a-b", "net/gross", "it's", "first  price", "a.b", "in1", "é*è"])
def test_names_may_hold_spaces_and_operators(make, name):
    """Input data, an entry of a context and an iterator may have a name with spaces and operators."""
    text = boxed("{" + f"[{name}, {{{name}: 2}}.{name}, for {name} in [3] return {name}]" + "}")
    model = load_model(make.model(make.input(name), make.decision("d", text, inputs=[name]), namespace=NAMESPACE))
    assert model.evaluate("d", {" ".join(name.split()): 1}).value == [1, 2, [3]]


def test_a_chain_of_a_thousand_decisions_is_evaluated(make):
    """Decisions that require one another a thousand deep neither fail to load nor to evaluate."""
    literal = "<literalExpression><text>{}</text></literalExpression>"
    chain = [make.decision("d0", literal.format("1"))]
    chain += [make.decision(f"d{n}", literal.format(f"d{n - 1} + 1"), decisions=[f"d{n - 1}"]) for n in range(1, 1000)]
    assert load_model(make.model(*reversed(chain))).evaluate("d999", {}).value == 1000
