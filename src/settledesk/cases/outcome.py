"""What the rules say of a case, where a case stands, and why the rules stopped: closed sets, each with its sentence."""

from enum import StrEnum


class Outcome(StrEnum):
    """What the rules said."""

    RESOLVED = "resolved"
    NEEDS_FACT = "needs_fact"
    ESCALATE = "escalate"


class Status(StrEnum):
    """Where a case stands. Whose move it is follows from it."""

    INVESTIGATING = "investigating"
    AWAITING_ANSWER = "awaiting_answer"
    AWAITING_DECISION = "awaiting_decision"
    ON_HOLD = "on_hold"
    NEEDS_PERSON = "needs_person"
    RESOLVED = "resolved"
    MATCHED = "matched"

    @property
    def sentence(self) -> str:
        """Return what the status means, for a person."""
        return _STATUS[self]


_STATUS = {
    Status.INVESTIGATING: "the rules are at work",
    Status.AWAITING_ANSWER: "a question was sent and its answer is awaited",
    Status.AWAITING_DECISION: "a proposal waits for the person whom the policy named",
    Status.ON_HOLD: "held by a decision until what it lacks arrives",
    Status.NEEDS_PERSON: "no rule frames it, a person takes it from here",
    Status.RESOLVED: "settled",
    Status.MATCHED: "no exception was found",
}


class StopReason(StrEnum):
    """Why the rules gave a case away. `sentence` is what the one who takes over is told."""

    UNHANDLED = "unhandled"
    DECLINED = "declined"
    CONFLICT = "conflict"
    EXHAUSTED = "exhausted"
    REFUSED = "refused"
    UNREAD = "unread"
    INVARIANT = "invariant"
    UNSENT = "unsent"
    REPLY = "reply"
    RECEIPT = "receipt"
    PERSON = "person"
    FAILED = "failed"

    @property
    def sentence(self) -> str:
        """Return what the reason means, for a person."""
        return _STOP[self]


_STOP = {
    StopReason.UNHANDLED: "no row of the tables frames these facts",
    StopReason.DECLINED: "a person declined the proposal and no row frames what follows",
    StopReason.CONFLICT: "two or more rows match where exactly one may",
    StopReason.EXHAUSTED: "the missing fact was asked for and is still missing, or nobody can be asked",
    StopReason.REFUSED: "the proposal was refused by the policy or by the system of record",
    StopReason.UNREAD: "a row fired, but a record that every proposal must rest on could not be read",
    StopReason.INVARIANT: "the proposal would have broken an invariant, so it was not made",
    StopReason.UNSENT: "the letter could not be sent",
    StopReason.REPLY: "a reply came that was not asked for, or not from the address that was written to",
    StopReason.RECEIPT: "what was missing has arrived, and no row frames what follows",
    StopReason.PERSON: "a person wrote a note on the case",
    StopReason.FAILED: "the rules failed with an error of their own",
}


class Handler(StrEnum):
    """Who works the case. It goes from the rules to the agent or a person, and never back."""

    RULES = "rules"
    AGENT = "agent"
    PERSON = "person"


class ProposalState(StrEnum):
    """Where a proposal stands."""

    PENDING = "pending"
    APPROVED = "approved"
    DECLINED = "declined"
    APPLIED = "applied"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
