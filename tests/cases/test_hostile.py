"""Hostile inputs: what others got wrong with the right answers, and what is meant to exhaust the process.

`hostile/reported.yaml` and `hostile/found.yaml` hold reports, `hostile/bombs.yaml` the bombs.
"""

from decimal import Decimal
from html import escape
from pathlib import Path
from time import process_time

import pytest
import yaml

from settledesk.decisions import ModelError, load_model
from settledesk.feel import FeelError, compile_expression, compile_unary_tests
from settledesk.feel.builtins.conversions import text_of
from settledesk.feel.limits import DEFAULT_LIMITS
from settledesk.feel.run import Run

FOLDER = Path(__file__).parent / "hostile"
SURVEY = ["2", "3", "5", "6", "8", "9", "11", "12", "14", "15", "17", "18", "20", "21", "23", "24", "26", "27", "29"]
SURVEY += ["30", "32", "33", "35", "36", "feelin", "zen", "KIE"]
SECONDS_MAX = 10
MODEL = "https://www.omg.org/spec/DMN/20191111/MODEL/"


def load(name):
    """Return a file of cases."""
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


REPORTED, FOUND, BOMBS = load("reported.yaml"), load("found.yaml"), load("bombs.yaml")


def each(kind):
    """Return every case of a kind with the id of its report."""
    return [
        pytest.param(case, id=f"{report['id']}-{number}")
        for report in REPORTED + FOUND
        for number, case in enumerate(report.get(kind, ()), 1)
    ]


def value_of(text):
    """Return the value of a FEEL text."""
    return compile_expression(str(text)).evaluate()


def context_of(case):
    """Return the variables of a case."""
    return {name: value_of(text) for name, text in case.get("context", {}).items()}


def shown(value):
    """Return a value as FEEL writes it, a text without its quotes."""
    return value if isinstance(value, str) else text_of(value, Run())


def exact(value):
    """Return a YAML value with its numbers as decimals."""
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    return Decimal(str(value)) if isinstance(value, int | float) and not isinstance(value, bool) else value


def test_every_report_of_the_survey_is_here():
    """No report of the survey is left out, each says what is right, and the others name where they were made."""
    assert [report["id"] for report in REPORTED] == SURVEY
    assert len(FOUND) >= 10
    assert all(report["source"].startswith("https://") for report in FOUND)
    assert all(report["about"].endswith(".") for report in REPORTED + FOUND)


@pytest.mark.parametrize("case", each("cells"))
def test_a_cell_answers_rightly(case):
    """A cell is true, false or null of its input as the report says; `standard` holds where the standard differs."""
    context, given = context_of(case), value_of(case["given"])
    for unknown_nulls in (True, False):
        tests = compile_unary_tests(case["cell"], context, unknown_nulls=unknown_nulls)
        assert tests.test(given, context) is (case["answer"] if unknown_nulls else case.get("standard", case["answer"]))


@pytest.mark.parametrize("case", each("expressions"))
def test_an_expression_has_the_right_value(case):
    """An expression gives what the report says, and where that is an error its reason."""
    context = context_of(case)
    result = compile_expression(case["expression"], context, properties=case.get("properties", ())).explain(context)
    assert shown(result.value) == case["answer"]
    assert "why" not in case or any(case["why"] in note.message for note in result.diagnostics)


@pytest.mark.parametrize("case", each("errors"))
def test_a_wrong_text_is_refused_where_it_is_compiled(case):
    """A text that the report wants refused raises an error with a caret, before any evaluation."""
    compile_text = compile_unary_tests if "cell" in case else compile_expression
    with pytest.raises(FeelError) as caught:
        compile_text(case.get("cell", case.get("expression")), case.get("names", ()))
    assert case["says"] in str(caught.value)
    assert caught.value.excerpt().endswith("^")


