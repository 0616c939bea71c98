"""A pack as a value: load, check, version by content hash."""

from settledesk.packs.errors import PackError
from settledesk.packs.letters import LetterTemplate, LetterText
from settledesk.packs.load import load_pack
from settledesk.packs.pack import Pack
from settledesk.packs.rationale import show_value
from settledesk.packs.readings import ReadingSpec, facts_of_reading
from settledesk.packs.spec import ActionSpec, EventSpec, FactSpec, PersonSpec, ReadSpec

__all__ = [
    "ActionSpec",
    "EventSpec",
    "FactSpec",
    "LetterTemplate",
    "LetterText",
    "Pack",
    "PackError",
    "PersonSpec",
    "ReadSpec",
    "ReadingSpec",
    "facts_of_reading",
    "load_pack",
    "show_value",
]
