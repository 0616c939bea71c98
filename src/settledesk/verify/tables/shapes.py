"""What a cell that has to be run looks at: constants alone, the input in some other way, or other variables too."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from decimal import localcontext
from typing import Any

from settledesk.feel import FeelLimitError
from settledesk.feel.compiler import Compiler
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.tree import (
    Between,
    BuiltinName,
    CompareTest,
    Comparison,
    Filter,
    For,
    In,
    InputMark,
    InstanceOf,
    Invoke,
    ItemProperty,
    Junction,
    Literal,
    Name,
    Node,
    Quantified,
    RangeLiteral,
    Slot,
    Test,
    Tests,
)
from settledesk.feel.values import Range, type_name

_OF_LISTS = frozenset(
    {"all", "any", "append", "concatenate", "count", "distinct values", "flatten", "index of", "remove", "sublist"}
)
_CLOCK = frozenset({"now", "today"})
_SCALARS = frozenset(
    {
        "boolean",
        "string",
        "number",
        "date",
        "time",
        "date and time",
        "days and time duration",
        "years and months duration",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a cell depends on.

    `exact`: its truth changes only at `constants`, so that one value between two of them stands for all. `crosses`:
    it reads other variables than the input, or the clock. `constants` are all that stand in it, by which to guess.
    """

    exact: bool
    crosses: bool
    constants: tuple[Any, ...]
    ordered: bool
    """Whether it compares by order, so that texts between the constants differ."""


def shape_of(tree: Tests, frame_size: int) -> Shape:
    """Look at the tree of a cell whose frames have `frame_size` places."""
    nodes = list(walk(tree))
    local = {slot for node in nodes for slot in _bound(node)}
    crosses = any(
        (isinstance(node, Slot) and node.slot not in local)
        or (isinstance(node, BuiltinName) and node.name in _CLOCK)
        or isinstance(node, Name)
        for node in nodes
    )
    ordered = any(_is_ordered(node) for node in nodes)
    if not crosses:
        cuts = _Cuts(frame_size).tests(tree)
        if cuts is not None:
            return Shape(exact=True, crosses=False, constants=tuple(cuts), ordered=ordered)
    literals = [node.value for node in nodes if isinstance(node, Literal) and type_name(node.value) in _SCALARS]
    return Shape(exact=False, crosses=crosses, constants=tuple(literals), ordered=ordered)


def reads_lists(tree: Tests) -> bool:
    """Tell whether a cell calls a function of lists or goes through one."""
    return any(
        isinstance(node, Quantified | For | Filter)
        or (isinstance(node, BuiltinName) and (node.name.startswith("list ") or node.name in _OF_LISTS))
        for node in walk(tree)
    )


def walk(node: Any) -> Iterator[Any]:
    """Yield every node of a tree, the root first."""
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif hasattr(node, "__dataclass_fields__") and hasattr(node, "position"):
        yield node
        if not isinstance(node, Literal):
            for entry in fields(node):
                yield from walk(getattr(node, entry.name))


def closed_value(node: Node, frame_size: int) -> tuple[Any] | None:
    """Return the value of an expression that reads nothing, in a tuple; `None` if it reads something."""
    if isinstance(node, Literal):
        return (node.value,)
    nodes = list(walk(node))
    local = {slot for inner in nodes for slot in _bound(inner)}
    for inner in nodes:
        if isinstance(inner, InputMark | Name) or (isinstance(inner, Slot) and inner.slot not in local):
            return None
        if isinstance(inner, BuiltinName) and inner.name in _CLOCK:
            return None
    frame: list[Any] = [Run(), *[None] * (frame_size + 8)]
    try:
        with localcontext(DECIMAL_CONTEXT):
            return (Compiler(unknown_nulls=True).node(node)(frame),)
    except (FeelLimitError, RecursionError):
        return None


def _bound(node: Any) -> Iterator[int]:
    """Yield the slots that a node declares."""
    yield from getattr(node, "slots", ())
    for name in ("item_slot", "partial_slot"):
        found = getattr(node, name, -1)
        if found >= 0 and not isinstance(node, ItemProperty):
            yield found
    if type(node).__name__ == "Iterator":
        yield node.slot


def _is_ordered(node: Any) -> bool:
    if isinstance(node, CompareTest | Comparison):
        return node.operator not in ("=", "!=")
    return isinstance(node, Between | RangeLiteral)


class _Cuts:
    """Collects the constants at which a cell's truth may change; `None` where that is not all that it looks at."""

    def __init__(self, frame_size: int) -> None:
        self._size = frame_size

    def tests(self, tests: Tests) -> list[Any] | None:
        return _joined([self._test(test) for test in tests.tests])

    def _test(self, test: Test) -> list[Any] | None:
        if isinstance(test, CompareTest):
            return self._scalar(test.operand)
        return self._condition(test.value) if test.mentions_input else self._closed(test.value)

    def _scalar(self, node: Node) -> list[Any] | None:
        found = closed_value(node, self._size)
        if found is None or (found[0] is not None and type_name(found[0]) not in _SCALARS):
            return None
        return [] if found[0] is None else [found[0]]

    def _closed(self, node: Node) -> list[Any] | None:
        found = closed_value(node, self._size)
        return None if found is None else _ends(found[0])

    def _condition(self, node: Node) -> list[Any] | None:
        match node:
            case InputMark():
                return []
            case Junction():
                return _joined([self._condition(part) for part in node.parts])
            case Comparison(left=InputMark(), right=other) | Comparison(left=other, right=InputMark()):
                return self._scalar(other)
            case Between(value=InputMark()):
                return _joined([self._scalar(node.low), self._scalar(node.high)])
            case In(value=InputMark()):
                return _joined([self._test(test) for test in node.tests])
            case InstanceOf(value=InputMark()):
                return []
            case Invoke(function=BuiltinName(name="not"), arguments=(inner,)):
                return self._condition(inner)
        return [] if closed_value(node, self._size) is not None else None


def _joined(parts: list[list[Any] | None]) -> list[Any] | None:
    return None if None in parts else [value for part in parts if part is not None for value in part]


def _ends(value: Any) -> list[Any] | None:
    if value is None:
        return []
    if isinstance(value, Range):
        return _joined([_ends(value.low), _ends(value.high)])
    if type(value) is list:
        return None if any(type(item) is list for item in value) else _joined([_ends(item) for item in value])
    return [value] if type_name(value) in _SCALARS else None


def points_of(tree: Tests, frame_size: int) -> list[Any]:
    """Return the single values that a cell names: not the ends of its ranges and comparisons by order."""
    found: list[Any] = []
    for test in tree.tests:
        if isinstance(test, CompareTest):
            node: Node | None = test.operand if test.operator in ("=", "!=") else None
        else:
            node = None if test.mentions_input else test.value
        value = None if node is None else closed_value(node, frame_size)
        if value is not None:
            items = value[0] if type(value[0]) is list else [value[0]]
            found.extend(item for item in items if type_name(item) in _SCALARS)
    return found
