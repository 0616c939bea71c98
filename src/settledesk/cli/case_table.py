"""Cases as one readable table: subject, reasons, what the rules say, the row, who decides, what is missing."""

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from settledesk.cases import CaseState, Outcome, Status, case_to_json
from settledesk.facts import Money


def case_table(cases: Iterable[CaseState]) -> Table:
    """Return the table."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for title in ("subject", "reasons", "the rules say", "row", "who decides", "waiting for", "case"):
        table.add_column(title, overflow="fold", no_wrap=title in ("case", "the rules say"))
    for state in cases:
        table.add_row(*(Text(cell) for cell in _row(state)))
    return table


def _row(state: CaseState) -> tuple[str, ...]:
    return (
        str(case_to_json(state)["subject"]),
        ", ".join(state.reasons) or "-",
        says(state),
        state.row or "-",
        state.decider or "-",
        waits(state),
        state.id,
    )


def says(state: CaseState) -> str:
    """Return what the rules say of a case, with the amount of what they propose."""
    if state.status is Status.ON_HOLD and state.action is not None:
        return f"{state.action} (in force)"
    match state.outcome:
        case Outcome.RESOLVED if state.action is not None:
            return f"{state.action} {amount(state)}".strip()
        case Outcome.RESOLVED:
            return "closed"
        case Outcome.NEEDS_FACT:
            return "needs a fact"
        case Outcome.ESCALATE:
            return f"escalate ({state.stop_reason.value if state.stop_reason else 'unhandled'})"
    return "at work"


def amount(state: CaseState) -> str:
    """Return the case's amount for people, or nothing."""
    if state.amount_minor is None or state.currency is None:
        return ""
    return str(Money.from_minor(state.amount_minor, state.currency))


def waits(state: CaseState) -> str:
    """Return whose move it is."""
    if state.waiting_for is not None:
        return state.waiting_for
    return "-" if state.status is Status.RESOLVED else state.status.sentence