def table_file(table):
    """Return a model with one table `d`."""
    parts = [f'<definitions xmlns="{MODEL}" name="m" namespace="https://m.example"><decision id="d" name="d">']
    aggregation = f' aggregation="{table["aggregation"]}"' if "aggregation" in table else ""
    parts.append(f'<decisionTable hitPolicy="{table.get("hit", "UNIQUE")}"{aggregation}>')
    inputs = table.get("inputs", {})
    for name, kind in inputs.items():
        parts.append(f'<input><inputExpression typeRef="{kind}"><text>{name}</text></inputExpression></input>')
    for name, clause in table["outputs"].items():
        default = f"<defaultOutputEntry><text>{escape(clause['default'])}</text></defaultOutputEntry>" if clause else ""
        parts.append(f'<output name="{name}">{default}</output>')
    for row, *cells in table["rows"]:
        tags = ["inputEntry"] * len(inputs) + ["outputEntry"] * len(table["outputs"])
        texts = [f"<{tag}><text>{escape(cell)}</text></{tag}>" for tag, cell in zip(tags, cells, strict=True)]
        parts.append(f'<rule id="{row}">{"".join(texts)}</rule>')
    return "".join([*parts, "</decisionTable></decision></definitions>"]).encode()


def check_evaluation(evaluation, case):
    """Value, rows and findings are those of the case."""
    assert evaluation.value == exact(case["value"])
    assert list(evaluation.fired) == case.get("fired", [])
    assert [[finding.kind, *finding.rows] for finding in evaluation.findings] == case.get("findings", [])


@pytest.mark.parametrize("case", each("tables"))
def test_a_table_decides_rightly(case):
    """A table gives the value, the rows and the findings that the report says."""
    model = load_model(table_file(case["table"]))
    for one in case["cases"]:
        check_evaluation(model.evaluate("d", one["in"]), one)
        check_evaluation(model.evaluate("d", one["in"], trace=True), one)


@pytest.mark.parametrize("case", each("models"))
def test_a_file_is_read_or_refused_rightly(case):
    """A file loads and decides, or is refused with what the report wants named."""
    if "says" in case:
        with pytest.raises(ModelError) as caught:
            load_model(case["file"].encode())
        assert all(part in str(caught.value) for part in case["says"])
    else:
        check_evaluation(load_model(case["file"].encode()).evaluate("d", case["in"]), case)


def bomb_text(bomb):
    """Return the text of a bomb."""
    if "text" in bomb:
        return bomb["text"]
    times = bomb["times"]
    middle = bomb["open"] * times + bomb["inner"] + bomb["close"] * times
    return bomb.get("before", "") + middle + bomb.get("after", "")


def explained(bomb, *, cell):
    """Return the value and everything that was said; `None` and the error where the text is refused."""
    text = bomb_text(bomb)
    try:
        if cell:
            result = compile_unary_tests(text, ["x"]).explain_test(Decimal(1), {"x": {"a": Decimal(1)}})
        else:
            result = compile_expression(text, ["x"]).explain({"x": {"a": Decimal(1)}})
    except FeelError as error:
        return None, str(error)
    return result, "; ".join(note.message for note in result.diagnostics)


@pytest.mark.parametrize("bomb", [pytest.param(bomb, id=bomb["about"]) for bomb in BOMBS])
def test_a_bomb_ends_soon_with_a_named_limit_or_an_answer(bomb):
    """A text that is meant to exhaust the process ends within seconds, as an expression and as a cell."""
    for cell in (False, True):
        before = process_time()
        result, said = explained(bomb, cell=cell)
        assert process_time() - before < SECONDS_MAX
        limits = [name for name in DEFAULT_LIMITS.__slots__ if f"`{name}`" in said]
        assert "limit" not in bomb or any(name.endswith(bomb["limit"]) for name in limits), said[:300]
        assert "why_error" not in bomb or (result is None and bomb["why_error"] in said), said[:300]
        if "answer" in bomb and not cell:
            assert result is not None, said
            assert bomb["answer"] in ("any", shown(result.value)[:200])
            assert bomb.get("why", "") in said
            assert result.value is not None or said, "a null without a reason"


def one_cell(cell, output="1"):
    """Return the file of a table with one row."""
    return table_file({"inputs": {"a": "number"}, "outputs": {"o": None}, "rows": [["r", cell, output]]})


def nested(depth):
    """Return a list nested so deep."""
    value = []
    for _ in range(depth):
        value = [value]
    return value


def endless():
    """Return a list that holds itself."""
    value = []
    value.append(value)
    return value


