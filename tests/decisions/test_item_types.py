"""Item definitions: what a value must be to conform to a type, and what becomes of it."""

from datetime import date
from decimal import Decimal

import pytest

from settledesk.decisions import ModelError, load_model
from settledesk.feel import compile_expression

LITERAL = "<literalExpression><text>{}</text></literalExpression>"
TYPES = """
<itemDefinition name="tPercent"><typeRef>number</typeRef><allowedValues><text>[0..100]</text></allowedValues>
</itemDefinition>
<itemDefinition name="tPercents" isCollection="true"><typeRef>tPercent</typeRef></itemDefinition>
<itemDefinition name="tColours" isCollection="true"><typeRef>string</typeRef>
 <allowedValues><text>"red", "blue"</text></allowedValues>
 <typeConstraint><text>count(?) &lt;= 2</text></typeConstraint></itemDefinition>
<itemDefinition name="tPair" isCollection="true"><typeRef>number</typeRef>
 <typeConstraint><text>count(?) = 2</text></typeConstraint></itemDefinition>
<itemDefinition name="tPerson"><itemComponent name="name"><typeRef>string</typeRef></itemComponent>
 <itemComponent name="share"><typeRef>tPercent</typeRef></itemComponent></itemDefinition>
<itemDefinition name="tPeople" isCollection="true"><itemComponent name="first name"><typeRef>string</typeRef>
 </itemComponent></itemDefinition>
<itemDefinition name="tTree"><itemComponent name="children" isCollection="true"><typeRef>tTree</typeRef>
 </itemComponent><itemComponent name="value"><typeRef>number</typeRef></itemComponent></itemDefinition>
<itemDefinition name="tNested"><itemComponent name="a"><itemComponent name="b"><typeRef>date and time</typeRef>
 </itemComponent></itemComponent></itemDefinition>
<itemDefinition name="tLater"><typeRef>tDefinedLater</typeRef></itemDefinition>
<itemDefinition name="tDefinedLater"><typeRef>string</typeRef></itemDefinition>
<itemDefinition name="tFunction"><functionItem outputTypeRef="number"><parameters name="a" typeRef="number"/>
</functionItem></itemDefinition>
"""
LEAP_DAY = compile_expression('date and time("2024-02-29T00:00:00Z")').evaluate()
TREE = {"value": 1, "children": [{"value": 2, "children": []}]}
CONFORMING = [
    ("number", 5, Decimal(5)),
    ("number", [5], Decimal(5)),
    ("number", [[5]], None),
    ("number", [5, 6], None),
    ("number", [None], None),
    ("number", "5", None),
    ("feel:number", 5, Decimal(5)),
    ("Any", [1], [Decimal(1)]),
    ("string", None, None),
    ("date and time", date(2024, 2, 29), LEAP_DAY),
    ("date and time", [date(2024, 2, 29)], LEAP_DAY),
    ("date", LEAP_DAY, None),
    ("tPercent", 100, Decimal(100)),
    ("tPercent", 101, None),
    ("tPercents", 7, [Decimal(7)]),
    ("tPercents", [7, None], [Decimal(7), None]),
    ("tPercents", [7, 101], None),
    ("tPercents", [], []),
    ("tColours", ["red"], ["red"]),
    ("tColours", ["green"], None),
    ("tColours", ["red", "blue", "red"], None),
    ("tPair", [1, 2], [Decimal(1), Decimal(2)]),
    ("tPair", [1], None),
    ("tPerson", {"name": "a", "share": 1}, {"name": "a", "share": Decimal(1)}),
    ("tPerson", {"name": "a", "share": 1, "more": 2}, {"name": "a", "share": Decimal(1), "more": Decimal(2)}),
    ("tPerson", {"name": "a", "share": 101}, None),
    ("tPerson", {"name": "a", "share": None}, {"name": "a", "share": None}),
    ("tPerson", [{"name": "a", "share": 1}], {"name": "a", "share": Decimal(1)}),
    ("tPeople", {"first name": "a"}, [{"first name": "a"}]),
    ("tTree", TREE, {"value": Decimal(1), "children": [{"value": Decimal(2), "children": []}]}),
    ("tTree", {"value": 1, "children": [{"value": "x", "children": []}]}, None),
    ("tNested", {"a": {"b": date(2024, 2, 29)}}, {"a": {"b": LEAP_DAY}}),
    ("tLater", "x", "x"),
    ("tFunction", 1, None),
]


def echo(make, kind, *, types=TYPES, standard=False):
    """Return a model whose decision `d` gives its input of that type back."""
    decision = make.decision("d", LITERAL.format("x"), inputs=["x"])
    return load_model(make.model(types, make.input("x", kind), decision), standard=standard)


