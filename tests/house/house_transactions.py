"""What is handed to `Store.tx`, found in the source: the functions that run inside a transaction, and what they do."""

import ast
from collections.abc import Iterator
from pathlib import Path

from house_source import PACKAGE, modules, shown, tree

PORTS = frozenset({"erp", "mailbox", "policy", "clock"})
"""The ports that leave the process, may take long, or read a clock: nothing inside a transaction asks them."""

_Callable = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Scope = dict[str, ast.AST]


class Source:
    """The modules of a package by dotted name, so that a name can be followed to the function it stands for."""

    def __init__(self, trees: dict[str, tuple[Path, ast.Module]]) -> None:
        self.trees = trees

    def problems(self) -> list[str]:
        """Return one line per fault of a function that is handed to `tx`."""
        return [problem for name in self.trees for problem in _ModuleCheck(self, name).problems()]

    def count(self) -> int:
        """Return how many calls of `tx` there are."""
        return sum(1 for _, module in self.trees.values() for _ in _tx_calls(module))


def package_source() -> Source:
    """Read the whole package."""
    trees = {}
    for path in modules(PACKAGE):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        trees[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = (path, tree(path))
    return Source(trees)


def _tx_calls(module: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tx":
            yield node


class _ModuleCheck:
    def __init__(self, source: Source, name: str) -> None:
        self._source, self._name = source, name
        self._path, self._module = source.trees[name]
        self._parents = {child: node for node in ast.walk(self._module) for child in ast.iter_child_nodes(node)}

    def problems(self) -> Iterator[str]:
        for call in _tx_calls(self._module):
            arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
            if len(arguments) != 1:
                yield f"{shown(self._path, call.lineno)} hands {len(arguments)} arguments to tx instead of one function"
                continue
            yield from self._argument(call, arguments[0])

    def _argument(self, call: ast.Call, argument: ast.expr) -> Iterator[str]:
        place = shown(self._path, call.lineno)
        if isinstance(argument, ast.Lambda):
            yield from self._inside(place, argument, set())
            return
        found = self._find(argument, call) if isinstance(argument, ast.Name) else None
        if found is None:
            yield f"{place} hands `{ast.unparse(argument)}` to tx, which is neither a lambda nor a function in sight"
            return
        yield from self._inside(place, found, set())

    def _inside(self, place: str, function: _Callable, seen: set[int]) -> Iterator[str]:
        """Check a function that runs in a transaction, and each function in sight that it calls."""
        if id(function) in seen:
            return
        seen.add(id(function))
        name = getattr(function, "name", "a lambda")
        if isinstance(function, ast.AsyncFunctionDef):
            yield f"{place} runs the coroutine function `{name}` inside a transaction"
            return
        for node in ast.walk(function):
            if isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith):
                yield f"{place} awaits inside `{name}`"
            elif isinstance(node, ast.Yield | ast.YieldFrom):
                yield f"{place} hands over a generator, `{name}`, which tx would never run"
            elif isinstance(node, ast.Attribute) and node.attr in PORTS and isinstance(node.ctx, ast.Load):
                yield from self._port(place, name, node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called = self._find(node.func, node)
                if called is not None:
                    yield from self._inside(place, called, seen)

    def _port(self, place: str, name: str, node: ast.Attribute) -> Iterator[str]:
        """Find a call of a port's method; a plain attribute of a port (a hash, say) is no call."""
        method = self._parents.get(node)
        call = self._parents.get(method) if isinstance(method, ast.Attribute) else None
        if isinstance(call, ast.Call) and call.func is method:
            yield f"{place} asks a port inside `{name}`: `{ast.unparse(call.func)}`"

    def _find(self, name: ast.Name, where: ast.AST) -> _Callable | None:
        """Follow a name from the innermost scope outwards, then through the imports."""
        scope: ast.AST | None = where
        while scope is not None:
            scope = self._parents.get(scope)
            if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
                found = _defined(scope, name.id)
                if found is not None:
                    return found
        return self._imported(name.id)

    def _imported(self, name: str) -> _Callable | None:
        for node in self._module.body:
            if isinstance(node, ast.ImportFrom) and node.module in self._source.trees:
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        return _defined(self._source.trees[node.module][1], alias.name)
        return None


def _defined(scope: ast.AST, name: str) -> _Callable | None:
    for node in getattr(scope, "body", ()):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            return node
    return None
