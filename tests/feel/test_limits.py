"""A hostile text is stopped by a limit that has a name; it neither hangs nor exhausts the process."""

import inspect
import sys
import threading
import tracemalloc
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


NESTED = [
    ("(", "1", ")"),
    ("[", "1", ",2]"),
    ("[", "1", "..2]"),
    ("abs(", "1", ")"),
    ("[max(", "1", ", max(1, 2))]"),
    ("if true then ", "1", " else 2"),
    ("{a: ", "1", "}"),
    ("1 in (", "1", ")"),
    ("xs[", "1", "]"),
    ("not(", "true", ")"),
    ("function(p) ", "1", ""),
    ("for i in [1] return ", "1", ""),
    ("-", "1", ""),
]


def calls_to_compile(opening, inner, closing, depth):
    """Return how many functions are called to compile so many levels: work that no other process can slow down."""
    text = opening * depth + inner + closing * depth
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    outer = sys.getprofile()
    sys.setprofile(count)
    try:
        compile_expression(text, ["xs"])
    finally:
        sys.setprofile(outer)
    return calls


@pytest.mark.parametrize(("opening", "inner", "closing"), NESTED)
def test_nesting_takes_linear_work(opening, inner, closing):
    """Twice the levels take about twice the work, at eight levels and at the limit: nothing is parsed twice."""
    deep = 100 if len(opening) == 1 else 24
    # A name inside filters may be an entry of the element of each of them, so that there is one question per level.
    most = 4 if opening == "xs[" else 2.5
    for levels in (8, deep):
        half = calls_to_compile(opening, inner, closing, levels // 2)
        assert calls_to_compile(opening, inner, closing, levels) < most * half


LONG_OR = " or ".join(["1>2"] * 2500)
HOSTILE = [
    f"some i in 1..1000000 satisfies {LONG_OR}",
    f"count((for i in 1..90000 return i)[{LONG_OR}])",
    "for i in 1..100000 return [" + ",".join(["1"] * 9000) + "]",
    "for i in 1..100000 return {" + ",".join(f"a{n}:1" for n in range(2500)) + "}",
    "{" + ",".join(f"a{n}:1" for n in range(2000)) + ",f: for i in 1..100000 return function() 1}.f",
    "string(for i in 1..100000 return 10 ** 6000)",
    "for i in 1..100000 return 1.2345 ** 0.98765",
    "for i in 1..100000 return substring(text, 2)",
    'for i in 1..100000 return split(text, "b")',
    "for i in 1..100000 return any(xs)",
    'for i in 1..2000 return matches("b", string join(["(a|b)", string(i)]))',
    "{l: [1], r: for i in 1..2000 return if i = 1 then l else [partial[-1]], s: r = r}.s",
    "{f: function(g, n) [g(g, n + 1)], r: f(f, 0)}.r",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_evaluation_ends_soon_and_stays_small(text):
    """Work counts by its size, however it is written: an evaluation ends within seconds and within its memory."""
    compiled = compile_expression(text, ["text", "xs"])
    context = {"text": "a" * 500_000, "xs": [False] * 50_000}
    tracemalloc.start()
    before = process_time()
    result = compiled.explain(context)
    took, peak = process_time() - before, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.value is None
    assert [note.kind for note in result.diagnostics][-1] == "limit"
    assert took < 30
    assert peak < 400_000_000


PATTERNS = ["((((a{900}){900}){900}){900})", "(a{100}){101}", "((a|b){0,99}c){0,99}", "a{9999999999}", "a" * 1001]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_that_would_fill_the_memory_is_refused(pattern):
    """A pattern whose repetitions multiply is never compiled: compiling would take more memory than there is."""
    result = compile_expression(f'matches("a", "{pattern}")').explain()
    assert result.value is None
    assert [note.kind for note in result.diagnostics] == ["regex"]


def test_no_recursion_error_escapes_wherever_the_caller_stands():
    """Where the caller's own stack leaves little room, a text is refused and an evaluation is null, by name."""

    def deeper(levels, work):
        return work() if levels == 0 else deeper(levels - 1, work)

    text = "[" * 100 + "1" + "]" * 100
    compiled = compile_expression(f"{text} = {text}")
    room = sys.getrecursionlimit() - len(inspect.stack()) - 120
    with pytest.raises(FeelLimitError) as caught:
        deeper(room, lambda: compile_expression(text))
    assert caught.value.limit == "depth_max"
    result = deeper(room, lambda: compiled.explain())
    assert result.value is None
    assert result.diagnostics[-1].kind == "limit"


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


def test_evaluations_side_by_side_have_their_own_digits():
    """Threads with different contexts that evaluate at once all get the 34 digits of decimal128, every time."""
    compiled = compile_expression("1 / 3 + 2 / 3 * x", ["x"])
    expected = compiled.evaluate({"x": 2})
    wrong = []

    def work(digits):
        getcontext().prec = digits
        for _ in range(300):
            if compiled.evaluate({"x": 2}) != expected or getcontext().prec != digits:
                wrong.append(digits)

    threads = [threading.Thread(target=work, args=(digits,)) for digits in (3, 9, 28, 60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
