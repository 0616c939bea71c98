"""The runner of the conformance kit: what it reads, how it compares, how it counts, and that nothing stops it."""

from decimal import Decimal

import pytest

from settledesk.conformance import CaseFileError, Ratchet, Verdict, read_cases, run_kit, same
from settledesk.feel import compile_expression

HEAD = (
    '<testCases xmlns="http://www.omg.org/spec/DMN/20160719/testcase" xmlns:xsd="http://www.w3.org/2001/XMLSchema"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><modelName>{}</modelName>'
)
MODEL = """<definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" name="m" namespace="https://m.example">
<inputData id="a" name="a"><variable name="a"/></inputData>
<decision id="twice" name="twice"><informationRequirement><requiredInput href="#a"/></informationRequirement>
<literalExpression><text>a * 2</text></literalExpression></decision>
<decision id="endless" name="endless">
<literalExpression><text>for i in 1..1000000000 return i</text></literalExpression></decision>
<decision id="java" name="java"><literalExpression>
<text>(function(n) external {java: {class: "java.lang.Math", method signature: "cos(double)"}})(1)</text>
</literalExpression></decision>
<decisionService id="s" name="s"><outputDecision href="#twice"/><inputData href="#a"/></decisionService>
<businessKnowledgeModel id="f" name="f"><encapsulatedLogic><formalParameter name="x"/>
<literalExpression><text>x + 1</text></literalExpression></encapsulatedLogic></businessKnowledgeModel>
</definitions>"""


def case(name, given, result, value, *, kind=""):
    """Return a test case with one input and one result node."""
    node = f'<inputNode name="{given[0]}">{given[1]}</inputNode>' if given else ""
    expected = f'<resultNode name="{result}"><expected>{value}</expected></resultNode>'
    return f'<testCase id="{name}" {kind}>{node}{expected}</testCase>'


def number(value):
    """Return a number as the kit writes it."""
    return f'<value xsi:type="xsd:decimal">{value}</value>'


NIL = '<value xsi:nil="true"/>'


@pytest.fixture(name="kit")
def _kit(tmp_path):
    """A kit of two levels with one folder each, and files that are none."""
    first = tmp_path / "compliance-level-2" / "0001-twice"
    second = tmp_path / "compliance-level-3" / "0002-odd"
    for folder in (first, second):
        folder.mkdir(parents=True)
        (folder / "m.dmn").write_text(MODEL)
    cases = [
        case("right", ("a", number(2)), "twice", number("4.000000001")),
        case("wrong", ("a", number(2)), "twice", number("4.1")),
        case("null", None, "twice", NIL),
        case("service", ("a", number(3)), "twice", number(6), kind='type="decisionService" invocableName="s"'),
        case("function", ("x", number(3)), "f", number(4), kind='type="bkm" invocableName="f"'),
    ]
    (first / "m-test-01.xml").write_text(f"{HEAD.format('m.dmn')}{''.join(cases)}</testCases>")
    odd = [
        case("java", None, "java", number(1)),
        case("endless", None, "endless", NIL),
        case("unknown", None, "no such decision", NIL),
        case("unreadable", None, "twice", '<value xsi:type="xsd:date">tomorrow</value>'),
        case("no service", None, "x", NIL, kind='type="decisionService" invocableName="x"'),
        case("right", None, "twice", NIL),
        case("right", None, "twice", NIL),
    ]
    (second / "m-test-01.xml").write_text(f"{HEAD.format('m.dmn')}{''.join(odd)}</testCases>")
    (second / "m-test-02.xml").write_text(f"{HEAD.format('absent.dmn')}{odd[5]}</testCases>")
    (second / "m-test-03.xml").write_text(f"{HEAD.format('../../secret.dmn')}{odd[5]}</testCases>")
    (second / "broken.xml").write_text("<testCases")
    (second / "other.xml").write_text("<other/>")
    return tmp_path


def test_the_figures_are_counted_by_level(kit):
    """Cases, substantive ones and the mean over folders are counted per level, and Java apart from all of them."""
    printed = run_kit(kit).to_json()
    assert printed["compliance-level-2"] == {
        "cases": 5,
        "passed": 4,
        "substantive": 4,
        "substantive_passed": 3,
        "folder_mean": 0.8,
        "unsupported": 0,
    }
    assert printed["compliance-level-3"]["cases"] == 8
    assert printed["compliance-level-3"]["unsupported"] == 1
    assert printed["unsupported"] == ["compliance-level-3/0002-odd/m-test-01/java"]
    assert printed["failed"][0] == "compliance-level-2/0001-twice/m-test-01/wrong"


def test_what_is_wrong_in_a_file_is_a_failed_case_or_an_unread_file(kit):
    """A missing model, an unknown decision, an unreadable value and a broken file end nothing; each has its reason."""
    report = run_kit(kit / "compliance-level-3" / "0002-odd")
    reasons = {outcome.id.rpartition("/")[2]: outcome.reason for outcome in report.with_verdict(Verdict.FAILED)}
    assert "`no such decision` is not a decision" in reasons["unknown"]
    assert "tomorrow" in reasons["unreadable"]
    assert "`x` is not a decision service" in reasons["no service"]
    assert {item.path.rpartition("/")[2] for item in report.unread} == {"broken.xml", "other.xml"}
    missing = [outcome.reason for outcome in report.with_verdict(Verdict.FAILED) if "test-01" not in outcome.id]
    assert any("absent.dmn" in reason for reason in missing)
    assert any("is not the name of a file in the folder" in reason for reason in missing)


