"""What the commands print can give a terminal no order, whoever wrote the text."""

import io
import json

import pytest
from rich.table import Table
from rich.text import Text

from settledesk.cli.output import SafeConsole, print_json, say

HOSTILE = "a\x1b]8;;http://evil.example\x07b\x9b31mc\u202ed\x7fe\rf"


def _obeyed(text: str) -> list[str]:
    return [char for char in text if char != "\n" and not char.isprintable()]


@pytest.mark.parametrize("in_table", [False, True])
def test_text_reaches_the_console_without_control_characters(in_table: bool) -> None:
    """A hostile text is printed with marks in place of its controls; line ends stay."""
    out = SafeConsole(file=io.StringIO(), width=80, highlight=False)
    table = Table("title")
    table.add_row(Text(HOSTILE))
    out.print(table if in_table else f"{HOSTILE}\nnext", markup=False)
    printed = out.file.getvalue()
    assert _obeyed(printed) == []
    assert "evil.example" in printed
    assert printed.count("\n") > 1


def test_colours_of_our_own_stay() -> None:
    """What the command itself styles is still styled on a terminal."""
    out = SafeConsole(file=io.StringIO(), force_terminal=True, color_system="standard", width=80, _environ={})
    out.print("[bold]x[/bold]")
    assert "\x1b[1mx" in out.file.getvalue()


def test_json_on_standard_output_escapes_every_control_character(capsys: pytest.CaptureFixture[str]) -> None:
    """The document is still the same when it is read back."""
    print_json({"name": HOSTILE.replace("\u202e", "")})
    printed = capsys.readouterr().out
    assert _obeyed(printed) == []
    assert json.loads(printed) == {"name": HOSTILE.replace("\u202e", "")}


def test_errors_are_harmless_too(capsys: pytest.CaptureFixture[str]) -> None:
    """An argument that is repeated in an error cannot give the terminal an order."""
    say(HOSTILE)
    assert _obeyed(capsys.readouterr().err) == []