@pytest.mark.parametrize("standard", [False, True], ids=["desk", "standard"])
@pytest.mark.parametrize(("kind", "given", "value"), CONFORMING)
def test_a_value_conforms_or_is_null_with_a_finding(make, kind, given, value, standard):
    """A value of its type is handed on, coerced where the standard coerces; any other is null and a finding."""
    found = echo(make, kind, standard=standard).evaluate("d", {"x": given})
    assert found.value == value
    assert [finding.kind for finding in found.findings] == (
        ["wrong_type"] if value is None and given is not None else []
    )


def test_a_context_without_a_component_conforms_only_in_the_desks_reading(make):
    """The standard has every component there; the desk reads an absent one as unknown."""
    given = {"x": {"name": "a"}}
    assert echo(make, "tPerson").evaluate("d", given).value == {"name": "a"}
    found = echo(make, "tPerson", standard=True).evaluate("d", given)
    assert found.value is None
    assert "the context has no `share`" in found.findings[0].message


def test_names_of_types_may_be_used_in_expressions(make):
    """`instance of` and the parameters of a function know the types of the model, without their constraints."""
    texts = {
        "5 instance of tPercent": True,
        "101 instance of tPercent": True,
        '"x" instance of tPercent': False,
        '[{name: "a", share: 1}] instance of list&lt;tPerson&gt;': True,
        '{name: "a"} instance of tPerson': False,
        "[1, 2] instance of tPercents": True,
        "(function(p: tPercent) p + 1)(3)": Decimal(4),
        '(function(p: tPercent) p + 1)("x")': None,
    }
    for text, value in texts.items():
        model = load_model(make.model(TYPES, make.decision("d", LITERAL.format(text))), standard=True)
        assert model.evaluate("d", {}).value == value, text


def test_a_component_with_a_space_can_be_read(make):
    """The name of a component with spaces is known after the dot."""
    decision = make.decision("d", LITERAL.format("x.first name"), inputs=["x"])
    model = load_model(make.model(TYPES, make.input("x", "tPeople"), decision))
    assert model.evaluate("d", {"x": [{"first name": "Ada"}]}).value == ["Ada"]


def test_the_result_of_a_decision_conforms_to_its_variable(make):
    """A decision whose value is not of its variable's type is null with a finding."""
    decision = make.decision("d", LITERAL.format("101")).replace(
        "<literal", '<variable name="d" typeRef="tPercent"/><literal', 1
    )
    found = load_model(make.model(TYPES, decision)).evaluate("d", {})
    assert found.value is None
    assert "`tPercent` allows" in found.findings[0].message


WRONG = {
    '<itemDefinition name="a"><typeRef>b</typeRef></itemDefinition><itemDefinition name="b"><typeRef>a</typeRef>'
    "</itemDefinition>": "type `b`: the type `a` is made of itself",
    '<itemDefinition name="a"><typeRef>a</typeRef></itemDefinition>': "type `a`: the type `a` is made of itself",
    '<itemDefinition name="a"><typeRef>strng</typeRef></itemDefinition>': "type `a`: `strng` is not a known type; did",
    '<itemDefinition name="a"><typeRef>number</typeRef><allowedValues><text>&lt; x</text></allowedValues>'
    "</itemDefinition>": "type `a`: `x` is not a known name",
    "".join(
        f'<itemDefinition name="t{n}"><typeRef>t{n + 1}</typeRef></itemDefinition>' for n in range(2000)
    ): "nested more than 40 deep",
    '<itemDefinition name="a">'
    + '<itemComponent name="b">' * 60
    + "</itemComponent>" * 60
    + "</itemDefinition>": "nested more than 40 deep",
}


@pytest.mark.parametrize(("types", "said"), WRONG.items(), ids=WRONG.values())
def test_a_wrong_type_is_an_error_that_names_it(make, types, said):
    """A type that is made of itself, unknown, nested too deep or wrongly constrained is an error with its place."""
    with pytest.raises(ModelError) as caught:
        echo(make, "number", types=types)
    assert said in str(caught.value)


def test_types_that_share_parts_are_cheap(make):
    """Thirty types that each hold the next one twice load at once: what is shared is made once."""
    parts = '<itemComponent name="a"><typeRef>t{0}</typeRef></itemComponent><itemComponent name="b"><typeRef>t{0}'
    types = "".join(
        f'<itemDefinition name="t{n}">{parts.format(n + 1)}</typeRef></itemComponent></itemDefinition>'
        for n in range(30)
    )
    types += '<itemDefinition name="t30"><typeRef>number</typeRef></itemDefinition>'
    assert echo(make, "t30", types=types).evaluate("d", {"x": 1}).value == 1
