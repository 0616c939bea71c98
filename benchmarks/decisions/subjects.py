"""The two tables that are decided: the file, the model, the facts, and the function that knows the truth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.decisions import by_hand
from benchmarks.decisions.draw import Facts, carriage_facts, resolution_facts
from benchmarks.decisions.engines import ByHand
from settledesk.decisions import DecisionTable, Model, load_model

FACTS = 400
_HERE = Path(__file__).parent
_DESK = _HERE.parents[1] / "packs" / "accounts_payable" / "decisions" / "resolution.dmn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A table to decide. `draw` makes as many facts as are wanted, the same ones each time."""

    decision: str
    path: Path
    model: Model
    truth: ByHand
    draw: Callable[[int], Sequence[Facts]]

    @property
    def table(self) -> DecisionTable:
        """Return the decision's table."""
        found = self.model.table(self.decision)
        if found is None:
            raise ValueError(f"`{self.decision}` of `{self.path}` is not a table")
        return found

    @property
    def shape(self) -> str:
        """Return rows x columns."""
        return f"{len(self.table.rows)} x {len(self.table.columns)}"


def subjects() -> tuple[Subject, Subject]:
    """Return the table of 12 rows and 5 inputs, and the desk's own."""
    return (
        _subject("carriage", _HERE / "carriage.dmn", by_hand.carriage, carriage_facts),
        _subject("resolution", _DESK, by_hand.resolution, resolution_facts),
    )


def _subject(decision: str, path: Path, truth: ByHand, draw: Callable[[int], Sequence[Facts]]) -> Subject:
    return Subject(decision=decision, path=path, model=load_model(path), truth=truth, draw=draw)
