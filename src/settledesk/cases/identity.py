"""The case id: a function of pack and subject, so that a redelivered event finds the same case."""

import hashlib

from settledesk.facts import CaseId


def case_id_for(*, pack: str, prefix: str, subject: str) -> CaseId:
    """Return `prefix-` and 12 hex digits of the SHA-256 of pack and subject id."""
    digest = hashlib.sha256(f"{pack}\n{subject}".encode()).hexdigest()
    return CaseId(f"{prefix}-{digest[:12]}")
