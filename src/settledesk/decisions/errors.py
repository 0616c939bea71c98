"""A model that cannot be used, with the place: file, decision, row, column, the text and a caret."""

from dataclasses import dataclass

from settledesk.feel import FeelError


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in a model something stands; parts that do not apply are `None`.

    `element` is what it stands in if that is no decision, such as `("type", "tAmount")`; `entry` is the entry of a
    boxed context or the parameter of a boxed invocation.
    """

    file: str
    element: tuple[str, str] | None = None
    decision: str | None = None
    entry: str | None = None
    row: str | None = None
    column: str | None = None

    def text(self) -> str:
        """Return `file, decision …, entry …, row …, column …`."""
        what, name = self.element or ("", None)
        parts = [
            (what, name),
            ("decision", self.decision),
            ("entry", self.entry),
            ("row", self.row),
            ("column", self.column),
        ]
        return ", ".join([self.file, *(f"{what} `{name}`" for what, name in parts if name is not None)])


class ModelError(ValueError):
    """A file that is not a usable model. `message` is one lower-case sentence; `place` says where.

    As text it is the place, the sentence, and the text with a caret if there is one.
    """

    def __init__(self, message: str, place: Place, *, excerpt: str | None = None) -> None:
        self.message = message
        self.place = place
        self.excerpt = excerpt
        first = f"{place.text()}: {message}"
        super().__init__(first if excerpt is None else f"{first}\n{excerpt}")


def at_place(error: FeelError, place: Place) -> ModelError:
    """Return the error of a text as an error of the model it stands in."""
    hint = f"; {error.hint}" if error.hint else ""
    return ModelError(f"{error.message}{hint}", place, excerpt=error.excerpt() if error.text else None)
