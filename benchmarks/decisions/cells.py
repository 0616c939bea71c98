"""The cells of our tables as a peer wants them. Forms that the two tables do not use are refused."""

from dataclasses import dataclass
from typing import Literal

import regex

_RANGE = regex.compile(r"([\[(])\s*(-?[\d.]+?)\s*\.\.\s*(-?[\d.]+)\s*([\])])")
_COMPARED = regex.compile(r"(<=|>=|<|>)\s*(.+)")
_NAME = regex.compile(r"\p{L}\w*")
_TEXTS = regex.compile(r'"[^"]*"(\s*,\s*"[^"]*")*')


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What a cell says, by kind; `parts` are its texts: the values, or the operators and the operands."""

    kind: Literal["anything", "null", "known", "truth", "texts", "range", "compared"]
    parts: tuple[str, ...] = ()


def read_cell(text: str) -> Cell:
    """Return what the text says; raises `ValueError` for a form that is not known."""
    text = text.strip()
    match text:
        case "-" | "":
            return Cell(kind="anything")
        case "null":
            return Cell(kind="null")
        case "not(null)":
            return Cell(kind="known")
        case "true" | "false":
            return Cell(kind="truth", parts=(text,))
    if _TEXTS.fullmatch(text):
        return Cell(kind="texts", parts=tuple(part.strip() for part in text.split(",")))
    if found := _RANGE.fullmatch(text):
        left, low, high, right = found.groups()
        return Cell(kind="range", parts=(low, "<" if left == "(" else "<=", "<" if right == ")" else "<=", high))
    if found := _COMPARED.fullmatch(text):
        return Cell(kind="compared", parts=(found.group(1), found.group(2)))
    raise ValueError(f"the cell `{text}` has no form that the peers' tables are written in")


def as_zen(text: str) -> str:
    """Return the cell in the language of zen-engine: nearly the same, with `$` for the value."""
    match read_cell(text).kind:
        case "anything":
            return ""
        case "known":
            return "$ != null"
    return text


def as_python(text: str) -> str:
    """Return the cell as a Python expression of `?`, as SpiffWorkflow takes it; `-` where it looks at nothing."""
    cell = read_cell(text)
    match cell.kind:
        case "anything":
            return "-"
        case "null":
            return "? is None"
        case "known":
            return "? is not None"
        case "truth":
            return f"? is {cell.parts[0].title()}"
        case "texts":
            return f"? == {cell.parts[0]}" if len(cell.parts) == 1 else f"? in ({', '.join(cell.parts)})"
        case "range":
            low, above, below, high = cell.parts
            return f"? is not None and {low} {above} ? {below} {high}"
    operator, operand = cell.parts
    known = " and ".join(f"{name} is not None" for name in ("?", *_NAME.findall(operand)))
    return f"{known} and ? {operator} {operand}"
