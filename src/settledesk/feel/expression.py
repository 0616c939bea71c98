"""The public face of the language: compile a text once, evaluate it as often as wanted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import localcontext
from typing import Any

from settledesk.feel.checker import INPUT_SLOT, Checker, Layout
from settledesk.feel.compiler import Compiled, Compiler, Frame
from settledesk.feel.errors import Diagnostic, FeelLimitError
from settledesk.feel.limits import DEFAULT_LIMITS, Limits
from settledesk.feel.parser import Parser
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.tree import Node, Tests
from settledesk.feel.values import FeelValue, to_feel


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A value, and why nulls appeared on the way to it."""

    value: FeelValue
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A checked tree and its function. `size` is the length of the frame it runs on."""

    text: str
    tree: Node | Tests
    run_on: Compiled
    size: int


def compile_in(layout: Layout, text: str, *, unknown_nulls: bool = False, limits: Limits = DEFAULT_LIMITS) -> Program:
    """Compile an expression whose variables stand in `layout`; raises `FeelError` with the place."""
    tree = Parser(text, layout.names.extended(()), layout.properties.extended(()), limits).whole_expression()
    checker = Checker(text, layout, input_allowed=unknown_nulls)
    checked = checker.node(tree)
    compiled = Compiler(unknown_nulls=unknown_nulls).node(checked)
    return Program(text=text, tree=checked, run_on=compiled, size=checker.size)


def compile_tests_in(
    layout: Layout, text: str, *, unknown_nulls: bool = True, limits: Limits = DEFAULT_LIMITS
) -> Program:
    """Compile a cell whose variables stand in `layout`; raises `FeelError` with the place."""
    tree = Parser(text, layout.names.extended(()), layout.properties.extended(()), limits).whole_tests()
    checker = Checker(text, layout, input_allowed=True)
    checked = checker.tests(tree)
    compiled = Compiler(unknown_nulls=unknown_nulls).tests(checked)
    return Program(text=text, tree=checked, run_on=compiled, size=checker.size)


def new_frame(layout: Layout, context: Mapping[str, Any], run: Run, size: int) -> Frame:
    """Return a frame with the variables of the context; one that is absent is null."""
    get = context.get
    variables = [to_feel(get(name)) for name in layout.variables]
    return [run, None, *variables, *[None] * (size - layout.size)]


def run_program(program: Program, frame: Frame) -> Any:
    """Run under FEEL's decimal context. A limit gives null with a diagnostic; nothing is raised."""
    run: Run = frame[0]
    try:
        with localcontext(DECIMAL_CONTEXT):
            return program.run_on(frame)
    except FeelLimitError as error:
        return run.note("limit", error.message)
    except RecursionError:
        return run.note("limit", "the evaluation is nested too deep (`calls_max`)")


class Expression:
    """A compiled expression. It may be evaluated in several threads at once."""

    __slots__ = ("_layout", "_limits", "_program")

    def __init__(self, layout: Layout, program: Program, limits: Limits) -> None:
        self._layout = layout
        self._program = program
        self._limits = limits

    @property
    def text(self) -> str:
        """The text it was compiled from."""
        return self._program.text

    @property
    def tree(self) -> Node | Tests:
        """The checked tree."""
        return self._program.tree

    def evaluate(self, context: Mapping[str, Any] | None = None) -> FeelValue:
        """Return the value; a variable that the context lacks is null. Never raises for what the text does."""
        return self.explain(context).value

    def explain(self, context: Mapping[str, Any] | None = None) -> Result:
        """Return the value with the diagnostics."""
        run = Run(self._limits)
        frame = new_frame(self._layout, context or {}, run, self._program.size)
        value = run_program(self._program, frame)
        return Result(value=value, diagnostics=tuple(run.diagnostics))


class UnaryTests(Expression):
    """A compiled cell."""

    __slots__ = ()

    def test(self, value: Any, context: Mapping[str, Any] | None = None) -> bool | None:
        """Tell whether the value meets the cell; null where that is not known."""
        return self.explain_test(value, context).value  # type: ignore[return-value]

    def explain_test(self, value: Any, context: Mapping[str, Any] | None = None) -> Result:
        """Return true, false or null with the diagnostics."""
        run = Run(self._limits)
        frame = new_frame(self._layout, context or {}, run, self._program.size)
        frame[INPUT_SLOT] = to_feel(value)
        found = run_program(self._program, frame)
        return Result(value=found if type(found) is bool else None, diagnostics=tuple(run.diagnostics))


def compile_expression(
    text: str, names: Iterable[str] = (), *, properties: Iterable[str] = (), limits: Limits = DEFAULT_LIMITS
) -> Expression:
    """Compile an expression.

    `names` are the variables that may be used (they may hold spaces and operators); `properties` are entries of
    contexts whose names hold spaces. Raises `FeelError` with the place: a syntax error, an unknown name, a limit.
    """
    layout = Layout(names, properties)
    return Expression(layout, compile_in(layout, text, limits=limits), limits)


def compile_unary_tests(
    text: str,
    names: Iterable[str] = (),
    *,
    properties: Iterable[str] = (),
    unknown_nulls: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> UnaryTests:
    """Compile a cell of a decision table.

    With `unknown_nulls` (the desk's reading) null is unknown: only a test that names null can be met by it. Without, a
    null is unequal to every value, as in the standard, so that `not("a")` is met by null.
    """
    layout = Layout(names, properties)
    return UnaryTests(layout, compile_tests_in(layout, text, unknown_nulls=unknown_nulls, limits=limits), limits)
