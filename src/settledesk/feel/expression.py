"""The public face of the language: compile a text once, evaluate it as often as wanted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import localcontext
from typing import Any

from settledesk.feel.checker import INPUT_SLOT, Checker, Layout
from settledesk.feel.compiler import Compiled, Compiler, Frame
from settledesk.feel.errors import Diagnostic, FeelLimitError
from settledesk.feel.forms import type_expression
from settledesk.feel.limits import DEFAULT_LIMITS, Limits
from settledesk.feel.names import NameTable
from settledesk.feel.parser import Parser
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.tree import Node, Tests, TypeExpression
from settledesk.feel.types import resolved
from settledesk.feel.values import FeelValue, from_feel, to_feel


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
    compiler = Compiler(unknown_nulls=unknown_nulls)
    try:
        checked = checker.node(tree)
        return Program(text=text, tree=checked, run_on=compiler.node(checked), size=checker.size)
    except RecursionError as error:
        raise _too_deep(text) from error


def compile_tests_in(
    layout: Layout, text: str, *, unknown_nulls: bool = True, limits: Limits = DEFAULT_LIMITS
) -> Program:
    """Compile a cell whose variables stand in `layout`; raises `FeelError` with the place."""
    tree = Parser(text, layout.names.extended(()), layout.properties.extended(()), limits).whole_tests()
    checker = Checker(text, layout, input_allowed=True)
    compiler = Compiler(unknown_nulls=unknown_nulls)
    try:
        checked = checker.tests(tree)
        return Program(text=text, tree=checked, run_on=compiler.tests(checked), size=checker.size)
    except RecursionError as error:
        raise _too_deep(text) from error


def _too_deep(text: str) -> FeelLimitError:
    return FeelLimitError("depth_max", "an expression is nested too deep for the place it is compiled at", text=text)


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

    def evaluate(self, context: Mapping[str, Any] | None = None, *, now: datetime | None = None) -> FeelValue:
        """Return the value; a variable that the context lacks is null. Never raises for what the text does.

        `now` is what `now()` and `today()` say; without it they are null. Dates, times and lengths of time come back as
        those of the standard library, where these hold them exactly.
        """
        return self.explain(context, now=now).value

    def explain(self, context: Mapping[str, Any] | None = None, *, now: datetime | None = None) -> Result:
        """Return the value with the diagnostics."""
        run = Run(self._limits, None if now is None else lambda: now)
        frame = new_frame(self._layout, context or {}, run, self._program.size)
        value = run_program(self._program, frame)
        return Result(value=from_feel(value), diagnostics=tuple(run.diagnostics))


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
    text: str,
    names: Iterable[str] = (),
    *,
    properties: Iterable[str] = (),
    types: Mapping[str, str] | None = None,
    standard: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Expression:
    """Compile an expression.

    `names` are the variables that may be used (they may hold spaces and operators); `properties` are entries of
    contexts whose names hold spaces; `types` are types that the text may name, written as FEEL writes types. With
    `standard` an invocation with wrong arguments is null where it stands, as DMN 1.5 says; else it is an error here.
    Raises `FeelError` with the place: a syntax error, an unknown name, a limit.

    >>> compile_expression("Monthly fee * 12", names=["Monthly fee"]).evaluate({"Monthly fee": 9.5})
    Decimal('114.0')
    >>> result = compile_expression("order.total / order.lines", names=["order"]).explain({"order": {"total": 10}})
    >>> print(result.value, [diagnostic.message for diagnostic in result.diagnostics][0], sep=": ")
    None: the context has no entry `lines`
    >>> compile_expression("totl + 1", names=["total"])
    Traceback (most recent call last):
        ...
    settledesk.feel.errors.UnknownNameError: `totl` is not a known name; did you mean `total`
    totl + 1
    ^
    >>> compile_expression("{n: 3} instance of tLine", types={"tLine": "context<n: number>"}).evaluate()
    True
    """
    layout = Layout(names, properties, _named_types(types or {}), standard=standard)
    return Expression(layout, compile_in(layout, text, limits=limits), limits)


def _named_types(texts: Mapping[str, str]) -> dict[str, TypeExpression]:
    """Return the types by name; each may name those before it."""
    made: dict[str, TypeExpression] = {}
    for name, text in texts.items():
        parser = Parser(text, NameTable(made), NameTable())
        made[name] = resolved(type_expression(parser), made)
        if not parser.scan.at_end():
            raise parser.scan.error("a type ends here")
    return made


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
    null is unequal to every value, as in the standard, so that `not("a")` is met by null. Raises as
    `compile_expression` does.

    >>> cell = compile_unary_tests('not("red", "blue")')
    >>> cell.test("green"), cell.test("red"), cell.test(None)
    (True, False, None)
    >>> compile_unary_tests("> floor price * 1.2", names=["floor price"]).test(13, {"floor price": 10})
    True
    """
    layout = Layout(names, properties, standard=not unknown_nulls)
    return UnaryTests(layout, compile_tests_in(layout, text, unknown_nulls=unknown_nulls, limits=limits), limits)
