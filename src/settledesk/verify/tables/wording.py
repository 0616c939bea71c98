"""Values, sets of values and boxes as an analyst would write them in a table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from settledesk.feel import literals
from settledesk.feel.tree import ItemProperty, Slot
from settledesk.feel.values import to_feel
from settledesk.verify.tables.partition import Condition, Dimension, Piece
from settledesk.verify.tables.search import Box, places
from settledesk.verify.tables.shapes import walk

TEXTS_SHOWN_MAX = 6


def value_text(value: Any) -> str:
    """Return a value, FEEL's or a caller's, as FEEL writes it."""
    return literals.value_text(to_feel(value))


def input_text(values: Mapping[str, Any]) -> str:
    """Return an input as `name = value, …`."""
    return ", ".join(f"{name} = {value_text(value)}" for name, value in values.items())


def names_text(names: Iterable[str]) -> str:
    """Return names in backticks, the last two joined by `and`."""
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def box_text(dimensions: Sequence[Dimension], box: Box, columns: Mapping[str, Any] | None = None) -> str:
    """Return a box: what each column is, leaving out those that may be anything.

    `columns` are values by which it was shown, to stand for the box in a column whose cells have to be run.
    """
    parts: list[str] = []
    unknown = _unknown(dimensions, box)
    for dimension, bits in zip(dimensions, box, strict=True):
        if bits & dimension.bits() == dimension.bits() or (
            dimension.condition is not None and not bits & 1 and unknown & read_by(dimension.condition)
        ):
            continue
        if dimension.condition is not None:
            parts.append(f"`{dimension.name}` is {'true' if bits & 1 else 'not true'}")
        elif bits & dimension.bits() == dimension.bits(null=False):
            parts.append(f"{dimension.name} known")
        else:
            parts.append(f"{dimension.name} {_set_text(dimension, bits, columns or {})}")
    return " and ".join(parts) or "any input"


def _unknown(dimensions: Sequence[Dimension], box: Box) -> set[str]:
    """Return the columns that are null in a box: conditions on them are not true, which need not be said."""
    return {
        dimension.name
        for dimension, bits in zip(dimensions, box, strict=True)
        if all(dimension.pieces[place].kind == "null" for place in places(bits))
    }


def read_by(condition: Condition) -> set[str]:
    """Return the variables that a condition reads, the input of its column among them."""
    own = condition.column.variable or condition.column.name
    return {own, *[node.name for node in walk(condition.tree) if isinstance(node, Slot | ItemProperty)]}


def _set_text(dimension: Dimension, bits: int, columns: Mapping[str, Any]) -> str:
    pieces = [(place, dimension.pieces[place]) for place in places(bits)]
    tried = [piece for _, piece in pieces if piece.witness or not piece.exact]
    if tried:
        known = [piece for _, piece in pieces if piece.exact] or tried
        return f"such as {value_text(columns.get(dimension.name, known[0].value))}"
    parts: list[str] = []
    run: list[Piece] = []
    last = -2
    for place, piece in pieces:
        if run and place == last + 1 and _follows(run[-1], piece):
            run.append(piece)
        else:
            parts.extend(_run_text(run))
            run = [piece]
        last = place
    parts.extend(_run_text(run))
    texts = [part for part in parts if part.startswith('"')]
    if len(texts) > TEXTS_SHOWN_MAX:
        more = f"{len(texts) - TEXTS_SHOWN_MAX} more texts"
        parts = [*texts[:TEXTS_SHOWN_MAX], more, *[part for part in parts if not part.startswith('"')]]
    if len(parts) > 1:
        return f"in ({', '.join(parts)})"
    if parts[0][0] in "<>":
        return parts[0]
    if parts[0].startswith("any other"):
        return f"is {parts[0]}"
    return f"in {parts[0]}" if ".." in parts[0] and parts[0][0] in "([" else f"= {parts[0]}"


def _follows(one: Piece, two: Piece) -> bool:
    """Tell whether two pieces of an ordered type stand side by side."""
    if one.kind != two.kind or one.witness or two.witness or one.kind in ("null", "boolean", "condition", "any"):
        return False
    if one.point and not two.point:
        return two.low is not None and two.low == one.value
    return two.point and not one.point and one.high is not None and one.high == two.value


def _run_text(run: Sequence[Piece]) -> list[str]:
    if not run:
        return []
    first, last = run[0], run[-1]
    if len(run) == 1 and (first.point or first.witness):
        return [value_text(first.value)]
    if first.low is None and last.high is None:
        return [f"any other {'text' if first.kind == 'string' else 'value' if first.kind == 'any' else first.kind}"]
    if first.low is None:
        return [f"{'<=' if last.point else '<'} {value_text(last.high)}"]
    if last.high is None:
        return [f"{'>=' if first.point else '>'} {value_text(first.low)}"]
    opening, closing = "[" if first.point else "(", "]" if last.point else ")"
    return [f"{opening}{value_text(first.low)}..{value_text(last.high)}{closing}"]
