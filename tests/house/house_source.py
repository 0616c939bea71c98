"""The project's own source as syntax trees, for tests that hold the house rules."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "settledesk"
TESTS = ROOT / "tests"

Function = ast.FunctionDef | ast.AsyncFunctionDef
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def modules(folder: Path) -> tuple[Path, ...]:
    """Return every Python module under a folder, in order."""
    return tuple(sorted(folder.rglob("*.py")))


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def shown(path: Path, line: int) -> str:
    """Return a place as an editor opens it."""
    return f"{path.relative_to(ROOT)}:{line}" if path.is_relative_to(ROOT) else f"{path.name}:{line}"


def functions(module: ast.Module) -> Iterator[Function]:
    """Yield every function of a module, nested ones and methods too."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def strings(module: ast.Module) -> Iterator[ast.Constant]:
    """Yield every string constant that is no docstring; the constant parts of an f-string are among them."""
    documentation = set(_documentation(module))
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node


def _documentation(module: ast.Module) -> Iterator[int]:
    """Yield the identities of docstrings: of modules, classes and functions, and of the attribute before a string."""
    for node in ast.walk(module):
        for body in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            for statement in body if isinstance(body, list) else ():
                if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                    yield id(statement.value)
