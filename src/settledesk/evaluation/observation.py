"""What one run did, as plain values: all that the scores look at, and nothing that they would have to look up."""

from collections.abc import Mapping
from dataclasses import dataclass

from settledesk.cases import ProposalState, Status, StopReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """One proposal in the order in which they were made; `row` led to it, `state` is what became of it."""

    id: str
    action: str
    amount_minor: int | None
    currency: str
    role: str
    user: str | None
    evidence: tuple[str, ...]
    row: str | None
    state: ProposalState


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """One letter: the parties that the address of record belongs to, and whether it is an address of record at all."""

    recipient: str
    parties: frozenset[str]
    of_record: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One run when nothing moved any more. Without a case, `status` is none."""

    subject: str
    status: Status | None
    settled_by: str
    proposals: tuple[Proposed, ...] = ()
    applied: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    stop_reason: StopReason | None = None
    closed_by: str | None = None
    waits_on: frozenset[str] = frozenset()
    letters: tuple[Written, ...] = ()
    aliases: Mapping[str, tuple[str, ...]]
    resolvable: frozenset[str] = frozenset()
    effects: Mapping[str, int]
    approved: frozenset[str] = frozenset()
    refused: tuple[str, ...] = ()
    unsettled: str | None = None
    missed: tuple[str, ...] = ()
    touches: int = 0

    @property
    def last(self) -> Proposed | None:
        """Return the last proposal that was made."""
        return self.proposals[-1] if self.proposals else None

    @property
    def standing(self) -> Proposed | None:
        """Return the last proposal unless it was withdrawn: what the run came to."""
        return self.last if self.last is not None and self.last.state is not ProposalState.WITHDRAWN else None
