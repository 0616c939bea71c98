"""Decision services: closed boxes of decisions, evaluated by themselves or invoked as functions."""

from decimal import Decimal

import pytest

from settledesk.decisions import ModelError, load_model

LITERAL = "<literalExpression><text>{}</text></literalExpression>"


def service(name, outputs, *, decisions=(), data=(), inside=(), kind=None):
    """Return a `decisionService`."""
    reference = f' typeRef="{kind}"' if kind else ""
    links = [f'<outputDecision href="#decision-{item}"/>' for item in outputs]
    links += [f'<encapsulatedDecision href="#decision-{item}"/>' for item in inside]
    links += [f'<inputDecision href="#decision-{item}"/>' for item in decisions]
    links += [f'<inputData href="#input-{item}"/>' for item in data]
    variable = f'<variable name="{name}"{reference}/>'
    return f'<decisionService id="function-{name}" name="{name}">{variable}{"".join(links)}</decisionService>'


@pytest.fixture(name="model")
def _model(make):
    """A model in which `fare` needs `zone`, which needs the input `town`; two services cut it differently."""
    zone = make.decision("zone", LITERAL.format("if town = &quot;Lund&quot; then 1 else 2"), inputs=["town"])
    fare = make.decision("fare", LITERAL.format("zone * price"), inputs=["price"], decisions=["zone"])
    both = make.decision(
        "both",
        LITERAL.format("[fares(zone: 5, price: 10), zone, price]"),
        inputs=["price"],
        decisions=["zone"],
        functions=["fares"],
    )
    return load_model(
        make.model(
            make.input("town", "string"),
            make.input("price", "number"),
            zone,
            fare,
            both,
            service("fares", ["fare"], decisions=["zone"], data=["price"]),
            service("trip", ["fare", "zone"], data=["price", "town"]),
        )
    )


def test_one_output_decision_is_the_value_of_the_service(model):
    """A service with one output gives its value; the value of an input decision is the caller's, never made."""
    found = model.evaluate_service("fares", {"zone": 3, "price": 4})
    assert (found.value, found.findings) == (Decimal(12), ())


def test_several_output_decisions_are_a_context(model):
    """A service with several outputs gives a context of them by name."""
    assert model.evaluate_service("trip", {"price": 4, "town": "Lund"}).value == {
        "fare": Decimal(4),
        "zone": Decimal(1),
    }


def test_a_service_that_is_invoked_does_not_touch_what_is_outside(model):
    """Arguments of a service stand for its inputs inside it; the decision that invokes it sees its own."""
    assert model.evaluate("both", {"town": "Oslo", "price": 7}).value == [Decimal(50), Decimal(2), Decimal(7)]


def test_a_service_sees_nothing_that_it_was_not_given(make):
    """Input data that a service does not list is null inside it, and what was decided outside is decided again."""
    zone = make.decision("zone", LITERAL.format("if town = &quot;Lund&quot; then 1 else 2"), inputs=["town"])
    asks = make.decision("asks", LITERAL.format("[zone, s()]"), inputs=["town"], decisions=["zone"], functions=["s"])
    model = load_model(make.model(make.input("town"), zone, asks, service("s", ["zone"])))
    assert model.evaluate("asks", {"town": "Lund"}).value == [Decimal(1), Decimal(2)]


def test_parameters_are_the_input_data_and_then_the_input_decisions(make):
    """Arguments by position go to the input data first and then to the input decisions, in the order of the file."""
    model = load_model(
        make.model(
            make.input("a"),
            make.input("b"),
            make.decision("c", LITERAL.format("0")),
            make.decision("d", LITERAL.format("[a, b, c]"), inputs=["a", "b"], decisions=["c"]),
            service("s", ["d"], decisions=["c"], data=["b", "a"]),
            make.decision("e", LITERAL.format("s(1, 2, 3)"), functions=["s"]),
        )
    )
    assert model.evaluate("e", {}).value == [Decimal(2), Decimal(1), Decimal(3)]


def test_an_absent_input_and_one_of_a_wrong_type_are_null_with_a_finding(model):
    """A service on an input that is absent or of another type computes on null and says so."""
    absent = model.evaluate_service("fares", {"zone": 3})
    assert (absent.value, [finding.kind for finding in absent.findings]) == (None, ["missing_input"])
    wrong = model.evaluate_service("fares", {"zone": 3, "price": "x"})
    assert (wrong.value, [finding.kind for finding in wrong.findings]) == (None, ["wrong_type"])


def test_the_type_of_a_service_may_be_that_of_its_value_or_of_the_function(make):
    """A value that does not conform to the type of the service's variable is null; a function type names its output."""
    item = '<itemDefinition name="tText"><functionItem outputTypeRef="string"/></itemDefinition>'
    number, text = "1", "&quot;x&quot;"
    for literal, kind, value in (
        (number, "tText", None),
        (number, "string", None),
        (number, "number", Decimal(1)),
        (number, None, Decimal(1)),
        (text, "tText", "x"),
    ):
        decision = make.decision("d", LITERAL.format(literal))
        model = load_model(make.model(item, decision, service("s", ["d"], kind=kind)))
        assert model.evaluate_service("s", {}).value == value


def test_wrong_arguments_are_null_with_a_reason(make):
    """Too many, too few or unknown arguments of a service are null, and the finding says which it has."""
    for call in ("s()", "s(1, 2)", "s(other: 1)"):
        model = load_model(
            make.model(
                make.input("a"),
                make.decision("d", LITERAL.format("a"), inputs=["a"]),
                service("s", ["d"], data=["a"]),
                make.decision("e", LITERAL.format(call), functions=["s"]),
            )
        )
        found = model.evaluate("e", {})
        assert found.value is None
        assert "argument" in found.findings[0].message or "parameters" in found.findings[0].message


def test_services_that_invoke_each_other_for_ever_end_with_a_finding(make):
    """A decision that invokes the service it belongs to is stopped by a limit, which is named."""
    model = load_model(
        make.model(
            make.decision("d", LITERAL.format("s()"), functions=["s"]),
            service("s", ["d"]),
        )
    )
    found = model.evaluate_service("s", {})
    assert found.value is None
    assert any("calls_max" in finding.message for finding in found.findings)


def test_an_unknown_service_is_an_error_that_names_those_there_are(model):
    """Asking for a service that the model does not have names the ones it has."""
    with pytest.raises(ModelError, match="`fares`, `trip`"):
        model.evaluate_service("fare", {})


def test_a_business_knowledge_model_can_be_evaluated_by_itself(make):
    """`evaluate_function` invokes a business knowledge model with arguments by name."""
    parameter = '<formalParameter name="a" typeRef="number"/>'
    function = (
        f'<businessKnowledgeModel id="f" name="twice"><encapsulatedLogic>{parameter}'
        f"{LITERAL.format('2 * a')}</encapsulatedLogic></businessKnowledgeModel>"
    )
    model = load_model(make.model(function))
    assert model.evaluate_function("twice", {"a": 4}).value == Decimal(8)
    assert model.evaluate_function("twice", {"a": "x"}).value is None
