"""The question put to the policy and its typed answer. No engine in here."""

from settledesk.policy.answer import Forbidden, PolicyAnswer, RouteTo, parse_answer
from settledesk.policy.question import PolicyQuestion, question_to_json

__all__ = ["Forbidden", "PolicyAnswer", "PolicyQuestion", "RouteTo", "parse_answer", "question_to_json"]
