"""Sentences with `{fact}` placeholders; text of outsiders enters only in the shape of a reference."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import regex

from settledesk.facts import Fact, FactValue, Known, Money, display_reference, is_address

_PLACEHOLDER = regex.compile(r"\{([a-z][a-z0-9_]*)\}")


def placeholders(template: str) -> tuple[str, ...]:
    """Return the fact names that a sentence needs, each once."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(template)))


def render_sentence(template: str, facts: Mapping[str, Fact]) -> str:
    """Fill the placeholders; a fact that is not known reads `unknown`."""

    def fill(match: "regex.Match[str]") -> str:
        fact = facts.get(match.group(1))
        return show_value(fact.value) if isinstance(fact, Known) else "unknown"

    return str(_PLACEHOLDER.sub(fill, template))


def show_value(value: FactValue) -> str:
    """Return a value as people read it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Money():
            return str(value)
        case Decimal():
            rounded = value.quantize(Decimal("0.01")) if value.as_tuple().exponent < -2 else value  # type: ignore[operator]
            return f"{rounded:f}"
        case date():
            return value.isoformat()
        case tuple():
            return ", ".join(display_reference(item) for item in value)
    return value if is_address(value) else display_reference(value)
