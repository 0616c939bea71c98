"""Iteration, filters, paths and invocation over values: what the compiled closures call at run time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from settledesk.feel import temporal
from settledesk.feel.run import DECIMAL_CONTEXT, Run
from settledesk.feel.temporal import Date
from settledesk.feel.values import Function, Range, type_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What one iterator runs over, and the slot of its variable."""

    slot: int
    start: Callable[[list[Any]], Any]
    end: Callable[[list[Any]], Any] | None
    position: int


class _NotIterableError(Exception):
    """A source cannot be iterated; the diagnostic is already noted."""


def null_if_sources_fail(make: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
    """Return a function that gives null where a source cannot be iterated."""

    def guarded(frame: list[Any]) -> Any:
        try:
            return make(frame)
        except _NotIterableError:
            return None

    return guarded


def combinations(sources: list[Source], frame: list[Any], depth: int = 0) -> Iterator[None]:
    """Set the variables of all sources to each combination in turn, the last one fastest."""
    run: Run = frame[0]
    source = sources[depth]
    last = depth == len(sources) - 1
    for value in _elements(source, frame, run):
        run.spend()
        frame[source.slot] = value
        if last:
            yield
        else:
            yield from combinations(sources, frame, depth + 1)


def _elements(source: Source, frame: list[Any], run: Run) -> Iterator[Any]:
    start = source.start(frame)
    if source.end is not None:
        return _span(start, source.end(frame), run, source.position)
    if type(start) is list:
        return iter(start)
    if type(start) is Range:
        return _range_span(start, run, source.position)
    if start is None:
        run.note("type", "a null cannot be iterated", source.position)
        raise _NotIterableError
    return iter((start,))


def _range_span(bounds: Range, run: Run, position: int) -> Iterator[Any]:
    if bounds.operator == "!=":
        run.note("type", "all but one value cannot be iterated", position)
        raise _NotIterableError
    if type(bounds.low) is type(bounds.high) and type(bounds.low) in (Decimal, Date) and bounds.low > bounds.high:
        run.note("argument", "a range that begins above its end cannot be iterated", position)
        raise _NotIterableError
    for value in _span(bounds.low, bounds.high, run, position):
        if (value == bounds.low and not bounds.low_included) or (value == bounds.high and not bounds.high_included):
            continue
        yield value


def _span(start: Any, end: Any, run: Run, position: int) -> Iterator[Any]:
    kinds = (type(start), type(end))
    if kinds == (Decimal, Decimal) and start == start.to_integral_value() and end == end.to_integral_value():
        if max(start.adjusted(), end.adjusted()) < DECIMAL_CONTEXT.prec:
            return _numbers(int(start), int(end))
        run.note("arithmetic", f"numbers of more than {DECIMAL_CONTEXT.prec} digits cannot be counted by one", position)
        raise _NotIterableError
    if kinds == (Date, Date):
        return _days(start, end)
    run.note("type", "only whole numbers and dates can be iterated from one to another", position)
    raise _NotIterableError


def _numbers(start: int, end: int) -> Iterator[Decimal]:
    step = 1 if end >= start else -1
    return (Decimal(number) for number in range(start, end + step, step))


def _days(start: Date, end: Date) -> Iterator[Date | None]:
    step = 1 if end >= start else -1
    return (temporal.date_of_days(days) for days in range(start.days, end.days + step, step))


def filtered(base: Any, condition: Callable[[list[Any]], Any], frame: list[Any], slot: int, position: int) -> Any:
    """Return the elements for which the condition is true, or the one at a place (from 1; negative from the end)."""
    run: Run = frame[0]
    if base is None:
        return run.note("null", "null has no elements", position)
    items = base if type(base) is list else [base]
    if not items:
        frame[slot] = None
        found = condition(frame)
        return run.note("missing", "an empty list has no element", position) if type(found) is Decimal else []
    kept: list[Any] = []
    for index, item in enumerate(items):
        run.spend()
        frame[slot] = item
        found = condition(frame)
        if type(found) is Decimal and index == 0:
            return element(items, found, run, position)
        if found is True:
            kept.append(item)
        elif found is not False and found is not None and index == 0:
            return run.note("type", f"a filter needs a boolean or a number, not a {type_name(found)}", position)
    return kept


def element(items: list[Any], number: Decimal, run: Run, position: int) -> Any:
    """Return the element at a place counted from 1, or from the end if negative."""
    whole = number.to_integral_value()
    if number == whole and 1 <= abs(whole) <= len(items):
        return items[int(whole) - 1] if whole > 0 else items[int(whole)]
    return run.note("missing", f"a list of {len(items)} has no element {number}", position)


def path(base: Any, name: str, run: Run, position: int) -> Any:
    """Return an entry of a context, a part of a date, time, duration or range, or the list of these over a list."""
    if base is None:
        return run.note("null", f"null has no property `{name}`", position)
    if type(base) is dict:
        if name in base:
            return base[name]
        return run.note("missing", f"the context has no entry `{name}`", position)
    if type(base) is list:
        run.spend(len(base))
        return [path(item, name, run, position) for item in base]
    properties = temporal.PROPERTIES.get(type(base)) or _RANGE_PROPERTIES.get(type(base), {})
    if name in properties:
        found = properties[name](base)
        return found if found is not None else run.note("missing", f"the {type_name(base)} has no `{name}`", position)
    return run.note("missing", f"a {type_name(base)} has no property `{name}`", position)


_RANGE_PROPERTIES: dict[type, dict[str, Callable[[Any], Any]]] = {
    Range: {
        "start": lambda bounds: bounds.low,
        "end": lambda bounds: bounds.high,
        "start included": lambda bounds: bounds.low_included,
        "end included": lambda bounds: bounds.high_included,
    }
}


def call_function(run: Run, function: Function, arguments: list[Any], names: tuple[str, ...], position: int) -> Any:
    """Invoke a function value by position or by name; wrong arguments are null with a diagnostic."""
    if names:
        if sorted(names) != sorted(function.parameters):
            return run.note("argument", f"the function has the parameters {', '.join(function.parameters)}", position)
        given = dict(zip(names, arguments, strict=True))
        arguments = [given[name] for name in function.parameters]
    count = len(arguments)
    if not (count == len(function.parameters) if function.takes is None else function.takes(count)):
        return run.note("argument", f"the function takes {_arguments(len(function.parameters))}, not {count}", position)
    return function.call(run, arguments)


def _arguments(count: int) -> str:
    return f"{count} argument{'' if count == 1 else 's'}"
