"""From a framed action to a proposal: its amount, the invariants, the policy's answer."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any

from settledesk.cases import CaseState, Proposal, ProposalState, StopReason
from settledesk.desk.desk import RULES, Desk
from settledesk.desk.facts_of_case import Sources
from settledesk.desk.frame import Framed
from settledesk.desk.ruling import answer_data, evidence_of, policy_question
from settledesk.facts import EvidenceId, Fact, Known, Money, Unknown
from settledesk.policy import Forbidden, RouteTo


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """A proposal that the policy lets go to a person."""

    action: str
    amount: Money | None
    currency: str
    rationale: str
    evidence: tuple[EvidenceId, ...]
    subject_version: int
    route: RouteTo
    policy: Mapping[str, Any]
    asked_with: Mapping[str, Fact]
    """The facts that the policy was asked with; those about the proposal itself are known only now."""

    def same_as(self, pending: Proposal) -> bool:
        """Tell whether the proposal that waits says the same, on the same version of the subject."""
        return (
            pending.action == self.action
            and pending.amount_minor == (self.amount.to_minor() if self.amount else None)
            and pending.evidence == self.evidence
            and pending.subject_version == self.subject_version
            and (pending.role, pending.user) == (self.route.role, self.route.user)
        )

    def proposal(self, desk: Desk, *, at: str, case: CaseState) -> dict[str, Any]:
        """Return the proposal's data; its id counts the case's proposals, so a repeat of this run gives it again."""
        return asdict(
            Proposal(
                id=f"{case.id}-p{case.proposals_made + 1}",
                action=self.action,
                amount_minor=self.amount.to_minor() if self.amount else None,
                currency=self.currency,
                rationale=self.rationale,
                evidence=self.evidence,
                role=self.route.role,
                user=self.route.user,
                subject_version=self.subject_version,
                provenance={"proposer": RULES, **desk.provenance()},
                proposed_at=at,
                state=ProposalState.PENDING,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NotPut:
    """Why nothing goes to a person. Without a stop reason there is nothing to decide: what would be done is done."""

    stop: StopReason | None
    detail: str
    policy: Mapping[str, Any] | None = None
    asked_with: Mapping[str, Fact] = field(default_factory=dict)


async def put_to_policy(desk: Desk, sources: Sources, framed: Framed, facts: dict[str, Fact]) -> Put | NotPut:
    """Check what every proposal rests on, then ask the policy."""
    if framed.action is None:
        return NotPut(stop=None, detail="what the tables want is in force already")
    action = framed.action
    if sources.assessment.missing:
        missing = ", ".join(sources.assessment.missing)
        return NotPut(stop=StopReason.UNREAD, detail=f"{missing} could not be read")
    amount = _amount(sources, framed, action)
    if isinstance(amount, Unknown):
        return NotPut(stop=StopReason.INVARIANT, detail=f"the amount cannot be computed: {amount.reason}")
    version = sources.assessment.measures.get("version")
    if not isinstance(version, Known) or not isinstance(version.value, Decimal):
        return NotPut(stop=StopReason.UNREAD, detail="the version of the subject was not read")
    question = policy_question(sources, framed, facts=facts, amount=amount, proposer=RULES)
    answer = await desk.policy.decide(question)
    kept = answer_data(answer, desk.policy.policy_hash)
    if isinstance(answer, Forbidden):
        return NotPut(stop=StopReason.REFUSED, detail=answer.why, policy=kept, asked_with=question.facts)
    return Put(
        action=action,
        amount=amount,
        currency=amount.currency if amount else _currency(sources, desk),
        rationale=_rationale(sources, framed, amount),
        evidence=evidence_of(sources, framed),
        subject_version=int(version.value),
        route=answer,
        policy=kept,
        asked_with=question.facts,
    )


def _amount(sources: Sources, framed: Framed, action: str) -> Money | Unknown | None:
    if not sources.pack.file.actions[action].amounts:
        return None
    payable = sources.assessment.payable(framed.left_out)
    if isinstance(payable, Unknown):
        return payable
    assert isinstance(payable.value, Money), "what is payable is money"
    rounded = payable.value.rounded()
    if not framed.left_out and rounded.amount != payable.value.amount:
        return Unknown(reason=f"the total has more decimals than {rounded.currency} has")
    return rounded


def _currency(sources: Sources, desk: Desk) -> str:
    total = sources.assessment.measures.get("total")
    known = isinstance(total, Known) and isinstance(total.value, Money)
    return total.value.currency if known else desk.pack.file.currency  # type: ignore[union-attr]


def _rationale(sources: Sources, framed: Framed, amount: Money | None) -> str:
    """Return one sentence per exception, the leading one first, and the amount."""
    leading = framed.leading
    ordered = sorted(framed.exceptions, key=lambda item: item is not leading)
    sentences = [sources.pack.rationale(item.row, item.facts) for item in ordered if item.row is not None]
    if amount is not None:
        sentences.append(f"Amount: {amount}.")
    return " ".join(dict.fromkeys(sentences))
