"""The command line: it only parses arguments and prints."""

from settledesk.cli.app import main

__all__ = ["main"]