FILES = {
    "a cell of ten megabytes": (one_cell("1," * 5_000_000 + "1"), "at most 8000000 bytes"),
    "a cell of two megabytes": (one_cell("1," * 1_000_000 + "1"), "text_max"),
    "elements in elements": (b"<a>" * 100_000, "not readable XML"),
    "an entity bomb": (
        b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
        b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;">]><a>&d;&d;&d;&d;</a>',
        "document type",
    ),
    "an entity from a file": (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "document type"),
    "twenty thousand and one rows": (
        table_file({"outputs": {"o": None}, "rows": [[f"r{number}", "1"] for number in range(20_001)]}),
        "at most 20000 rows",
    ),
    "decisions in a circle": (
        f'<definitions xmlns="{MODEL}" name="m" namespace="https://m.example"><decision id="d" name="d">'
        '<informationRequirement><requiredDecision href="#d"/></informationRequirement>'
        "<literalExpression><text>d</text></literalExpression></decision></definitions>".encode(),
        "require each other",
    ),
    "a type of itself": (
        f'<definitions xmlns="{MODEL}" name="m" namespace="https://m.example">'
        '<itemDefinition name="t"><typeRef>t</typeRef></itemDefinition>'
        '<inputData id="i" name="a"><variable name="a" typeRef="t"/></inputData></definitions>'.encode(),
        "`t`",
    ),
    "an empty file": (b"", "not readable XML"),
    "bytes": (bytes(range(256)) * 100, "not readable XML"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_refused_soon_by_what_is_wrong(name):
    """A file that is meant to exhaust the process is refused within seconds, with what is wrong."""
    content, says = FILES[name]
    before = process_time()
    with pytest.raises(ModelError) as caught:
        load_model(content)
    assert process_time() - before < SECONDS_MAX
    assert says in str(caught.value)
    assert len(str(caught.value)) < 2_000


@pytest.mark.parametrize("cell", ["{number}", "[{number}..{more}]", '"t{number}"', "> {number}, {number}"])
def test_twenty_thousand_rows_load_and_decide_soon(cell):
    """The largest table that is allowed loads in seconds and decides at once."""
    rows = [[f"r{number}", cell.format(number=number, more=number + 1), "1"] for number in range(20_000)]
    kind = "string" if '"' in cell else "number"
    before = process_time()
    model = load_model(table_file({"hit": "FIRST", "inputs": {"a": kind}, "outputs": {"o": None}, "rows": rows}))
    for value in (19_999, 5, -1):
        model.evaluate("d", {"a": f"t{value}" if kind == "string" else value}, trace=True)
    assert process_time() - before < 6 * SECONDS_MAX


VALUES = {
    "a list nested deep": nested(50_000),
    "a list that holds itself": endless(),
    "a number of many digits": 10**100_000,
    "a text of ten megabytes": "a" * 10_000_000,
    "a context nested deep": {"a": nested(500)},
}


@pytest.mark.parametrize("name", VALUES)
def test_a_hostile_value_is_a_finding_and_no_crash(name):
    """A value nested without end, or of any size, is no match with a finding; nothing is raised."""
    value = VALUES[name]
    model = load_model(one_cell("< 5"))
    before = process_time()
    evaluation = model.evaluate("d", {"a": value})
    assert process_time() - before < SECONDS_MAX
    assert evaluation.value is None
    assert "no_match" in {finding.kind for finding in evaluation.findings}
    assert all(len(finding.message) < 1_000 for finding in evaluation.findings)


@pytest.mark.parametrize("text", ["f(n + 1)", "f(n - 1) + f(n - 2)", "count(for i in 1..1000 return f(i))"])
def test_a_function_of_a_model_that_invokes_itself_is_stopped(text):
    """A business knowledge model that invokes itself without end is null with a finding that names the limit."""
    file = (
        f'<definitions xmlns="{MODEL}" name="m" namespace="https://m.example">'
        '<businessKnowledgeModel id="f" name="f">'
        '<knowledgeRequirement><requiredKnowledge href="#f"/></knowledgeRequirement>'
        f'<encapsulatedLogic><formalParameter name="n"/><literalExpression><text>{text}</text></literalExpression>'
        '</encapsulatedLogic></businessKnowledgeModel><decision id="d" name="d">'
        '<knowledgeRequirement><requiredKnowledge href="#f"/></knowledgeRequirement>'
        "<literalExpression><text>f(30)</text></literalExpression></decision></definitions>"
    )
    before = process_time()
    evaluation = load_model(file.encode()).evaluate("d", {})
    assert process_time() - before < SECONDS_MAX
    assert evaluation.value is None
    assert any("_max`" in finding.message for finding in evaluation.findings)
