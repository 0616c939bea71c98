"""The ownership map of CONTRIBUTING names every room, and each is where it says."""

import regex
from house_source import PACKAGE, ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAP, _, RESERVED = TEXT.partition("Rooms reserved for later")

# An adapter is a room of its own in the map; the folders inside a room belong to the room.
ROOMS = {f"{path.parent.relative_to(PACKAGE).as_posix()}/" for path in PACKAGE.glob("*/__init__.py")} - {"adapters/"}
ADAPTERS = {f"{path.parent.relative_to(PACKAGE).as_posix()}/" for path in PACKAGE.glob("adapters/*/__init__.py")}


def named_rooms(text: str) -> list[str]:
    """Return the folders that a table's first column names."""
    return regex.findall(r"^\| `([a-z_/]+/)` \|", text, regex.MULTILINE)


def test_the_map_names_every_room_once() -> None:
    """Each folder of the package has one line in the map, and each line a folder."""
    assert sorted(named_rooms(MAP)) == sorted(ROOMS | ADAPTERS)


def test_the_map_goes_from_the_inside_out() -> None:
    """The map's order is the order in which the rooms may import each other, as the import contract states it."""
    contract = regex.search(r"layers = \[(.*?)\]", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), regex.DOTALL)
    assert contract is not None
    layers = [name for name in regex.findall(r"settledesk\.(\w+)", contract.group(1)) if (PACKAGE / name).is_dir()]
    mapped = list(dict.fromkeys(name.partition("/")[0] for name in named_rooms(MAP)))
    assert mapped == layers[::-1]


def test_a_reserved_room_is_not_there_yet() -> None:
    """A room that is built moves from the list of reserved names into the map."""
    reserved = regex.findall(r"`([a-z_]+)/`", RESERVED)
    assert reserved
    assert not [name for name in reserved if (PACKAGE / name).exists() or (PACKAGE / "adapters" / name).exists()]
