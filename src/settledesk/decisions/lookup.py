"""How the generated function of a table looks a column's value up, by the type that the column declares.

Texts and booleans go through a dictionary. Numbers are found by bisection: decimals among the bounds as they are, whole
numbers and floats among the bounds as floats, wherever that gives the same answer for every number. All other values
go through the index and the checks of the long way. A value that is odd in any way gives `None` in place of a mask.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from settledesk.decisions.index import Axis, ColumnIndex
from settledesk.decisions.item_types import ItemType, NotConformingError, conform
from settledesk.decisions.table import Column
from settledesk.feel import FeelError
from settledesk.feel.values import to_feel

_EXACT_BELOW = Decimal(2) ** 53


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLookup:
    """`masks` holds the texts that cells or declared values name; `other` is for the rest, `None` if none may be."""

    masks: dict[str, int]
    other: int | None
    null: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthLookup:
    """The masks of true, false and null. `care` are the rows whose cell looks at the value at all."""

    true: int
    false: int
    null: int
    care: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberLookup:
    """`masks[find(bounds, number)]` for a decimal, `masks[find(floats, number)]` for another number.

    `floats` is `None` where a float would not be ordered as the decimal it stands for. `points` are the masks of the
    bounds themselves, where neither the interval below nor the one above has the same as each of them. `care` are the
    rows whose cell looks at the number at all.
    """

    find: Callable[[Any, Any], int]
    bounds: tuple[Decimal, ...]
    floats: tuple[float, ...] | None
    masks: tuple[int, ...]
    points: tuple[int, ...] | None
    null: int
    care: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherLookup:
    """`mask(value)` for a value of any type."""

    mask: Callable[[Any], int | None]


Lookup = TextLookup | TruthLookup | NumberLookup | OtherLookup


def lookup_of(column: Column, input_type: ItemType) -> Lookup:
    """Return the quickest lookup that answers as the index does, for an input declared as `input_type`."""
    index = column.index
    kinds = {base for base in (plain_base(input_type), plain_base(column.item_type)) if base != "any"}
    made: Lookup | None = None
    if kinds == {"string"} and column.expected <= {str}:
        made = _texts(index.axes.get(str), index, column.allowed_index)
    elif kinds == {"boolean"} and column.expected <= {bool} and column.allowed is None:
        axis = index.axes.get(bool)
        true, false = (index.other_mask if axis is None else axis.points[value] for value in (True, False))
        care = (1 << len(column.cells)) - 1 & ~(true & false & index.null_mask)
        made = TruthLookup(true=true, false=false, null=index.null_mask, care=care)
    elif kinds == {"number"} and column.expected <= {Decimal} and column.allowed is None:
        made = _numbers(index.axes.get(Decimal), index, len(column.cells))
    return made or OtherLookup(mask=_checked(column, input_type))


def plain_base(wanted: ItemType) -> str | None:
    """Return the built-in type that the type is, `any` for none, or `None` if values are checked for more."""
    if wanted.collection or wanted.components is not None or wanted.allowed is not None:
        return None
    return plain_base(wanted.base) if isinstance(wanted.base, ItemType) else wanted.base


def _texts(axis: Axis | None, index: ColumnIndex, declared: ColumnIndex | None) -> TextLookup | None:
    uniform = index.other_mask if axis is None else axis.uniform
    points = {} if axis is None else dict(axis.points)
    if uniform is None:
        return None
    if declared is None:
        return TextLookup(masks=points, other=uniform, null=index.null_mask)
    values = declared.axes.get(str)
    if values is None or values.uniform != 0 or declared.opaque:
        return None
    allowed = {text: points.get(text, uniform) for text, found in values.points.items() if found}
    return TextLookup(masks=allowed, other=None, null=index.null_mask)


def _numbers(axis: Axis | None, index: ColumnIndex, rows: int) -> NumberLookup:
    if axis is None:
        axis = Axis(kind="number", bounds=(), masks=(index.other_mask,), points={}, uniform=index.other_mask)
    points, below, above = axis.masks[1::2], axis.masks[:-1:2], axis.masks[2::2]
    common = axis.masks[0] & index.null_mask
    for mask in axis.masks:
        common &= mask
    return NumberLookup(
        find=bisect_right if points == above else bisect_left,
        bounds=axis.bounds,
        floats=_as_floats(axis.bounds),
        masks=axis.masks[::2],
        points=None if points in (above, below) else points,
        null=index.null_mask,
        care=(1 << rows) - 1 & ~common,
    )


def _as_floats(bounds: tuple[Decimal, ...]) -> tuple[float, ...] | None:
    floats = tuple(float(bound) for bound in bounds)
    exact = all(Decimal(repr(found)) == bound for found, bound in zip(floats, bounds, strict=True))
    return floats if exact and all(abs(bound) < _EXACT_BELOW for bound in bounds) else None


def _checked(column: Column, input_type: ItemType) -> Callable[[Any], int | None]:
    index, expected, declared = column.index, column.expected, column.allowed_index

    def mask(given: Any) -> int | None:
        try:
            value = conform(conform(to_feel(given), input_type), column.item_type)
        except (FeelError, NotConformingError):
            return None
        if value is None:
            return index.null_mask
        if expected and type(value) not in expected:
            return None
        if column.allowed is not None:
            found = None if declared is None else declared.mask(value)
            if declared is None or declared.opaque or not found:
                return None
        return index.mask(value)

    return mask
