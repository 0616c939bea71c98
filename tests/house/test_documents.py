"""What the documents tell a reader to type works, and prints what they show."""

import textwrap
from pathlib import Path

import pytest
from house_console import Example, agrees, copy_project, examples, make_command, run_example
from house_source import ROOT

DOCUMENTS = [
    path
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
    if path.is_file()
]

RUN_WITH_OUTPUT = {"make demo"}
"""The make targets that are run here; of the others only the existence is checked, since they take long."""

FINE, BAD_NEWS = 0, 1
CRASH = "Traceback (most recent call last):"


def fault(example: Example, place: Path) -> str | None:
    """Run an example; returns what is wrong with it."""
    if example.is_make and example.command not in RUN_WITH_OUTPUT:
        code, printed = run_example(make_command(example.command, dry=True), place)
        return None if code == FINE else "there is no such target:\n" + "\n".join(printed)
    command = make_command(example.command, dry=False) if example.is_make else example.command
    code, printed = run_example(command, place)
    if CRASH in printed:
        return "it crashes:\n" + "\n".join(printed)
    # Bad news is what some examples are there to show, so it is accepted where the document shows what was printed.
    if code not in ((FINE, BAD_NEWS) if example.output else (FINE,)):
        return f"it ends with code {code}:\n" + "\n".join(printed)
    if example.output and not agrees(example.output, printed):
        return "it prints something else:\n" + "\n".join(printed)
    return None


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_commands_of_a_document_work_as_shown(path: Path, tmp_path: Path) -> None:
    """Each `settledesk` and `make` command of a document runs, in order, and prints the output that stands below it."""
    found = [item for item in examples(path.read_text(encoding="utf-8")) if item.is_settledesk or item.is_make]
    if not found:
        pytest.skip(f"{path.name} has no console example")
    copy_project(ROOT, tmp_path)
    for example in found:
        wrong = fault(example, tmp_path)
        assert wrong is None, f"{path.relative_to(ROOT)}:{example.line} `{example.command}`: {wrong}"


DOCUMENT = """\
# A document

```console
$ settledesk run examples --store \\
    here.db
first

last

$ make demo
$ echo hello
hello
```

```python
$ settledesk not this
```

1. In a list:

   ```console
   $ settledesk simulator --port 8081
   ```
"""


def test_examples_are_found_in_console_fences_only() -> None:
    """A command may go on after a backslash, keeps the output below it, and stands in a fence marked `console`."""
    found = examples(DOCUMENT)
    assert [(item.command, item.line, item.output) for item in found] == [
        ("settledesk run examples --store here.db", 4, ("first", "", "last")),
        ("make demo", 10, ()),
        ("echo hello", 11, ("hello",)),
        ("settledesk simulator --port 8081", 22, ()),
    ]
    assert [(item.is_settledesk, item.is_make) for item in found] == [
        (True, False),
        (False, True),
        (False, False),
        (False, False),
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        ("a\nb", "a\nb", True),
        ("a", "a\nb", False),
        ("a\nb", "a", False),
        ("a\n...", "a\nb\nc", True),
        ("a\n...", "a", True),
        ("a\n...\nc", "a\nb\nb\nc", True),
        ("a\n...\nc", "a\nb\nc\nd", False),
        ("...\nb\n...\nd", "a\nb\nb\nc\nd", True),
        ("9 documents read (123 per second)", "9 documents read (7 per second)", True),
        ("9 documents read (123 per second)", "8 documents read (123 per second)", False),
        ("2026-01-02 10:00 opened", "2027-03-04T11:12:13.5+00:00 opened", True),
        ("due 2026-01-02", "due 2026-01-03", False),
    ],
)
def test_shown_output_agrees_with_what_is_printed(shown: str, printed: str, expected: bool) -> None:
    """Output agrees line by line; `...` stands for any lines, and only timings and instants may differ."""
    assert agrees(shown.splitlines(), printed.splitlines()) is expected


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("settledesk --version", ("...",), None),
        ("settledesk --version", ("999",), "it prints something else"),
        ("settledesk no-such-command", (), "it ends with code 2"),
        ("make demo-of-nothing", (), "there is no such target"),
    ],
)
def test_a_wrong_example_is_found(command: str, output: tuple[str, ...], expected: str | None, tmp_path: Path) -> None:
    """An example fails if it prints something else, if it ends badly, or if its target does not exist."""
    (tmp_path / "Makefile").write_text(textwrap.dedent("demo:\n\t@true\n"), encoding="utf-8")
    wrong = fault(Example(command=command, line=1, output=output), tmp_path)
    assert wrong is None if expected is None else expected in str(wrong)
