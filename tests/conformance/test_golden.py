"""The answers of other engines, kept as vectors: where ours differs, the list says which clause decides."""

from collections import Counter
from pathlib import Path

import pytest
import yaml
from tools.oracles import ours
from tools.oracles.vectors import Disagreement, listed, read_cells, read_expressions, read_tables

GOLDEN = Path(__file__).parent / "golden"
GROUPS = yaml.safe_load((GOLDEN / "disagreements.yaml").read_text(encoding="utf-8"))["groups"]
LISTED = [found for group in GROUPS for found in listed(group)]
BYTES_MAX = 400_000


def cells():
    """Return where our cells answer otherwise than those of the vectors."""
    tests, values, answers = read_cells(GOLDEN / "cells.yaml")
    mine = ours.cells(tests, list(values.values()))
    return {
        Disagreement(engine, "cells", test, value)
        for engine, rows in answers.items()
        for test, row, own in zip(tests, rows, mine, strict=True)
        for value, theirs, mark in zip(values, row, own, strict=True)
        if (theirs == "1") != (mark == "1")
    }


def expressions():
    """Return where our expressions give another value than those of the vectors."""
    texts, answers = read_expressions(GOLDEN / "expressions.yaml")
    mine = ours.expressions(texts)
    return {
        Disagreement(engine, "expressions", text, None)
        for engine, values in answers.items()
        for text, theirs, own in zip(texts, values, mine, strict=True)
        if theirs != own
    }


def tables():
    """Return where our tables give another value than those of the vectors."""
    return {
        Disagreement("kie", "tables", name, number)
        for name, rows in read_tables(GOLDEN / "tables.yaml").items()
        for number, ((_, theirs), own) in enumerate(
            zip(rows, ours.table(GOLDEN / "tables" / f"{name}.dmn", [case for case, _ in rows]), strict=True), start=1
        )
        if theirs != own
    }


@pytest.mark.parametrize("found", [cells, expressions, tables], ids=lambda found: found.__name__)
def test_every_disagreement_with_another_engine_is_listed_with_its_clause(found):
    """An answer that differs from another engine's and is not listed fails, and so does a listed one that agrees."""
    differing = found()
    expected = {item for item in LISTED if item.kind == found.__name__}
    assert sorted(map(str, differing - expected)) == []
    assert sorted(map(str, expected - differing)) == []


def test_a_disagreement_is_listed_once():
    """Each disagreement stands in one group, so that one clause decides it."""
    assert [str(item) for item, number in Counter(LISTED).items() if number > 1] == []


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group["rule"][:60])
def test_a_group_says_what_each_engine_does_and_why(group):
    """A group names the engine and what it answers, what we answer, and the section of the standard that decides."""
    assert group["engine"] in ("kie", "feelin")
    assert group["says"]
    assert group["ours"]
    assert group["clause"].startswith("DMN 1.5, ")
    assert listed(group)


def test_the_grid_is_large_and_the_files_small():
    """At least 2,000 pairs of cell and value, 500 expressions and 60 tables are compared, in files of modest size."""
    tests, values, answers = read_cells(GOLDEN / "cells.yaml")
    assert len(tests) * len(values) >= 2000
    assert set(answers) == {"kie", "feelin"}
    assert len(read_expressions(GOLDEN / "expressions.yaml")[0]) >= 500
    assert len(read_tables(GOLDEN / "tables.yaml")) >= 60
    assert all(file.stat().st_size < BYTES_MAX for file in GOLDEN.rglob("*") if file.is_file())
