"""Console examples of a document: found in its fences, run in order in a copy of the project, compared with the print.

A line `$ command` starts an example, what follows it is its output. A line `...` of the output stands for any lines. A
command that ends in a backslash goes on in the next line.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import regex

PROMPT = "$ "
ANYTHING = "..."
TIMEOUT_S = 300

_FENCE = regex.compile(r"^( *)(`{3,}|~{3,})\s*(\w*)\s*$")
_SHOWN_DIFFERENTLY = (
    (regex.compile(r"\d[\d,.]* per second"), "N per second"),
    (regex.compile(r"\d[\d,.]* (?:ms|s)\b"), "N s"),
    (regex.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d| UTC)?"), "TIME"),
)
_NOT_COPIED = (
    "src",
    "tests",
    "build",
    "dist",
    "benchmarks",
    ".*",
    "__pycache__",
    "*.egg-info",
    "*.db",
    "*.db-*",
    "*.outbox",
)
_NEVER_ENDS = ("settledesk simulator",)

# The tests may run under `make`, and an inner make would then say which folder it enters.
_FOREIGN = ("SETTLEDESK_", "MAKE", "MFLAGS", "FORCE_COLOR", "COLUMNS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A command as a reader types it, the line of the document where it stands, and the output shown under it."""

    command: str
    line: int
    output: tuple[str, ...]

    @property
    def is_settledesk(self) -> bool:
        """Tell whether the command runs the program and comes to an end."""
        return self.command.split(" ")[0] == "settledesk" and not self.command.startswith(_NEVER_ENDS)

    @property
    def is_make(self) -> bool:
        """Tell whether the command makes a target."""
        return self.command.split(" ")[0] == "make"


def examples(text: str) -> list[Example]:
    """Return the examples of every fence marked `console`, in order."""
    found: list[Example] = []
    for first, body in _fences(text):
        found.extend(_examples_of_fence(first, body))
    return found


def _fences(text: str) -> list[tuple[int, list[str]]]:
    """Return the first line's number and the lines of each console fence."""
    fences: list[tuple[int, list[str]]] = []
    closing, indent, is_console = "", 0, False
    for number, line in enumerate(text.splitlines(), start=1):
        match = _FENCE.match(line)
        if not closing and match:
            closing, indent, is_console = match.group(2), len(match.group(1)), match.group(3) == "console"
            if is_console:
                fences.append((number + 1, []))
        elif closing and line.strip() == closing:
            closing = ""
        elif closing and is_console:
            fences[-1][1].append(line[indent:] if not line[:indent].strip() else line)
    return fences


def _examples_of_fence(first: int, body: Sequence[str]) -> list[Example]:
    found: list[Example] = []
    number = 0
    while number < len(body):
        if not body[number].startswith(PROMPT):
            number += 1
            continue
        start, command = number, body[number].removeprefix(PROMPT)
        while command.endswith("\\") and number + 1 < len(body):
            number += 1
            command = command[:-1].rstrip() + " " + body[number].strip().removeprefix("> ")
        number += 1
        output = []
        while number < len(body) and not body[number].startswith(PROMPT):
            output.append(body[number])
            number += 1
        found.append(Example(command=command, line=first + start, output=tuple(_trimmed(output))))
    return found


def copy_project(root: Path, place: Path) -> None:
    """Copy what a user of a clone works with (packs, examples, the Makefile and what it includes), not the source."""
    shutil.copytree(root, place, ignore=shutil.ignore_patterns(*_NOT_COPIED), dirs_exist_ok=True)


def run_example(command: str, place: Path) -> tuple[int, list[str]]:
    """Run a command in a place with this interpreter's programs; returns its exit code and what it printed."""
    programs = Path(sys.executable).parent
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=place,
        env={**kept, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1", "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    return done.returncode, _trimmed(done.stdout.splitlines())


def make_command(command: str, *, dry: bool) -> str:
    """Return a `make` command that takes the environment as set up and the programs of this interpreter."""
    target = command.removeprefix("make").strip()
    return f"make {'-n ' if dry else ''}-o .venv/.ready BIN='{Path(sys.executable).parent}' {target}"


def agrees(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Tell whether the printed lines are what a document shows, where `...` stands for any lines."""
    pattern = [ANYTHING if line.strip() == ANYTHING else _normal(line) for line in shown]
    lines = [_normal(line) for line in printed]
    ends = {0}  # how many printed lines the pattern so far may have used up
    for wanted in pattern:
        if wanted == ANYTHING:
            ends = set(range(min(ends), len(lines) + 1)) if ends else set()
        else:
            ends = {end + 1 for end in ends if end < len(lines) and lines[end] == wanted}
    return len(lines) in ends


def _normal(line: str) -> str:
    for pattern, shown in _SHOWN_DIFFERENTLY:
        line = pattern.sub(shown, line)
    return line.rstrip()


def _trimmed(lines: Sequence[str]) -> list[str]:
    """Drop empty lines at both ends and blanks at the ends of lines."""
    stripped = [line.rstrip() for line in lines]
    while stripped and not stripped[0]:
        stripped.pop(0)
    while stripped and not stripped[-1]:
        stripped.pop()
    return stripped
