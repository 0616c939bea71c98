"""The use cases: advance a case, ask for a fact, record a decision, hand over. No SQL, no HTTP, no framework."""

from settledesk.desk.decide import DecisionRequest, DecisionResult, decide
from settledesk.desk.desk import Desk
from settledesk.desk.feed import take_in_events
from settledesk.desk.replies import Reply, note, take_in_reply
from settledesk.desk.worker import work_once, work_until_idle

__all__ = [
    "DecisionRequest",
    "DecisionResult",
    "Desk",
    "Reply",
    "decide",
    "note",
    "take_in_events",
    "take_in_reply",
    "work_once",
    "work_until_idle",
]
