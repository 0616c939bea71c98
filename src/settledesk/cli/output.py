"""Printing: one JSON document, or text for people; everything else goes to standard error."""

import json
import sys
from typing import Any

from rich.console import Console

EXIT_FINE, EXIT_BAD_NEWS, EXIT_WRONG_USE, EXIT_FAILED = 0, 1, 2, 3

WIDTH_WITHOUT_TERMINAL = 150


class WrongUseError(Exception):
    """The command was used wrongly; the message says what to write instead."""


def print_json(document: Any) -> None:
    """Print one JSON document on standard output."""
    json.dump(document, sys.stdout, ensure_ascii=False, indent=1, default=str)
    sys.stdout.write("\n")


def console() -> Console:
    """Return a console for text: as wide as the terminal, or a fixed width into a file."""
    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(highlight=False, width=WIDTH_WITHOUT_TERMINAL)


def say(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(text + "\n")


def progress(text: str) -> None:
    """Show how far long work is, on one line of a terminal's standard error; into a file nothing is written."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()


def complain(text: str, code: int, *, as_json: bool = False) -> int:
    """Write an error to standard error, and as the one JSON document where one was asked for; return the code."""
    if text:
        say(f"settledesk: {text}")
    if as_json:
        print_json({"error": text or "the command was not understood", "exit": code})
    return code
