"""The built-in functions, one module per family. Importing this package fills the registry."""

from settledesk.feel.builtins import (
    clock,
    conversions,
    lists,
    logic,
    numbers,
    ranges,
    regexes,
    statistics,
    strings,
    times,
)
from settledesk.feel.builtins.registry import BUILTINS, Builtin

__all__ = [
    "BUILTINS",
    "Builtin",
    "clock",
    "conversions",
    "lists",
    "logic",
    "numbers",
    "ranges",
    "regexes",
    "statistics",
    "strings",
    "times",
]
