"""The limits of the language: a hostile text can neither hang nor exhaust the process."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Every accumulation has a limit with a name; reaching one is a named error and never a crash."""

    text_max: int = 20_000
    """Characters of one expression or cell."""
    depth_max: int = 120
    """Levels of nesting while parsing."""
    height_max: int = 150
    """Levels of the tree: a chain of 150 additions is as deep as it is long."""
    steps_max: int = 1_000_000
    """Units of work in one evaluation: an iteration, an invocation, an element that is made or compared."""
    list_max: int = 100_000
    """Elements of one list."""
    string_max: int = 1_000_000
    """Characters of one string that an evaluation makes."""
    exponent_max: int = 1_000_000
    """The size of the right side of `**`."""
    calls_max: int = 40
    """Invocations of defined functions inside one another."""
    diagnostics_max: int = 100
    """Diagnostics that one evaluation keeps; later ones are dropped."""
    regex_time_s: float = 0.25
    """Seconds for the first regular expression of an evaluation; later ones get a falling share of it."""
    regex_steps: int = 500
    """Steps that one use of a regular expression costs."""


DEFAULT_LIMITS = Limits()
