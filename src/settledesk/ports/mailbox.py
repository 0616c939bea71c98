"""Letters out. The recipient is always an address of record; nothing that a model or an outsider wrote names it."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One letter. `message_id` is minted from the call's idempotency key before sending, so a repeat is recognised."""

    message_id: str
    recipient: str
    subject: str
    body: str


class MailboxUnavailableError(Exception):
    """The letter could not be handed over; it was not sent."""


class Mailbox(Protocol):
    """Takes letters. Sending the same `message_id` again has no second effect where the technology can tell."""

    async def send(self, letter: Letter) -> None:
        """Hand the letter over; raises `MailboxUnavailableError`."""
        ...
