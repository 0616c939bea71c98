"""The source of one column: what the generated function of a table does with one input.

Input `p` is `v{p}`; what belongs to column `i` ends in its number: `d{i}` are masks, `b{i}` bounds, `f{i}` the bounds
as floats, `p{i}` the masks of the bounds, `s{i}` the search, `g{i}` a function. `m` are the rows that are left, `k`
those whose cell of the column is true, and `odd` is what to do with a value that is not usual.
"""

from typing import Any

from settledesk.decisions.lookup import Lookup, NumberLookup, TextLookup, TruthLookup


def values(column: int, lookup: Lookup) -> dict[str, Any]:
    """Return what the source of a column names."""
    match lookup:
        case TextLookup():
            masks: dict[Any, int] = {**lookup.masks, None: lookup.null}
            return {f"d{column}": masks.get}
        case TruthLookup():
            return {}
        case NumberLookup():
            bounds = {f"b{column}": lookup.bounds, f"f{column}": lookup.floats}
            return {**bounds, f"d{column}": lookup.masks, f"p{column}": lookup.points, f"s{column}": lookup.find}
    return {f"g{column}": lookup.mask}


def mask_lines(column: int, value: str, lookup: Lookup, odd: str) -> list[str]:
    """Set `k` to the rows whose cell of constants is true of the input."""
    match lookup:
        case TextLookup():
            lines = [f"k = d{column}({value})", "if k is None:"]
            if lookup.other is None:
                return [*lines, f" {odd}"]
            return [*lines, f" if type({value}) is not str: {odd}", f" k = {lookup.other:#x}"]
        case TruthLookup():
            rest = f"{lookup.false:#x} if {value} is False else {lookup.null:#x}"
            return [f"k = {lookup.true:#x} if {value} is True else {rest}"]
        case NumberLookup():
            return _number_lines(column, value, lookup, odd)
    return [f"k = g{column}({value})", f"if k is None: {odd}"]


def _number_lines(column: int, value: str, lookup: NumberLookup, odd: str) -> list[str]:
    """Look up a number whose class `class_check` has let through. Beyond all bounds it may be infinite, or none."""
    last = len(lookup.bounds)

    def found(bounds: str, finite: str) -> list[str]:
        interval = f"k = d{column}[j]"
        if lookup.points is not None:
            interval = f"k = p{column}[j] if j < {last} and {bounds}{column}[j] == {value} else d{column}[j]"
        return [
            f" j = s{column}({bounds}{column}, {value})",
            f" if (j == 0 or j == {last}) and not {finite}: {odd}",
            f" {interval}",
        ]

    lines = [f"if type({value}) is Decimal:", *found("b", f"{value}.is_finite()")]
    lines += [f"elif {value} is None: k = {lookup.null:#x}"]
    return lines if lookup.floats is None else [*lines, "else:", *found("f", f"{value} - {value} == 0")]


def class_check(value: str, lookup: Lookup) -> str | None:
    """Return a condition that a value is of a class that the column's source expects; `None` if that checks itself."""
    match lookup:
        case TruthLookup():
            return f"({value} is True or {value} is False or {value} is None)"
        case NumberLookup():
            found = f"type({value}) is Decimal or {value} is None"
            others = "" if lookup.floats is None else f" or type({value}) is float or type({value}) is int"
            return f"({found}{others})"
    return None


def result_lines(odd: str) -> list[str]:
    """Set `o` to the result of the rows: an evaluation that may be shared, or its parts and how to copy the value."""
    return ["o = known(m)", "if o is None:", " o = fresh(m)", f" if o is None: {odd}"]
