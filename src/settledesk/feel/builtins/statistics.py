"""Functions that make one number, or one value, of a list: `min`, `max`, `sum`, `product`, `mean`, `median`, …"""

from decimal import Decimal
from typing import Any

from settledesk.feel.arithmetic import add, divide, multiply
from settledesk.feel.builtins.registry import builtin
from settledesk.feel.operators import order
from settledesk.feel.run import Run
from settledesk.feel.values import type_name

_SUMMABLE = ("number", "days and time duration", "years and months duration")


def _of_nothing(run: Run, name: str) -> Any:
    return run.note("argument", f"the {name} of an empty list is null")


def _extreme(run: Run, items: list[Any], sign: int, name: str) -> Any:
    if not items:
        return _of_nothing(run, name)
    run.spend(len(items))
    best = items[0]
    for item in items:
        found = order(item, best, run)
        if found is None:
            return None
        if found == sign:
            best = item
    return best


@builtin("min", "list: list", several="values")
def _min(run: Run, items: list[Any]) -> Any:
    return _extreme(run, items, -1, "minimum")


@builtin("max", "list: list", several="values")
def _max(run: Run, items: list[Any]) -> Any:
    return _extreme(run, items, 1, "maximum")


@builtin("sum", "list: list", several="values")
def _sum(run: Run, items: list[Any]) -> Any:
    if not items:
        return _of_nothing(run, "sum")
    run.spend(len(items))
    total: Any = items[0]
    if type_name(total) not in _SUMMABLE:
        return run.note("type", f"a {type_name(total)} cannot be summed")
    for item in items[1:]:
        total = add(total, item, run, run.place)
        if total is None:
            return None
    return total


@builtin("product", "list: list", several="values")
def _product(run: Run, items: list[Any]) -> Any:
    numbers = _numbers(run, items)
    if numbers is None:
        return None
    if not numbers:
        return _of_nothing(run, "product")
    total: Any = Decimal(1)
    for number in numbers:
        total = multiply(total, number, run, run.place)
        if total is None:
            return None
    return total


def _numbers(run: Run, items: list[Any]) -> list[Decimal] | None:
    run.spend(len(items))
    for item in items:
        if type(item) is not Decimal:
            run.note("type", f"a number is needed, not a {type_name(item)}")
            return None
    return items


@builtin("mean", "list: list", several="values")
def _mean(run: Run, items: list[Any]) -> Any:
    total = _sum(run, items)
    return None if total is None else divide(total, Decimal(len(items)), run, run.place)


@builtin("median", "list: list", several="values")
def _median(run: Run, items: list[Any]) -> Any:
    numbers = _numbers(run, items)
    if numbers is None:
        return None
    if not numbers:
        return _of_nothing(run, "median")
    ranked = sorted(numbers)
    middle = len(ranked) // 2
    if len(ranked) % 2:
        return ranked[middle]
    both = add(ranked[middle - 1], ranked[middle], run, run.place)
    return None if both is None else divide(both, Decimal(2), run, run.place)


@builtin("stddev", "list: list", several="values")
def _stddev(run: Run, items: list[Any]) -> Any:
    numbers = _numbers(run, items)
    if numbers is None:
        return None
    if len(numbers) < 2:
        return run.note("argument", "a standard deviation needs two numbers")
    average = sum(numbers) / Decimal(len(numbers))
    squares = sum(((number - average) ** 2 for number in numbers), Decimal(0))
    result = (squares / Decimal(len(numbers) - 1)).sqrt()
    return result if result.is_finite() else run.note("arithmetic", "the result is not a number")


@builtin("mode", "list: list", several="values")
def _mode(run: Run, items: list[Any]) -> Any:
    numbers = _numbers(run, items)
    if numbers is None:
        return None
    counts: dict[Decimal, int] = {}
    for number in numbers:
        counts[number] = counts.get(number, 0) + 1
    most = max(counts.values(), default=0)
    return sorted(number for number, count in counts.items() if count == most)
