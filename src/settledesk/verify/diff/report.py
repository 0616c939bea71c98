"""What a comparison of two models says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from settledesk.verify.diff.outcomes import Outcome
from settledesk.verify.tables.search import Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A class of inputs whose outcome changes, with one of them, on which both models were evaluated.

    `where` is the class as text. With `tried` some inputs of the class may not change, or change to something else.
    `pasteable` tells that `input` is one of the model; otherwise it is values of the table's columns.
    """

    decision: str
    where: str
    input: Mapping[str, Any]
    old: Outcome
    new: Outcome
    tried: bool = False
    pasteable: bool = True
    box: Box = ()
    """The class as pieces of the tables' joint partition; empty for a decision that is no table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All changes. `complete`: over the declared domains there are no others; else `notes` say what was only tried."""

    changes: tuple[Change, ...]
    complete: bool
    notes: tuple[str, ...]
    only_old: tuple[str, ...] = ()
    """Decisions that only the old model has."""
    only_new: tuple[str, ...] = ()
    more: int = 0
    """Boxes of inputs that change too and were not looked at, because there are too many."""

    @property
    def differs(self) -> bool:
        """Whether anything is different."""
        return bool(self.changes or self.only_old or self.only_new)
