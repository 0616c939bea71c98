"""The variables that are in scope of an expression, and the frame that it runs on.

A frame is a list: the run, the input of a unary test (`?`), the variables of the layout, then places for what the
expression itself declares.
"""

from collections.abc import Iterable, Mapping

from settledesk.feel.builtins import BUILTINS
from settledesk.feel.names import NameTable
from settledesk.feel.tree import TypeExpression

RUN_SLOT = 0
INPUT_SLOT = 1
FIRST_VARIABLE = 2
_BUILTIN_NAMES = NameTable(BUILTINS)
_PROPERTY_NAMES = NameTable(("time offset", "start included", "end included"))


class Layout:
    """The variables that are in scope, and where each stands in a frame. Expressions of one table share a layout."""

    __slots__ = ("names", "properties", "size", "slots", "standard", "types", "variables")

    def __init__(
        self,
        variables: Iterable[str],
        properties: Iterable[str] = (),
        types: Mapping[str, TypeExpression] | None = None,
        *,
        standard: bool = False,
    ) -> None:
        self.variables = tuple(dict.fromkeys(variables))
        self.slots = {name: FIRST_VARIABLE + index for index, name in enumerate(self.variables)}
        self.names = _BUILTIN_NAMES.extended(self.variables)
        self.properties = _PROPERTY_NAMES.extended(properties)
        self.size = FIRST_VARIABLE + len(self.variables)
        self.types = types or {}
        """The types that the model defines, by name."""
        self.standard = standard
        """In the standard's reading an invocation with wrong arguments is null where it stands, not an error."""
