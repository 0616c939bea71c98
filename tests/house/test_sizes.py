"""Modules and functions stay small enough to be read whole."""

import ast
from pathlib import Path

import pytest
from house_source import PACKAGE, functions, modules, shown, tree

MODULE_LINES_MAX = 500
FUNCTION_LINES_MAX = 70


def too_long(module: ast.Module, lines_max: int) -> list[tuple[int, str, int]]:
    """Return line, name and length of every function that is longer, from `def` to its last line."""
    lengths = [
        (node.lineno, node.name, (node.end_lineno or node.lineno) - node.lineno + 1) for node in functions(module)
    ]
    return [(line, name, length) for line, name, length in lengths if length > lines_max]


@pytest.mark.parametrize("path", modules(PACKAGE), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_and_its_functions_keep_within_the_walls(path: Path) -> None:
    """No module of the package has more than 500 lines, and no function more than 70."""
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MODULE_LINES_MAX, f"{shown(path, 1)} has {lines} lines"
    found = too_long(tree(path), FUNCTION_LINES_MAX)
    assert not found, "\n".join(f"{shown(path, line)} `{name}` has {length} lines" for line, name, length in found)


def test_a_function_one_line_over_the_wall_is_found() -> None:
    """A function of 71 lines is over the wall and one of 70 is not, wherever it is nested."""
    body = "\n".join(["        x = 1"] * 69)
    code = f"class C:\n    def f(self):\n{body}\n\n    async def g(self):\n{body}\n        x = 1\n"
    assert [(name, length) for _, name, length in too_long(ast.parse(code), FUNCTION_LINES_MAX)] == [("g", 71)]
