"""`settledesk show CASE`: everything about one case."""

from pathlib import Path
from typing import Any

from rich.console import Console

from settledesk.bootstrap import places, reading
from settledesk.cases import CaseState, LogEntry, case_to_json, timeline
from settledesk.cli.case_table import amount, says, waits
from settledesk.cli.fact_text import fact_value
from settledesk.cli.one_case import one_case
from settledesk.cli.output import EXIT_FINE, console, print_json
from settledesk.cli.table import mark_rows
from settledesk.packs import Pack, load_pack


def show(case: str, *, store: str | None, pack: Path | None, as_json: bool) -> int:
    """Print one case."""
    where = places(pack=pack, store=store)
    with reading(where) as reader:
        state = one_case(reader, case)
        log = reader.log(state.id)
    if as_json:
        print_json(_document(state, log))
    else:
        _print(state, log, load_pack(where.pack))
    return EXIT_FINE


def _document(state: CaseState, log: tuple[LogEntry, ...]) -> dict[str, Any]:
    return {
        **case_to_json(state),
        "facts": [
            {
                "name": name,
                "value": fact.get("value"),
                "unknown": fact.get("unknown"),
                "evidence": fact.get("evidence", []),
            }
            for name, fact in state.facts.items()
        ],
        "tables": [
            {
                "decision": run["decision"],
                "reason": run["reason"],
                "fired": list(run["fired"]),
                "near": [dict(row) for row in run["near"]],
                "inputs": run["inputs"],
            }
            for run in state.tables
        ],
        "policy": state.policy or {"effect": None, "decider": None, "reason": None, "policy_hash": None},
        "proposal": _proposal(state),
        "timeline": [{"at": line.at, "kind": line.kind, "by": line.by, "text": line.text} for line in timeline(log)],
    }


def _proposal(state: CaseState) -> dict[str, Any] | None:
    proposal = state.proposal
    if proposal is None:
        return None
    return {
        "id": proposal.id,
        "action": proposal.action,
        "amount_minor": proposal.amount_minor,
        "currency": proposal.currency,
        "rationale": proposal.rationale,
        "evidence": list(proposal.evidence),
        "role": proposal.role,
        "user": proposal.user,
        "state": proposal.state.value,
        "decided_by": proposal.decided_by,
        "comment": proposal.comment,
        "reason": proposal.reason,
        "provenance": dict(proposal.provenance),
    }


def _print(state: CaseState, log: tuple[LogEntry, ...], pack: Pack) -> None:
    out = console()
    head = case_to_json(state)
    _line(out, f"{head['subject']}  ({state.id})")
    _line(out, f"status: {state.status.value}: {state.status.sentence}")
    _line(out, f"the rules say: {says(state)}; waiting for: {waits(state)}")
    if state.stop_reason is not None:
        _line(out, f"handed over: {state.stop_reason.sentence} ({state.stop_detail})")
    for item in state.exceptions:
        _line(out, f"\n{item.reason}: {item.text}")
        for line in item.lines:
            _line(out, f"  line {line['line']}: {line['stated']} against {line['expected']}: {line['text']}")
    _facts(out, state)
    _tables(out, state, pack)
    if state.policy is not None:
        decider = state.policy.get("decider") or f"nobody: {state.policy.get('reason')}"
        _line(out, f"\nthe policy ({state.policy['policy_hash']}) names: {decider}")
    if state.proposal is not None:
        whom = state.proposal.user or state.proposal.role
        worth = f" {amount(state)}" if state.amount_minor is not None else ""
        _line(
            out,
            f"\nproposal {state.proposal.id}: {state.proposal.action}{worth} for {whom} ({state.proposal.state.value})",
        )
        _line(out, f"  {state.proposal.rationale}")
        _line(out, f"  evidence: {', '.join(state.proposal.evidence)}")
    _line(out, "\ntimeline")
    for entry in timeline(log):
        _line(out, f"  {entry.at[:19]}  {entry.by:<10} {entry.text}")


def _facts(out: Console, state: CaseState) -> None:
    _line(out, "\nfacts")
    width = max((len(name) for name in state.facts), default=0)
    for name, fact in sorted(state.facts.items(), key=lambda item: "unknown" in item[1]):
        evidence = f"  [{', '.join(fact['evidence'])}]" if fact.get("evidence") else ""
        _line(out, f"  {name:<{width}}  {fact_value(fact)}{evidence}")


def _tables(out: Console, state: CaseState, pack: Pack) -> None:
    for run in state.tables:
        model = pack.tables.get(run["decision"])
        about = f" for {run['reason']}" if run["reason"] else ""
        fired = ", ".join(run["fired"]) or "no row"
        _line(out, f"\ntable {run['decision']}{about}: {fired}")
        if model is not None and run["fired"]:
            _line(out, mark_rows(model, run["decision"], tuple(run["fired"]), tuple(run["near"])))


def _line(out: Console, text: str) -> None:
    out.print(text, markup=False, soft_wrap=True)
