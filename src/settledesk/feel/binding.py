"""How tightly the operators bind, and with what the text of a node begins: what the printer sets parentheses by."""

from decimal import Decimal

from settledesk.feel.tree import (
    Arithmetic,
    Between,
    BuiltinName,
    CompareTest,
    Comparison,
    Filter,
    For,
    FunctionLiteral,
    If,
    In,
    InstanceOf,
    Invoke,
    Junction,
    Literal,
    Name,
    Negate,
    Node,
    Path,
    Quantified,
    Test,
)

OR, AND, COMPARE, ADD, MULTIPLY, POWER, INSTANCE, NEGATE, PRIMARY = range(1, 10)
TAKES_THE_REST = (If, For, Quantified, FunctionLiteral)
"""Forms that begin with a word and take in everything behind them."""
_ARITHMETIC = {"+": ADD, "-": ADD, "*": MULTIPLY, "/": MULTIPLY, "**": POWER}
_WORDS_IN_TYPES = ("list", "range", "context", "function")


def binding(node: Node) -> int:
    """Return how tightly the operator of a node binds."""
    match node:
        case Literal(value=Decimal() as number) if number.is_signed():
            return NEGATE
        case Negate():
            return NEGATE
        case Arithmetic():
            return _ARITHMETIC[node.operator]
        case Comparison() | Between() | In():
            return COMPARE
        case Junction():
            return AND if node.conjunction else OR
        case InstanceOf():
            return INSTANCE
        case If() | For() | Quantified() | FunctionLiteral():
            return OR
    return PRIMARY


def waits_for_type(node: Node) -> bool:
    """Tell whether the text ends in a type such as `list`, behind which a `<` would begin the type's arguments."""
    if not isinstance(node, InstanceOf):
        return False
    last = node.type
    while last.name == "function" and last.arguments:
        last = last.arguments[-1]
    return last.name in _WORDS_IN_TYPES and not (last.arguments or last.members)


def looks_negated(tests: tuple[Test, ...]) -> bool:
    """Tell whether a cell of these tests would be read as `not(…)`, the negation of tests."""
    if isinstance(tests[0], CompareTest):
        return False
    node = whole = tests[0].value
    while not isinstance(node, Invoke):
        inner = leftmost(node)
        if inner is None:
            return False
        node = inner
    if not (isinstance(node.function, Name | BuiltinName) and node.function.name == "not"):
        return False
    no_tests = bool(node.names) or not node.arguments
    return no_tests or (len(tests) == 1 and node is whole)


def leftmost(node: Node) -> Node | None:
    """Return what the text of a node begins with, if that is another node."""
    match node:
        case Arithmetic() | Comparison():
            return node.left
        case Junction():
            return node.parts[0]
        case Between() | In() | InstanceOf():
            return node.value
        case Path() | Filter():
            return node.base
    return None
