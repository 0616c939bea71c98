"""The ratchet: a file of case ids, one a line. A case that is listed may never fail again; lines are only added."""

from collections.abc import Iterable
from pathlib import Path

_HEADER = (
    "# Cases of the DMN TCK that pass. A listed case may never fail again; `settledesk tck … --update` adds lines.\n"
)


class Ratchet:
    """The ids of a ratchet file; a file that is absent has none."""

    def __init__(self, file: Path) -> None:
        self._file = file
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        self.ids = tuple(line for line in lines if line and not line.startswith("#"))

    def broken(self, passed: Iterable[str], run: Iterable[str]) -> list[str]:
        """Return the listed cases that were run, or belong to a folder that was, and did not pass."""
        passing, folders = set(passed), {_folder(case) for case in run}
        return [case for case in self.ids if case not in passing and _folder(case) in folders]

    def add(self, passed: Iterable[str]) -> list[str]:
        """Write the cases that are not listed yet into the file; return them."""
        known = set(self.ids)
        gained = [case for case in passed if case not in known]
        if gained:
            lines = sorted({*self.ids, *gained})
            self._file.write_text(_HEADER + "".join(f"{line}\n" for line in lines), encoding="utf-8")
            self.ids = tuple(lines)
        return gained


def _folder(case: str) -> str:
    return "/".join(case.split("/")[:2])
