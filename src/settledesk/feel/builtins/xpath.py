"""XPath regular expressions as `regex` reads them (XPath and XQuery Functions 3.1, 5.6.1; XML Schema part 2, F).

The pattern is read by its own grammar and written anew, so what only Python's dialect knows is refused.
"""

from functools import lru_cache

import regex

PATTERN_MAX = 1000
SIZE_MAX = 10_000
"""Parts of a pattern with its repetitions written out, which is about what compiling it takes."""
DEPTH_MAX = 50
FLAGS = frozenset("smixq")
_QUANTIFIER = regex.compile(r"(?:[?*+]|\{([0-9]+)(,([0-9]*))?\})")
_PROPERTY = regex.compile(r"\{(?:Is([A-Za-z0-9-]+)|([A-Z][a-z]?))\}")
_CATEGORIES = frozenset(
    f"{group}{member}"
    for group, members in {
        "L": "ultmo",
        "M": "nce",
        "N": "dlo",
        "P": "cdseifo",
        "Z": "slp",
        "S": "mcko",
        "C": "cfon",
    }.items()
    for member in ("", *members)
)
_NAME_START = r"\p{L}_:\p{Nl}"
_NAME_PART = rf"{_NAME_START}\p{{Nd}}\p{{M}}.\-·"
_SETS = {
    "s": r" \t\n\r",
    "d": r"\p{Nd}",
    "i": _NAME_START,
    "c": _NAME_PART,
    "W": r"\p{P}\p{Z}\p{C}",
}
"""What the escapes of classes hold, without brackets; the others are the complements of these."""
_OPPOSITES = {"S": "s", "D": "d", "I": "i", "C": "c", "w": "W"}
_SINGLE = {"n": r"\n", "r": r"\r", "t": r"\t"}
_ESCAPABLE = frozenset("\\|.?*+(){}-[]^$")
_WHITE = " \t\n\r"


class PatternError(ValueError):
    """A pattern or flags that are not XPath's; the text says what is wrong."""


@lru_cache(maxsize=256)
def compiled(pattern: str, flags: str) -> "regex.Pattern[str]":
    """Compile a pattern; raises `PatternError`."""
    if len(pattern) > PATTERN_MAX:
        raise PatternError(f"a pattern may have at most {PATTERN_MAX} characters")
    wrong = sorted(set(flags) - FLAGS)
    if wrong:
        raise PatternError(f"`{wrong[0]}` is not a flag: there are s, m, i, x and q")
    options = regex.VERSION1 | (regex.IGNORECASE if "i" in flags else 0)
    text = regex.escape(pattern) if "q" in flags else _Translator(pattern, flags).translated()
    try:
        return regex.compile(text, options)
    except (regex.error, OverflowError, RecursionError) as error:
        raise PatternError("it cannot be compiled") from error


def _without_white_space(pattern: str) -> str:
    """Drop white space outside of classes, as the flag `x` says."""
    made: list[str] = []
    depth = 0
    escaped = False
    for character in pattern:
        if character in _WHITE and not depth:
            continue
        if not escaped:
            depth += (character == "[") - (character == "]" and depth > 0)
        escaped = character == "\\" and not escaped
        made.append(character)
    return "".join(made)


