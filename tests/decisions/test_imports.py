"""Models that import others: where they are found, how their elements are named, and what is refused."""

from decimal import Decimal

import pytest

from settledesk.decisions import ModelError, load_model

NAMESPACE = "https://www.omg.org/spec/DMN/20230324/MODEL/"
LITERAL = "<literalExpression><text>{}</text></literalExpression>"


def model(name, *elements, imports=(), namespace=NAMESPACE):
    """Return a model; `imports` are (name, model name) or (name, model name, location)."""
    lines = "".join(
        f'<import name="{alias}" namespace="https://{target}.example" importType="{namespace}"'
        + (f' locationURI="{location[0]}"' if location else "")
        + "/>"
        for alias, target, *location in imports
    )
    return (
        f'<definitions xmlns="{namespace}" name="{name}" namespace="https://{name}.example">{lines}'
        f"{''.join(elements)}</definitions>"
    ).encode()


def decision(name, text, *required):
    """Return a decision that requires (kind, href)."""
    links = {"requiredKnowledge": "knowledgeRequirement"}
    parts = "".join(
        f'<{links.get(kind, "informationRequirement")}><{kind} href="{href}"/>'
        f"</{links.get(kind, 'informationRequirement')}>"
        for kind, href in required
    )
    return f'<decision id="{name}" name="{name}">{parts}{LITERAL.format(text)}</decision>'


BASE = model(
    "base",
    '<itemDefinition name="tRate"><typeRef>number</typeRef><allowedValues><text>[0..1]</text></allowedValues>'
    "</itemDefinition>",
    '<inputData id="amount" name="net amount"><variable name="net amount" typeRef="number"/></inputData>',
    '<businessKnowledgeModel id="tax" name="with tax"><encapsulatedLogic>'
    '<formalParameter name="x" typeRef="number"/><formalParameter name="rate" typeRef="tRate"/>'
    f"{LITERAL.format('x * (1 + rate)')}</encapsulatedLogic></businessKnowledgeModel>",
    decision("gross", "with tax(net amount, 0.5)", ("requiredInput", "#amount"), ("requiredKnowledge", "#tax")),
)
MIDDLE = model(
    "middle",
    decision("half", "low.gross / 2", ("requiredDecision", "https://base.example#gross")),
    imports=[("low", "base")],
)
TOP = model(
    "top",
    '<inputData id="r" name="r"><variable name="r" typeRef="basics.tRate"/></inputData>',
    decision(
        "all",
        "the middle.half + basics.gross",
        *[
            ("requiredDecision", "https://middle.example#half"),
            ("requiredDecision", "https://base.example#gross"),
        ],
    ),
    decision(
        "called", "basics.with tax(10, r)", ("requiredKnowledge", "https://base.example#tax"), ("requiredInput", "#r")
    ),
    imports=[("the middle", "middle"), ("basics", "base")],
)
GIVEN = {"https://base.example": BASE, "https://middle.example": MIDDLE}


def test_elements_of_imported_models_are_named_by_their_import():
    """Decisions, functions and types of imported models, nested ones too, stand behind the name of the import."""
    top = load_model(TOP, imports=GIVEN)
    assert top.evaluate("all", {"net amount": 20}).value == Decimal(45)
    assert top.evaluate("called", {"r": Decimal("0.1")}).value == Decimal(11)


def test_constraints_of_imported_types_hold():
    """A value that an imported type does not allow is null with a finding."""
    found = load_model(TOP, imports=GIVEN).evaluate("called", {"r": 2})
    assert found.value is None
    assert found.findings[0].kind == "wrong_type"


def test_an_input_of_an_imported_model_is_given_by_name_or_with_its_namespace():
    """`{namespace}name` says which model's input is meant; the name alone is enough where it is clear."""
    top = load_model(TOP, imports=GIVEN)
    assert top.inputs("all") == ("{https://base.example}net amount",)
    assert top.evaluate("all", {"{https://base.example}net amount": 20}).value == Decimal(45)
    assert top.evaluate("all", {"net amount": 20}) == top.evaluate("all", {"{https://base.example}net amount": 20})


def test_imports_are_found_beside_the_file(tmp_path):
    """A model that is loaded from a path finds its imports in the same folder by their namespace."""
    for name, content in (("z1.dmn", BASE), ("z2.dmn", MIDDLE), ("broken.dmn", b"<no xml"), ("top.dmn", TOP)):
        (tmp_path / name).write_bytes(content)
    assert load_model(tmp_path / "top.dmn").evaluate("all", {"net amount": 20}).value == Decimal(45)


