"""`settledesk tck` as scripts rely on it: one JSON document, its keys, its exit codes, and the ratchet file."""

import json

import pytest

from settledesk.cli import main

KIT = """<testCases xmlns="http://www.omg.org/spec/DMN/20160719/testcase" xmlns:xsd="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><modelName>m.dmn</modelName>
<testCase id="one"><resultNode name="d"><expected><value xsi:type="xsd:decimal">{}</value></expected></resultNode>
</testCase></testCases>"""
MODEL = """<definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" name="m" namespace="https://m.example">
<decision id="d" name="d"><literalExpression><text>1</text></literalExpression></decision></definitions>"""
ID = "compliance-level-2/0001-one/m-test-01/one"


@pytest.fixture(name="run")
def _run(capfd):
    """Run one command in this process; returns exit code, standard output and standard error."""

    def command(*arguments):
        capfd.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(["tck", *map(str, arguments)])
        out, err = capfd.readouterr()
        return int(stop.value.code or 0), out, err

    return command


@pytest.fixture(name="kit")
def _kit(tmp_path):
    """Return a function that makes a kit of one case that expects a number."""

    def made(expected):
        folder = tmp_path / "kit" / "compliance-level-2" / "0001-one"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "m.dmn").write_text(MODEL)
        (folder / "m-test-01.xml").write_text(KIT.format(expected))
        return tmp_path / "kit"

    return made


def test_the_json_document_has_its_keys(run, kit):
    """`tck --json` prints the figures by level and the failed ids; it exits 0 if none failed and 1 if one did."""
    code, out, err = run(kit(1), "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "compliance-level-2": {
            "cases": 1,
            "passed": 1,
            "substantive": 1,
            "substantive_passed": 1,
            "folder_mean": 1.0,
            "unsupported": 0,
        },
        "failed": [],
        "unsupported": [],
        "unread": [],
    }
    code, out, _ = run(kit(2), "--json")
    assert (code, json.loads(out)["failed"]) == (1, [ID])


def test_the_table_for_people_names_what_failed_and_why(run, kit):
    """Without `--json` the figures are a table, and each failed case stands below with its reason."""
    code, out, _ = run(kit(2))
    assert code == 1
    assert "compliance-level-2" in out
    assert f"failed: {ID}: `d` is `1`, expected `2`" in out


def test_the_ratchet_file_gains_lines_and_decides_the_exit_code(run, kit, tmp_path):
    """With `--passing` only a listed case that fails is bad news; `--update` adds what passes and takes nothing out."""
    file = tmp_path / "passing"
    assert run(kit(2), "--passing", file)[0] == 0
    code, out, _ = run(kit(1), "--passing", file, "--update", "--json")
    assert (code, json.loads(out)["gained"]) == (0, [ID])
    code, out, _ = run(kit(2), "--passing", file, "--update", "--json")
    assert (code, json.loads(out)["broken"]) == (1, [ID])
    assert ID in file.read_text().splitlines()
    assert f"it passed before and fails: {ID}" in run(kit(2), "--passing", file)[2]


def test_wrong_use_says_what_to_write_instead(run, tmp_path):
    """A folder that is absent or holds no cases, and `--update` without a file, are wrong use and exit 2."""
    for arguments, said in (
        ((tmp_path / "no",), "there is no folder"),
        ((tmp_path,), "holds no test cases"),
        ((tmp_path, "--update"), "--passing"),
    ):
        code, _, err = run(*arguments)
        assert code == 2
        assert said in err
