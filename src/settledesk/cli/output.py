"""Printing: one JSON document, or text for people; everything else goes to standard error."""

import json
import sys
from collections.abc import Iterable
from typing import Any

import regex
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

EXIT_FINE, EXIT_BAD_NEWS, EXIT_WRONG_USE, EXIT_FAILED = 0, 1, 2, 3

WIDTH_WITHOUT_TERMINAL = 150

_OBEYED = regex.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal obeys, or that turn the direction of what is read, but for line end and tab."""
_NOT_ESCAPED_BY_JSON = regex.compile(r"[\x7f-\x9f\ud800-\udfff]")


class WrongUseError(Exception):
    """The command was used wrongly; the message says what to write instead."""


class SafeConsole(Console):
    """A console on which no text, wherever it came from, can give the terminal an order."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render as rich does, with every character that a terminal obeys replaced; rich's own orders stay."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(harmless(segment.text), segment.style)


def harmless(text: str) -> str:
    """Return text with every control character but line end and tab replaced by a mark."""
    return str(_OBEYED.sub("\ufffd", text))


def print_json(document: Any) -> None:
    """Print one JSON document on standard output, in which every control character stands as an escape."""
    text = json.dumps(document, ensure_ascii=False, indent=1, default=str)
    sys.stdout.write(_NOT_ESCAPED_BY_JSON.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n")


def console() -> Console:
    """Return a console for text: as wide as the terminal, or a fixed width into a file."""
    if sys.stdout.isatty():
        return SafeConsole(highlight=False)
    return SafeConsole(highlight=False, width=WIDTH_WITHOUT_TERMINAL)


def say(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(harmless(text) + "\n")


def progress(text: str) -> None:
    """Show how far long work is, on one line of a terminal's standard error; into a file nothing is written."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{harmless(text)}")
        sys.stderr.flush()


def complain(text: str, code: int, *, as_json: bool = False) -> int:
    """Write an error to standard error, and as the one JSON document where one was asked for; return the code."""
    if text:
        say(f"settledesk: {text}")
    if as_json:
        print_json({"error": text or "the command was not understood", "exit": code})
    return code
