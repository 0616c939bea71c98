"""`settledesk table fmt` as scripts rely on it: what is written, what is left alone, and the exit codes."""

import json
import os

import pytest

from settledesk.cli import main

MODEL = """<definitions name="m" id="m" xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" namespace="https://m.example">
<decision id="d" name="d"><literalExpression><text>{}</text></literalExpression></decision></definitions>"""
NORMAL = """<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="m" name="m" namespace="https://m.example">
  <decision id="d" name="d">
    <literalExpression>
      <text>1</text>
    </literalExpression>
  </decision>
</definitions>
"""


@pytest.fixture(name="fmt")
def _fmt(capfd):
    """Run `settledesk table fmt` in this process; returns exit code, standard output and standard error."""

    def command(*arguments):
        capfd.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(["table", "fmt", *map(str, arguments)])
        out, err = capfd.readouterr()
        return int(stop.value.code or 0), out, err

    return command


@pytest.fixture(name="file")
def _file(tmp_path):
    """Return a file that is not in normal form."""
    file = tmp_path / "m.dmn"
    file.write_text(MODEL.format(1))
    return file


def test_a_file_is_written_and_then_left_alone(fmt, file):
    """The first run writes the normal form and says so, the second finds nothing to do and does not touch the file."""
    code, out, _ = fmt(file)
    assert (code, file.read_text()) == (0, NORMAL)
    assert f"written: {file}" in out
    before = file.stat()
    code, out, _ = fmt(file)
    assert code == 0
    assert out == "1 of 1 file in normal form already\n"
    assert file.stat() == before


def test_check_names_the_file_and_writes_nothing(fmt, file):
    """With `--check` a file that is not in normal form is named, exit code 1, and stays as it is."""
    code, out, _ = fmt("--check", file)
    assert (code, file.read_text()) == (1, MODEL.format(1))
    assert f"not in normal form: {file}" in out
    file.write_text(NORMAL)
    assert fmt("--check", file)[0] == 0


def test_json_is_one_document(fmt, file):
    """`--json` tells of each file whether its normal form is another."""
    code, out, _ = fmt("--check", "--json", file)
    assert code == 1
    assert json.loads(out) == {"files": [{"file": str(file), "changed": True, "error": None}]}


def test_a_file_that_cannot_be_loaded_is_not_touched(fmt, file, tmp_path):
    """A wrong cell is told with its place and exit code 2; that file stays, and the other files are written."""
    wrong = tmp_path / "wrong.dmn"
    wrong.write_text(MODEL.format("1 +"))
    code, _, err = fmt(wrong, file)
    assert code == 2
    assert f"{wrong}, decision `d`" in err
    assert wrong.read_text() == MODEL.format("1 +")
    assert file.read_text() == NORMAL


def test_with_standard_a_wrong_cell_is_no_obstacle(fmt, file):
    """What the standard takes, where a wrong expression is null, can be formatted on demand."""
    file.write_text(MODEL.format("unheard of"))
    assert fmt(file)[0] == 2
    assert fmt("--standard", file)[0] == 0
    assert file.read_text() == NORMAL.replace(">1<", ">unheard of<")


def test_a_missing_file_is_wrong_use(fmt, tmp_path):
    """A path that is no file is exit code 2."""
    code, _, err = fmt(tmp_path / "none.dmn")
    assert code == 2
    assert "there is no file" in err


def test_the_mode_and_a_link_to_the_file_stay(fmt, file, tmp_path):
    """Through a symbolic link the file that it leads to is written, with the mode that it had, and nothing is left."""
    file.chmod(0o640)
    link = tmp_path / "link.dmn"
    link.symlink_to(file)
    assert fmt(link)[0] == 0
    assert link.is_symlink()
    assert file.read_text() == NORMAL
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.dmn", "m.dmn"]


def test_a_write_that_fails_leaves_the_old_file(fmt, file, monkeypatch):
    """If the new file cannot take the old one's place, the old one is whole, nothing is left over, exit code 3."""

    def fail(*_arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", fail)
    code, _, err = fmt(file)
    assert code == 3
    assert f"`{file}` cannot be written" in err
    assert file.read_text() == MODEL.format(1)
    assert list(file.parent.iterdir()) == [file]
