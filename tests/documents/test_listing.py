"""Nothing in a folder vanishes: what is not read is listed with its reason, in text that a terminal only shows."""

import os
from pathlib import Path

import pytest
import ubl_text

from settledesk.adapters.documents import read_folder


def test_a_link_to_a_folder_is_listed_and_not_followed(tmp_path: Path) -> None:
    """What lies behind a link is not read, and the list says that it was not."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.xml").write_text(ubl_text.order())
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "linked").symlink_to(tmp_path / "outside")
    reading = read_folder(tmp_path / "in")
    assert reading.documents == ()
    assert [(one.path, one.reason) for one in reading.unread] == [
        ("linked", "a link to a folder, which is not followed")
    ]


def test_a_folder_that_cannot_be_opened_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed subfolder is named with the reason, and the files beside it are read."""
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "x.xml").write_text(ubl_text.bill())
    (tmp_path / "a.xml").write_text(ubl_text.order())
    scan = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    # The tests may run as a user to whom no folder is closed.
    monkeypatch.setattr(os, "scandir", refuse)
    reading = read_folder(tmp_path)
    assert [one.collection for one in reading.documents] == ["vendors", "purchase-orders"]
    (unread,) = reading.unread
    assert (unread.path, unread.reason) == ("closed", "the folder cannot be opened: permission denied")


@pytest.mark.parametrize("name", ["esc\x1b[31m.xml", "bell\x07.json", "line\nend.xml", "bidi\u202e.csv", "c1\x9b.xml"])
def test_a_file_s_name_is_shown_without_what_a_terminal_obeys(name: str, tmp_path: Path) -> None:
    """Escapes in a name are written out."""
    (tmp_path / name).write_text("<x")
    (unread,) = read_folder(tmp_path).unread
    assert unread.path.isprintable()
    assert "\\" in unread.path


def test_a_name_that_is_no_text_is_listed(tmp_path: Path) -> None:
    """A name of bytes that are no UTF-8 can be listed and printed."""
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.xml")).write_text("<x")
    (unread,) = read_folder(tmp_path).unread
    assert unread.path.encode()
