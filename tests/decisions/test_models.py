"""Loading models, what they require of one another, and errors with their place."""

import threading
from decimal import Decimal
from pathlib import Path

import pytest

from settledesk.decisions import ModelError, load_model

LITERAL = "<literalExpression><text>{}</text></literalExpression>"
VERSIONS = {
    "http://www.omg.org/spec/DMN/20180521/MODEL/": "1.2",
    "https://www.omg.org/spec/DMN/20191111/MODEL/": "1.3",
    "https://www.omg.org/spec/DMN/20211108/MODEL/": "1.4",
    "https://www.omg.org/spec/DMN/20230324/MODEL/": "1.5",
}
TABLE = {"inputs": {"amount": "number"}, "outputs": {"action": None}, "rows": [["small", "< 5", '"a"']]}


@pytest.mark.parametrize(("namespace", "version"), VERSIONS.items())
def test_four_versions_of_the_standard_are_read(one_table, namespace, version):
    """A model of DMN 1.2, 1.3, 1.4 or 1.5 loads, says its version and answers."""
    model = load_model(one_table(TABLE, namespace=namespace))
    assert model.version == version
    assert model.evaluate("d", {"amount": 1}).value == "a"


@pytest.mark.parametrize(
    ("namespace", "said"),
    [
        ("http://www.omg.org/spec/DMN/20151101/dmn.xsd", "DMN 1.1 `http://www.omg.org/spec/DMN/20151101/dmn.xsd`"),
        ("http://www.omg.org/spec/DMN/20130901", "DMN 1.0"),
        ("https://other.example/", "`https://other.example/` is not a version that is read"),
    ],
)
def test_another_version_is_refused_by_name(one_table, namespace, said):
    """A model of a version that is not read is an error that names it and those that are."""
    with pytest.raises(ModelError, match=r"use one of 1\.2") as caught:
        load_model(one_table(TABLE, namespace=namespace))
    assert said in str(caught.value)


def test_two_versions_in_one_file_are_refused(make):
    """A model that mixes versions is an error that names both."""
    mixed = '<decision xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" name="x"/>'
    with pytest.raises(ModelError, match=r"20230324.*20191111"):
        load_model(make.model(mixed))


