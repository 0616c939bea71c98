"""`not`, `all`, `any`, `is`, and the functions over contexts."""

from datetime import datetime, time
from typing import Any

from settledesk.feel.builtins.registry import builtin
from settledesk.feel.operators import equal
from settledesk.feel.run import Run
from settledesk.feel.values import type_name


@builtin("not", "negand: any")
def _not(run: Run, negand: Any) -> Any:
    if type(negand) is bool:
        return not negand
    if negand is None:
        return None
    return run.note("type", f"`not` needs a boolean, not a {type_name(negand)}")


def _all_of(run: Run, values: list[Any], decisive: bool) -> Any:
    if decisive in [value for value in values if type(value) is bool]:
        return decisive
    if any(type(value) is not bool for value in values):
        return run.note("type", "not all elements are booleans")
    return not decisive


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
    if isinstance(value1, datetime | time) and value1.utcoffset() != value2.utcoffset():
        return False
    return equal(value1, value2, run) is True


@builtin("get value", "m: context, key: string")
def _get_value(run: Run, context: dict[str, Any], key: str) -> Any:
    if key in context:
        return context[key]
    return run.note("missing", f"the context has no entry `{key}`")


@builtin("get value", "context: context, keys: list")
def _get_nested(run: Run, context: dict[str, Any], keys: list[Any]) -> Any:
    value: Any = context
    for key in keys:
        if type(value) is not dict or type(key) is not str or key not in value:
            return run.note("missing", f"the context has no entry `{key}`")
        value = value[key]
    return value if keys else None


@builtin("get entries", "m: context")
def _get_entries(run: Run, context: dict[str, Any]) -> list[Any]:
    run.made_list(len(context))
    return [{"key": key, "value": value} for key, value in context.items()]


@builtin("context", "entries: list")
def _context(run: Run, entries: list[Any]) -> Any:
    made: dict[str, Any] = {}
    for entry in entries:
        if type(entry) is not dict or "key" not in entry or "value" not in entry or type(entry["key"]) is not str:
            return run.note("argument", "an entry needs a `key` that is a string and a `value`")
        if entry["key"] in made:
            return run.note("argument", f"the entry `{entry['key']}` stands twice")
        made[entry["key"]] = entry["value"]
    return made


@builtin("context put", "context: context, key: string, value: any")
def _context_put(_run: Run, context: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    return {**context, key: value}


@builtin("context put", "context: context, keys: list, value: any")
def _context_put_nested(run: Run, context: dict[str, Any], keys: list[Any], value: Any) -> Any:
    if not keys or len(keys) > 50 or any(type(key) is not str for key in keys):
        return run.note("argument", "the keys must be one to fifty strings")
    for key in reversed(keys[1:]):
        inner = _get_nested(run, context, keys[: keys.index(key)])
        value = {**(inner if type(inner) is dict else {}), key: value}
    return {**context, keys[0]: value}


@builtin("context merge", "contexts: list")
def _context_merge(run: Run, contexts: list[Any]) -> Any:
    made: dict[str, Any] = {}
    for context in contexts:
        if type(context) is not dict:
            return run.note("argument", "only contexts can be merged")
        run.spend(len(context))
        made |= context
    return made
