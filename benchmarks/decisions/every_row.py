"""The functions of `by_hand` as they would have to be for a UNIQUE table: every row tried, so that a second is seen."""

import ast
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.decisions import by_hand


def every_row(decide: Callable[[Mapping[str, Any]], dict[str, Any] | None]) -> Callable[[Mapping[str, Any]], Any]:
    """Return the function with each `elif` as an `if` that collects what it would have returned.

    The function made gives the one collected value, `None` for none, and raises `ValueError` for several.
    """
    module = ast.parse(inspect.getsource(decide))
    (function,) = module.body
    assert isinstance(function, ast.FunctionDef)
    chain = next(statement for statement in function.body if isinstance(statement, ast.If))
    before = function.body[: function.body.index(chain)]
    function.body = [*ast.parse("hits = []").body, *before, *_rows(chain), *ast.parse(_END).body]
    function.args.args[0].annotation = function.returns = None
    space: dict[str, Any] = {**vars(by_hand)}
    exec(compile(ast.fix_missing_locations(module), "<every row>", "exec"), space)
    made: Callable[[Mapping[str, Any]], Any] = space[decide.__name__]
    return made


_END = """
if len(hits) > 1:
    raise ValueError(f"{len(hits)} rows match")
return hits[0] if hits else None
"""


def _rows(chain: ast.If) -> list[ast.stmt]:
    rows: list[ast.stmt] = []
    while True:
        (returned,) = chain.body
        assert isinstance(returned, ast.Return)
        assert returned.value is not None
        collected = ast.parse("hits.append(None)").body[0]
        assert isinstance(collected, ast.Expr)
        assert isinstance(collected.value, ast.Call)
        collected.value.args = [returned.value]
        rows.append(ast.If(test=chain.test, body=[collected], orelse=[]))
        if not chain.orelse:
            return rows
        (chain,) = chain.orelse  # type: ignore[assignment]
