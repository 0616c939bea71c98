"""What a piece of a model says, as a value that can be compared: two that say the same have equal fingerprints.

Names of rows, labels and places in texts say nothing of what an evaluation gives, and are left out. Where something
cannot be looked into, the fingerprint is equal to no other, so that equal ones can be relied on.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal, localcontext
from enum import Enum
from typing import Any

from settledesk.decisions import DecisionTable, Model
from settledesk.decisions.item_types import ItemType
from settledesk.decisions.session import Session
from settledesk.decisions.table import Column, Output
from settledesk.feel import FeelLimitError, UnaryTests
from settledesk.feel.expression import Program
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.values import type_name
from settledesk.verify.tables.shapes import walk

DEPTH_MAX = 60
_LEFT_OUT = frozenset({"position", "label", "run_on"})


_WITHOUT_TABLES = -1
"""Stands first among the things above one, where tables are left out."""


class _Unlike:
    """What is equal to nothing else."""


def fingerprint(thing: Any, *, tables: bool = True) -> Any:
    """Return the fingerprint of logic, a type, a table, or a collection of them; without `tables` of all else in it."""
    return _of(thing, () if tables else (_WITHOUT_TABLES,))


def table_fingerprint(table: DecisionTable) -> tuple[Any, ...]:
    """Return what a table says: all but the names of the table and its rows."""
    return (
        "table",
        table.hit_policy,
        table.aggregation,
        table.standard,
        tuple(column_fingerprint(column) for column in table.columns),
        tuple(output_fingerprint(table, output) for output in table.outputs),
    )


def column_fingerprint(column: Column) -> tuple[Any, ...]:
    """Return what a column says."""
    allowed = None if column.allowed is None else _of(column.allowed.tree, ())
    return (column.name, _of(column.item_type, ()), column.cells, allowed)


def output_fingerprint(table: DecisionTable, output: Output) -> tuple[Any, ...]:
    """Return what an output says; its list of values by the places that the rows' outputs have in it."""
    rank: Any = None
    if output.rank is not None:
        values = constants_of(table, output)
        rank = tuple(output.rank(value) for value in values.values()) if all(output.constant) else _Unlike()
    default: Any = None
    if output.default is not None:
        default = _Unlike()
        if output.default_constant:
            default = _literal(_run(table, output.default))
    return (output.name, _of(output.item_type, ()), output.cells, rank, default)


def constants_of(table: DecisionTable, output: Output) -> dict[int, Any]:
    """Return what an output gives in the rows where that is the same for all inputs, by row."""
    return {
        row: _run(table, run_on)
        for row, (run_on, constant) in enumerate(zip(output.run_on, output.constant, strict=True))
        if constant
    }


def context_fingerprint(model: Model, functions: Iterable[str], *, tables: bool = True) -> Any:
    """Return what a model says outside of a piece of logic that invokes some functions: these, and what they invoke."""
    found: dict[str, Any] = {}
    waiting = list(functions)
    while waiting:
        key = waiting.pop()
        knowledge = model.graph.functions.get(key)
        service = model.graph.services.get(key)
        if key in found:
            continue
        if knowledge is not None:
            found[key] = fingerprint(knowledge.logic, tables=tables)
            waiting.extend(knowledge.requires_functions)
        else:
            found[key] = _Unlike() if service is not None else None
    return (found, model.clock is None)


def _run(table: DecisionTable, run_on: Any) -> Any:
    try:
        with localcontext(DECIMAL_CONTEXT):
            return run_on(table.frame({}, Session(Run(), trace=False)))
    except (FeelLimitError, RecursionError):
        return _Unlike()


def _literal(value: Any) -> Any:
    if type(value) is list:
        return ("list", tuple(_literal(item) for item in value))
    if isinstance(value, dict):
        return ("context", tuple((key, _literal(item)) for key, item in value.items()))
    return (type_name(value), value)


def _of(thing: Any, above: tuple[int, ...]) -> Any:
    if thing is None or isinstance(thing, str | bool | int | Enum):
        return (type(thing).__name__, thing)
    if isinstance(thing, Decimal):
        return ("number", thing)
    if id(thing) in above:
        return ("again", len(above) - above.index(id(thing)))
    if len(above) > DEPTH_MAX:
        return _Unlike()
    inner = (*above, id(thing))
    match thing:
        case Program() | UnaryTests():
            return ("text", thing.text, tuple(type(node).__name__ for node in walk(thing.tree)))
        case DecisionTable():
            return "table" if above[:1] == (_WITHOUT_TABLES,) else table_fingerprint(thing)
        case ItemType():
            return _of_type(thing, inner)
        case tuple() | list():
            return tuple(_of(item, inner) for item in thing)
        case frozenset():
            return frozenset(_of(item, inner) for item in thing)
        case Mapping():
            return tuple(
                sorted(((str(key), _of(value, inner)) for key, value in thing.items()), key=lambda pair: pair[0])
            )
    if is_dataclass(thing) and type(thing).__module__.startswith("settledesk."):
        entries = [entry.name for entry in fields(thing) if entry.name not in _LEFT_OUT]
        return (type(thing).__name__, *[(name, _of(getattr(thing, name), inner)) for name in entries])
    return _Unlike() if callable(thing) or type_name(thing) == "unknown type" else _literal(thing)


def _of_type(wanted: ItemType, inner: tuple[int, ...]) -> Any:
    """Return what a type says, whatever its name is."""
    return (
        "type",
        _of(wanted.base, inner),
        _of(wanted.components, inner),
        wanted.collection,
        _of(wanted.allowed, inner),
        wanted.complete,
        _of(wanted.parameters, inner),
        _of(wanted.output, inner),
    )
