"""Ports: Protocols only. What the desk needs from the outside, without a word about how it is done."""

from settledesk.ports.clock import Clock
from settledesk.ports.erp import (
    Erp,
    ErpApplied,
    ErpCommand,
    ErpEvent,
    ErpRefused,
    ErpResult,
    ErpUnavailableError,
    IntakeDocument,
)
from settledesk.ports.ids import Ids
from settledesk.ports.mailbox import Letter, Mailbox, MailboxUnavailableError
from settledesk.ports.policy_engine import PolicyEngine
from settledesk.ports.store import Call, Claimed, FenceLostError, Reader, Store, StoreError, Transaction

__all__ = [
    "Call",
    "Claimed",
    "Clock",
    "Erp",
    "ErpApplied",
    "ErpCommand",
    "ErpEvent",
    "ErpRefused",
    "ErpResult",
    "ErpUnavailableError",
    "FenceLostError",
    "Ids",
    "IntakeDocument",
    "Letter",
    "Mailbox",
    "MailboxUnavailableError",
    "PolicyEngine",
    "Reader",
    "Store",
    "StoreError",
    "Transaction",
]
