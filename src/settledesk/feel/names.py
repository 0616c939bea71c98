"""Names may hold spaces and operators, so where one ends depends on the names in scope: the longest known one wins."""

import difflib
from collections.abc import Iterable

import regex

_LETTERS = r"\p{L}_\U00010000-\U000EFFFF"
IDENTIFIER = regex.compile(rf"[{_LETTERS}][{_LETTERS}\p{{M}}\p{{N}}·]*+")
PIECE = regex.compile(rf"[{_LETTERS}\p{{M}}\p{{N}}·]++|[.+\-*/']")
SPACE = regex.compile(r"(?:\s|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")

KEYWORDS = frozenset(
    (
        *("if", "then", "else", "for", "in", "return", "some", "every", "satisfies", "function", "external"),
        *("and", "or", "between", "instance", "true", "false", "null"),
    )
)


def pieces(name: str) -> tuple[str, ...]:
    """Split a name into words and symbols; two spellings with the same pieces are the same name."""
    return tuple(PIECE.findall(name))


def spelling(name: str) -> str:
    """Return the name with every run of white space as one space."""
    return " ".join(name.split())


class NameTable:
    """Known names by their first word, in layers; an inner layer belongs to a binder that is open while parsing."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._layers: list[dict[str, list[tuple[tuple[str, ...], str]]]] = [{}]
        for name in names:
            self.declare(name)

    def push(self, names: Iterable[str] = ()) -> None:
        """Open a layer."""
        self._layers.append({})
        for name in names:
            self.declare(name)

    def pop(self) -> None:
        """Close the innermost layer."""
        self._layers.pop()

    def extended(self, names: Iterable[str]) -> "NameTable":
        """Return a table that knows these names besides, sharing the layers of this one."""
        table = NameTable()
        table._layers = [*self._layers, {}]
        for name in names:
            table.declare(name)
        return table

    def shares(self, other: "NameTable") -> bool:
        """Tell whether the layers of the other table are among those of this one."""
        return all(any(layer is own for own in self._layers) for layer in other._layers)

    def include(self, other: "NameTable") -> None:
        """Share the layers of another table, as if they were outside of this table's innermost layer."""
        self._layers = [*other._layers, *self._layers]

    def declare(self, name: str) -> None:
        """Add a name to the innermost layer."""
        parts = pieces(name)
        if not parts:
            return
        known = self._layers[-1].setdefault(parts[0], [])
        if all(parts != other for other, _ in known):
            known.append((parts, spelling(name)))
            known.sort(key=lambda entry: -len(entry[0]))

    def match(self, text: str, position: int) -> tuple[str, int] | None:
        """Return the longest known name that begins at `position`, and where it ends."""
        first = IDENTIFIER.match(text, position)
        if first is None:
            return None
        best: tuple[int, str, int] | None = None
        for layer in reversed(self._layers):
            for parts, name in layer.get(first.group(), ()):
                if best is not None and len(parts) <= best[0]:
                    break
                end = _follow(parts, text, first.end())
                if end is not None:
                    best = (len(parts), name, end)
                    break
        return None if best is None else (best[1], best[2])

    def similar(self, name: str) -> str | None:
        """Return the known name that looks most like `name`, for a 'did you mean'."""
        known = {entry[1] for layer in self._layers for entries in layer.values() for entry in entries}
        lower = {candidate.casefold(): candidate for candidate in sorted(known)}
        found = difflib.get_close_matches(name[:60].casefold(), lower, n=1, cutoff=0.7)
        return lower[found[0]] if found else None


def _follow(parts: tuple[str, ...], text: str, position: int) -> int | None:
    for part in parts[1:]:
        found = PIECE.match(text, position) or PIECE.match(text, _skip(text, position))
        if found is None or found.group() != part:
            return None
        position = found.end()
    return position


def _skip(text: str, position: int) -> int:
    found = SPACE.match(text, position)
    return position if found is None else found.end()
