"""The compiled policy of the accounts payable pack, the opa binary where it was built, and questions as values."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from settledesk.adapters.opa import WasmPolicyEngine, load_policy_engine
from settledesk.facts import EvidenceId, Fact, Known, Money, Unknown
from settledesk.policy import PolicyQuestion

ROOT = Path(__file__).parents[2]
POLICY = ROOT / "packs" / "accounts_payable" / "policy"

FACTS: Mapping[str, Fact] = {
    "amount_at_issue": Known(value=Money.of("40.00", "EUR")),
    "asked_this_turn": Known(value=False),
    "buyer": Known(value="bob"),
    "cites_vendor": Known(value=False),
    "instructions_seen": Known(value=False),
    "limit_currency": Known(value="EUR"),
    "payment_details_unverified": Known(value=False),
    "subject_status": Known(value="EXCEPTION"),
    "total": Known(value=Money.of("1040.00", "EUR")),
    "ungrounded_citations": Known(value=()),
    "vendor_id": Known(value="vendor:17"),
}


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def policy_folder() -> Path:
    return POLICY


@pytest.fixture(scope="session")
def engine() -> Iterator[WasmPolicyEngine]:
    loaded = load_policy_engine(POLICY)
    yield loaded
    loaded.close()


@pytest.fixture(scope="session")
def opa() -> Path:
    """The binary that `make opa` builds, or the one that `SETTLEDESK_OPA` names."""
    path = Path(os.environ.get("SETTLEDESK_OPA") or ROOT / "build" / "bin" / "opa")
    if not path.is_file():
        pytest.skip(f"there is no opa at `{path}`: run `make opa`, or name one in SETTLEDESK_OPA")
    return path


@pytest.fixture(scope="session")
def ask() -> Callable[..., PolicyQuestion]:
    """Make a question that passes everything, except for what is named."""

    def make(
        action: str = "approve-variance",
        *,
        amount: Money | None = None,
        reasons: tuple[str, ...] = ("PRICE_VARIANCE",),
        **facts: Fact,
    ) -> PolicyQuestion:
        return PolicyQuestion(
            action=action,
            amount=amount,
            reasons=reasons,
            proposer="rules",
            evidence=(EvidenceId("invoice:INV-1"), EvidenceId("purchase-order:PO-1")),
            facts={**FACTS, **facts},
        )

    return make


@pytest.fixture(scope="session")
def as_fact() -> Callable[[Any], Fact]:
    """Read a fact of a YAML case: `unknown`, `10.00 EUR`, a boolean, a list or a text."""

    def read(value: Any) -> Fact:
        if value == "unknown":
            return Unknown(reason="the record could not be read")
        if isinstance(value, list):
            return Known(value=tuple(value))
        return Known(value=as_money(value) or value)

    return read


def as_money(value: Any) -> Money | None:
    """Read `10.00 EUR`; anything else is not money."""
    amount, _, currency = value.partition(" ") if isinstance(value, str) else ("", "", "")
    return Money.of(amount, currency) if len(currency) == 3 and currency.isupper() else None
