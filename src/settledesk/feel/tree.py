"""The tree of an expression. `position` is the offset in the text; the parser leaves every `slot` at -1.

The checker replaces `Name` by `Slot`, `BuiltinName` or `ItemProperty` and gives every binder its slot.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """A constant."""

    position: int
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name as written, not yet resolved."""

    position: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A variable: `slot` is its place in the frame."""

    position: int
    name: str
    slot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinName:
    """A built-in function."""

    position: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemProperty:
    """A name inside a filter: an entry of the item if it has one of that name, else `outer`."""

    position: int
    name: str
    item_slot: int
    outer: "Node | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputMark:
    """`?`: the value that a unary test is about."""

    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Negate:
    """`-x`."""

    position: int
    operand: "Node"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arithmetic:
    """`+ - * / **`."""

    position: int
    operator: str
    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """`= != < <= > >=`."""

    position: int
    operator: str
    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True, kw_only=True)
class Junction:
    """`and` (conjunction) or `or` of two or more parts."""

    position: int
    conjunction: bool
    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """`x between low and high`, both included."""

    position: int
    value: "Node"
    low: "Node"
    high: "Node"


@dataclass(frozen=True, slots=True, kw_only=True)
class In:
    """`x in test` or `x in (test, test)`."""

    position: int
    value: "Node"
    tests: tuple["Test", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceOf:
    """`x instance of type`."""

    position: int
    value: "Node"
    type: "TypeExpression"


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeExpression:
    """A type: `number`, `list<string>`, `context<a: number>`, `function<number> -> string`, `range<date>`."""

    position: int
    name: str
    arguments: tuple["TypeExpression", ...] = ()
    members: tuple[tuple[str, "TypeExpression"], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class If:
    """`if condition then yes else no`."""

    position: int
    condition: "Node"
    yes: "Node"
    no: "Node"


@dataclass(frozen=True, slots=True, kw_only=True)
class Iterator:
    """`name in source`, or `name in source..end`."""

    position: int
    name: str
    source: "Node"
    end: "Node | None"
    slot: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class For:
    """`for … return body`; `partial_slot` holds the results so far."""

    position: int
    iterators: tuple[Iterator, ...]
    body: "Node"
    partial_slot: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantified:
    """`some … satisfies` or `every … satisfies`."""

    position: int
    every: bool
    iterators: tuple[Iterator, ...]
    condition: "Node"


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionLiteral:
    """`function(a, b: number) body`."""

    position: int
    parameters: tuple[str, ...]
    types: tuple[TypeExpression | None, ...]
    body: "Node"
    slots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Invoke:
    """An invocation; `names` is empty for positional arguments."""

    position: int
    function: "Node"
    arguments: tuple["Node", ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """`base.name`."""

    position: int
    base: "Node"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """`base[condition]`; `item_slot` holds the element under test."""

    position: int
    base: "Node"
    condition: "Node"
    item_slot: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLiteral:
    """`{a: 1, b: a + 1}`; each entry sees those before it."""

    position: int
    entries: tuple[tuple[str, "Node"], ...]
    slots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLiteral:
    """`[a, b]`."""

    position: int
    items: tuple["Node", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeLiteral:
    """`[low..high)`; a bound of `None` is open. `operator` is that of `(=10)` and `(!=10)`: both bounds are the 10."""

    position: int
    low: "Node | None"
    high: "Node | None"
    low_included: bool
    high_included: bool
    operator: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareTest:
    """`< 5` as a test of the input."""

    position: int
    operator: str
    operand: "Node"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueTest:
    """An expression as a test of the input; the checker says what it looks at."""

    position: int
    value: "Node"
    mentions_input: bool = False
    mentions_variables: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tests:
    """A cell: any of the tests, or none of them if `negated`; no tests at all is `-`."""

    position: int
    tests: tuple["Test", ...]
    negated: bool = False


Test: TypeAlias = CompareTest | ValueTest
Node: TypeAlias = (
    Literal
    | Name
    | Slot
    | BuiltinName
    | ItemProperty
    | InputMark
    | Negate
    | Arithmetic
    | Comparison
    | Junction
    | Between
    | In
    | InstanceOf
    | If
    | For
    | Quantified
    | FunctionLiteral
    | Invoke
    | Path
    | Filter
    | ContextLiteral
    | ListLiteral
    | RangeLiteral
)
