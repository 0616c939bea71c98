"""Reading characters: white space, symbols, words, strings and numbers, each with its place and with limits."""

from decimal import Decimal

import regex

from settledesk.feel.errors import FeelLimitError, FeelSyntaxError
from settledesk.feel.limits import Limits
from settledesk.feel.names import IDENTIFIER, PIECE, SPACE, spelling
from settledesk.feel.run import DECIMAL_CONTEXT

_NUMBER = regex.compile(r"(?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:[eE][+-]?[0-9]{1,6}(?![0-9]))?")
_STRING = regex.compile(r'"((?:[^"\\]|\\.)*+)"', regex.DOTALL)
_ESCAPE = regex.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{6})|(.))", regex.DOTALL)
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\"}


class Scanner:
    """A position in a text, moved forward by what is read."""

    def __init__(self, text: str, limits: Limits) -> None:
        if len(text) > limits.text_max:
            raise FeelLimitError("text_max", f"an expression may have at most {limits.text_max} characters")
        self.text = text
        self.limits = limits
        self.position = 0
        self._depth = 0
        self.skip()

    def skip(self) -> None:
        """Move over white space and comments."""
        found = SPACE.match(self.text, self.position)
        if found is not None:
            self.position = found.end()

    def at_end(self) -> bool:
        """Tell whether nothing is left."""
        return self.position >= len(self.text)

    def at(self, symbol: str) -> bool:
        """Tell whether `symbol` comes next."""
        return self.text.startswith(symbol, self.position)

    def take(self, symbol: str) -> bool:
        """Move over `symbol` if it comes next, and tell whether it did."""
        if not self.text.startswith(symbol, self.position):
            return False
        self.position += len(symbol)
        self.skip()
        return True

    def expect(self, symbol: str) -> None:
        """Move over `symbol`, or raise."""
        if not self.take(symbol):
            raise self.error(f"`{symbol}` is expected")

    def word(self) -> str:
        """Return the word that comes next without moving, or the empty text."""
        found = IDENTIFIER.match(self.text, self.position)
        return "" if found is None else str(found.group())

    def take_word(self, word: str) -> bool:
        """Move over this word if it comes next, and tell whether it did."""
        if self.word() != word:
            return False
        self.advance(len(word))
        return True

    def expect_word(self, word: str) -> None:
        """Move over this word, or raise."""
        if not self.take_word(word):
            raise self.error(f"`{word}` is expected")

    def advance(self, count: int) -> None:
        """Move by `count` characters and over white space."""
        self.position += count
        self.skip()

    def enter(self) -> None:
        """Go one level deeper; raises when the nesting is too deep."""
        self._depth += 1
        if self._depth > self.limits.depth_max:
            raise FeelLimitError(
                "depth_max",
                f"an expression may be nested at most {self.limits.depth_max} levels deep",
                text=self.text,
                position=self.position,
            )

    def leave(self) -> None:
        """Come back from the level."""
        self._depth -= 1

    def error(self, message: str, position: int | None = None) -> FeelSyntaxError:
        """Return an error with the place; where the text ends the message says so."""
        place = self.position if position is None else position
        if place >= len(self.text):
            return FeelSyntaxError(f"{message}, but the text ends", text=self.text, position=len(self.text))
        found = IDENTIFIER.match(self.text, place)
        got = found.group()[:40] if found else self.text[place]
        return FeelSyntaxError(f"{message}, not `{got}`", text=self.text, position=place)

    def number(self) -> Decimal | None:
        """Read a number if one comes next."""
        found = _NUMBER.match(self.text, self.position)
        if found is None:
            return None
        value = DECIMAL_CONTEXT.create_decimal(found.group())
        if not value.is_finite():
            raise FeelSyntaxError("a number is too large", text=self.text, position=self.position)
        self.position = found.end()
        if IDENTIFIER.match(self.text, self.position):
            raise self.error("an operator is expected after a number")
        self.skip()
        return value

    def string(self) -> str:
        """Read the string that comes next, with its escapes resolved."""
        found = _STRING.match(self.text, self.position)
        if found is None:
            raise FeelSyntaxError("the string has no end", text=self.text, position=self.position)
        value: str = _ESCAPE.sub(_unescape, found.group(1))
        try:
            value = value.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError as error:
            raise FeelSyntaxError(
                "a `\\u` escape is half a character", text=self.text, position=self.position
            ) from error
        self.position = found.end()
        self.skip()
        return value

    def declared_name(self, *, stop_words: frozenset[str] = frozenset(), stop_symbols: str = "") -> str:
        """Read a name that is being declared: words and symbols up to a stop word or a character of another kind."""
        start = end = self.position
        while (found := PIECE.match(self.text, self.position)) is not None:
            piece = found.group()
            if piece in stop_words or piece in stop_symbols.split():
                break
            if end == start and not IDENTIFIER.match(piece):
                break
            self.position = end = found.end()
            self.skip()
        if end == start:
            raise self.error("a name is expected")
        return spelling(self.text[start:end])


def _unescape(found: regex.Match[str]) -> str:
    short, long, single = found.groups()
    if short is not None:
        return chr(int(short, 16))
    if long is not None:
        code = int(long, 16)
        return chr(code) if code <= 0x10FFFF else str(found.group())
    return _SIMPLE_ESCAPES.get(str(single), f"\\{single}")
