"""Checks on the document itself: did it come before, does its arithmetic hold."""

from settledesk.facts import Fact, Known, Unknown, display_reference, merge_evidence
from settledesk.matching.arithmetic import Discrepancy, line_discrepancies, total_discrepancies
from settledesk.matching.assessment import Finding, LineFinding, Record, Unread
from settledesk.matching.context import Match
from settledesk.matching.credit_checks import credited_invoices
from settledesk.matching.duplicates import Likeness, exact_original, possible_originals, same_total
from settledesk.matching.records import ZERO, evidence_of, plain

WINDOW_DAYS = 7
"""How far apart two invoices of one total may lie if the pack does not say."""


def candidates(match: Match) -> tuple[Record, ...]:
    """Return every other document of the subject's kind that was read, each once."""
    names = ("similar", "invoices") if match.subject.get("kind") == "invoice" else ("similar", "credit_notes")
    found = {str(one["id"]): one for name in names for one in match.records(name)}
    return tuple(found.values())


def original_found(match: Match) -> Fact:
    """Tell whether the original of an exact duplicate was read; unknown if the candidates were not all read."""
    original = exact_original(match.subject, candidates(match))
    if original is not None:
        return Known(value=True, evidence=evidence_of([match.subject, original]))
    unread = match.reads.get("similar")
    if isinstance(unread, Unread):
        return Unknown(reason=unread.reason)
    if unread is None:
        return Unknown(reason="similar invoices were not asked for")
    return Known(value=False, evidence=evidence_of([match.subject]))


def duplicate(match: Match) -> Finding | None:
    """Return a finding if the same document came before."""
    original = exact_original(match.subject, candidates(match))
    if original is None:
        return None
    shown = display_reference(str(original.get("number")))
    return Finding(
        kind="duplicate",
        amount=match.money(match.net),
        text=f"the same invoice came before as {shown}",
        measures={"original": Known(value=str(original["id"]), evidence=evidence_of([original]))},
        evidence=evidence_of([match.subject, original]),
    )


def possible_duplicate(match: Match) -> Finding | None:
    """Return a finding if an earlier document of the vendor may be the same one."""
    if credits_of_likeness_unread(match):
        return None
    # What was credited in full is no longer asked for, so a new invoice does not ask for it twice.
    found = [one for one in _likenesses(match) if not _credited(match, one)]
    if not found:
        return None
    originals = [one.original for one in found]
    shown = display_reference(str(originals[0].get("number")))
    return Finding(
        kind="possible_duplicate",
        amount=match.money(match.net),
        text=f"the invoice {found[0].why} as {shown}",
        measures={"original": Known(value=str(originals[0]["id"]), evidence=evidence_of(originals[:1]))},
        evidence=evidence_of([match.subject, *originals]),
    )


def credits_of_likeness_unread(match: Match) -> bool:
    """Tell whether a similar invoice is here of which a failed read hides if it was credited."""
    hidden = any(isinstance(match.reads.get(name), Unread) for name in ("invoices", "credit_notes"))
    return hidden and bool(_likenesses(match))


def _likenesses(match: Match) -> tuple[Likeness, ...]:
    window = match.settings.windows_days.get("possible_duplicate", WINDOW_DAYS)
    return tuple(possible_originals(match.subject, candidates(match), window_days=window))


def line_arithmetic(match: Match) -> Finding | None:
    """Return lines whose amount does not follow from quantity and price."""
    return _arithmetic(
        match,
        "line_arithmetic",
        line_discrepancies(match.subject),
        "a line amount does not follow from quantity and price",
    )


def totals_unbalanced(match: Match) -> Finding | None:
    """Return a finding if the totals do not follow from the lines.

    A credit note over exactly the total of its invoice takes that total back, however it spells its own sums.
    """
    if any(same_total(match.subject, one) for one in credited_invoices(match)):
        return None
    return _arithmetic(
        match, "totals_unbalanced", total_discrepancies(match.subject), "the totals do not follow from the lines"
    )


def _credited(match: Match, likeness: Likeness) -> bool:
    return match.credits.cover(likeness.original)


def _arithmetic(match: Match, kind: str, found: tuple[Discrepancy, ...], text: str) -> Finding | None:
    if not found:
        return None
    evidence = evidence_of([match.subject])
    excess = sum((one.difference for one in found), ZERO)
    return Finding(
        kind=kind,
        amount=match.money(excess),
        text=text,
        lines=tuple(_discrepancy(one) for one in found),
        measures={"excess": Known(value=match.money(excess), evidence=merge_evidence(evidence))},
        evidence=evidence,
    )


def _discrepancy(one: Discrepancy) -> LineFinding:
    where = f"line {display_reference(one.line)}" if one.line else "the total"
    return LineFinding(
        line=display_reference(one.line) if one.line else "",
        stated=plain(one.stated),
        expected=plain(one.expected),
        text=f"{where}: {plain(one.stated)} stated, {plain(one.expected)} computed",
    )
