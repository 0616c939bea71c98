"""Send the one letter that asks for a fact: intent, sending, outcome; a repeat carries the same Message-ID."""

import hashlib
from datetime import datetime

from settledesk.cases import EntryKind, Handler, Status, StopReason
from settledesk.desk.desk import RULES, Desk, entry, handed_over
from settledesk.facts import fact_from_json
from settledesk.ports import Claimed, Letter, MailboxUnavailableError, Transaction

TARGET = "mailbox"


async def send_letter(desk: Desk, claimed: Claimed) -> None:
    """Do a letter moment: the letter is sent once, or the case goes to a person because it could not be."""
    fact, now = str(claimed.payload["fact"]), desk.clock.now()
    if claimed.case.handled_by is not Handler.RULES or claimed.case.status is not Status.AWAITING_ANSWER:
        # The question was overtaken (the case closed, or a person took it): nobody is written to any more.
        await desk.store.tx(lambda tx: tx.finish(claimed))
        return
    key = f"letter:{claimed.case.id}:{fact}"
    letter = _letter(desk, claimed, key)
    request = {"to": letter.recipient, "subject": letter.subject, "message_id": letter.message_id}
    await desk.store.tx(
        lambda tx: tx.intend(
            key=key, case_id=claimed.case.id, moment_id=claimed.id, target=TARGET, request=request, at=now
        )
    )
    desk.probe("before_letter")
    try:
        await desk.mailbox.send(letter)
    except MailboxUnavailableError as error:
        await _not_sent(desk, claimed, key, str(error), now)
        return
    desk.probe("after_letter")
    sent = entry(EntryKind.LETTER_SENT, now, RULES, fact=fact, to=letter.recipient, message_id=letter.message_id)

    def finish(tx: Transaction) -> None:
        tx.finish(claimed)
        tx.settle_call(key, state="done", response={"message_id": letter.message_id}, at=now)
        tx.append(claimed.case, [sent])

    await desk.store.tx(finish)


def _letter(desk: Desk, claimed: Claimed, key: str) -> Letter:
    template = desk.pack.letters.find(str(claimed.payload["fact"]), str(claimed.payload["supplier"]))
    assert template is not None, "the pack was checked: every need has its letter"
    text = template.render({name: fact_from_json(fact) for name, fact in claimed.case.facts.items()})
    token = hashlib.sha256(key.encode()).hexdigest()[:32]
    return Letter(
        message_id=f"<{token}@settledesk.example>",
        recipient=str(claimed.payload["to"]),
        subject=f"[{claimed.case.id}] {text.subject}",
        body=text.body,
    )


async def _not_sent(desk: Desk, claimed: Claimed, key: str, why: str, now: datetime) -> None:
    limits = desk.pack.file.limits
    if claimed.failures + 1 < limits.read_attempts_max:
        later = desk.retry_at(now, claimed.failures + 1)
        await desk.store.tx(lambda tx: tx.retry(claimed, payload=claimed.payload, not_before=later, failed=True))
        return
    over = handed_over(now, StopReason.UNSENT, why)

    def give_up(tx: Transaction) -> None:
        tx.finish(claimed)
        tx.settle_call(key, state="failed", response={"why": why}, at=now)
        tx.append(claimed.case, [over])

    await desk.store.tx(give_up)