def test_an_import_says_where_its_file_is(tmp_path):
    """A `locationURI` names the file of an import, in a folder below too; one outside is not read."""
    text = decision("d", "b.gross", ("requiredDecision", "https://base.example#gross"))
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "b.dmn").write_bytes(BASE)
    (tmp_path / "top.dmn").write_bytes(model("top", text, imports=[("b", "base", "inner/b.dmn")]))
    assert load_model(tmp_path / "top.dmn").evaluate("d", {"net amount": 2}).value == Decimal(3)
    (tmp_path / "outside.dmn").write_bytes(model("outside"))
    (tmp_path / "inner" / "top.dmn").write_bytes(model("top", text, imports=[("x", "outside", "../outside.dmn")]))
    with pytest.raises(ModelError, match="was not found"):
        load_model(tmp_path / "inner" / "top.dmn")


def test_an_import_without_a_name_puts_the_elements_beside_ones_own():
    """The empty name, which the standard allows since 1.4, imports into the model's own names."""
    top = model(
        "top",
        '<inputData id="r" name="r"><variable name="r" typeRef="tRate"/></inputData>',
        decision("d", "gross * r", ("requiredDecision", "https://base.example#gross"), ("requiredInput", "#r")),
        imports=[("", "base")],
    )
    assert load_model(top, imports=GIVEN).evaluate("d", {"net amount": 2, "r": 1}).value == Decimal(3)


def test_models_of_different_versions_may_import_one_another():
    """A model of 1.3 imports one of 1.5: each is read in its own version."""
    old = model(
        "top",
        decision("d", "b.gross", ("requiredDecision", "https://base.example#gross")),
        imports=[("b", "base")],
        namespace="https://www.omg.org/spec/DMN/20191111/MODEL/",
    )
    assert load_model(old, imports=GIVEN).evaluate("d", {"net amount": 2}).value == Decimal(3)


REFUSED = {
    "missing": (model("top", imports=[("a", "nowhere")]), "`https://nowhere.example` was not found"),
    "a circle": (
        model("one", imports=[("a", "two")]),
        "in a circle: `https://one.example` -> `https://two.example` -> `https://one.example`",
    ),
    "itself": (model("one", imports=[("a", "one")]), "in a circle: `https://one.example` -> `https://one.example`"),
    "a name used twice": (model("top", imports=[("a", "base"), ("a", "middle")]), "two imports have the name `a`"),
    "no model": (
        model("top", imports=[("a", "base")]).replace(f'importType="{NAMESPACE}"'.encode(), b'importType="urn:xsd"'),
        "an import of the type `urn:xsd` is not read",
    ),
    "an element it does not have": (
        model("top", decision("d", "1", ("requiredDecision", "https://base.example#no")), imports=[("a", "base")]),
        "decision `d`: a requirement points to `https://base.example#no`, which the model does not have",
    ),
    "a model that is not imported": (
        model("top", decision("d", "1", ("requiredDecision", "https://base.example#gross"))),
        "of a model that is not imported",
    ),
    "a name without its import": (
        model(
            "top",
            decision("d", "gross", ("requiredDecision", "https://base.example#gross")),
            imports=[("a", "base")],
        ),
        "`gross` is not a known name",
    ),
}


@pytest.mark.parametrize(("content", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_a_wrong_import_is_an_error_with_its_place(content, said):
    """A missing model, a circle, a name used twice and a wrong reference are errors that name file and fault."""
    given = {**GIVEN, "https://two.example": model("two", imports=[("b", "one")]), "https://one.example": content}
    with pytest.raises(ModelError) as caught:
        load_model(content, name="top.dmn", imports=given)
    assert said in str(caught.value)
    assert caught.value.place.file in ("top.dmn", "https://two.example")


def test_an_error_in_an_imported_model_names_that_file():
    """What is wrong in an imported model is reported with its name, not with that of the importing one."""
    broken = BASE.replace(b"x * (1 + rate)", b"x * (1 + rat)")
    with pytest.raises(ModelError, match="did you mean `rate`") as caught:
        load_model(TOP, imports={**GIVEN, "https://base.example": broken})
    assert caught.value.place.text() == "https://base.example, business knowledge model `with tax`"


def test_imports_that_fan_out_are_read_once_each():
    """Thirty layers of models that each import the next one twice load at once, and each is read once."""
    given = {}
    for layer in range(25):
        inner = [("a", f"m{layer + 1}"), ("b", f"m{layer + 1}")] if layer < 24 else []
        item = f'<itemDefinition name="t{layer}"><typeRef>number</typeRef></itemDefinition>'
        given[f"https://m{layer}.example"] = model(f"m{layer}", item, imports=inner)
    assert load_model(given["https://m0.example"], imports=given).namespace == "https://m0.example"
