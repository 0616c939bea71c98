"""On questions whose facts are all known, the positive checks answer as the reference's sixteen ordered rules do.

`reference` below is those rules, first match wins. The departures are written at its end.
"""

import itertools
from collections.abc import Callable
from typing import Any

from settledesk.adapters.opa import WasmPolicyEngine
from settledesk.policy import Forbidden, PolicyQuestion, question_to_json

LIMIT = 1_000_000
MOVES_MONEY = {"approve-variance", "short-pay", "request-credit-memo"}
DENY = "deny"


def reference(action: str, amount: int, reasons: list[str], facts: dict[str, Any]) -> str:
    """Answer a question of known facts by the sixteen rules: a role, or `deny`."""
    if facts["ungrounded"]:  # 2
        return DENY
    if action == "hold" and facts["unverified"] and not facts["cites_vendor"]:  # 3
        return DENY
    if facts["asked"] or (action == "hold" and facts["status"] == "ON_HOLD"):  # 4, 5
        return DENY
    if action == "short-pay" and amount <= 0:  # 6
        return DENY
    if action in MOVES_MONEY and (facts["unverified"] or facts["instructions"] or "DUPLICATE" in reasons):  # 8, 10, 11
        return DENY
    if action in {"hold", "request-credit-memo"}:  # 12
        return "ap-clerk"
    if "POSSIBLE_DUPLICATE" in reasons and action in MOVES_MONEY:  # 13
        return "controller"
    weighed = max(amount if action == "short-pay" else facts["total"], facts["at_issue"])
    if weighed > LIMIT:  # 14
        return "controller"
    # 15; a departure: all the reasons must be the buyer's, where the reference looks at the case's own alone.
    if action == "approve-variance" and set(reasons) <= {"PRICE_VARIANCE", "ITEM_SUBSTITUTED"}:
        return "buyer"
    return "ap-manager"  # 16


def test_known_facts_are_answered_as_by_the_sixteen_rules(
    engine: WasmPolicyEngine, ask: Callable[..., PolicyQuestion]
) -> None:
    """Every combination of the known facts and of the amounts around the limit has the reference's answer."""
    actions = ("approve-variance", "short-pay", "hold", "reject", "request-credit-memo")
    reasons_of = (["PRICE_VARIANCE"], ["NO_PO"], ["POSSIBLE_DUPLICATE"], ["DUPLICATE"], ["NO_PO", "PRICE_VARIANCE"])
    names = ("unverified", "cites_vendor", "asked", "instructions", "ungrounded")
    documents = {action: question_to_json(ask(action)) for action in actions}
    checked = 0
    for action, reasons, status in itertools.product(actions, reasons_of, ("EXCEPTION", "ON_HOLD")):
        for truths in itertools.product((False, True), repeat=len(names)):
            for at_issue, total, amount in itertools.product((LIMIT, LIMIT + 1), (LIMIT + 2, 900), (0, 800)):
                facts = {
                    **dict(zip(names, truths, strict=True)),
                    "status": status,
                    "at_issue": at_issue,
                    "total": total,
                }
                document = {**documents[action], "reasons": reasons, **fields(action, amount, facts)}
                document["facts"] = {**documents[action]["facts"], **document["facts"]}
                answer = engine.answer(document)
                found = DENY if isinstance(answer, Forbidden) else answer.role
                assert found == reference(action, amount, reasons, facts), (document, answer)
                checked += 1
    assert checked == 5 * 5 * 2 * 32 * 8


def fields(action: str, amount: int, facts: dict[str, Any]) -> dict[str, Any]:
    return {
        "amount": {"known": amount, "currency": "EUR"} if action == "short-pay" else None,
        "facts": {
            "amount_at_issue": {"known": facts["at_issue"], "currency": "EUR"},
            "asked_this_turn": {"known": facts["asked"]},
            "cites_vendor": {"known": facts["cites_vendor"]},
            "instructions_seen": {"known": facts["instructions"]},
            "payment_details_unverified": {"known": facts["unverified"]},
            "subject_status": {"known": facts["status"]},
            "total": {"known": facts["total"], "currency": "EUR"},
            "ungrounded_citations": {"known": ["vendor:9"] if facts["ungrounded"] else []},
        },
    }
