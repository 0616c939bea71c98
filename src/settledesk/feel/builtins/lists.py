"""Functions over lists. Positions count from 1, or from the end if negative."""

from decimal import Decimal
from functools import cmp_to_key
from typing import Any

from settledesk.feel.builtins.positions import LENGTH_MAX, part_of
from settledesk.feel.builtins.registry import builtin
from settledesk.feel.operators import equal, order
from settledesk.feel.run import Run
from settledesk.feel.values import Function


@builtin("list contains", "list: list, element: any")
def _list_contains(run: Run, items: list[Any], element: Any) -> bool:
    run.spend(len(items))
    return any(_same(item, element, run) for item in items)


def _same(one: Any, other: Any, run: Run) -> bool:
    """Tell whether two elements are equal; that they cannot be compared within is no finding."""
    if type(one) is not type(other):
        return False
    noted = len(run.diagnostics)
    same = equal(one, other, run) is True
    del run.diagnostics[noted:]
    return same


@builtin("count", "list: list")
def _count(_run: Run, items: list[Any]) -> Decimal:
    return Decimal(len(items))


@builtin("append", "list: list, item: any", several="each")
def _append(run: Run, items: list[Any], added: list[Any]) -> list[Any]:
    run.made_list(len(items) + len(added))
    return [*items, *added]


@builtin("concatenate", "list: list", several="each")
def _concatenate(run: Run, lists: list[Any]) -> Any:
    if None in lists:
        return run.note("null", "null is not a list")
    run.made_list(sum(len(items) if type(items) is list else 1 for items in lists))
    return [item for items in lists for item in (items if type(items) is list else [items])]


@builtin("union", "list: list", several="each")
def _union(run: Run, lists: list[Any]) -> Any:
    joined = _concatenate(run, lists)
    return None if joined is None else _distinct(run, joined)


@builtin("distinct values", "list: list")
def _distinct(run: Run, items: list[Any]) -> Any:
    kept: list[Any] = []
    for item in items:
        run.spend(len(kept) + 1)
        if not any(_same(item, other, run) for other in kept):
            kept.append(item)
    return kept


@builtin("duplicate values", "list: list")
def _duplicates(run: Run, items: list[Any]) -> Any:
    run.spend(len(items) ** 2)
    twice = [item for item in items if sum(_same(item, other, run) for other in items) > 1]
    return _distinct(run, twice)


@builtin("flatten", "list: list")
def _flatten(run: Run, items: list[Any]) -> list[Any]:
    made: list[Any] = []
    stack = [iter(items)]
    while stack:
        for item in stack[-1]:
            run.spend()
            if type(item) is list:
                stack.append(iter(item))
                break
            made.append(item)
        else:
            stack.pop()
    run.made_list(len(made))
    return made


@builtin("index of", "list: list, match: any")
def _index_of(run: Run, items: list[Any], match: Any) -> list[Any]:
    run.spend(len(items))
    return [Decimal(index) for index, item in enumerate(items, 1) if _same(item, match, run)]


@builtin("sublist", "list: list, start position: number, length?: number")
def _sublist(run: Run, items: list[Any], start: Decimal, length: Decimal | None) -> Any:
    part = part_of(len(items), start, length)
    if part is None or (length is not None and part.stop - part.start < int(min(length, LENGTH_MAX))):
        return run.note("argument", f"a list of {len(items)} has no such part")
    run.made_list(part.stop - part.start)
    return items[part]


def _index(run: Run, items: list[Any], position: Decimal) -> Any:
    part = part_of(len(items), position, None)
    return part.start if part else run.note("argument", f"a list of {len(items)} has no position {position}")


@builtin("insert before", "list: list, position: number, newItem: any")
def _insert_before(run: Run, items: list[Any], position: Decimal, new_item: Any) -> Any:
    begin = _index(run, items, position)
    if begin is None:
        return None
    run.made_list(len(items) + 1)
    return [*items[:begin], new_item, *items[begin:]]


@builtin("remove", "list: list, position: number")
def _remove(run: Run, items: list[Any], position: Decimal) -> Any:
    begin = _index(run, items, position)
    if begin is None:
        return None
    run.made_list(len(items))
    return [*items[:begin], *items[begin + 1 :]]


@builtin("list replace", "list: list, position: number, newItem: any")
def _replace_at(run: Run, items: list[Any], position: Decimal, new_item: Any) -> Any:
    begin = _index(run, items, position)
    if begin is None:
        return None
    run.made_list(len(items))
    return [*items[:begin], new_item, *items[begin + 1 :]]


@builtin("list replace", "list: list, match: function, newItem: any")
def _replace_matching(run: Run, items: list[Any], match: Function, new_item: Any) -> Any:
    run.made_list(len(items))
    made: list[Any] = []
    for item in items:
        found = match.call(run, [item, new_item]) if len(match.parameters) == 2 else None
        if type(found) is not bool:
            return run.note("argument", "the function must take two values and give a boolean")
        made.append(new_item if found else item)
    return made


@builtin("reverse", "list: list")
def _reverse(run: Run, items: list[Any]) -> list[Any]:
    run.made_list(len(items))
    return items[::-1]


class _NotBooleanError(Exception):
    """The function that orders a list did not give a boolean."""


@builtin("sort", "list: list, precedes?: function")
def _sort(run: Run, items: list[Any], precedes: Function | None) -> Any:
    run.made_list(len(items))

    def before(one: Any, other: Any) -> int:
        run.spend()
        if precedes is None:
            found: int | None = order(one, other, run)
            if found is None:
                raise _NotBooleanError
            return found
        if precedes.call(run, [one, other]) is True:
            return -1
        return 1 if precedes.call(run, [other, one]) is True else 0

    if precedes is not None and len(precedes.parameters) != 2:
        return run.note("argument", "the function that orders must take two values")
    try:
        return sorted(items, key=cmp_to_key(before))
    except _NotBooleanError:
        return None
