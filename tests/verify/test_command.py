"""`settledesk table check` as scripts and people see it."""

import json

import pytest
from verify_tables import model_bytes

from settledesk.cli.app import main

OVERLAP = {
    "inputs": {"code": "string"},
    "rows": [["one", '"A", "B"', "1"], ["two", '"B"', "2"], ["rest", 'not("A", "B")', "3"], ["unknown", "null", "4"]],
}
GAP = {"inputs": {"flag": "boolean"}, "rows": [["yes", "true", "1"], ["unknown", "null", "2"]]}


@pytest.fixture(name="check")
def _check(tmp_path, capsys):
    def run(table, *options):
        file = tmp_path / "table.dmn"
        file.write_bytes(model_bytes(table))
        with pytest.raises(SystemExit) as stop:
            main(["table", "check", str(file), *options])
        return stop.value.code, capsys.readouterr().out

    return run


def test_an_error_finding_is_exit_code_1_and_one_json_document(check):
    """With `--json` one document is printed, with the keys that scripts rely on, and an error makes the code 1."""
    code, out = check(OVERLAP, "--json")
    first = json.loads(out)["findings"][0]
    assert code == 1
    assert {key: first[key] for key in ("kind", "severity", "decision", "rows", "input")} == {
        "kind": "overlap",
        "severity": "error",
        "decision": "d",
        "rows": ["one", "two"],
        "input": {"code": "B"},
    }
    assert first["message"]
    assert first["outputs"] == [1, 2]


def test_a_gap_alone_is_no_failure(check):
    """A gap is a warning: the desk escalates what no row takes, so the code stays 0."""
    code, out = check(GAP)
    assert code == 0
    assert "warning gap in d: no row takes flag = false\n    input: flag = false\n" in out
    assert out.endswith("1 table: 0 errors, 1 warning, 0 info\n")


def test_people_read_rows_input_and_both_outputs(check):
    """The text has a line on what is wrong, one with the input, one with what each row gives, and counts last."""
    code, out = check(OVERLAP)
    assert code == 1
    assert out.splitlines() == [
        'error overlap in d: `one` and `two` both match: code = "B"; '
        "`two` lies wholly within `one`, which has other outputs",
        '    input: code = "B"',
        "    `one` gives 1; `two` gives 2",
        "1 table: 1 error, 1 warning, 0 info",
    ]


def test_the_text_is_capped_and_all_shows_the_rest(check):
    """Twenty findings of a kind are printed, then how many more there are; `--all` prints them."""
    table = {"inputs": {"n": "number"}, "rows": [[f"r{place}", f"{place}, {place + 1}", "1"] for place in range(30)]}
    _, short = check(table)
    _, long = check(table, "--all")
    assert short.count("error overlap") == 21
    assert "error overlap: and 9 more (--all shows them)" in short
    assert long.count("error overlap") == 29


def test_a_decision_that_is_not_there_is_wrong_use(check):
    """An unknown decision is exit code 2, with its name in the message."""
    code, _ = check(GAP, "--decision", "nothing")
    assert code == 2
