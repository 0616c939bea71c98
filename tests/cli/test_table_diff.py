"""`settledesk table diff` as scripts and people see it."""

import json

import pytest

from settledesk.cli import main

MODEL = """<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" name="m" namespace="https://m.example">
<decision id="d" name="d"><decisionTable>
<input><inputExpression typeRef="number"><text>percent</text></inputExpression></input><output name="action"/>
<rule id="small"><inputEntry><text>&lt;= {0}</text></inputEntry><outputEntry><text>"approve"</text></outputEntry></rule>
<rule id="large"><inputEntry><text>&gt; {0}</text></inputEntry><outputEntry><text>"hold"</text></outputEntry></rule>
</decisionTable></decision></definitions>"""


@pytest.fixture(name="diff")
def _diff(tmp_path, capfd):
    """Compare two files that hold these texts; returns exit code, standard output and standard error."""

    def command(old, new, *options):
        files = [tmp_path / "old.dmn", tmp_path / "new.dmn"]
        for file, text in zip(files, (old, new), strict=True):
            if text is not None:
                file.write_text(text)
        capfd.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(["table", "diff", *map(str, files), *options])
        out, err = capfd.readouterr()
        return int(stop.value.code or 0), out, err

    return command


def test_a_person_reads_the_class_the_outcomes_and_an_input(diff):
    """A change is told as class, old and new outcome with their rows, and an input; exit code 1, as of `diff`."""
    code, out, _ = diff(MODEL.format(10), MODEL.format(12))
    assert code == 1
    assert out == (
        "d:\n"
        '    percent in (10..12]: "hold" (row large) -> "approve" (row small)\n'
        "        input: percent = 11\n"
        "one class of inputs changes (proven over the declared domains)\n"
    )


def test_a_script_reads_changes_and_complete(diff):
    """`--json` prints one document: each change with input, old and new, and whether there can be others."""
    code, out, _ = diff(MODEL.format(10), MODEL.format(12), "--json")
    found = json.loads(out)
    assert code == 1
    assert found["complete"] is True
    (change,) = found["changes"]
    assert {key: change[key] for key in ("decision", "input", "old", "new")} == {
        "decision": "d",
        "input": {"percent": 11},
        "old": "hold",
        "new": "approve",
    }


def test_files_that_do_the_same_are_exit_code_0(diff):
    """Other row names, and cells that say the same otherwise, change no outcome."""
    same = MODEL.format(10).replace('id="small"', 'id="little"').replace("&lt;= 10", "(-5..10], &lt;= -5")
    assert diff(MODEL.format(10), same) == (0, "no outcome changes (proven over the declared domains)\n", "")
    code, out, _ = diff(MODEL.format(10), same, "--json")
    assert code == 0
    assert json.loads(out) == {
        "changes": [],
        "complete": True,
        "only_old": [],
        "only_new": [],
        "more": 0,
        "notes": [],
    }


def test_a_file_that_cannot_be_used_is_wrong_use(diff):
    """A file that cannot be loaded, or is not there, is exit code 2 with its place."""
    code, _, err = diff(MODEL.format(10), MODEL.format("+"))
    assert code == 2
    assert "decision `d`, row `small`, column `percent`" in err
    assert diff(MODEL.format(10), MODEL.format(10), "--decision", "none")[0] == 2
