"""`not`, `all`, `any`, `is`, and the functions over contexts."""

from typing import Any

from settledesk.feel.builtins.registry import builtin
from settledesk.feel.operators import equal
from settledesk.feel.run import Run
from settledesk.feel.temporal import DATE_TIMES, TIMES, to_text
from settledesk.feel.values import type_name


@builtin("not", "negand: any")
def _not(run: Run, negand: Any) -> Any:
    if type(negand) is bool:
        return not negand
    if negand is None:
        return run.note("null", "null is neither true nor false")
    return run.note("type", f"`not` needs a boolean, not a {type_name(negand)}")


def _all_of(run: Run, values: list[Any], decisive: bool) -> Any:
    """Return `decisive` if an element is that, else its opposite if all are; null elements decide nothing."""
    run.spend(len(values))
    other = next((value for value in values if value is not None and type(value) is not bool), None)
    if other is not None:
        return run.note("type", f"the elements must be booleans, not a {type_name(other)}")
    if decisive in values:
        return decisive
    return run.note("null", "an element is null") if None in values else not decisive


@builtin("all", "list: list", several="values")
def _all(run: Run, values: list[Any]) -> Any:
    return _all_of(run, values, decisive=False)


@builtin("any", "list: list", several="values")
def _any(run: Run, values: list[Any]) -> Any:
    return _all_of(run, values, decisive=True)


@builtin("is", "value1: any, value2: any")
def _is(run: Run, value1: Any, value2: Any) -> bool:
    if type(value1) is not type(value2):
        return False
    if type(value1) in (*DATE_TIMES, *TIMES):
        return bool(value1 == value2) and to_text(value1) == to_text(value2)
    if type(value1) is list:
        run.spend(len(value1))
        return len(value1) == len(value2) and all(_is(run, *both) for both in zip(value1, value2, strict=True))
    if type(value1) is dict:
        run.spend(len(value1))
        return value1.keys() == value2.keys() and all(_is(run, item, value2[key]) for key, item in value1.items())
    return equal(value1, value2, run) is True


@builtin("get value", "m: context, key: string")
def _get_value(run: Run, context: dict[str, Any], key: str) -> Any:
    if key in context:
        return context[key]
    return run.note("missing", f"the context has no entry `{key}`")


@builtin("get entries", "m: context")
def _get_entries(run: Run, context: dict[str, Any]) -> list[Any]:
    run.made_list(len(context))
    return [{"key": key, "value": value} for key, value in context.items()]


@builtin("context", "entries: list")
def _context(run: Run, entries: list[Any]) -> Any:
    made: dict[str, Any] = {}
    run.spend(len(entries))
    for entry in entries:
        if type(entry) is not dict or "key" not in entry or "value" not in entry or type(entry["key"]) is not str:
            return run.note("argument", "an entry needs a `key` that is a string and a `value`")
        if entry["key"] in made:
            return run.note("argument", f"the entry `{entry['key']}` stands twice")
        made[entry["key"]] = entry["value"]
    return made


@builtin("context put", "context: context, key: string, value: any")
def _context_put(run: Run, context: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    run.spend(len(context) + 1)
    return {**context, key: value}


@builtin("context put", "context: context, keys: list, value: any")
def _context_put_nested(run: Run, context: dict[str, Any], keys: list[Any], value: Any) -> Any:
    if not keys or len(keys) > 50 or any(type(key) is not str for key in keys):
        return run.note("argument", "the keys must be one to fifty strings")
    outer: list[dict[str, Any]] = [context]
    for key in keys[:-1]:
        inner = outer[-1].get(key)
        if type(inner) is not dict:
            return run.note("argument", f"the entry `{key}` is no context, so nothing can be put into it")
        outer.append(inner)
    for key, around in zip(reversed(keys), reversed(outer), strict=True):
        run.spend(len(around) + 1)
        value = {**around, key: value}
    return value


@builtin("context merge", "contexts: list")
def _context_merge(run: Run, contexts: list[Any]) -> Any:
    made: dict[str, Any] = {}
    for context in contexts:
        if type(context) is not dict:
            return run.note("argument", "only contexts can be merged")
        run.spend(len(context))
        made |= context
    return made
