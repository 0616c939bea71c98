"""What in a model is to be looked at: its tables, wherever they stand, and the declared types of what they read."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from settledesk.decisions import Model
from settledesk.decisions.item_types import ItemType
from settledesk.decisions.logic import FunctionLogic, TableLogic
from settledesk.verify.tables.examined import Examined
from settledesk.verify.tables.partition import Subject
from settledesk.verify.tables.replay import Replayer


def column_types(model: Model, name: str, logic: TableLogic) -> dict[str, ItemType]:
    """Return the declared types of what the columns read: inputs, required decisions, and paths into either."""
    types = dict(model.input_types)
    for required in model.decisions[name].requires_decisions:
        if required in model.decisions:
            types[required] = model.decisions[required].type
    for column in logic.table.columns:
        found: ItemType | None = None
        for place, step in enumerate(column.name.split(".")):
            found = types.get(step) if place == 0 else None if found is None else _component(found, step)
        if found is not None and column.variable is None:
            types[column.name] = found
    return types


def _component(wanted: ItemType, name: str) -> ItemType | None:
    while wanted.components is None and isinstance(wanted.base, ItemType) and not wanted.collection:
        wanted = wanted.base
    return None if wanted.components is None or wanted.collection else wanted.components.get(name)


def row_inputs(model: Model, decision: str) -> list[Mapping[str, Any]]:
    """Return an input for each row of a decision's table, none for a row that nothing declared meets."""
    table = model.table(decision)
    if table is None:
        return []
    types = column_types(model, decision, TableLogic(table=table))
    examined = Examined(
        Subject(decision=decision, table=table, input_types=types), Replayer(model, decision, table, types)
    )
    boxes = [examined.box_of(row) for row in range(len(table.rows))]
    return [examined.picked(box) if all(box) else {} for box in boxes]


def table_logics(logic: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], TableLogic]]:
    """Yield the tables in a decision's logic, each with the names of the entries on the way to it."""
    if isinstance(logic, TableLogic):
        yield path, logic
    elif isinstance(logic, tuple):
        for item in logic:
            yield from table_logics(item, path)
    elif is_dataclass(logic) and not isinstance(logic, ItemType) and not isinstance(logic, Mapping):
        inner = getattr(logic, "name", None)
        own = path if inner is None or isinstance(logic, FunctionLogic) else (*path, str(inner))
        for entry in fields(logic):
            value = getattr(logic, entry.name)
            if isinstance(value, tuple) or (
                is_dataclass(value) and type(value).__module__.startswith("settledesk.dec")
            ):
                yield from table_logics(value, own)
