"""Where each class of invoice must end, said without the desk's code: the reasons, the row and the action."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

REASON = {
    "order_not_open": "PO_NOT_OPEN",
    "price_over": "PRICE_VARIANCE",
    "nothing_received": "NO_RECEIPT",
    "quantity_over_received": "QTY_OVER_RECEIPT",
    "duplicate": "DUPLICATE",
}
HOLDS = frozenset({"PO_NOT_OPEN", "NO_RECEIPT", "QTY_OVER_RECEIPT"})
SMALL_PERCENT, SMALL_EXCESS = Decimal(10), Decimal(500)


def wrong_ends(manifest: Mapping[str, Any], report: Mapping[str, Any]) -> list[str]:
    """Return one line for every invoice whose end is not that of its class; none is what is hoped for."""
    by_number: dict[str, list[Mapping[str, Any]]] = {}
    for case in report["cases"]:
        by_number.setdefault(case["subject"], []).append(case)
    wrong = []
    for number, expected in manifest["invoices"].items():
        found = by_number.pop(number, [])
        reasons = {REASON[kind] for kind in expected["kinds"]}
        problem = _problem(reasons, found)
        if problem:
            wrong.append(f"{number} ({expected['class']}): {problem}")
    wrong.extend(f"{number}: a case that nothing in the data explains" for number in by_number)
    return wrong


def _problem(reasons: set[str], cases: list[Mapping[str, Any]]) -> str | None:
    if not reasons:
        return None if not cases else f"expected to match, but {cases[0]['reasons']}"
    if len(cases) != 1:
        return f"expected one case for {sorted(reasons)}, found {len(cases)}"
    (case,) = cases
    if set(case["reasons"]) != reasons:
        return f"expected {sorted(reasons)}, found {case['reasons']}"
    action = _action(reasons, case)
    if (case["outcome"], case["action"], case["status"]) != ("resolved", action, "awaiting_decision"):
        return f"expected {action}, found {case['outcome']} {case['action']} ({case['stop_detail']})"
    return None


def _action(reasons: set[str], case: Mapping[str, Any]) -> str:
    if "DUPLICATE" in reasons:
        return "reject"
    if reasons & HOLDS:
        return "hold"
    (line,) = [item for item in case["exceptions"] if item["reason"] == "PRICE_VARIANCE"]
    percent = Decimal(line["measures"]["percent"]["value"])
    excess = Decimal(line["measures"]["excess"]["value"]["amount"])
    small = percent <= SMALL_PERCENT and excess <= SMALL_EXCESS
    return "approve-variance" if small else "request-credit-memo"
