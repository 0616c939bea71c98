"""The authority matrix, as a table."""

from pathlib import Path

import pytest
import yaml

from settledesk.ports import ErpApplied, ErpRefused, IntakeDocument
from settledesk.simulator import AuthorityMode

CASES = yaml.safe_load((Path(__file__).parent / "authority.yaml").read_text())["cases"]


def _name(case) -> str:
    return f"{case['seed']}-{case['user'] or 'nobody'}-{case['action']}-{case.get('amount', 'none')}"


def _minor(desk, subject_id: str, amount) -> int | None:
    if amount == "total":
        return int(desk.invoice(subject_id)["total"].replace(".", ""))
    return amount


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_the_matrix_is_enforced(desk, case) -> None:
    """Every cell of the matrix ends as the table says, a refusal names its true reason and leaves the subject alone."""
    subject = desk.simulator.seed(case["seed"], "A1").subject_id
    amount = _minor(desk, subject, case.get("amount"))
    before = desk.invoice(subject)
    result = desk.command(case["action"], subject, case["user"], amount_minor=amount)
    if "applied" in case:
        assert result == ErpApplied(status=case["applied"], version=2)
        return
    assert isinstance(result, ErpRefused)
    assert result.code == "AUTHORITY"
    assert case["refused"] in result.detail
    assert desk.invoice(subject) == before


def test_a_buyer_does_not_approve_an_order_of_another(desk) -> None:
    """A grant for own orders does not cover an invoice one of whose orders belongs to somebody else."""
    seeded = desk.simulator.seed("price-variance-small", "A1")
    order = dict(desk.one("/api/purchase-orders/purchase-order:PO-A1"))
    desk.simulator.post("purchase-orders", {**order, "id": "purchase-order:PO-B", "number": "PO-B", "buyer": "carol"})
    invoice = dict(desk.invoice(seeded.subject_id))
    lines = [*invoice["lines"], {**invoice["lines"][0], "line": "2", "po_number": "PO-B"}]
    both = desk.simulator.post(
        "invoices", {**invoice, "id": "invoice:both", "number": "BOTH", "number_key": None, "lines": lines}
    )
    result = desk.command("approve-variance", both, "bob", amount_minor=104000)
    assert isinstance(result, ErpRefused)
    assert "orders of this buyer alone" in result.detail
    assert isinstance(
        desk.command("approve-variance", seeded.subject_id, "bob", key="k2", amount_minor=104000), ErpApplied
    )


def test_a_limit_in_another_currency_covers_nothing(desk) -> None:
    """Without a rate an amount in another currency is never compared with a limit, it is refused."""
    seeded = desk.simulator.seed("price-variance-small", "A1")
    pounds = desk.simulator.post(
        "invoices", {**desk.invoice(seeded.subject_id), "id": "invoice:gbp", "currency": "GBP"}
    )
    result = desk.command("reject", pounds, "mark", currency="GBP")
    assert isinstance(result, ErpRefused)
    assert "no limit in GBP" in result.detail
    assert desk.command("reject", pounds, "connie", key="k2", currency="GBP") == ErpApplied(
        status="REJECTED", version=2
    )


@pytest.mark.parametrize("user", ["clara", "audrey", "somebody"])
def test_trust_lets_any_named_person_pass_and_nobody_still_not(make_desk, user: str) -> None:
    """In trust mode a name is enough, as in the weak integration it imitates; no name never is."""
    desk = make_desk(mode=AuthorityMode.TRUST)
    subject = desk.simulator.seed("price-variance-large", "A1").subject_id
    nobody = desk.command("approve-variance", subject, "", key="k0", amount_minor=1160000)
    assert isinstance(nobody, ErpRefused)
    assert nobody.code == "AUTHORITY"
    assert isinstance(desk.command("approve-variance", subject, user, key="k1", amount_minor=1160000), ErpApplied)


def test_the_audit_names_the_person_and_the_reason(desk) -> None:
    """Every command, refused ones included, leaves one line with who, what, when, why and the key."""
    subject = desk.simulator.seed("price-variance-small", "A1").subject_id
    desk.command("reject", subject, "clara", key="no")
    desk.command("approve-variance", subject, "bob", key="yes", amount_minor=104000)
    no, yes = desk.simulator.audit(entity=subject)
    assert (no.user, no.action, no.key) == ("clara", "reject", "no")
    assert no.detail == "refused AUTHORITY: `clara` has no grant for `reject`"
    assert (yes.at, yes.user, yes.action, yes.key) == ("2026-10-05T09:00:00+00:00", "bob", "approve-variance", "yes")
    assert yes.detail == "RECEIVED -> APPROVED, amount 1040.00 EUR"


def test_the_subject_may_not_be_another_kind_of_record(desk) -> None:
    """A command on a record that is not the lifecycle's subject is refused, whoever gives it."""
    desk.simulator.seed("price-variance-small", "A1")
    result = desk.command("reject", "vendor:V-A1", "connie")
    assert isinstance(result, ErpRefused)
    assert result.code == "UNKNOWN_SUBJECT"


def test_a_status_from_outside_is_not_believed(desk) -> None:
    """A document that claims to be approved already comes in as received, in its first version."""
    invoice = {**desk.invoice(desk.simulator.seed("clean-match", "A1").subject_id), "id": "invoice:liar"}
    liar = {**invoice, "status": "APPROVED", "version": 9, "approved_amount": "5.00"}
    desk.intake(IntakeDocument(key="k", collection="invoices", record=liar))
    assert (desk.invoice("invoice:liar")["status"], desk.invoice("invoice:liar")["version"]) == ("RECEIVED", 1)
