"""What the command line prints of tables."""

import json
from decimal import Decimal

import pytest

from settledesk.cli.table import mark_rows, table_eval, table_show
from settledesk.decisions import load_model

TABLE = {
    "inputs": {"code": "string", "amount": "number", "day": "date", "other": "string"},
    "outputs": {"action": None, "rate": None},
    "rows": [
        ["small", '"A"', "<= 10", "-", "-", '"approve"', "0.25"],
        ["large", '"A"', "> 10", "-", "-", '"ask"', "amount / 3"],
        ["dated", '"B"', "-", '> date("2024-01-01")', "-", '"wait"', "date(day).year"],
    ],
}


@pytest.fixture(name="file")
def _file(tmp_path, make):
    path = tmp_path / "t.dmn"
    inputs = [make.input(name, kind) for name, kind in TABLE["inputs"].items()]
    path.write_bytes(make.model(*inputs, make.decision("d", make.table(TABLE), inputs=list(TABLE["inputs"]))))
    return path


def test_an_evaluation_is_one_json_document(file):
    """Value, fired, findings and trace are there under their names, and JSON can hold them."""
    facts = {"code": "A", "amount": Decimal("10.5"), "day": None, "other": None}
    result = json.loads(json.dumps(table_eval(file, "d", facts)))
    assert result["value"] == {"action": "ask", "rate": 3.5}
    assert result["fired"] == ["large"]
    assert result["findings"] == []
    assert result["trace"][0] == {"row": "small", "fired": False, "cell": "amount", "test": "<= 10", "value": 10.5}


def test_a_date_of_the_facts_is_read_as_one(file):
    """A text becomes a date where the model declares a date; one that is none is a wrong type."""
    facts = {"code": "B", "amount": None, "day": "2024-02-01", "other": None}
    assert table_eval(file, "d", facts)["value"] == {"action": "wait", "rate": 2024}
    kinds = [finding["kind"] for finding in table_eval(file, "d", {**facts, "day": "soon"})["findings"]]
    assert kinds == ["wrong_type", "no_match"]


def test_a_number_that_json_cannot_hold_exactly_is_text(file):
    """A number of 34 digits is not cut to a float."""
    result = table_eval(file, "d", {"code": "A", "amount": Decimal(100), "day": None, "other": None})
    assert result["value"]["rate"] == "33." + "3" * 32


def test_a_table_is_shown_with_its_rows_first(file):
    """Each row is a line that begins with its name; all inputs and outputs have a column."""
    lines = table_show(file).splitlines()
    assert lines[0] == "d (UNIQUE)"
    assert lines[1].split() == ["row", "code", "amount", "day", "action", "rate"]
    assert [line.split()[0] for line in lines[3:6]] == ["small", "large", "dated"]
    assert lines[6] == "not looked at: other"


def test_fired_rows_and_failing_cells_are_marked(file):
    """A fired row begins with `>`; a row that came near shows its failing cell and the value."""
    near = [{"row": "small", "cell": "amount", "value": Decimal(20)}, {"row": "dated", "cell": "day", "value": None}]
    text = mark_rows(load_model(file), "d", ["large"], near)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert any(line.startswith("> large") for line in lines)
    assert any(line.startswith("small") and "! <= 10 (is 20)" in line for line in lines)
    assert "(is unknown)" in text
    assert sum(line.startswith(">") for line in text.splitlines()) == 1
