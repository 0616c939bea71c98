"""The truth table of the policy, through the port: facts in, one decider or one true reason out."""

import asyncio
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from settledesk.adapters.opa import WasmPolicyEngine
from settledesk.facts import Fact, Money
from settledesk.policy import Forbidden, PolicyQuestion, RouteTo

CASES = yaml.safe_load((Path(__file__).parent / "answers.yaml").read_text(encoding="utf-8"))

MANAGER_PAYS = {
    "LINE_ARITHMETIC",
    "NOT_BALANCED",
    "NO_PO",
    "NO_RECEIPT",
    "PO_NOT_OPEN",
    "PO_PRICE_UNREADABLE",
    "QTY_OVER_ORDER",
    "QTY_OVER_RECEIPT",
    "UNIT_MISMATCH",
    "UNPLANNED_CHARGE",
    "VENDOR_BANK_CHANGED",
}
CONTROLLER_PAYS = {
    "CREDIT_OVER_INVOICE",
    "CREDIT_WITHOUT_ORIGINAL",
    "CURRENCY_MISMATCH",
    "PAYEE_MISMATCH",
    "POSSIBLE_DUPLICATE",
    "TAX_VARIANCE",
    "VENDOR_BLOCKED",
}
BUYER_JUDGES = {"ITEM_SUBSTITUTED", "PRICE_VARIANCE"}
NEVER_PAID = {"DUPLICATE"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_each_row_gets_its_answer(
    case: dict[str, Any],
    engine: WasmPolicyEngine,
    ask: Callable[..., PolicyQuestion],
    as_fact: Callable[[Any], Fact],
) -> None:
    """The answer of every row of `answers.yaml` is exactly the one that the row states, and no incident."""
    amount = None if "amount" not in case else as_fact(case["amount"]).value
    facts = {name: as_fact(value) for name, value in case.get("facts", {}).items()}
    reasons = tuple(case.get("reasons", ["PRICE_VARIANCE"]))
    question = ask(case.get("action", "approve-variance"), amount=amount, reasons=reasons, **facts)
    answer = asyncio.run(engine.decide(question))
    if "to" in case:
        role, _, user = case["to"].partition("/")
        assert answer == RouteTo(role=role, user=user or None)
    else:
        assert isinstance(answer, Forbidden)
        assert not answer.incident
        assert answer.why.startswith(case["why"])


def test_every_reason_of_the_pack_has_its_payer(
    root: Path, engine: WasmPolicyEngine, ask: Callable[..., PolicyQuestion]
) -> None:
    """Whoever adds a reason code to the pack must say here, and in the policy, who may pay it."""
    pack = root / "packs" / "accounts_payable" / "pack.toml"
    codes = set(tomllib.loads(pack.read_text(encoding="utf-8"))["reasons"])
    assert codes <= MANAGER_PAYS | CONTROLLER_PAYS | BUYER_JUDGES | NEVER_PAID
    for code in codes:
        answer = asyncio.run(engine.decide(ask(reasons=(code,))))
        if code in NEVER_PAID:
            assert isinstance(answer, Forbidden)
        else:
            role = "controller" if code in CONTROLLER_PAYS else "buyer" if code in BUYER_JUDGES else "ap-manager"
            assert isinstance(answer, RouteTo)
            assert answer.role == role, code


def test_every_action_of_the_pack_that_is_proposed_can_go_to_somebody(
    root: Path, engine: WasmPolicyEngine, ask: Callable[..., PolicyQuestion]
) -> None:
    """No action that the pack declares is unroutable, except `none`, which is no proposal."""
    pack = root / "packs" / "accounts_payable" / "pack.toml"
    actions = set(tomllib.loads(pack.read_text(encoding="utf-8"))["actions"]) - {"none"}
    for action in actions:
        answer = asyncio.run(engine.decide(ask(action, amount=Money.of("10.00", "EUR"))))
        assert isinstance(answer, RouteTo), action
