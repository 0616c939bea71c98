"""Writing the trace of a table: one entry per row, from the column at which each of the others dropped out."""

from decimal import Decimal
from typing import Any

from settledesk.decisions.results import Dropped, RowTrace
from settledesk.feel.values import from_feel, to_feel

PLACES_MAX = 4096
"""Sets of rows whose places are kept."""
_PLAIN = frozenset({str, Decimal, bool, type(None)})
"""Types that a caller's values and FEEL's have in common."""


class TraceWriter:
    """Writes the traces of one table. `columns` are the names of its inputs with the texts of the rows' tests."""

    __slots__ = ("_failed", "_fired", "_places")

    def __init__(self, rows: tuple[str, ...], columns: list[tuple[str, tuple[str, ...]]]) -> None:
        self._fired = [RowTrace(row, True) for row in rows]
        self._failed = [
            [(row, False, name, test) for row, test in zip(rows, tests, strict=True)] for name, tests in columns
        ]
        self._places: dict[int, list[int]] = {}

    def write(self, dropped: Dropped) -> tuple[RowTrace, ...]:
        """Return the trace of an evaluation; the values in `dropped` may be a caller's or FEEL's."""
        made = self._fired.copy()
        new, places = tuple.__new__, self._places
        for lost, column, given in dropped:
            value = given if type(given) in _PLAIN else from_feel(to_feel(given))
            failed = self._failed[column]
            rows = places.get(lost)
            if rows is None:
                rows = bits(lost)
                if len(places) < PLACES_MAX:
                    places[lost] = rows
            end: tuple[Any] = (value,)
            for row in rows:
                made[row] = new(RowTrace, failed[row] + end)
        return tuple(made)


def bits(mask: int) -> list[int]:
    """Return the places of the set bits, lowest first."""
    found: list[int] = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found
