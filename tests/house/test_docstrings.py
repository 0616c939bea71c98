"""Every test says in a sentence what it promises."""

import ast
from pathlib import Path

import pytest
from house_source import TESTS, functions, modules, shown, tree

WORDS_MIN = 4


def is_sentence(docstring: str | None) -> bool:
    """Tell whether a docstring's first paragraph begins like a sentence, ends like one, and has some words.

    It begins with a capital, a figure, something quoted, or a name in code (`pack.toml`, `read_tries_max`).
    """
    paragraph = (docstring or "").strip().partition("\n\n")[0].strip()
    if not paragraph or len(paragraph.split()) < WORDS_MIN:
        return False
    word = paragraph.split()[0]
    begins = word[0].isupper() or word[0].isdigit() or word[0] in "`\"'(" or "." in word[:-1] or "_" in word
    return begins and paragraph.rstrip("`\"')")[-1:] in {".", "?", "!"}


@pytest.mark.parametrize("path", modules(TESTS), ids=lambda path: str(path.relative_to(TESTS)))
def test_every_test_states_its_promise(path: Path) -> None:
    """Each test function has a docstring that is a sentence, so that a failing test says what was promised."""
    tests = [node for node in functions(tree(path)) if node.name.startswith("test_")]
    missing = [node for node in tests if not is_sentence(ast.get_docstring(node))]
    assert not missing, "\n".join(f"{shown(path, node.lineno)} `{node.name}` promises nothing" for node in missing)


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("A row fires only on known values.", True),
        ("`null` means unknown, and nothing else does.", True),
        ("A first sentence that is\nbroken over two lines.\n\nand more\n", True),
        ("pack.toml names every finding once.", True),
        (None, False),
        ("", False),
        ("Rows.", False),
        ("a row fires only on known values.", False),
        ("A row fires only on known values", False),
    ],
)
def test_a_title_is_not_a_sentence(docstring: str | None, expected: bool) -> None:
    """A docstring counts if it begins like a sentence, ends like one and has a few words."""
    assert is_sentence(docstring) is expected
