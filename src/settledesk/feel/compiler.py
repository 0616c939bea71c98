"""Checked tree to a Python function. Each node becomes one closure over the frame; the text is never evaluated as code.

With `unknown_nulls` a comparison for equality with a null is null, unless the null is written in the text: null means
unknown, and unknown is neither equal nor unequal to anything. Without it, equality follows the standard.
"""

from collections.abc import Callable
from typing import Any

from settledesk.feel import temporal
from settledesk.feel.arithmetic import ARITHMETIC
from settledesk.feel.builtins import BUILTINS
from settledesk.feel.compiled_forms import KINDS, Compiled, Frame
from settledesk.feel.layout import INPUT_SLOT
from settledesk.feel.loops import path
from settledesk.feel.operators import COMPARISONS, any_of, belongs, belongs_by_letter, less_or_equal, negate
from settledesk.feel.tree import (
    Arithmetic,
    Between,
    BuiltinName,
    CompareTest,
    Comparison,
    If,
    In,
    InputMark,
    InstanceOf,
    Invoke,
    ItemProperty,
    Junction,
    Literal,
    Negate,
    Node,
    Quantified,
    RangeLiteral,
    Slot,
    Test,
    Tests,
    ValueTest,
)
from settledesk.feel.types import is_instance, known_type
from settledesk.feel.values import type_name

__all__ = ["Compiled", "Compiler", "Frame"]


class Compiler:
    """Compiles checked trees of one text."""

    def __init__(self, *, unknown_nulls: bool) -> None:
        self._unknown_nulls = unknown_nulls
        self.compiled = 0

    def node(self, node: Node) -> Compiled:
        """Compile an expression to a function from a frame to a value."""
        self.compiled += 1
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
            return self._literal_test(test.value.value, test.position)
        value = self.node(test.value)
        if test.mentions_input:
            return self._input_test(value, test.position)
        return self._value_test(value, test)

    def _compare_test(self, test: CompareTest) -> Compiled:
        compare = COMPARISONS[test.operator]
        operand = self.node(test.operand)
        written_null = isinstance(test.operand, Literal) and test.operand.value is None
        unknown = self._unknown_nulls and test.operator in ("=", "!=") and not written_null

        position = test.position

        def compared(frame: Frame) -> Any:
            bound = operand(frame)
            frame[0].place = position
            if unknown and (bound is None or frame[INPUT_SLOT] is None):
                return None
            return compare(frame[INPUT_SLOT], bound, frame[0])

        return compared

    def _literal_test(self, expected: Any, position: int) -> Compiled:
        if expected is None:
            return lambda frame: frame[INPUT_SLOT] is None
        equal = COMPARISONS["="]
        when_null = None if self._unknown_nulls else False

        def tested(frame: Frame) -> Any:
            value = frame[INPUT_SLOT]
            frame[0].place = position
            return when_null if value is None else equal(value, expected, frame[0])

        return tested

    def _input_test(self, value: Compiled, position: int) -> Compiled:
        meets = belongs if self._unknown_nulls else belongs_by_letter

        def tested(frame: Frame) -> Any:
            found = value(frame)
            if found is None or found is True or found is False:
                return found
            frame[0].place = position
            return meets(frame[INPUT_SLOT], found, frame[0])

        return tested

    def _value_test(self, value: Compiled, test: ValueTest) -> Compiled:
        unknown = self._unknown_nulls
        condition = test.mentions_variables and isinstance(test.value, _CONDITIONS)
        position = test.position
        is_range = isinstance(test.value, RangeLiteral)
        meets = belongs if unknown else belongs_by_letter

        def tested(frame: Frame) -> Any:
            given = frame[INPUT_SLOT]
            found = value(frame)
            frame[0].place = position
            if (found is True or found is False) and type(given) is not bool:
                if condition:
                    return found
                if given is None:
                    return None if unknown else False
                return frame[0].note("type", f"a {type_name(given)} cannot be compared with a boolean", position)
            if unknown and (found is None or (given is None and type(found) is not list)):
                return None
            if found is None and is_range:
                return None
            if unknown and given is None and None not in found:
                return None
            return meets(given, found, frame[0])

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
            if name in temporal.PROPERTIES.get(type(item), {}):
                return path(item, name, frame[0], position)
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
        unknown = self._unknown_nulls and not written_null and node.operator in ("=", "!=")
        position = node.position

        def compared(frame: Frame) -> Any:
            one, other = left(frame), right(frame)
            frame[0].place = position
            return None if unknown and (one is None or other is None) else compare(one, other, frame[0])

        return compared

    def _junction(self, node: Junction) -> Compiled:
        parts = [(self.node(part), part.position) for part in node.parts]
        decisive = not node.conjunction

        def joined(frame: Frame) -> Any:
            unknown = False
            for part, position in parts:
                value = part(frame)
                if value is decisive:
                    return decisive
                if type(value) is not bool:
                    unknown = True
                    if value is not None:
                        frame[0].note("type", f"a {type_name(value)} is neither true nor false", position)
            return None if unknown else not decisive

        return joined

    def _between(self, node: Between) -> Compiled:
        value, low, high = self.node(node.value), self.node(node.low), self.node(node.high)
        position = node.position

        def between(frame: Frame) -> Any:
            given, run = value(frame), frame[0]
            bottom, top = low(frame), high(frame)
            run.place = position
            above = less_or_equal(bottom, given, run)
            below = less_or_equal(given, top, run)
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
        position = node.condition.position

        def chosen(frame: Frame) -> Any:
            found = condition(frame)
            if found is True:
                return yes(frame)
            if found is not False and found is not None:
                frame[0].note("type", f"a condition must be a boolean, not a {type_name(found)}", position)
            return no(frame)

        return chosen


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
    **KINDS,
}
