"""A hostile text is stopped by a limit that has a name; it neither hangs nor exhausts the process."""

import threading
from decimal import Decimal, getcontext
from time import process_time

import pytest

from settledesk.feel import FeelLimitError, Limits, compile_expression

AT_COMPILE = [
    ("(" * 5000, "depth_max"),
    ("[" * 5000, "depth_max"),
    ("not(" * 5000, "depth_max"),
    ("-" * 5000 + "1", "depth_max"),
    ("if true then " * 1000, "depth_max"),
    ("1 in (" * 1000, "depth_max"),
    ("+".join(["1"] * 2000), "height_max"),
    ("a" + ".b" * 2000, "height_max"),
    ("a" + "[1]" * 2000, "height_max"),
    ("1" * 30_000, "text_max"),
]
AT_RUN = [
    ("for i in 1..1000000000 return i", "list_max"),
    ("some i in 1..1000000000 satisfies i < 0", "steps_max"),
    ("for i in 1..1000, j in 1..1000, k in 1..1000 return 1", "list_max"),
    ("count(for i in 1..90000 return for j in 1..90000 return j)", "steps_max"),
    ('{f: function(s) s + s, r: for i in 1..30 return if i = 1 then "ab" else f(partial[-1])}.r', "string_max"),
    ("1.0000001 ** 100000000000", "exponent_max"),
    ('matches("' + "a" * 50 + 'b", "^(a|a|aa)+$")', "regex_time_s"),
    ('replace("' + "a" * 50 + 'b", "^(a|a|aa)+$", "x")', "regex_time_s"),
    ('split("' + "a" * 50 + 'b", "^(a|a|aa)+$")', "regex_time_s"),
    ("distinct values(for i in 1..90000 return i)", "steps_max"),
    (
        "{l: [1], r: for i in 1..40 return if i = 1 then l else [partial[-1], partial[-1]], s: flatten(r)}.s",
        "steps_max",
    ),
]


@pytest.mark.parametrize(("text", "limit"), AT_COMPILE)
def test_a_text_beyond_a_limit_is_refused_by_name(text, limit):
    """A text that is too long, too deep or too high raises an error that names the limit, in well under a second."""
    before = process_time()
    with pytest.raises(FeelLimitError) as caught:
        compile_expression(text, ["a"])
    assert caught.value.limit == limit
    assert process_time() - before < 2


@pytest.mark.parametrize(("text", "limit"), AT_RUN)
def test_an_evaluation_beyond_a_limit_is_null_and_names_it(text, limit):
    """An evaluation that takes too much gives null with a diagnostic that names the limit, and ends soon."""
    before = process_time()
    result = compile_expression(text).explain()
    assert result.value is None
    assert any(limit in diagnostic.message for diagnostic in result.diagnostics)
    assert process_time() - before < 10


def test_a_function_that_invokes_itself_for_ever_is_stopped():
    """Invocations inside one another have a limit with a name."""
    text = "{f: function(g, n) g(g, n + 1), r: f(f, 0)}.r"
    result = compile_expression(text).explain()
    assert result.value is None
    assert any("calls_max" in diagnostic.message for diagnostic in result.diagnostics)


def test_nested_parentheses_take_linear_time():
    """Forty levels take no more than a few times as long as ten: nothing is parsed twice."""

    def seconds(depth):
        text = "[" * depth + "1" + ",2]" * depth
        best = float("inf")
        for _ in range(5):
            before = process_time()
            for _ in range(20):
                compile_expression(text)
            best = min(best, process_time() - before)
        return best

    assert seconds(100) < 30 * seconds(10)


def test_limits_can_be_set_by_the_caller():
    """Each limit is a field that a caller may lower."""
    result = compile_expression("for i in 1..20 return i", limits=Limits(list_max=10)).explain()
    assert result.value is None


def test_the_decimal_context_of_a_caller_is_untouched():
    """An evaluation has 34 digits wherever it runs, and leaves the caller's thread with the digits it had."""
    seen = []

    def evaluate():
        getcontext().prec = 5
        seen.append(compile_expression("1 / 3").evaluate())
        seen.append(Decimal(1) / Decimal(3))

    thread = threading.Thread(target=evaluate)
    thread.start()
    thread.join()
    assert seen == [Decimal("0." + "3" * 34), Decimal("0.33333")]
