"""A pack is data: the engine knows no pack by name, no reason code and no action."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import regex
from house_source import PACKAGE, ROOT, modules, shown, strings, tree

PACKS = tuple(sorted((ROOT / "packs").glob("*/pack.toml")))

# `none` is the house's own word for a known nothing (nothing was declined, nothing is to be done), before any pack's.
HOUSE_WORDS = frozenset({"none"})


def pack_names(path: Path) -> frozenset[str]:
    """Return every name that a pack gives: its own, its reason codes, its actions."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return frozenset({data["name"], *data["reasons"], *data["actions"]}) - HOUSE_WORDS


def named(module: ast.Module, names: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield line and name where a string is one of the names, or says an unmistakable one in a longer text.

    A plain word (`hold`) is English in a longer text; a name in two parts (`short-pay`) is nothing but the name.
    """
    unmistakable = {name for name in names if "_" in name or "-" in name}
    for node in strings(module):
        text = str(node.value)
        words = set(regex.findall(r"[\w-]+", text))
        for name in {text} & names | words & unmistakable:
            yield node.lineno, name


def test_every_pack_gives_names_to_look_for() -> None:
    """There is a pack, and each one names itself, some reasons and some actions."""
    assert PACKS
    for path in PACKS:
        assert len(pack_names(path)) > 3, path


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.parent.name)
def test_nothing_in_the_engine_names_a_pack_a_reason_or_an_action(path: Path) -> None:
    """A further pack needs no Python, because no string under `src/settledesk` is a name that a pack gives."""
    names = pack_names(path)
    found = [
        f"{shown(module, line)} says `{name}`"
        for module in modules(PACKAGE)
        for line, name in named(tree(module), names)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.parent.name)
def test_no_data_file_of_the_engine_names_a_pack_a_reason_or_an_action(path: Path) -> None:
    """The files beside the Python modules (a schema, a grammar) do not name anything of a pack either."""
    names = {name for name in pack_names(path) if "_" in name or "-" in name}
    files = [file for file in PACKAGE.rglob("*") if file.suffix in {".sql", ".lark", ".toml", ".json", ".j2", ".html"}]
    found = [
        f"{file.relative_to(ROOT)} says `{name}`"
        for file in files
        for name in sorted(names & set(regex.findall(r"[\w-]+", file.read_text(encoding="utf-8"))))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('x = "hold"', ["hold"]),
        ('match x:\n    case "hold":\n        pass', ["hold"]),
        ('x = {"BAD_PRICE": 1}', ["BAD_PRICE"]),
        ('x = f"the {y} short-pay of it"', ["short-pay"]),
        ('def f():\n    """Tell whether it is on hold: `short-pay`, BAD_PRICE."""', []),
        ('class C:\n    x: int\n    """`short-pay` is documentation here."""', []),
        ('x = "they put it on hold"', []),
        ('x = "short-payment"', []),
    ],
)
def test_the_search_finds_a_name_wherever_it_stands(code: str, found: list[str]) -> None:
    """A name is found as a value, a pattern, a key and inside a text, but not in documentation or plain English."""
    names = frozenset({"hold", "short-pay", "BAD_PRICE"})
    assert [name for _, name in named(ast.parse(code), names)] == found
