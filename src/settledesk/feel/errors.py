"""What can go wrong with FEEL text, with the place, and what is noted when an evaluation yields null by an error."""

from dataclasses import dataclass


class FeelError(ValueError):
    """FEEL text that cannot be used. `text` is the whole expression, `position` the offset of what is wrong.

    As text it is the sentence, the help if there is any, and the excerpt.
    """

    def __init__(self, message: str, *, text: str = "", position: int = 0, hint: str | None = None) -> None:
        self.message = message
        self.text = text
        self.position = position
        self.hint = hint
        sentence = f"{message}; {hint}" if hint else message
        super().__init__(f"{sentence}\n{self.excerpt()}" if text else sentence)

    def excerpt(self) -> str:
        """Return the offending line and, under it, a caret at the place."""
        start = self.text.rfind("\n", 0, self.position) + 1
        end = self.text.find("\n", self.position)
        line = self.text[start : len(self.text) if end < 0 else end]
        column = self.position - start
        if len(line) > 100:
            cut = max(0, column - 50)
            line, column = line[cut : cut + 100], column - cut
        return f"{line}\n{' ' * column}^"


class FeelSyntaxError(FeelError):
    """The text does not follow the grammar."""


class UnknownNameError(FeelError):
    """A name is neither an input, nor declared in the text, nor a built-in."""


class FeelCallError(FeelError):
    """A built-in is invoked with arguments that it never takes."""


class FeelLimitError(FeelError):
    """A limit was reached. `limit` is the field of `Limits` that names it."""

    def __init__(self, limit: str, message: str, *, text: str = "", position: int = 0) -> None:
        super().__init__(f"{message} (`{limit}`)", text=text, position=position)
        self.limit = limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """Why a null appeared. `kind` is `null` (an operand was null already), `type`, `argument`, `arithmetic`,
    `missing` (no such entry or element), `regex` or `limit`.

    `message` is one lower-case sentence; `position` is the offset in the expression's text.
    """

    kind: str
    message: str
    position: int
