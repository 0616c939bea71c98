"""The match as pure functions over records. A pack names its matcher and gives the generic findings their codes."""

from collections.abc import Mapping

from settledesk.matching.assessment import (
    Assessment,
    Finding,
    LineFinding,
    Matcher,
    MatchSettings,
    Read,
    ReadRecords,
    Record,
    Tolerance,
    Unread,
)
from settledesk.matching.kinds import FINDING_KINDS, PAYABLE_PARTS
from settledesk.matching.normal import look_alike_key, number_key
from settledesk.matching.three_way import three_way

MATCHERS: Mapping[str, Matcher] = {"three_way": three_way}
"""Matchers by the name that a pack's `matcher` gives."""

__all__ = [
    "FINDING_KINDS",
    "MATCHERS",
    "PAYABLE_PARTS",
    "Assessment",
    "Finding",
    "LineFinding",
    "MatchSettings",
    "Matcher",
    "Read",
    "ReadRecords",
    "Record",
    "Tolerance",
    "Unread",
    "look_alike_key",
    "number_key",
    "three_way",
]
