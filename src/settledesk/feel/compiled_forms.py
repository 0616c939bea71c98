"""Closures for what declares, repeats or invokes: loops, functions, filters, paths; and for what makes a value."""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from settledesk.feel import loops
from settledesk.feel.builtins import BUILTINS
from settledesk.feel.run import Run
from settledesk.feel.tree import (
    BuiltinName,
    ContextLiteral,
    Filter,
    For,
    FunctionLiteral,
    Invoke,
    ListLiteral,
    Node,
    Path,
    Quantified,
    RangeLiteral,
    TypeExpression,
)
from settledesk.feel.types import coerced, known_type, text_of_type
from settledesk.feel.values import Function, Range, type_name

Frame: TypeAlias = list[Any]
Compiled: TypeAlias = Callable[[Frame], Any]


class Compiles(Protocol):
    """The compiler, as far as a form needs it. `compiled` counts the nodes so far."""

    compiled: int

    def node(self, node: Node) -> Compiled:
        """Compile an expression."""
        ...


NODES_PER_STEP = 8


def _weighed(compiler: Compiles, node: Node) -> tuple[Compiled, int]:
    """Compile what is run again and again; return it with the steps that one run of it costs."""
    before = compiler.compiled
    made = compiler.node(node)
    return made, 1 + (compiler.compiled - before) // NODES_PER_STEP


def _sources(compiler: Compiles, node: For | Quantified) -> list[loops.Source]:
    return [
        loops.Source(
            slot=iterator.slot,
            start=compiler.node(iterator.source),
            end=None if iterator.end is None else compiler.node(iterator.end),
            position=iterator.position,
        )
        for iterator in node.iterators
    ]


def _for(compiler: Compiles, node: For) -> Compiled:
    sources = _sources(compiler, node)
    (body, steps), partial_slot = _weighed(compiler, node.body), node.partial_slot

    def results(frame: Frame) -> Any:
        made: list[Any] = []
        longest = frame[0].limits.list_max
        for _ in loops.combinations(sources, frame):
            frame[0].spend(steps)
            if partial_slot >= 0:
                frame[0].spend(len(made))
                frame[partial_slot] = made.copy()
            made.append(body(frame))
            if len(made) > longest:
                frame[0].made_list(len(made))
        return made

    return loops.null_if_sources_fail(results)


def _quantified(compiler: Compiles, node: Quantified) -> Compiled:
    sources = _sources(compiler, node)
    (condition, steps), decisive, position = _weighed(compiler, node.condition), not node.every, node.position

    def decided(frame: Frame) -> Any:
        unknown = False
        for _ in loops.combinations(sources, frame):
            frame[0].spend(steps)
            value = condition(frame)
            if value is decisive:
                return decisive
            if type(value) is not bool:
                unknown = True
                if value is not None:
                    frame[0].note("type", f"a condition must be a boolean, not a {type_name(value)}", position)
        return None if unknown else not decisive

    return loops.null_if_sources_fail(decided)


def _function(compiler: Compiles, node: FunctionLiteral) -> Compiled:
    (body, steps), slots, parameters = _weighed(compiler, node.body), node.slots, node.parameters
    types, position = node.types, node.position
    checked = [(index, wanted) for index, wanted in enumerate(types) if wanted is not None and known_type(wanted)]

    def make(frame: Frame) -> Function:
        frame[0].spend(1 + len(frame) // NODES_PER_STEP)
        captured = frame.copy()

        def call(run: Run, arguments: list[Any]) -> Any:
            if checked and not _coerce_arguments(run, arguments, checked, position):
                return None
            run.spend(steps + len(captured) // NODES_PER_STEP)
            inner = captured.copy()
            inner[0] = run
            for slot, value in zip(slots, arguments, strict=True):
                inner[slot] = value
            run.enter_call()
            try:
                return body(inner)
            finally:
                run.calls -= 1

        return Function(parameters=parameters, call=call, types=types)

    return make


def _coerce_arguments(run: Run, arguments: list[Any], wanted: list[tuple[int, TypeExpression]], position: int) -> bool:
    """Make each argument one of its parameter's type, in place; note the first that cannot be."""
    for index, one in wanted:
        fits, arguments[index] = coerced(given := arguments[index], one)
        if not fits:
            run.note("argument", f"a {type_name(given)} is given where `{text_of_type(one)}` is declared", position)
            return False
    return True


def _invoke(compiler: Compiles, node: Invoke) -> Compiled:
    arguments = [compiler.node(argument) for argument in node.arguments]
    names, position = node.names, node.position
    if isinstance(node.function, BuiltinName):
        builtin = BUILTINS[node.function.name]
        return lambda frame: builtin.invoke(frame[0], [argument(frame) for argument in arguments], names, position)
    function = compiler.node(node.function)

    def invoked(frame: Frame) -> Any:
        called = function(frame)
        if type(called) is not Function:
            return frame[0].note("type", f"a {type_name(called)} cannot be invoked", position)
        return loops.call_function(frame[0], called, [argument(frame) for argument in arguments], names, position)

    return invoked


def _path(compiler: Compiles, node: Path) -> Compiled:
    base, name, position = compiler.node(node.base), node.name, node.position
    return lambda frame: loops.path(base(frame), name, frame[0], position)


def _filter(compiler: Compiles, node: Filter) -> Compiled:
    base, (condition, steps) = compiler.node(node.base), _weighed(compiler, node.condition)
    slot, position = node.item_slot, node.position

    def chosen(frame: Frame) -> Any:
        found = base(frame)
        if type(found) is list:
            frame[0].spend(len(found) * (steps - 1))
        return loops.filtered(found, condition, frame, slot, position)

    return chosen


def _context(compiler: Compiles, node: ContextLiteral) -> Compiled:
    entries = [(key, compiler.node(value), slot) for (key, value), slot in zip(node.entries, node.slots, strict=True)]

    def made(frame: Frame) -> dict[str, Any]:
        context: dict[str, Any] = {}
        for key, value, slot in entries:
            context[key] = frame[slot] = value(frame)
        return context

    return made


def _list(compiler: Compiles, node: ListLiteral) -> Compiled:
    items = [compiler.node(item) for item in node.items]
    return lambda frame: [item(frame) for item in items]


def _range(compiler: Compiles, node: RangeLiteral) -> Compiled:
    low = None if node.low is None else compiler.node(node.low)
    high = None if node.high is None else compiler.node(node.high)
    low_included, high_included, operator, position = (
        node.low_included,
        node.high_included,
        node.operator,
        node.position,
    )

    def made(frame: Frame) -> Any:
        bottom = None if low is None else low(frame)
        top = None if high is None else high(frame)
        if (low is not None and bottom is None) or (high is not None and top is None):
            return frame[0].note("null", "an end of a range is null", position)
        if low is not None and high is not None and type(bottom) is not type(top):
            return frame[0].note("type", "the ends of a range are of different types", position)
        return Range(low=bottom, high=top, low_included=low_included, high_included=high_included, operator=operator)

    return made


KINDS: dict[type, Callable[[Compiles, Any], Compiled]] = {
    For: _for,
    Quantified: _quantified,
    FunctionLiteral: _function,
    Invoke: _invoke,
    Path: _path,
    Filter: _filter,
    ContextLiteral: _context,
    ListLiteral: _list,
    RangeLiteral: _range,
}
