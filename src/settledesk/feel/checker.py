"""Tree to checked tree: every name is resolved to a slot of the frame or to a built-in, or is an error with a place."""

from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TypedDict

from settledesk.feel.builtins import BUILTINS
from settledesk.feel.errors import FeelCallError, FeelError, UnknownNameError
from settledesk.feel.layout import INPUT_SLOT, Layout
from settledesk.feel.names import spelling
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
    Iterator,
    Junction,
    ListLiteral,
    Literal,
    Name,
    Negate,
    Node,
    Path,
    Quantified,
    RangeLiteral,
    Slot,
    Test,
    Tests,
    TypeExpression,
    ValueTest,
)
from settledesk.feel.types import resolved

__all__ = ["INPUT_SLOT", "Checker", "Layout"]


class _Place(TypedDict):
    text: str
    position: int


@dataclass(slots=True)
class _Scope:
    """What is declared around a place, innermost last; an item scope belongs to a filter."""

    names: dict[str, int] = field(default_factory=dict)
    item_slot: int | None = None


@dataclass(slots=True)
class _Mentions:
    input: bool = False
    variables: bool = False


class Checker:
    """Checks one expression or cell. `size` is afterwards the length of the frame that it needs."""

    def __init__(self, text: str, layout: Layout, *, input_allowed: bool) -> None:
        self.size = layout.size
        self._text = text
        self._layout = layout
        self._input_allowed = input_allowed
        self._scopes: list[_Scope] = []
        self._mentions = _Mentions()

    def tests(self, tests: Tests) -> Tests:
        """Check a cell."""
        checked = tuple(self._test(test) for test in tests.tests)
        unchanged = all(one is other for one, other in zip(checked, tests.tests, strict=True))
        return tests if unchanged else replace(tests, tests=checked)

    def _test(self, test: Test) -> Test:
        if isinstance(test.value if isinstance(test, ValueTest) else test.operand, Literal):
            return test
        outer, self._mentions = self._mentions, _Mentions()
        if isinstance(test, CompareTest):
            checked: Test = replace(test, operand=self.node(test.operand))
        else:
            value = self.node(test.value)
            seen = self._mentions
            checked = replace(test, value=value, mentions_input=seen.input, mentions_variables=seen.variables)
        outer.input = outer.input or self._mentions.input
        outer.variables = outer.variables or self._mentions.variables
        self._mentions = outer
        return checked

    def node(self, node: Node) -> Node:
        """Check an expression."""
        match node:
            case Literal():
                return node
            case Name():
                return self._name(node)
            case InputMark():
                return self._input(node)
            case Invoke():
                return self._invoke(node)
            case For() | Quantified():
                return self._loop(node)
            case FunctionLiteral():
                return self._function(node)
            case ContextLiteral():
                return self._context(node)
            case Filter():
                return self._filter(node)
        return self._plain(node)

    def _plain(self, node: Node) -> Node:
        match node:
            case Negate():
                return _negated(replace(node, operand=self.node(node.operand)))
            case Arithmetic() | Comparison():
                return replace(node, left=self.node(node.left), right=self.node(node.right))
            case Junction():
                return replace(node, parts=self._all(node.parts))
            case Between():
                low, high = self.node(node.low), self.node(node.high)
                return replace(node, value=self.node(node.value), low=low, high=high)
            case In():
                return self._in(node)
            case InstanceOf():
                return replace(node, value=self.node(node.value), type=self._type(node.type))
            case If():
                condition = self.node(node.condition)
                return replace(node, condition=condition, yes=self.node(node.yes), no=self.node(node.no))
            case Path():
                return replace(node, base=self.node(node.base))
            case ListLiteral():
                return replace(node, items=self._all(node.items))
            case RangeLiteral():
                low_node = None if node.low is None else self.node(node.low)
                high_node = None if node.high is None else self.node(node.high)
                if low_node is node.low and high_node is node.high:
                    return node
                return replace(node, low=low_node, high=high_node)
        raise AssertionError(f"the parser made a `{type(node).__name__}`")

    def _type(self, wanted: TypeExpression) -> TypeExpression:
        return resolved(wanted, self._layout.types)

    def _all(self, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        return tuple(self.node(node) for node in nodes)

    def _input(self, node: InputMark) -> Node:
        if not self._input_allowed:
            raise FeelError("`?` stands for a table's input and has no meaning here", **self._place(node.position))
        self._mentions.input = True
        return node

    def _in(self, node: In) -> Node:
        value = self.node(node.value)
        allowed, self._input_allowed = self._input_allowed, True
        outer, self._mentions = self._mentions, _Mentions()
        tests = tuple(self._test(test) for test in node.tests)
        outer.variables = outer.variables or self._mentions.variables
        self._mentions = outer
        self._input_allowed = allowed
        return replace(node, value=value, tests=tests)

    def _place(self, position: int) -> _Place:
        return {"text": self._text, "position": position}

    def _name(self, node: Name, *, invoked: bool = False) -> Node:
        name = node.name
        for index in range(len(self._scopes) - 1, -1, -1):
            scope = self._scopes[index]
            if scope.item_slot is not None:
                return self._item_property(node, scope.item_slot, index, invoked=invoked)
            if name in scope.names:
                self._mentions.variables = True
                return Slot(position=node.position, name=name, slot=scope.names[name])
        return self._outermost(node)

    def _item_property(self, node: Name, item_slot: int, depth: int, *, invoked: bool) -> Node:
        """Resolve a name inside a filter: the item may have such an entry, else the name is that of the outside.

        A built-in that is invoked is meant as such.
        """
        if node.name == "item":
            outer: Node | None = Slot(position=node.position, name="item", slot=item_slot)
        else:
            outer = self._outside(node, depth, invoked=invoked)
        if invoked and isinstance(outer, BuiltinName):
            return outer
        self._mentions.variables = True
        return ItemProperty(position=node.position, name=node.name, item_slot=item_slot, outer=outer)

    def _outside(self, node: Name, depth: int, *, invoked: bool) -> Node | None:
        """Return what the name means outside of the filter, or `None`."""
        inner, self._scopes = self._scopes[depth:], self._scopes[:depth]
        try:
            return self._name(node, invoked=invoked)
        except UnknownNameError:
            return None
        finally:
            self._scopes = [*self._scopes, *inner]

    def _outermost(self, node: Name) -> Node:
        slot = self._layout.slots.get(node.name)
        if slot is not None:
            self._mentions.variables = True
            return Slot(position=node.position, name=node.name, slot=slot)
        if node.name in BUILTINS:
            return BuiltinName(position=node.position, name=node.name)
        similar = self._layout.names.similar(node.name)
        raise UnknownNameError(
            f"`{spelling(node.name)[:80]}` is not a known name",
            hint=f"did you mean `{similar}`" if similar else "a text must stand in double quotes",
            **self._place(node.position),
        )

    def _new_slot(self) -> int:
        self.size += 1
        return self.size - 1

    def _invoke(self, node: Invoke) -> Node:
        called = node.function
        function = self._name(called, invoked=True) if isinstance(called, Name) else self.node(called)
        if isinstance(function, BuiltinName) and not self._layout.standard:
            problem = BUILTINS[function.name].problem(len(node.arguments), node.names)
            if problem is not None:
                raise FeelCallError(problem, **self._place(node.position))
        return replace(node, function=function, arguments=self._all(node.arguments))

    def _loop(self, node: For | Quantified) -> Node:
        scope = _Scope()
        self._scopes.append(scope)
        iterators = tuple(self._iterator(iterator, scope) for iterator in node.iterators)
        if isinstance(node, For):
            partial = scope.names["partial"] = self._new_slot()
            used = partial if "partial" in self._text else -1
            checked: Node = replace(node, iterators=iterators, body=self.node(node.body), partial_slot=used)
        else:
            checked = replace(node, iterators=iterators, condition=self.node(node.condition))
        self._scopes.pop()
        return checked

    def _iterator(self, iterator: Iterator, scope: _Scope) -> Iterator:
        source = self.node(iterator.source)
        end = None if iterator.end is None else self.node(iterator.end)
        slot = scope.names[iterator.name] = self._new_slot()
        return replace(iterator, source=source, end=end, slot=slot)

    def _function(self, node: FunctionLiteral) -> Node:
        if len(set(node.parameters)) < len(node.parameters):
            raise FeelError("two parameters of a function have the same name", **self._place(node.position))
        slots = tuple(self._new_slot() for _ in node.parameters)
        self._scopes.append(_Scope(names=dict(zip(node.parameters, slots, strict=True))))
        body = self.node(node.body)
        self._scopes.pop()
        types = tuple(None if wanted is None else self._type(wanted) for wanted in node.types)
        return replace(node, body=body, slots=slots, types=types)

    def _context(self, node: ContextLiteral) -> Node:
        scope = _Scope()
        self._scopes.append(scope)
        entries: list[tuple[str, Node]] = []
        for key, value in node.entries:
            entries.append((key, self.node(value)))
            scope.names[key] = self._new_slot()
        self._scopes.pop()
        return replace(node, entries=tuple(entries), slots=tuple(scope.names.values()))

    def _filter(self, node: Filter) -> Node:
        base = self.node(node.base)
        slot = self._new_slot()
        self._scopes.append(_Scope(item_slot=slot))
        condition = self.node(node.condition)
        self._scopes.pop()
        return replace(node, base=base, condition=condition, item_slot=slot)


def _negated(node: Negate) -> Node:
    """Fold `-5` to a constant, so that a cell like `[-5..5]` is seen to be one."""
    operand = node.operand
    if isinstance(operand, Literal) and type(operand.value) is Decimal:
        return Literal(position=node.position, value=operand.value.copy_negate())
    return node
