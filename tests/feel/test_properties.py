"""What holds for every text and every value."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from settledesk.feel import FeelError, compile_expression, compile_unary_tests

NAMES = ("x", "y z", "a-b")
TOKENS = [
    *(
        "1",
        "2.5",
        "-",
        "+",
        "*",
        "**",
        "/",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "..",
        ",",
        ":",
        ".",
        "?",
        "@",
        "=",
        "!=",
        "<",
    ),
    *(">=", "null", "true", "not", "if", "then", "else", "for", "in", "return", "some", "every", "satisfies", "and"),
    *("or", "between", "instance", "of", "number", "list", "function", "x", "y", "z", "y z", "a-b", "item", "partial"),
    *('"a"', '"P1D"', "sum", "count", "list contains", "date", "//", "/*", "*/", '"', "\\", "\n", "string join", "is"),
]
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-20, 20),
    st.decimals(-20, 20, places=2),
    st.text("ab", max_size=2),
    st.lists(st.integers(0, 3), max_size=3),
)


def check_total(compile_text, run):
    """Compile and run; only an error with a place inside the text may be raised, and only by compiling."""
    try:
        compiled = compile_text()
    except FeelError as error:
        compiled, place = None, (error.position, len(error.text))
    else:
        place = (0, 0)
    assert 0 <= place[0] <= place[1]
    if compiled is not None:
        run(compiled)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=14).map(" ".join), st.dictionaries(st.sampled_from(NAMES), VALUES))
def test_parsing_and_evaluating_are_total(text, context):
    """Any text is an error with a place or has a value, and any evaluation ends without raising, twice alike."""

    def run(compiled):
        first, second = compiled.explain(context), compiled.explain(context)
        assert repr(first.diagnostics) == repr(second.diagnostics)
        if "function" not in text:
            assert repr(first.value) == repr(second.value)

    check_total(lambda: compile_expression(text, NAMES), run)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=10).map("".join), VALUES)
def test_a_cell_is_total_too(text, value):
    """Any cell is an error with a place or answers true, false or null to any value."""
    check_total(
        lambda: compile_unary_tests(text, NAMES),
        lambda compiled: compiled.test(value, {}) in (True, False, None),
    )


NEEDING = st.one_of(
    st.sampled_from(['"a"', "true", "< 3", "[1..5]", "> 2.5", 'not("a")', "not(1)", '"a", "b"', "!= 3", "= 4"]),
    st.sampled_from(['? = "a"', "? != 2", "? > 1", "? in [1..3]", 'contains(?, "a")', "list contains(?, 1)"]),
    st.sampled_from(["? between 1 and 2", "not(? in (1, 2))", "x", "< x", "not(x)", "? + 1 > x", "odd(?)"]),
)


@settings(max_examples=200, deadline=None)
@given(NEEDING, VALUES)
def test_a_null_never_meets_a_cell_that_needs_a_value(text, other):
    """Unknown is neither equal nor unequal, neither more nor less: no cell that needs a value is met by null."""
    assert compile_unary_tests(text, ["x"]).test(None, {"x": other}) is not True


@settings(max_examples=200, deadline=None)
@given(st.decimals(-1000, 1000, places=3), st.decimals(-1000, 1000, places=3))
def test_arithmetic_is_that_of_decimal(one, other):
    """Sums, differences, products and comparisons of numbers are exact."""
    context = {"a": one, "b": other}
    assert compile_expression("a + b - a = b", ["a", "b"]).evaluate(context) is True
    assert compile_expression("a * b", ["a", "b"]).evaluate(context) == Decimal(one) * Decimal(other)
    assert compile_expression("a < b", ["a", "b"]).evaluate(context) is (one < other)


OPERATIONS = (
    *("a + b", "a - b", "a * b", "a / b", "a ** b", "a = b", "a != b", "a < b", "a >= b", "a in b", "a in (b, 1)"),
    *("a and b", "a or b", "not(a)", "-a", "a between b and 3", "a[b]", "a.year", "a.x", "a.start", "[a..b]", "(< a)"),
    *("(!= a)", "if a then 1 else a < b", "for i in a return i < b", "for i in a..b return i", "a in [b..3]", "a(b)"),
    *("some i in a satisfies i < b", "every i in a satisfies b", "a instance of number", "(function(p: number) p)(a)"),
    *("{x: a, y: x < b}.y", "a[item < b][1]", "a.x.y"),
)
OPERANDS = (
    *("2", "0", "-1.5", '"ab"', "true", "[]", "[1, 2]", '["a"]', "{x: 1}", "[1..5]", "(< 3)", "function(p) p"),
    *('@"2024-02-29"', '@"10:00:00"', '@"10:00:00Z"', '@"2024-02-29T10:00:00"', '@"P1D"', '@"P1Y"', "10 ** 6144"),
)


@pytest.mark.parametrize("text", OPERATIONS)
@pytest.mark.parametrize("standard", [True, False])
def test_every_null_that_no_null_explains_has_a_reason_with_a_place(text, standard):
    """Whatever the operands are, a null that comes of no null is a diagnostic with its place in the text."""
    compiled = compile_expression(text, ["a", "b"], standard=standard)
    values = [compile_expression(operand).evaluate() for operand in OPERANDS]
    for a in values:
        for b in values:
            result = compiled.explain({"a": a, "b": b})
            if result.value is None:
                assert result.diagnostics, (a, b)
            assert all(0 <= note.position < len(text) and note.message for note in result.diagnostics), (a, b)
