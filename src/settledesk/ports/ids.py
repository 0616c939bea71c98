"""New ids come through here, so that the same run gives the same ids where a test wants that."""

from typing import Protocol


class Ids(Protocol):
    """A source of ids that were never given before."""

    def new(self) -> str:
        """Return a new id: letters and digits, safe in a file name and a header."""
        ...
