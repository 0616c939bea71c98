"""A pack as a value: load, check, version by content hash."""

from settledesk.packs.errors import MissingPackError, PackError
from settledesk.packs.letters import LetterTemplate, LetterText
from settledesk.packs.load import load_pack
from settledesk.packs.pack import Pack
from settledesk.packs.rationale import show_value
from settledesk.packs.readings import UNCLEAR, ReadingSpec, facts_of_reading
from settledesk.packs.spec import ActionSpec, EventSpec, FactSpec, PersonSpec, ReadSpec

__all__ = [
    "UNCLEAR",
    "ActionSpec",
    "EventSpec",
    "FactSpec",
    "LetterTemplate",
    "LetterText",
    "MissingPackError",
    "Pack",
    "PackError",
    "PersonSpec",
    "ReadSpec",
    "ReadingSpec",
    "facts_of_reading",
    "load_pack",
    "show_value",
]
