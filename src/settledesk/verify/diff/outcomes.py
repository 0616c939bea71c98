"""What rows that match together give: by their constants, or, where an output has to be run, by their texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import localcontext
from typing import Any

from settledesk.decisions import DecisionTable
from settledesk.decisions.hit_policy import decide
from settledesk.decisions.item_types import ItemType
from settledesk.decisions.logic import conformed
from settledesk.decisions.session import Session
from settledesk.feel import FeelLimitError
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.verify.diff.diagram import UNCHANGED
from settledesk.verify.diff.fingerprint import fingerprint, output_fingerprint
from settledesk.verify.diff.joint import Joint, State
from settledesk.verify.tables.search import places
from settledesk.verify.tables.wording import value_text

_COMPARED = frozenset({"conflict", "no_match", "error"})
"""Kinds of findings that are part of an outcome. A note on a value's type or on a missing input is not: its consequence
is compared, and whether it is made depends on which column leaves no row first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The value and the kinds of findings of an evaluation; `rows` are those that it rests on."""

    value: Any
    kinds: frozenset[str]
    rows: tuple[str, ...]

    @property
    def said(self) -> tuple[str, frozenset[str]]:
        """What is compared: the value as text and the kinds of findings, not the names of the rows."""
        return same_text(self.value), self.kinds & _COMPARED


def same_text(value: Any) -> str:
    """Return a text that equal values, and no others, have; the order of a context's entries is no difference."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {same_text(value[key])}' for key in sorted(value))}}}"
    if isinstance(value, list):
        return f"[{', '.join(same_text(item) for item in value)}]"
    return value_text(value)


class Side:
    """One of the two tables; `result` is the declared type of what its decision gives."""

    def __init__(self, table: DecisionTable, result: ItemType) -> None:
        self.table = table
        self._result = result
        self._texts = [tuple(output.cells[row] for output in table.outputs) for row in range(len(table.rows))]
        self._constant = [all(output.constant[row] for output in table.outputs) for row in range(len(table.rows))]
        self._default_constant = all(output.default_constant or output.default is None for output in table.outputs)
        self._known: dict[int, Outcome | None] = {}
        self.frame_of_reading = (
            table.hit_policy,
            table.aggregation,
            tuple(_without_cells(table, place) for place in range(len(table.outputs))),
            fingerprint(result),
        )
        """What decides, beside the rows' texts, what they give."""

    def outcome(self, mask: int) -> Outcome | None:
        """Return what rows give that match together, or `None` if an output has to be run to know."""
        if mask not in self._known:
            self._known[mask] = self._decided(mask)
        return self._known[mask]

    def _decided(self, mask: int) -> Outcome | None:
        if not (self._default_constant if not mask else all(self._constant[row] for row in places(mask))):
            return None
        session = Session(Run(), trace=False)
        try:
            with localcontext(DECIMAL_CONTEXT):
                value = decide(self.table, mask, self.table.frame({}, session), session)
                value = conformed(value, self._result, self.table.name, session)
        except (FeelLimitError, RecursionError):
            return None
        kinds = frozenset(finding.kind for finding in session.findings)
        return Outcome(value=value, kinds=kinds, rows=session.fired)

    def texts(self, mask: int) -> tuple[tuple[str, ...], ...]:
        """Return the texts of the outputs of rows, in their order."""
        return tuple(self._texts[row] for row in places(mask))


def _without_cells(table: DecisionTable, place: int) -> tuple[Any, ...]:
    name, item_type, _cells, rank, default = output_fingerprint(table, table.outputs[place])
    return (name, item_type, rank, default)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedClass:
    """A pair of outcomes; `None`: an output has to be run, and what it gives was only tried."""

    old: Outcome | None
    new: Outcome | None

    @property
    def is_tried(self) -> bool:
        """Whether an output has to be run."""
        return self.old is None or self.new is None


class Judge:
    """Says of the rows that match together in both tables whether they give the same, and numbers the changes."""

    def __init__(self, joint: Joint, old: Side, new: Side, *, same_context: bool) -> None:
        self._sides = (old, new)
        self._readable = same_context and old.frame_of_reading == new.frame_of_reading
        self._signatures = tuple(self._signed(joint, side) for side in (0, 1))
        self._numbers: dict[Any, int] = {}
        self.classes: dict[int, ChangedClass] = {}

    def _signed(self, joint: Joint, side: int) -> Sequence[Any]:
        """Return for each row of a table all that it says: the pieces it takes in each dimension, and its outputs."""
        rows = range(len(self._sides[side].table.rows))
        boxes = [
            tuple(
                sum(1 << place for place, state in enumerate(states) if (state.old, state.new)[side] >> row & 1)
                for states in joint.states
            )
            for row in rows
        ]
        return [(boxes[row], self._sides[side].texts(1 << row)) for row in rows]

    def settled(self, state: State) -> bool:
        """Tell whether the rows that are alive say the same in both tables, so that nothing can differ from here on."""
        if not self._readable or state.old.bit_count() != state.new.bit_count():
            return False
        old, new = self._signatures
        pairs = zip(places(state.old), places(state.new), strict=True)
        return all(old[one] == new[two] for one, two in pairs)

    def leaf(self, state: State) -> int:
        """Return the number of the change that a state is, or `UNCHANGED`."""
        one = self._sides[0].outcome(state.old)
        two = self._sides[1].outcome(state.new)
        key: Any
        if one is not None and two is not None:
            if one.said == two.said:
                return UNCHANGED
            key = (one.said, two.said, _row(one), _row(two))
        else:
            texts = [side.texts(mask) for side, mask in zip(self._sides, (state.old, state.new), strict=True)]
            if self._readable and texts[0] == texts[1]:
                return UNCHANGED
            key = tuple(texts)
        number = self._numbers.setdefault(key, len(self._numbers) + 1)
        self.classes.setdefault(number, ChangedClass(old=one, new=two))
        return number


def _row(outcome: Outcome) -> tuple[str, ...]:
    return outcome.rows if len(outcome.rows) == 1 else ()