HOSTILE = {
    "an entity": b'<!DOCTYPE d [<!ENTITY a "b">]><definitions>&a;</definitions>',
    "a billion laughs": b'<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><d>&b;</d>',
    "an outside entity": b'<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/hostname">]><d>&a;</d>',
    "deep nesting": b"<a>" * 5000 + b"</a>" * 5000,
    "no XML": b"\x00\x01 not xml",
    "an empty file": b"",
    "half a file": b'<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/"><decision',
    "too many bytes": b" " * 9_000_000,
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_file_is_refused(content):
    """A file that is no plain XML is one error and nothing else."""
    with pytest.raises(ModelError):
        load_model(content, name="hostile.dmn")


def test_a_model_with_a_document_type_is_refused(one_table):
    """A model that is fine but for a document type declaration, with or without entities, is not read."""
    for declaration in (b"<!DOCTYPE definitions>", b'<!DOCTYPE definitions [<!ENTITY a "b">]>'):
        with pytest.raises(ModelError, match="a document type declaration is not allowed"):
            load_model(declaration + one_table(TABLE))


def test_an_error_in_a_cell_names_its_place(make):
    """The message has file, decision, row, column, what is wrong, a suggestion, the text and a caret."""
    table = {**TABLE, "rows": [["small", "< amuont", '"a"']]}
    model = make.model(make.decision("d", make.table(table), inputs=["amount"]), make.input("amount", "number"))
    with pytest.raises(ModelError) as caught:
        load_model(model, name="prices.dmn")
    assert str(caught.value) == (
        "prices.dmn, decision `d`, row `small`, column `amount`: `amuont` is not a known name; did you mean `amount`\n"
        "< amuont\n"
        "  ^"
    )


WRONG = {
    "an unquoted text": ({"rows": [["vip", "VIP", '"a"']]}, "row `vip`, column `amount`: `VIP` is not a known name"),
    "two rows of one name": ({"rows": [["r", "1", "1"], ["r", "2", "2"]]}, "two rows have the id `r`"),
    "a cell too few": ({"rows": [["r", "1"]]}, "row `r`: the row has 0 of `outputEntry`"),
    "a hit policy": ({"hit": "SOME"}, "`SOME` is not a hit policy"),
    "priority without a list": ({"hit": "PRIORITY"}, "needs an output with a list of its values"),
    "an aggregation": ({"aggregation": "SUM"}, "does not go with the hit policy UNIQUE"),
    "an unknown type": ({"inputs": {"amount": "numbr"}}, "`numbr` is not a known type; did you mean `number`"),
    "a wrong output": ({"rows": [["r", "1", "1 +"]]}, "row `r`, column `action`: an expression is expected"),
}


@pytest.mark.parametrize(("changes", "said"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_table_is_refused_at_load(one_table, changes, said):
    """What is wrong with a table is found when it is loaded, with its place."""
    with pytest.raises(ModelError) as caught:
        load_model(one_table({**TABLE, **changes}))
    assert said in str(caught.value)


def test_an_input_that_is_not_required_is_an_unknown_name(make):
    """Where a decision states its requirements, an input expression must be one of them."""
    model = make.model(make.decision("d", make.table(TABLE), inputs=["amont"]), make.input("amont"))
    with pytest.raises(ModelError, match="`amount` is not a known name; did you mean `amont`"):
        load_model(model)


def test_decisions_use_one_another_and_each_is_decided_once(make):
    """A decision sees what it requires, by itself or through others, and its inputs include theirs."""
    model = load_model(
        make.model(
            make.input("price", "number"),
            make.decision("net", LITERAL.format("price * 2"), inputs=["price"]),
            make.decision("tax", LITERAL.format("net / 10"), decisions=["net"]),
            make.decision("gross", LITERAL.format("net + tax"), decisions=["net", "tax"]),
        )
    )
    assert model.inputs("gross") == ("price",)
    assert model.evaluate("gross", {"price": 5}).value == Decimal(11)
    assert [finding.kind for finding in model.evaluate("gross", {}).findings] == ["missing_input"]


def test_decisions_that_require_each_other_are_refused(make):
    """A circle of requirements is an error that shows the circle."""
    with pytest.raises(ModelError, match="`a` -> `b` -> `a`"):
        load_model(
            make.model(
                make.decision("a", LITERAL.format("b"), decisions=["b"]),
                make.decision("b", LITERAL.format("a"), decisions=["a"]),
            )
        )


def test_a_requirement_that_points_nowhere_is_refused(make):
    """A requirement of an element that the model lacks is an error."""
    with pytest.raises(ModelError, match="`#input-x`, which the model does not have"):
        load_model(make.model(make.decision("a", LITERAL.format("1"), inputs=["x"])))


def test_boxed_expressions_and_functions_are_evaluated(make):
    """A context, an invocation, a relation and a business knowledge model give their values."""
    function = (
        '<businessKnowledgeModel id="function-twice" name="twice"><encapsulatedLogic><formalParameter name="n"'
        f' typeRef="number"/>{LITERAL.format("n * 2")}</encapsulatedLogic></businessKnowledgeModel>'
    )
    invocation = (
        f'<invocation>{LITERAL.format("twice")}<binding><parameter name="n"/>{LITERAL.format("a + 1")}'
        "</binding></invocation>"
    )
    context = (
        f'<context><contextEntry><variable name="a"/>{LITERAL.format("3")}</contextEntry>'
        f'<contextEntry><variable name="b"/>{invocation}</contextEntry></context>'
    )
    relation = f'<relation><column name="k"/><row>{LITERAL.format("twice(2)")}</row></relation>'
    model = load_model(
        make.model(
            function,
            make.decision("c", context, functions=["twice"]),
            make.decision("r", relation, functions=["twice"]),
        )
    )
    assert model.evaluate("c", {}).value == {"a": Decimal(3), "b": Decimal(8)}
    assert model.evaluate("r", {}).value == [{"k": Decimal(4)}]


def test_a_table_inside_a_function_does_not_hide_the_rows_of_the_decision(make):
    """A table whose output invokes a function with a table of its own still names its own rows."""
    inner = make.table({"inputs": {"n": "number"}, "outputs": {"o": None}, "rows": [["inner", "-", "n * 2"]]})
    function = (
        '<businessKnowledgeModel id="function-twice" name="twice"><encapsulatedLogic><formalParameter name="n"/>'
        f"{inner}</encapsulatedLogic></businessKnowledgeModel>"
    )
    table = {**TABLE, "rows": [["outer", "< 5", "twice(amount)"], ["large", ">= 5", "1"]]}
    decision = make.decision("d", make.table(table), inputs=["amount"], functions=["twice"])
    model = load_model(make.model(function, make.input("amount", "number"), decision))
    evaluation = model.evaluate("d", {"amount": 2}, trace=True)
    assert (evaluation.value, evaluation.fired) == (Decimal(4), ("outer",))
    assert [row.row for row in evaluation.trace] == ["outer", "large"]


def test_item_definitions_constrain_inputs(make):
    """A value outside a type's allowed values, or of another kind, is unknown and a finding."""
    definition = (
        '<itemDefinition name="tRisk"><typeRef>string</typeRef>'
        '<allowedValues><text>"low", "high"</text></allowedValues></itemDefinition>'
    )
    model = load_model(
        make.model(definition, make.input("risk", "tRisk"), make.decision("d", LITERAL.format("risk"), inputs=["risk"]))
    )
    assert model.evaluate("d", {"risk": "low"}).value == "low"
    for wrong in ("middling", 5):
        evaluation = model.evaluate("d", {"risk": wrong})
        assert evaluation.value is None
        assert [finding.kind for finding in evaluation.findings] == ["wrong_type"]


def test_a_limit_in_an_evaluation_is_a_finding(make):
    """A decision that takes too much gives null and an `error` finding that names the limit."""
    model = load_model(make.model(make.decision("d", LITERAL.format("for i in 1..1000000000 return i"))))
    evaluation = model.evaluate("d", {})
    assert evaluation.value is None
    assert [finding.kind for finding in evaluation.findings] == ["error"]
    assert "list_max" in evaluation.findings[0].message


def test_an_unknown_decision_is_named_with_those_that_exist(one_table):
    """Asking for a decision that the model lacks is an error that lists the others."""
    with pytest.raises(ModelError, match="`e` is not a decision of the model: it has `d`"):
        load_model(one_table(TABLE)).evaluate("e", {})


def test_the_standard_reading_makes_a_wrong_expression_null(make):
    """Where the standard's reading is asked for, an expression that cannot be compiled is null with a finding."""
    content = make.model(make.decision("d", LITERAL.format("1 +")))
    with pytest.raises(ModelError):
        load_model(content)
    evaluation = load_model(content, standard=True).evaluate("d", {})
    assert evaluation.value is None
    assert [finding.kind for finding in evaluation.findings] == ["error"]


def test_a_model_loads_from_a_path_and_says_which(tmp_path: Path, one_table):
    """The path stands for the file in messages."""
    path = tmp_path / "t.dmn"
    path.write_bytes(one_table(TABLE))
    assert load_model(path).file == str(path)
    assert load_model(path, name="t").file == "t"


def test_one_model_is_evaluated_in_many_threads(one_table):
    """A model carries nothing from one evaluation to another, whichever thread it runs in."""
    model = load_model(one_table({**TABLE, "rows": [["r", "-", "amount / 3"]]}))
    wrong = []

    def work(number):
        for _ in range(200):
            if model.evaluate("d", {"amount": number * 3}).value != number:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_what_a_pack_asks_of_a_model(make):
    """Inputs come in the order of the columns, rows in that of the table, and constant outputs can be listed."""
    table = {
        "inputs": {"b": "string", "a": "string"},
        "outputs": {"x": None, "y": None},
        "rows": [["one", "-", "-", '"p"', "1"], ["two", "-", "-", '"q"', "b"]],
    }
    model = load_model(
        make.model(make.input("a"), make.input("b"), make.decision("d", make.table(table), inputs=["a", "b"]))
    )
    assert model.inputs("d") == ("b", "a")
    assert model.rows("d") == ("one", "two")
    assert model.output_texts("d", "x") == [("one", "p"), ("two", "q")]
    assert model.output_texts("d", "y") == []
