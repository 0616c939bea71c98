"""From the matching rows to the value: the hit policies of the standard.

Two matching rows under UNIQUE, or different outputs under ANY, are null and a finding that names the rows.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from settledesk.decisions.session import Session
from settledesk.decisions.table import DecisionTable, UndeclaredValueError
from settledesk.decisions.trace import bits
from settledesk.feel.arithmetic import add
from settledesk.feel.compiler import Frame
from settledesk.feel.operators import equal, order
from settledesk.feel.values import type_name

HIT_POLICIES = ("UNIQUE", "ANY", "FIRST", "PRIORITY", "RULE ORDER", "OUTPUT ORDER", "COLLECT")
AGGREGATIONS = ("SUM", "MIN", "MAX", "COUNT")


def evaluate_table(table: DecisionTable, values: Mapping[str, Any], session: Session) -> Any:
    """Return the table's value; the session gets the rows it rests on, the findings and the trace."""
    frame = table.frame(values, session)
    try:
        match = table.match(frame, session)
    except UndeclaredValueError:
        session.fired = ()
        return None
    if session.wanted:
        session.trace = table.tracing.write(match.dropped)
    return decide(table, match.mask, frame, session)


def decide(table: DecisionTable, mask: int, frame: Frame, session: Session) -> Any:
    """Return what the rows of `mask`, which are those that match, give by the table's hit policy."""
    session.fired = ()
    if not mask:
        return _no_match(table, frame, session)
    return _POLICIES[table.hit_policy](table, mask, frame, session)


def _no_match(table: DecisionTable, frame: Frame, session: Session) -> Any:
    if any(output.default is not None for output in table.outputs):
        default = table.default(frame, session)
        listed = table.hit_policy in _LISTS and table.aggregation is None and not table.standard
        return [default] if listed else default
    if table.hit_policy == "COLLECT" or (table.hit_policy in _LISTS and not table.standard):
        if table.aggregation == "COUNT":
            return Decimal(0)
        return [] if table.aggregation is None else None
    session.find("no_match", (), f"no row of `{table.name}` matches")
    return None


def _unique(table: DecisionTable, mask: int, frame: Frame, session: Session) -> Any:
    session.fired = table.names(mask)
    if mask & (mask - 1):
        _conflict(table, session, "match, but only one may")
        return None
    return table.output(mask.bit_length() - 1, frame, session)


def _conflict(table: DecisionTable, session: Session, what: str) -> None:
    names = " and ".join(f"`{name}`" for name in session.fired)
    session.find("conflict", session.fired, f"the rows {names} of `{table.name}` {what}")


def _any(table: DecisionTable, mask: int, frame: Frame, session: Session) -> Any:
    session.fired = table.names(mask)
    results = [table.output(row, frame, session) for row in bits(mask)]
    if any(equal(results[0], result, session.run) is not True for result in results[1:]):
        _conflict(table, session, "match and give different outputs")
        return None
    return results[0]


def _first(table: DecisionTable, mask: int, frame: Frame, session: Session) -> Any:
    lowest = mask & -mask
    session.fired = table.names(lowest)
    return table.output(lowest.bit_length() - 1, frame, session)


def _ranked(table: DecisionTable, mask: int, frame: Frame, session: Session) -> list[tuple[int, Any]]:
    """Return rows and outputs, those that stand first in the lists of output values in front."""
    results = [(row, table.output(row, frame, session)) for row in bits(mask)]

    def rank(result: tuple[int, Any]) -> tuple[int, ...]:
        several = len(table.outputs) > 1
        return tuple(
            output.rank(result[1][str(output.name)] if several else result[1])
            for output in table.outputs
            if output.rank is not None
        )

    return sorted(results, key=rank)


def _priority(table: DecisionTable, mask: int, frame: Frame, session: Session) -> Any:
    row, value = _ranked(table, mask, frame, session)[0]
    session.fired = (table.rows[row],)
    return value


def _output_order(table: DecisionTable, mask: int, frame: Frame, session: Session) -> Any:
    ranked = _ranked(table, mask, frame, session)
    session.fired = tuple(table.rows[row] for row, _ in ranked)
    return [value for _, value in ranked]


def _rule_order(table: DecisionTable, mask: int, frame: Frame, session: Session) -> Any:
    session.fired = table.names(mask)
    return [table.output(row, frame, session) for row in bits(mask)]


def _collect(table: DecisionTable, mask: int, frame: Frame, session: Session) -> Any:
    results: list[Any] = _rule_order(table, mask, frame, session)
    if table.aggregation is None:
        return results
    if table.aggregation == "COUNT":
        return Decimal(len(results))
    value = _aggregated(table.aggregation, results, session)
    if value is None:
        session.find("error", session.fired, f"the outputs of `{table.name}` have no {table.aggregation}")
    return value


def _aggregated(aggregation: str, results: list[Any], session: Session) -> Any:
    """Return the sum, of numbers or durations of one kind, or the least or greatest of values that have an order."""
    first = results[0]
    if aggregation == "SUM":
        if type_name(first) not in _SUMMED or any(type(result) is not type(first) for result in results):
            return None
        for result in results[1:]:
            first = add(first, result, session.run, 0)
        return first
    for result in results:
        found = order(result, first, session.run)
        if found is None:
            return None
        first = result if found == (-1 if aggregation == "MIN" else 1) else first
    return first


_SUMMED = frozenset({"number", "days and time duration", "years and months duration"})
_LISTS = frozenset({"RULE ORDER", "OUTPUT ORDER", "COLLECT"})
_POLICIES: dict[str, Callable[[DecisionTable, int, Frame, Session], Any]] = {
    "UNIQUE": _unique,
    "ANY": _any,
    "FIRST": _first,
    "PRIORITY": _priority,
    "RULE ORDER": _rule_order,
    "OUTPUT ORDER": _output_order,
    "COLLECT": _collect,
}
