"""The files of vectors, read: what each engine answers, and the disagreements that are listed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml


class Disagreement(NamedTuple):
    """One answer in which `engine` and ours differ.

    `kind` is `cells`, `expressions` or `tables`; `subject` the text or the table's name; `case` the value's name, the
    number of the case of the table, or nothing.
    """

    engine: str
    kind: str
    subject: str
    case: str | int | None

    def __str__(self) -> str:
        return f"{self.engine} {self.kind}: {self.subject}" + ("" if self.case is None else f" <- {self.case}")


def _read(file: Path) -> Any:
    return yaml.load(file.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def read_cells(file: Path) -> tuple[list[str], dict[str, str], dict[str, list[str]]]:
    """Return the tests, the values by name, and per engine a row of marks for each test."""
    found = _read(file)
    rows = found["cells"]
    return [row[0] for row in rows], found["values"], _columns(rows)


def read_expressions(file: Path) -> tuple[list[str], dict[str, list[str]]]:
    """Return the expressions, and per engine their values."""
    rows = _read(file)["expressions"]
    return [row[0] for row in rows], _columns(rows)


def _columns(rows: list[list[str]]) -> dict[str, list[str]]:
    return {"kie": [row[1] for row in rows], "feelin": [row[2] for row in rows]}


def read_tables(file: Path) -> dict[str, list[tuple[dict[str, Any], str]]]:
    """Return per table its cases: the inputs and KIE's answer."""
    return {name: [(case, answer) for case, answer in rows] for name, rows in _read(file)["tables"].items()}


def listed(group: Mapping[str, Any]) -> list[Disagreement]:
    """Return the disagreements of a group of the list: its cells by value, its expressions, its tables by case."""
    engine = group["engine"]
    return [
        *(
            Disagreement(engine, "cells", test, str(value))
            for test, values in group.get("cells", {}).items()
            for value in values.split()
        ),
        *(Disagreement(engine, "expressions", text, None) for text in group.get("expressions", ())),
        *(
            Disagreement(engine, "tables", name, number)
            for name, numbers in group.get("tables", {}).items()
            for number in numbers
        ),
    ]