def test_the_same_id_twice_is_two_cases(kit):
    """A second case with the id of another is counted, under an id of its own."""
    ids = [outcome.id for outcome in run_kit(kit).outcomes if outcome.id.startswith("compliance-level-3")]
    assert "compliance-level-3/0002-odd/m-test-01/right#2" in ids
    assert len(ids) == len(set(ids))


def test_a_level_and_a_folder_of_it_can_be_run_alone(kit):
    """The kit, a level and a folder give the same ids."""
    whole = [outcome.id for outcome in run_kit(kit).outcomes]
    parts = [
        outcome.id
        for folder in ("compliance-level-2", "compliance-level-3/0002-odd")
        for outcome in run_kit(kit / folder).outcomes
    ]
    assert whole == parts


SAME = [
    (Decimal("0.333333333333"), Decimal("0.333333334"), True),
    (Decimal("0.33333332"), Decimal("0.33333334"), False),
    (Decimal("1E+40"), Decimal("1E+40"), True),
    ([1, 2], [2, 1], False),
    ([], None, False),
    (["a"], ["a", "b"], False),
    (None, [], False),
    (None, None, True),
    (False, None, False),
    (False, Decimal(0), False),
    (Decimal(0), False, False),
    ("1", Decimal(1), False),
    ({"a": Decimal(1), "b": None}, {"b": None, "a": Decimal(1)}, True),
    ({"a": Decimal(1)}, {"a": Decimal(1), "b": None}, False),
]


@pytest.mark.parametrize(("got", "expected", "equal"), SAME)
def test_answers_are_compared_as_the_kit_demands(got, expected, equal):
    """Numbers to eight decimals, lists in order, contexts by key; null equals null only."""
    assert same(got, expected) is equal


def test_dates_and_times_are_compared_by_value():
    """Two ways to write one moment are the same; another moment or another type is not."""
    texts = [
        'date and time("2024-01-01T00:00:00Z")',
        'date and time("2024-01-01T01:00:00+01:00")',
        'date("2024-01-01")',
    ]
    moment, again, day = (compile_expression(text).evaluate() for text in texts)
    assert same(moment, again)
    assert not same(moment, day)
    assert not same(day, moment)


def test_values_of_a_case_are_read_by_their_type(tmp_path):
    """Texts, numbers, truth values, nulls, lists and contexts inside one another are read as what they are."""
    value = (
        f'<component name="n">{number("1.5")}</component>'
        '<component name="t"><value xsi:type="xsd:string">x</value></component>'
        '<component name="b"><value xsi:type="xsd:boolean">true</value></component>'
        f'<component name="l"><list><item>{NIL}</item><item><list/></item></list></component>'
        '<component name="d"><value xsi:type="xsd:duration">P1Y</value></component>'
    )
    file = tmp_path / "t.xml"
    file.write_text(f"{HEAD.format('m.dmn')}{case('one', ('in', value), 'x', value)}</testCases>")
    found = read_cases(file).cases[0]
    months = compile_expression('duration("P1Y")').evaluate()
    assert found.inputs == {"in": {"n": Decimal("1.5"), "t": "x", "b": True, "l": [None, []], "d": months}}
    assert found.expected[0].value == found.inputs["in"]
    assert found.substantive


def test_a_value_without_a_type_is_of_the_type_of_the_model(kit):
    """An input without `xsi:type` is read as the model declares it, and an expected value compared as text."""
    folder = kit / "compliance-level-2" / "0001-twice"
    (folder / "m.dmn").write_text(MODEL.replace('<variable name="a"/>', '<variable name="a" typeRef="number"/>'))
    cases = [case(name, ("a", "<value>2</value>"), "twice", f"<value>{name}</value>") for name in ("4", "5")]
    (folder / "m-test-01.xml").write_text(f"{HEAD.format('m.dmn')}{''.join(cases)}</testCases>")
    assert [outcome.verdict for outcome in run_kit(folder).outcomes] == [Verdict.PASSED, Verdict.FAILED]


def test_a_file_of_cases_cannot_read_others(tmp_path):
    """Entities of a file of test cases are not resolved."""
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    file = tmp_path / "t.xml"
    body = case("one", ("in", "<value>&e;</value>"), "x", NIL)
    file.write_text(f'<!DOCTYPE t [<!ENTITY e SYSTEM "{secret}">]>{HEAD.format("m.dmn")}{body}</testCases>')
    assert "secret" not in str(read_cases(file).cases[0].inputs)
    file.write_text("<testCases/>")
    with pytest.raises(CaseFileError, match="holds no test cases"):
        read_cases(file)


def test_the_ratchet_only_gains_lines(tmp_path, kit):
    """`add` writes the cases that pass, sorted, and a listed case that fails or is gone from its folder is broken."""
    file = tmp_path / "passing"
    report = run_kit(kit)
    run = [outcome.id for outcome in report.outcomes]
    passed = [outcome.id for outcome in report.with_verdict(Verdict.PASSED)]
    ratchet = Ratchet(file)
    assert ratchet.add(passed) == passed
    assert ratchet.add(passed) == []
    assert list(Ratchet(file).ids) == sorted(passed)
    gone = "compliance-level-2/0001-twice/m-test-01/gone"
    Ratchet(file).add([gone, "compliance-level-2/9999-elsewhere/m/one"])
    assert Ratchet(file).broken(passed[1:], run) == sorted([gone, passed[0]])
