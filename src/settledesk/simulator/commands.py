"""A command, judged: authority, then version, then transition, then guards; nothing is written here."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from settledesk.facts import Money, MoneyError
from settledesk.matching.assessment import Record
from settledesk.ports import ErpApplied, ErpCommand, ErpRefused, ErpResult
from settledesk.simulator.authority import AuthorityMatrix, AuthorityMode
from settledesk.simulator.book import STATUS, VERSION
from settledesk.simulator.lifecycle import GuardRefusal, Lifecycle, Numbers, Reader

CURRENCY = "currency"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A command that may take effect: the subject as it will be, and one line for the audit."""

    subject: Record
    detail: str


def judge(
    command: ErpCommand,
    *,
    subject: Record,
    lifecycle: Lifecycle,
    authority: AuthorityMatrix,
    mode: AuthorityMode,
    read: Reader,
    numbers: Numbers,
) -> Judged | ErpRefused:
    """Say what the command does to the subject, or why it is refused; the first check that fails gives the reason."""
    try:
        amount = _amount(command, subject)
        context = lifecycle.context(subject=subject, amount=amount, user=command.user, read=read, numbers=numbers)
        refused = _authority(command, context, subject, lifecycle, authority, mode)
        return refused or _step(command, context, subject, lifecycle)
    except GuardRefusal as refusal:
        return ErpRefused(code=refusal.code, detail=refusal.detail)


def _amount(command: ErpCommand, subject: Record) -> Decimal | None:
    if command.amount_minor is None:
        return None
    if command.currency != subject.get(CURRENCY):
        detail = f"the amount is in {command.currency} and the subject in {subject.get(CURRENCY)}"
        raise GuardRefusal(code="CURRENCY", detail=detail)
    try:
        return Money.from_minor(command.amount_minor, command.currency).amount
    except MoneyError as error:
        raise GuardRefusal(code="CURRENCY", detail=str(error)) from error


def _authority(
    command: ErpCommand,
    context: Mapping[str, Any],
    subject: Record,
    lifecycle: Lifecycle,
    authority: AuthorityMatrix,
    mode: AuthorityMode,
) -> ErpRefused | None:
    def amount() -> Money | None:
        value = lifecycle.authority_amount(command.action, context)
        try:
            return None if value is None else Money(amount=value, currency=str(subject.get(CURRENCY)))
        except MoneyError:
            return None

    def own_orders() -> str | None:
        guard = lifecycle.file.authority.own_orders
        if guard is None:
            return "the grant is for own orders only, and this system cannot tell whose orders they are"
        try:
            lifecycle.check(guard, context)
        except GuardRefusal as refusal:
            return refusal.detail
        return None

    return authority.refusal(user=command.user, action=command.action, amount=amount, own_orders=own_orders, mode=mode)


def _step(
    command: ErpCommand, context: Mapping[str, Any], subject: Record, lifecycle: Lifecycle
) -> Judged | ErpRefused:
    version, status = subject[VERSION], subject[STATUS]
    if command.expected_version != version:
        detail = f"the subject has version {version} and the decision was made on version {command.expected_version}"
        return ErpRefused(code="STALE_VERSION", detail=detail)
    transition = lifecycle.transition(command.action, status)
    if transition is None:
        detail = f"`{command.action}` is not possible while the subject is {status}"
        return ErpRefused(code="TRANSITION", detail=detail)
    for guard in transition.guards:
        lifecycle.check(guard, context)
    changed = {
        **subject,
        **lifecycle.updates(transition, context),
        STATUS: transition.to,
        VERSION: version + 1,
    }
    paid = "" if context["amount"] is None else f", amount {context['amount']:f} {command.currency}"
    return Judged(subject=changed, detail=f"{status} -> {transition.to}{paid}")


def request_hash(command: ErpCommand) -> str:
    """Return a hash over all of the request but its key: the same key with another hash is another request."""
    body = {name: value for name, value in asdict(command).items() if name != "idempotency_key"}
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def result_to_json(result: ErpResult) -> dict[str, Any]:
    """Return the result as it is stored and sent."""
    if isinstance(result, ErpApplied):
        return {"status": result.status, "version": result.version}
    return {"code": result.code, "detail": result.detail}


def result_from_json(data: Mapping[str, Any]) -> ErpResult:
    """Read what `result_to_json` wrote."""
    if "code" in data:
        return ErpRefused(code=data["code"], detail=data["detail"])
    return ErpApplied(status=data["status"], version=data["version"])
