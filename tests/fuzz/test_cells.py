"""Generated expressions and cells: a tree prints to a text that parses to the tree, and every evaluation ends."""

from dataclasses import fields, is_dataclass
from decimal import Decimal
from time import process_time

from fuzz_choices import fuzz
from fuzz_texts import changed, soup
from fuzz_trees import NAMES, PROPERTIES, VARYING, Trees
from fuzz_values import BY_KIND, KINDS, WHOLE, holds_null, value_of
from hypothesis import note

from settledesk.feel import FeelError, FeelLimitError, Limits
from settledesk.feel import tree as trees
from settledesk.feel.checker import INPUT_SLOT, Layout
from settledesk.feel.expression import compile_in, compile_tests_in, new_frame, run_program
from settledesk.feel.parser import Parser
from settledesk.feel.printer import print_expression
from settledesk.feel.run import Run
from settledesk.feel.values import type_name

LAYOUT = Layout(NAMES, PROPERTIES)
LIMITS = Limits(steps_max=20_000, list_max=2_000, string_max=5_000, exponent_max=1_000, regex_time_s=0.02)
SECONDS_MAX = 5
WANTED = (*KINDS, "boolean", "boolean", "boolean", "number", "list")


def parsed(text, *, cell, limits=LIMITS):
    """Parse a text under the names of the generator."""
    parser = Parser(text, LAYOUT.names.extended(()), LAYOUT.properties.extended(()), limits)
    return parser.whole_tests() if cell else parser.whole_expression()


def bare(part):
    """Return a tree without its positions."""
    if isinstance(part, tuple):
        return tuple(bare(item) for item in part)
    if not is_dataclass(part) or isinstance(part, type) or not hasattr(part, "position"):
        return (type(part), part)
    return (type(part), *(bare(getattr(part, field.name)) for field in fields(part) if field.name != "position"))


def printed(tree):
    """Print a tree under the names of the generator."""
    return print_expression(tree, NAMES, properties=PROPERTIES)


def nulls(part):
    """Tell whether a null is written anywhere in a tree."""
    if isinstance(part, tuple):
        return any(nulls(item) for item in part)
    if isinstance(part, trees.Literal):
        return part.value is None
    return is_dataclass(part) and any(nulls(getattr(part, field.name)) for field in fields(part))


def check_error(error, text):
    """An error has its place inside the text, a sentence, and a caret under the place."""
    assert error.text == text or (isinstance(error, FeelLimitError) and error.limit == "text_max")
    assert 0 <= error.position <= len(text)
    assert error.message
    assert "\n" not in error.message
    line, caret = error.excerpt().rsplit("\n", 1)
    assert caret.strip() == "^"
    assert len(caret) - 1 <= len(line)


def run_all_ways(text, choices, *, cell):
    """Compile and run a text in both readings; everything but an error with its place while compiling is a fault."""
    found = []
    for standard in (False, True):
        compile_text = compile_tests_in if cell else compile_in
        try:
            program = compile_text(LAYOUT, text, unknown_nulls=not standard, limits=LIMITS)
        except FeelError as error:
            check_error(error, text)
            continue
        found.append(program)
    if not found:
        return
    context = {
        name: value_of(choices, kind) if name in text else BY_KIND.get(kind, WHOLE)[0] for name, kind in NAMES.items()
    }
    given = value_of(choices, choices.of(KINDS)) if cell else None
    note(f"{ {name: value for name, value in context.items() if name in text} } {given!r}")
    for program in found:
        check_run(program, context, given, cell=cell)


def check_run(program, context, given, *, cell):
    """An evaluation ends within its steps, gives a value of FEEL, twice the same, and says why it is null."""
    results = []
    for _ in range(2):
        run = Run(LIMITS)
        frame = new_frame(LAYOUT, context, run, program.size)
        frame[INPUT_SLOT] = new_frame(Layout(["given"]), {"given": given}, run, 3)[2]
        before = process_time()
        value = run_program(program, frame)
        assert process_time() - before < SECONDS_MAX
        assert type_name(value) != "unknown type", type(value)
        assert run.steps <= 2 * LIMITS.steps_max or any(note.kind == "limit" for note in run.diagnostics)
        results.append((value, run.diagnostics))
    (value, noted), (_, again) = results
    if not any(word in program.text for word in VARYING):
        assert repr(noted) == repr(again)
    assert all(0 <= diagnostic.position <= len(program.text) and diagnostic.message for diagnostic in noted)
    unknown = "?" in program.text or nulls(program.tree) or any(holds_null(one) for one in context.values())
    if value is None and not unknown and not cell:
        assert noted, "a null without a reason"


@fuzz(examples=4_000, size=96)
def test_an_expression_prints_to_a_text_that_parses_to_the_same_tree(choices):
    """Any tree that the parser can make prints to a text that parses to it, and its evaluation ends with a reason."""
    tree = Trees(choices).node(choices.of(WANTED), 1 + choices.pick(4))
    check_tree(tree, choices)


@fuzz(examples=4_000, size=96)
def test_a_cell_prints_to_a_text_that_parses_to_the_same_tree(choices):
    """Any tree of a cell prints to a text that parses to it, and the cell answers true, false or null to any value."""
    check_tree(Trees(choices, marks=True).cell(choices.of(WANTED), 1 + choices.pick(3)), choices)


def check_tree(tree, choices):
    """Print, parse, compare; then the same of the checked tree; then run."""
    cell = isinstance(tree, trees.Tests)
    text = printed(tree)
    note(text)
    try:
        again = parsed(text, cell=cell)
    except FeelLimitError as error:
        check_error(error, text)
        return
    assert bare(again) == bare(tree)
    assert printed(again) == text
    try:
        program = (compile_tests_in if cell else compile_in)(LAYOUT, text, limits=LIMITS)
    except FeelError:
        pass
    else:
        if Decimal("-0") not in literals(program.tree):
            compiled = (compile_tests_in if cell else compile_in)(LAYOUT, printed(program.tree), limits=LIMITS)
            assert bare(compiled.tree) == bare(program.tree)
    run_all_ways(text, choices, cell=cell)


def literals(part):
    """Return the signed zeros of a tree, which have no text of their own."""
    if isinstance(part, tuple):
        return [one for item in part for one in literals(item)]
    if isinstance(part, trees.Literal):
        return [part.value] if type(part.value) is Decimal and not part.value and part.value.is_signed() else []
    return [one for field in fields(part) for one in literals(getattr(part, field.name))] if is_dataclass(part) else []


@fuzz(examples=1_000, size=48)
def test_tokens_in_any_order_are_an_error_with_its_place_or_have_a_value(choices):
    """Text that follows no grammar never raises anything but an error that points into it."""
    text = soup(choices)
    note(text)
    run_all_ways(text, choices, cell=bool(choices.pick(2)))


@fuzz(examples=1_000, size=96)
def test_a_damaged_text_is_an_error_with_its_place_or_has_a_value(choices):
    """A good text with some characters changed never raises anything but an error that points into it."""
    cell = bool(choices.pick(2))
    grammar = Trees(choices, marks=cell)
    kind = choices.of(WANTED)
    text = changed(choices, printed(grammar.cell(kind, 2) if cell else grammar.node(kind, 3)))
    note(text)
    run_all_ways(text, choices, cell=cell)
