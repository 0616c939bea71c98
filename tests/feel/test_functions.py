"""The built-in functions in the standard's reading, and XPath regular expressions, by their cases."""

import itertools
from pathlib import Path

import pytest
import yaml

from settledesk.feel import FeelError, compile_expression
from settledesk.feel.builtins import BUILTINS
from settledesk.feel.builtins.conversions import text_of
from settledesk.feel.literals import value_text
from settledesk.feel.run import Run

CASES = Path(__file__).parent / "cases"
FUNCTIONS = yaml.safe_load((CASES / "functions.yaml").read_text(encoding="utf-8"))
PATTERNS = yaml.safe_load((CASES / "patterns.yaml").read_text(encoding="utf-8"))
TYPES = {"tSide": "number", "tPair": "context<a: tSide, b: tSide>"}
KINDS = {"null", "type", "argument", "arithmetic", "missing", "regex", "limit"}
SAMPLES = (
    *("2", "-1.5", "0", '"ab"', '""', "true", "[]", "[1, 2]", '["a"]', "{a: 1}", "[1..5]", "function(p, q) p < q"),
    *('@"2024-02-29"', '@"10:00:00"', '@"2024-02-29T10:00:00Z"', '@"P1D"', '@"P1Y"', "(< 3)", "[[1], {a: [2]}]"),
)


def explained(text):
    """Return the result of an expression in the standard's reading."""
    return compile_expression(text, types=TYPES, standard=True).explain()


def shown(value):
    """Return a value as FEEL writes it, a text without its quotes."""
    return value if isinstance(value, str) else text_of(value, Run())


@pytest.mark.parametrize(("text", "expected"), FUNCTIONS["cases"])
def test_a_function_gives_its_value(text, expected):
    """Each expression of the file gives what stands beside it; a null that no null explains says why."""
    result = explained(text)
    assert shown(result.value) == expected
    if result.value is None:
        assert result.diagnostics


@pytest.mark.parametrize(("text", "pattern", "flags", "expected"), PATTERNS["matches"])
def test_a_pattern_is_read_by_the_rules_of_xpath(text, pattern, flags, expected):
    """A pattern means what XPath says, and what only Python's dialect knows is no pattern."""
    result = explained(f"matches({value_text(text)}, {value_text(pattern)}, {value_text(flags)})")
    assert result.value is expected
    assert [diagnostic.kind for diagnostic in result.diagnostics] == (["regex"] if expected is None else [])


@pytest.mark.parametrize(("text", "pattern", "replacement", "expected"), PATTERNS["replace"])
def test_a_replacement_names_groups(text, pattern, replacement, expected):
    """`$1` is the first group; a `$` or a backslash that stands for nothing is an error, as XPath says."""
    assert explained(f"replace({', '.join(map(value_text, (text, pattern, replacement)))})").value == expected


@pytest.mark.parametrize(("text", "delimiter", "expected"), PATTERNS["split"])
def test_a_text_is_split_at_a_pattern(text, delimiter, expected):
    """Every delimiter ends a part, and a pattern that matches nothing splits nothing."""
    assert explained(f"split({value_text(text)}, {value_text(delimiter)})").value == expected


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_a_function_is_total_and_says_why_it_is_null(name):
    """Whatever values a function is given, it ends in a value, or in null with a reason that has its place."""
    most = max(len(variant.parameters) for variant in BUILTINS[name].variants)
    for count in range(min(most, 3) + 2):
        pairs = itertools.product(SAMPLES, SAMPLES[::2]) if count > 1 else itertools.product(SAMPLES, repeat=count)
        for number, arguments in enumerate(pairs):
            given = [*arguments, *[SAMPLES[number % len(SAMPLES)]] * (count - 2)]
            text = f"{name}({', '.join(given)})"
            result = explained(text)
            if result.value is None:
                assert result.diagnostics, text
            assert all(note.kind in KINDS and note.message for note in result.diagnostics), text
            assert all(0 <= note.position < len(text) for note in result.diagnostics), text


def test_named_arguments_take_the_place_of_those_by_position():
    """A function gives the same by position and by name."""
    for name, function in BUILTINS.items():
        for variant in function.variants:
            if variant.variadic or not variant.parameters:
                continue
            samples = [_sample(parameter.kind) for parameter in variant.parameters]
            named = [f"{parameter.name}: {one}" for parameter, one in zip(variant.parameters, samples, strict=True)]
            by_position = explained(f"{name}({', '.join(samples)})").value
            by_name = explained(f"{name}({', '.join(named)})").value
            assert shown(by_position) == shown(by_name), (name, named)


def _sample(kind):
    """Return a text for a parameter of that kind."""
    return {
        "number": "2",
        "string": '"ab"',
        "list": "[1, 2]",
        "context": "{a: 1}",
        "range": "[1..5]",
        "function": "function(p, q) p < q",
        "moment": '@"2024-02-29"',
        "timed": '@"10:00:00"',
        "duration": '@"P1D"',
        "days and time duration": '@"PT1H"',
        "time": '@"10:00:00"',
    }.get(kind, "3")


def test_wrong_arguments_are_an_error_at_once_unless_the_standard_is_read():
    """The desk is told of an invocation that can never work where it is written; the standard makes it null."""
    with pytest.raises(FeelError, match="invoked with the wrong arguments"):
        compile_expression("[abs(1, 2)]")
    assert compile_expression("[abs(1, 2)]", standard=True).evaluate() == [None]


def test_a_type_text_that_goes_on_is_an_error():
    """A named type is read to its end."""
    with pytest.raises(FeelError, match="a type ends here"):
        compile_expression("1", types={"t": "number number"})