class _Translator:
    """Reads one pattern from left to right and writes it for `regex`."""

    def __init__(self, pattern: str, flags: str) -> None:
        self._text = _without_white_space(pattern) if "x" in flags else pattern
        self._flags = flags
        self._at = 0
        self._groups = 0
        self._size = 0
        self._closed: set[int] = set()

    def translated(self) -> str:
        """Return the pattern as `regex` reads it."""
        made = self._branches(0)
        if self._at < len(self._text):
            raise PatternError("a `)` has no `(`")
        return made

    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _branches(self, depth: int) -> str:
        if depth > DEPTH_MAX:
            raise PatternError(f"groups may be nested at most {DEPTH_MAX} levels deep")
        made: list[str] = []
        while self._at < len(self._text) and self._next() != ")":
            if self._next() == "|":
                self._at += 1
                made.append("|")
            else:
                before = self._size
                self._size += 1
                made.append(self._atom(depth) + self._quantifier(before))
        return "".join(made)

    def _atom(self, depth: int) -> str:
        character = self._next()
        self._at += 1
        match character:
            case "(":
                return self._group(depth)
            case "[":
                return self._class(0)
            case "\\":
                return self._escape()
            case ".":
                return "(?s:.)" if "s" in self._flags else r"[^\n\r]"
            case "^":
                return "(?m:^)" if "m" in self._flags else r"\A"
            case "$":
                return "(?m:$)" if "m" in self._flags else r"\Z"
        if character in "?*+{}]":
            raise PatternError(f"a `{character}` must stand behind a `\\` here")
        return regex.escape(character)

    def _group(self, depth: int) -> str:
        number = 0
        opening = "(?:"
        if self._text.startswith("?:", self._at):
            self._at += 2
        elif self._next() == "?":
            raise PatternError("`(?` is only known as `(?:`")
        else:
            self._groups += 1
            number, opening = self._groups, "("
        inner = self._branches(depth + 1)
        if self._next() != ")":
            raise PatternError("a `(` has no `)`")
        self._at += 1
        self._closed.add(number)
        return f"{opening}{inner})"

    def _quantifier(self, before: int) -> str:
        """Return the repetition of the part that made the pattern larger than `before`."""
        found = _QUANTIFIER.match(self._text, self._at)
        if found is None:
            return ""
        low, several, high = found.groups()
        times = max((int(number[:6]) for number in (low, high) if number), default=1)
        self._size = before + (self._size - before) * max(times, 1)
        if self._size > SIZE_MAX:
            raise PatternError(f"with its repetitions written out it has more than {SIZE_MAX} parts")
        if several and high and int(low) > int(high):
            raise PatternError(f"`{found.group()}` begins above its end")
        self._at = found.end()
        lazy = "?" if self._next() == "?" else ""
        self._at += len(lazy)
        if self._next() and self._next() in "?*+{":
            raise PatternError(f"`{self._next()}` stands behind another repetition")
        return found.group() + lazy

    def _escape(self) -> str:
        """Return what stands behind a backslash outside of a class."""
        character = self._next()
        if character and character in "123456789":
            return self._reference()
        content = self._escaped_set()
        if content is None:
            return self._single()
        sign, inner = content
        return f"(?-i:[{sign}{inner}])"

    def _reference(self) -> str:
        digits = self._next()
        self._at += 1
        while self._next().isdecimal() and int(digits + self._next()) <= self._groups:
            digits += self._next()
            self._at += 1
        if int(digits) not in self._closed:
            raise PatternError(f"`\\{digits}` refers to no group before it")
        return f"(?:\\{digits})"

    def _single(self) -> str:
        character = self._next()
        self._at += 1
        if character in _SINGLE:
            return _SINGLE[character]
        if not character or character not in _ESCAPABLE:
            raise PatternError(f"`\\{character}` is not an escape")
        return "\\" + character

    def _escaped_set(self) -> tuple[str, str] | None:
        """Return a `^` or nothing and what the set of an escape such as `\\d` or `\\P{Lu}` holds, or `None`."""
        character = self._next()
        if character and character in "pP":
            self._at += 1
            return ("^" if character == "P" else "", self._property())
        if character in _SETS:
            self._at += 1
            return ("", _SETS[character])
        if character in _OPPOSITES:
            self._at += 1
            return ("^", _SETS[_OPPOSITES[character]])
        return None

    def _property(self) -> str:
        found = _PROPERTY.match(self._text, self._at)
        if found is None:
            raise PatternError("`\\p` needs a category such as `{Lu}` or a block such as `{IsGreek}`")
        self._at = found.end()
        block, category = found.groups()
        if category is not None and category not in _CATEGORIES:
            raise PatternError(f"`{category}` is not a category of characters")
        return rf"\p{{{category}}}" if category is not None else rf"\p{{Block={_BLOCKS.get(block, block)}}}"

    def _class(self, depth: int) -> str:
        """Return a class from behind its `[` on; its parts are joined as a set, so that none is an operator."""
        if depth > DEPTH_MAX:
            raise PatternError(f"classes may be nested at most {DEPTH_MAX} levels deep")
        negated = self._next() == "^"
        self._at += negated
        parts: list[str] = []
        without = ""
        while self._next() != "]" or not parts:
            if self._at >= len(self._text):
                raise PatternError("a `[` has no `]`")
            if self._text.startswith("-[", self._at) and parts:
                self._at += 2
                without = self._class(depth + 1)
                if self._next() != "]":
                    raise PatternError("a `]` must follow what is subtracted")
                break
            parts.append(self._class_part(first=not parts))
        self._at += 1
        kept = f"[{'^' if negated else ''}{''.join(parts)}]"
        return f"[{kept}--{without}]" if without else kept

    def _class_part(self, *, first: bool) -> str:
        low = self._class_item(first=first)
        follows = self._text[self._at + 1 : self._at + 2]
        if low.startswith("[") or self._next() != "-" or follows in ("]", "[", ""):
            return low
        self._at += 1
        high = self._class_item(first=False)
        if high.startswith("[") or _code(low) > _code(high):
            raise PatternError("a range of characters has no order")
        return f"{low}-{high}"

    def _class_item(self, *, first: bool) -> str:
        character = self._next()
        self._at += 1
        if character == "\\":
            content = self._escaped_set()
            return self._single() if content is None else f"[{content[0]}{content[1]}]"
        if character == "[" or (character == "]" and first):
            raise PatternError(f"a `{character}` in a class must stand behind a `\\`")
        return f"\\{character}" if not character.isalnum() and character.isascii() else character


def _code(item: str) -> int:
    return ord({"\\n": "\n", "\\r": "\r", "\\t": "\t"}.get(item, item[-1]))


_BLOCKS = {"Greek": "GreekandCoptic", "CombiningMarksforSymbols": "CombiningDiacriticalMarksforSymbols"}
"""Blocks that Unicode has renamed since."""
