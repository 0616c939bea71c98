"""Facts: a typed value with its evidence, or unknown with a reason. Unknown is never false, never zero, never empty."""

from settledesk.facts.codec import FactCodecError, fact_from_json, fact_to_json
from settledesk.facts.fact import Fact, FactValue, Known, Unknown, from_inference, merge_evidence, value_or_none
from settledesk.facts.money import Money, MoneyError, minor_unit_exponent
from settledesk.facts.reference import display_reference, is_address, is_reference
from settledesk.facts.typed_ids import CaseId, EvidenceId, MomentId, Username

__all__ = [
    "CaseId",
    "EvidenceId",
    "Fact",
    "FactCodecError",
    "FactValue",
    "Known",
    "MomentId",
    "Money",
    "MoneyError",
    "Unknown",
    "Username",
    "display_reference",
    "fact_from_json",
    "fact_to_json",
    "from_inference",
    "is_address",
    "is_reference",
    "merge_evidence",
    "minor_unit_exponent",
    "value_or_none",
]
