"""Ids as types of their own, so that one kind of id is never passed where another is meant."""

from typing import NewType

CaseId = NewType("CaseId", str)
"""Identifies one case; derived from the pack and the subject, so that a redelivered event finds the same case."""

EvidenceId = NewType("EvidenceId", str)
"""`kind:key` of a record in a system of record or in the case log, such as `purchase-order:PO-1` or `decision:7f…`."""

MomentId = NewType("MomentId", str)
"""Identifies one moment: one short piece of work on a case."""

Username = NewType("Username", str)
"""A person's sign-in name as the system of record knows it."""
