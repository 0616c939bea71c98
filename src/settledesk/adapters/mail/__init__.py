"""Letters without a mail server: a folder of messages, or a list in memory."""

from settledesk.adapters.mail.outbox_folder import MemoryMailbox, OutboxFolder

__all__ = ["MemoryMailbox", "OutboxFolder"]
