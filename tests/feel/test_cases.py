"""The language by its cases: `cases/*.yaml` hold the texts and the right answers."""

from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from settledesk.feel import FeelError, compile_expression, compile_unary_tests
from settledesk.feel.builtins.conversions import text_of
from settledesk.feel.run import Run

CASES = Path(__file__).parent / "cases"


def load(name):
    """Return a file of cases."""
    return yaml.safe_load((CASES / name).read_text(encoding="utf-8"))


EXPRESSIONS, CELLS, ERRORS = load("expressions.yaml"), load("unary_tests.yaml"), load("errors.yaml")
PROPERTIES = ("start Date", "line count")


def shown(value):
    """Return a value as FEEL writes it, a text without its quotes."""
    return value if isinstance(value, str) else text_of(value, Run())


@pytest.mark.parametrize(("text", "expected"), EXPRESSIONS["cases"])
def test_an_expression_gives_its_value(text, expected):
    """Each expression of the file gives what stands beside it."""
    compiled = compile_expression(str(text), EXPRESSIONS["names"], properties=PROPERTIES)
    assert shown(compiled.evaluate(EXPRESSIONS["names"])) == expected


@pytest.mark.parametrize(("text", "expected"), [case for case in EXPRESSIONS["cases"] if case[1] == "null"])
def test_a_null_that_comes_from_an_error_carries_its_reason(text, expected):
    """A null is either what three-valued logic makes of an unknown, or there is a diagnostic that says why."""
    result = compile_expression(text, EXPRESSIONS["names"]).explain(EXPRESSIONS["names"])
    from_logic = any(word in text for word in (" and ", " or ", "not("))
    assert result.diagnostics or from_logic


@pytest.mark.parametrize(("text", "value", "expected"), CELLS["cases"])
def test_a_cell_is_met_or_not(text, value, expected):
    """Each cell of the file answers true, false or null to the value beside it."""
    assert compile_unary_tests(text, CELLS["names"]).test(value, CELLS["names"]) is expected


@pytest.mark.parametrize(("text", "message", "position"), ERRORS["expressions"])
def test_a_wrong_expression_is_an_error_with_its_place(text, message, position):
    """A text that cannot be used raises where it is compiled, with what is wrong and where."""
    with pytest.raises(FeelError) as caught:
        compile_expression(text, ERRORS["names"])
    assert message in str(caught.value)
    assert caught.value.position == position
    assert caught.value.excerpt().endswith("^")


@pytest.mark.parametrize(("text", "message", "position"), ERRORS["cells"])
def test_a_wrong_cell_is_an_error_with_its_place(text, message, position):
    """A cell that cannot be used raises where it is compiled; an unquoted text is never a null."""
    with pytest.raises(FeelError) as caught:
        compile_unary_tests(text, ERRORS["names"])
    assert message in str(caught.value)
    assert caught.value.position == position


def test_an_unknown_name_is_answered_with_the_nearest_known_one():
    """A typing error in a name is answered with 'did you mean'."""
    with pytest.raises(FeelError, match="did you mean `amount`"):
        compile_expression("amuont + 1", ["amount"])
    with pytest.raises(FeelError, match="did you mean `Years of Service`"):
        compile_expression("Years of Servce + 1", ["Years of Service"])


def test_the_standard_reading_of_null_differs_only_in_equality():
    """Where null is not read as unknown, a negated text is met by null, as the standard says; an order never is."""
    assert compile_unary_tests('not("a")', unknown_nulls=False).test(None) is True
    assert compile_unary_tests('"a"', unknown_nulls=False).test(None) is False
    assert compile_unary_tests("< 3", unknown_nulls=False).test(None) is None


def test_floats_are_taken_by_their_shortest_text():
    """A float of a caller is the number that its text shows, so 0.1 and 0.2 make 0.3."""
    assert compile_expression("a + b = 0.3", ["a", "b"]).evaluate({"a": 0.1, "b": 0.2}) is True
    assert compile_expression("a", ["a"]).evaluate({"a": float("nan")}) is None


def test_a_hundred_nested_parentheses_parse():
    """Nesting up to the limit is read, and its value is that of what is inside."""
    assert compile_expression("(" * 100 + "7" + ")" * 100).evaluate() == Decimal(7)
