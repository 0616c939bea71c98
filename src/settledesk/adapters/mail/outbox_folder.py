"""An outbox as a folder: one `.eml` file per letter, named by its Message-ID, so a repeat overwrites itself."""

import hashlib
import os
from email.message import EmailMessage
from pathlib import Path

from settledesk.ports import Letter, MailboxUnavailableError

SENDER = "ap-desk@settledesk.example"


class OutboxFolder:
    """Implements `settledesk.ports.Mailbox` by writing messages into a folder, each complete or not there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def send(self, letter: Letter) -> None:
        """Write the letter; raises `MailboxUnavailableError` if the folder cannot be written."""
        name = hashlib.sha256(letter.message_id.encode()).hexdigest()[:24]
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            draft = self._folder / f".{name}.part"
            draft.write_bytes(_message(letter))
            os.replace(draft, self._folder / f"{name}.eml")
        except (OSError, ValueError) as error:
            raise MailboxUnavailableError(f"the outbox `{self._folder.name}` cannot be written: {error}") from error


def _message(letter: Letter) -> bytes:
    message = EmailMessage()
    message["From"] = SENDER
    message["To"] = letter.recipient
    message["Subject"] = letter.subject
    message["Message-ID"] = letter.message_id
    message.set_content(letter.body)
    return bytes(message)


class MemoryMailbox:
    """Implements `settledesk.ports.Mailbox` in memory; the same Message-ID is kept once."""

    def __init__(self) -> None:
        self._letters: dict[str, Letter] = {}

    @property
    def letters(self) -> tuple[Letter, ...]:
        """Return the letters in the order of their first sending."""
        return tuple(self._letters.values())

    async def send(self, letter: Letter) -> None:
        """Keep the letter."""
        self._letters.setdefault(letter.message_id, letter)
