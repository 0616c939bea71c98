"""Turning what is known into unknown moves the answer up only: clerk < buyer < AP manager < controller < forbidden."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from settledesk.adapters.opa import WasmPolicyEngine
from settledesk.policy import Forbidden, PolicyAnswer, PolicyQuestion, RouteTo, question_to_json

Document = dict[str, Any]
UNKNOWN = {"unknown": "the record could not be read"}
RANK = {"ap-clerk": 0, "buyer": 1, "ap-manager": 2, "controller": 3}
FORBIDDEN = 4
ACTIONS = ("approve-variance", "short-pay", "hold", "reject", "request-credit-memo")


def known(*values: Any) -> tuple[Document, ...]:
    return (*({"known": value} for value in values), UNKNOWN)


def money(*values: tuple[int, str]) -> tuple[Document, ...]:
    return (*({"known": minor, "currency": currency} for minor, currency in values), UNKNOWN)


# Every value that the policy tells apart, of every fact that is no amount.
CONDITIONS: Mapping[str, tuple[Document, ...]] = {
    "asked_this_turn": known(False, True),
    "buyer": known("bob"),
    "cites_vendor": known(False, True),
    "instructions_seen": known(False, True),
    "payment_details_unverified": known(False, True),
    "subject_status": known("EXCEPTION", "ON_HOLD", "APPROVED"),
    "ungrounded_citations": known([], ["vendor:9"]),
}
REASONS = (["PRICE_VARIANCE"], ["POSSIBLE_DUPLICATE", "PRICE_VARIANCE"], ["DUPLICATE", "NO_RECEIPT"])

# Every amount on either side of every comparison, and the currencies.
AMOUNTS: Mapping[str, tuple[Document, ...]] = {
    "amount_at_issue": money((4_000, "EUR"), (1_000_000, "EUR"), (1_000_001, "EUR"), (4_000, "GBP")),
    "buyer": known("bob"),
    "limit_currency": known("EUR", "GBP"),
    "total": money((104_000, "EUR"), (1_000_000, "EUR"), (1_000_001, "EUR"), (104_000, "GBP"), (-5, "EUR")),
}
PROPOSED = (None, (0, "EUR"), (103_999, "EUR"), (104_000, "EUR"), (1_000_001, "EUR"), (103_999, "GBP"))


def rank(answer: PolicyAnswer) -> int:
    match answer:
        case RouteTo(role=role):
            return RANK[role]
        case Forbidden(incident=incident):
            assert not incident
            return FORBIDDEN


def grid(choices: Mapping[str, tuple[Document, ...]]) -> Iterator[tuple[int, ...]]:
    return itertools.product(*(range(len(values)) for values in choices.values()))


def ranks(
    engine: WasmPolicyEngine, document: Document, choices: Mapping[str, tuple[Document, ...]]
) -> dict[tuple[int, ...], int]:
    found = {}
    for point in grid(choices):
        chosen = {name: values[index] for (name, values), index in zip(choices.items(), point, strict=True)}
        found[point] = rank(engine.answer({**document, "facts": {**document["facts"], **chosen}}))
    return found


def falls(found: Mapping[tuple[int, ...], int], choices: Mapping[str, tuple[Document, ...]]) -> list[str]:
    """Name every fact whose being unknown lowers an answer, with the place in the grid."""
    unknown_at = [len(values) - 1 for values in choices.values()]
    return [
        f"{name} at {point}"
        for point, before in found.items()
        for axis, name in enumerate(choices)
        if found[(*point[:axis], unknown_at[axis], *point[axis + 1 :])] < before
    ]


@pytest.mark.parametrize("action", ACTIONS)
def test_no_unknown_condition_lowers_an_answer(
    action: str, engine: WasmPolicyEngine, ask: Callable[..., PolicyQuestion]
) -> None:
    """Over every combination of the facts that are no amounts, unknown never moves an answer down."""
    document = question_to_json(ask(action))
    document["amount"] = {"known": 100_000, "currency": "EUR"}
    for reasons in REASONS:
        found = ranks(engine, {**document, "reasons": reasons}, CONDITIONS)
        assert falls(found, CONDITIONS) == []


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("proposed", PROPOSED)
def test_no_unknown_amount_lowers_an_answer(
    action: str, proposed: tuple[int, str] | None, engine: WasmPolicyEngine, ask: Callable[..., PolicyQuestion]
) -> None:
    """Over every combination of the amounts and currencies, unknown never moves an answer down."""
    document = question_to_json(ask(action))
    document["amount"] = None if proposed is None else {"known": proposed[0], "currency": proposed[1]}
    assert falls(ranks(engine, document, AMOUNTS), AMOUNTS) == []


@pytest.mark.parametrize("action", ACTIONS)
def test_more_money_never_lowers_the_decider(
    action: str, engine: WasmPolicyEngine, ask: Callable[..., PolicyQuestion]
) -> None:
    """A larger amount at issue never finds a lower decider; neither does a larger amount of a short payment."""
    steps = (1, 999_999, 1_000_000, 1_000_001, 90_000_000)
    document = question_to_json(ask(action))
    document["facts"]["total"] = {"known": 100_000_000, "currency": "EUR"}
    at_issue = []
    for minor in steps:
        facts = {**document["facts"], "amount_at_issue": {"known": minor, "currency": "EUR"}}
        amount = {"known": 50, "currency": "EUR"}
        at_issue.append(rank(engine.answer({**document, "amount": amount, "facts": facts})))
    amounts = [rank(engine.answer({**document, "amount": {"known": minor, "currency": "EUR"}})) for minor in steps]
    assert at_issue == sorted(at_issue)
    assert amounts == sorted(amounts)
