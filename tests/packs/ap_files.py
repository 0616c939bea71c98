"""The accounts-payable pack as files: its tables are read here as XML, and not through the engine."""

from collections.abc import Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from lxml import etree

PACK = Path(__file__).parents[2] / "packs" / "accounts_payable"
CASES = Path(__file__).parent / "cases"
TABLES = ("needs", "resolution", "combine", "closure")
_DMN = {"d": "https://www.omg.org/spec/DMN/20191111/MODEL/"}


@cache
def columns(name: str) -> tuple[str, ...]:
    """Return the table's inputs, read from the file and not through the engine."""
    return tuple(str(text).strip() for text in _tree(name).xpath("//d:inputExpression/d:text/text()", namespaces=_DMN))


@cache
def column_types(name: str) -> dict[str, str]:
    """Return input -> its type."""
    types = _tree(name).xpath("//d:inputExpression/@typeRef", namespaces=_DMN)
    return dict(zip(columns(name), map(str, types), strict=True))


@cache
def cells(name: str) -> dict[str, dict[str, str]]:
    """Return row -> input -> text of its cell, without the cells that say nothing."""
    rows = {}
    for rule in _tree(name).iterfind(".//d:rule", _DMN):
        texts = [entry.findtext("d:text", "", _DMN).strip() for entry in rule.iterfind("d:inputEntry", _DMN)]
        rows[rule.get("id", "")] = {
            column: text for column, text in zip(columns(name), texts, strict=True) if text not in ("", "-")
        }
    return rows


def needed(name: str, row: str) -> list[str]:
    """Return the inputs that must be known for a row to fire."""
    return [column for column, text in cells(name)[row].items() if text != "null"]


def cases(name: str) -> list[dict[str, Any]]:
    """Return the cases written for one table."""
    return list(yaml.safe_load((CASES / f"{name}.yaml").read_text(encoding="utf-8")))


def grid(domains: Mapping[str, tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Return every combination of the values."""
    return [dict(zip(domains, values, strict=True)) for values in product(*domains.values())]


def _tree(name: str) -> etree._ElementTree:
    return etree.parse(PACK / "decisions" / f"{name}.dmn")
