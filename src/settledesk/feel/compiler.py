"""Checked tree to a Python function. Each node becomes one closure over the frame; the text is never evaluated as code.

With `unknown_nulls` a comparison for equality with a null is null, unless the null is written in the text: null means
unknown, and unknown is neither equal nor unequal to anything. Without it, equality follows the standard.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from settledesk.feel import loops, temporal
from settledesk.feel.arithmetic import ARITHMETIC
from settledesk.feel.builtins import BUILTINS
from settledesk.feel.checker import INPUT_SLOT
from settledesk.feel.operators import COMPARISONS, any_of, belongs, less_or_equal, negate
from settledesk.feel.run import Run
from settledesk.feel.tree import (
    Arithmetic,
    Between,
    BuiltinName,
    CompareTest,
    Comparison,
    ContextLiteral,
    Filter,
    For,
    FunctionLiteral,
    If,
    In,
    InputMark,
    InstanceOf,
    Invoke,
    ItemProperty,
    Junction,
    ListLiteral,
    Literal,
    Negate,
    Node,
    Path,
    Quantified,
    RangeLiteral,
    Slot,
    Test,
    Tests,
    ValueTest,
)
from settledesk.feel.types import is_instance, known_type
from settledesk.feel.values import Function, Range, type_name

Frame: TypeAlias = list[Any]
Compiled: TypeAlias = Callable[[Frame], Any]


class Compiler:
    """Compiles checked trees of one text."""

    def __init__(self, *, unknown_nulls: bool) -> None:
        self._unknown_nulls = unknown_nulls

    def node(self, node: Node) -> Compiled:
        """Compile an expression to a function from a frame to a value."""
        compile_kind: Callable[[Compiler, Any], Compiled] = _KINDS[type(node)]
        return compile_kind(self, node)

    def tests(self, tests: Tests) -> Compiled:
        """Compile a cell to a function from a frame, whose input slot is set, to true, false or null."""
        if not tests.tests:
            return lambda _: True
        any_test = self._any(tests.tests)
        if not tests.negated:
            return any_test

        def negated(frame: Frame) -> Any:
            found = any_test(frame)
            return None if found is None else not found

        return negated

    def _any(self, tests: tuple[Test, ...]) -> Compiled:
        compiled = [self._test(test) for test in tests]
        if len(compiled) == 1:
            return compiled[0]
        return lambda frame: any_of([test(frame) for test in compiled])

    def _test(self, test: Test) -> Compiled:
        if isinstance(test, CompareTest):
            return self._compare_test(test)
        if isinstance(test.value, Literal):
            return self._literal_test(test.value.value)
        value = self.node(test.value)
        if test.mentions_input:
            return self._input_test(value)
        return self._value_test(value, test)

    def _compare_test(self, test: CompareTest) -> Compiled:
        compare = COMPARISONS[test.operator]
        operand = self.node(test.operand)
        written_null = isinstance(test.operand, Literal) and test.operand.value is None
        unknown = self._unknown_nulls and test.operator in ("=", "!=") and not written_null

        def compared(frame: Frame) -> Any:
            bound = operand(frame)
            if unknown and (bound is None or frame[INPUT_SLOT] is None):
                return None
            return compare(frame[INPUT_SLOT], bound, frame[0])

        return compared

    def _literal_test(self, expected: Any) -> Compiled:
        if expected is None:
            return lambda frame: frame[INPUT_SLOT] is None
        equal = COMPARISONS["="]
        when_null = None if self._unknown_nulls else False

        def tested(frame: Frame) -> Any:
            value = frame[INPUT_SLOT]
            return when_null if value is None else equal(value, expected, frame[0])

        return tested

    def _input_test(self, value: Compiled) -> Compiled:
        def tested(frame: Frame) -> Any:
            found = value(frame)
            if found is None or found is True or found is False:
                return found
            return belongs(frame[INPUT_SLOT], found, frame[0])

        return tested

    def _value_test(self, value: Compiled, test: ValueTest) -> Compiled:
        unknown = self._unknown_nulls
        condition = test.mentions_variables and isinstance(test.value, _CONDITIONS)
        position = test.position

        def tested(frame: Frame) -> Any:
            given = frame[INPUT_SLOT]
            found = value(frame)
            if (found is True or found is False) and type(given) is not bool:
                if condition:
                    return found
                if given is None:
                    return None
                return frame[0].note("type", f"a {type_name(given)} cannot be compared with a boolean", position)
            if unknown and (found is None or (given is None and type(found) is not list)):
                return None
            if unknown and given is None and None not in found:
                return None
            return belongs(given, found, frame[0])

        return tested

    def _literal(self, node: Literal) -> Compiled:
        value = node.value
        return lambda _: value

    def _slot(self, node: Slot) -> Compiled:
        slot = node.slot
        return lambda frame: frame[slot]

    def _input(self, _node: InputMark) -> Compiled:
        return lambda frame: frame[INPUT_SLOT]

    def _builtin_name(self, node: BuiltinName) -> Compiled:
        function = BUILTINS[node.name].as_function()
        return lambda _: function

    def _item_property(self, node: ItemProperty) -> Compiled:
        slot, name, position = node.item_slot, node.name, node.position
        outer = None if node.outer is None else self.node(node.outer)

        def found(frame: Frame) -> Any:
            item = frame[slot]
            if type(item) is dict and name in item:
                return item[name]
            if outer is not None:
                return outer(frame)
            properties = temporal.PROPERTIES.get(type(item), {})
            if name in properties:
                return properties[name](item)
            return frame[0].note("missing", f"the item has no entry `{name}`", position)

        return found

    def _negate(self, node: Negate) -> Compiled:
        operand, position = self.node(node.operand), node.position
        return lambda frame: negate(operand(frame), frame[0], position)

    def _arithmetic(self, node: Arithmetic) -> Compiled:
        operate = ARITHMETIC[node.operator]
        left, right, position = self.node(node.left), self.node(node.right), node.position
        return lambda frame: operate(left(frame), right(frame), frame[0], position)

    def _comparison(self, node: Comparison) -> Compiled:
        compare = COMPARISONS[node.operator]
        left, right = self.node(node.left), self.node(node.right)
        written_null = any(isinstance(side, Literal) and side.value is None for side in (node.left, node.right))
        if not self._unknown_nulls or written_null or node.operator not in ("=", "!="):
            return lambda frame: compare(left(frame), right(frame), frame[0])

        def compared(frame: Frame) -> Any:
            one, other = left(frame), right(frame)
            return None if one is None or other is None else compare(one, other, frame[0])

        return compared

    def _junction(self, node: Junction) -> Compiled:
        parts = [self.node(part) for part in node.parts]
        decisive = not node.conjunction

        def joined(frame: Frame) -> Any:
            unknown = False
            for part in parts:
                value = part(frame)
                if value is decisive:
                    return decisive
                unknown = unknown or type(value) is not bool
            return None if unknown else not decisive

        return joined

    def _between(self, node: Between) -> Compiled:
        value, low, high = self.node(node.value), self.node(node.low), self.node(node.high)

        def between(frame: Frame) -> Any:
            given, run = value(frame), frame[0]
            above = less_or_equal(low(frame), given, run)
            below = less_or_equal(given, high(frame), run)
            if above is False or below is False:
                return False
            return None if above is None or below is None else True

        return between

    def _in(self, node: In) -> Compiled:
        value, test = self.node(node.value), self._any(node.tests)

        def within(frame: Frame) -> Any:
            given, outer = value(frame), frame[INPUT_SLOT]
            frame[INPUT_SLOT] = given
            try:
                return test(frame)
            finally:
                frame[INPUT_SLOT] = outer

        return within

    def _instance_of(self, node: InstanceOf) -> Compiled:
        value, wanted, position = self.node(node.value), node.type, node.position
        if not known_type(wanted):
            return lambda frame: frame[0].note("type", f"`{wanted.name}` is not a known type", position)
        return lambda frame: is_instance(value(frame), wanted)

    def _if(self, node: If) -> Compiled:
        condition, yes, no = self.node(node.condition), self.node(node.yes), self.node(node.no)
        return lambda frame: yes(frame) if condition(frame) is True else no(frame)

    def _for(self, node: For) -> Compiled:
        sources = self._sources(node)
        body, partial_slot = self.node(node.body), node.partial_slot

        def results(frame: Frame) -> Any:
            made: list[Any] = []
            longest = frame[0].limits.list_max
            for _ in loops.combinations(sources, frame):
                if partial_slot >= 0:
                    frame[0].spend(len(made))
                    frame[partial_slot] = made.copy()
                made.append(body(frame))
                if len(made) > longest:
                    frame[0].made_list(len(made))
            return made

        return loops.null_if_sources_fail(results)

    def _sources(self, node: For | Quantified) -> list[loops.Source]:
        return [
            loops.Source(
                slot=iterator.slot,
                start=self.node(iterator.source),
                end=None if iterator.end is None else self.node(iterator.end),
                position=iterator.position,
            )
            for iterator in node.iterators
        ]

    def _quantified(self, node: Quantified) -> Compiled:
        sources = self._sources(node)
        condition, decisive = self.node(node.condition), not node.every

        def decided(frame: Frame) -> Any:
            unknown = False
            for _ in loops.combinations(sources, frame):
                value = condition(frame)
                if value is decisive:
                    return decisive
                unknown = unknown or type(value) is not bool
            return None if unknown else not decisive

        return loops.null_if_sources_fail(decided)

    def _function(self, node: FunctionLiteral) -> Compiled:
        body, slots, parameters = self.node(node.body), node.slots, node.parameters
        types = node.types

        def make(frame: Frame) -> Function:
            captured = frame.copy()

            def call(run: Run, arguments: list[Any]) -> Any:
                for value, wanted in zip(arguments, types, strict=True):
                    if (
                        wanted is not None
                        and value is not None
                        and known_type(wanted)
                        and not is_instance(value, wanted)
                    ):
                        return run.note("argument", f"a {type_name(value)} is given for a {wanted.name}", node.position)
                inner = captured.copy()
                inner[0] = run
                for slot, value in zip(slots, arguments, strict=True):
                    inner[slot] = value
                run.enter_call()
                try:
                    return body(inner)
                finally:
                    run.calls -= 1

            return Function(parameters=parameters, call=call)

        return make

    def _invoke(self, node: Invoke) -> Compiled:
        arguments = [self.node(argument) for argument in node.arguments]
        names, position = node.names, node.position
        if isinstance(node.function, BuiltinName):
            builtin = BUILTINS[node.function.name]
            return lambda frame: builtin.invoke(frame[0], [argument(frame) for argument in arguments], names, position)
        function = self.node(node.function)

        def invoked(frame: Frame) -> Any:
            called = function(frame)
            if type(called) is not Function:
                return frame[0].note("type", f"a {type_name(called)} cannot be invoked", position)
            return loops.call_function(frame[0], called, [argument(frame) for argument in arguments], names, position)

        return invoked

    def _path(self, node: Path) -> Compiled:
        base, name, position = self.node(node.base), node.name, node.position
        return lambda frame: loops.path(base(frame), name, frame[0], position)

    def _filter(self, node: Filter) -> Compiled:
        base, condition, slot, position = self.node(node.base), self.node(node.condition), node.item_slot, node.position

        def filtered(frame: Frame) -> Any:
            return loops.filtered(base(frame), condition, frame, slot, position)

        return filtered

    def _context(self, node: ContextLiteral) -> Compiled:
        entries = [(key, self.node(value), slot) for (key, value), slot in zip(node.entries, node.slots, strict=True)]

        def made(frame: Frame) -> dict[str, Any]:
            context: dict[str, Any] = {}
            for key, value, slot in entries:
                context[key] = frame[slot] = value(frame)
            return context

        return made

    def _list(self, node: ListLiteral) -> Compiled:
        items = [self.node(item) for item in node.items]
        return lambda frame: [item(frame) for item in items]

    def _range(self, node: RangeLiteral) -> Compiled:
        low = None if node.low is None else self.node(node.low)
        high = None if node.high is None else self.node(node.high)

        def made(frame: Frame) -> Any:
            bottom = None if low is None else low(frame)
            top = None if high is None else high(frame)
            if (low is not None and bottom is None) or (high is not None and top is None):
                return None
            if low is not None and high is not None and type(bottom) is not type(top):
                return frame[0].note("type", "the ends of a range are of different types", node.position)
            return Range(low=bottom, high=top, low_included=node.low_included, high_included=node.high_included)

        return made


_CONDITIONS = (Comparison, Junction, Between, In, InstanceOf, Quantified, Invoke)
"""A cell of this kind that looks at other variables is a condition; any other value is compared with the input."""

_KINDS: dict[type, Any] = {
    Literal: Compiler._literal,
    Slot: Compiler._slot,
    InputMark: Compiler._input,
    BuiltinName: Compiler._builtin_name,
    ItemProperty: Compiler._item_property,
    Negate: Compiler._negate,
    Arithmetic: Compiler._arithmetic,
    Comparison: Compiler._comparison,
    Junction: Compiler._junction,
    Between: Compiler._between,
    In: Compiler._in,
    InstanceOf: Compiler._instance_of,
    If: Compiler._if,
    For: Compiler._for,
    Quantified: Compiler._quantified,
    FunctionLiteral: Compiler._function,
    Invoke: Compiler._invoke,
    Path: Compiler._path,
    Filter: Compiler._filter,
    ContextLiteral: Compiler._context,
    ListLiteral: Compiler._list,
    RangeLiteral: Compiler._range,
}
