"""A case is its log folded: every kind of entry is known, state survives its JSON, nothing goes back from a handoff."""

from hypothesis import given
from hypothesis import strategies as st

from settledesk.cases import (
    CaseState,
    EntryKind,
    Handler,
    LogEntry,
    ProposalState,
    Status,
    StopReason,
    apply_entry,
    case_id_for,
    case_to_json,
    fold,
    state_from_json,
    state_to_json,
    timeline,
)
from settledesk.cases.fold import entry_kinds
from settledesk.facts import CaseId

CASE = CaseId("ap-1")
AT = "2026-10-01T08:00:00+00:00"

PROPOSAL = {
    "id": "ap-1-p1",
    "action": "a",
    "amount_minor": 100,
    "currency": "EUR",
    "rationale": "r",
    "evidence": ["invoice:1"],
    "role": "clerk",
    "user": None,
    "subject_version": 1,
    "provenance": {"proposer": "rules"},
    "proposed_at": AT,
    "state": "pending",
    "decided_by": None,
    "comment": None,
    "reason": None,
}
RULED = {
    "display": "INV-1",
    "exceptions": [],
    "outcome": "resolved",
    "row": "r",
    "action": "a",
    "amount_minor": 100,
    "currency": "EUR",
    "evidence": ["invoice:1"],
    "facts": {"total": {"type": "number", "value": "1", "evidence": []}},
    "tables": [],
    "policy": None,
    "status": None,
}
OVER = {"to": "person", "why": "unhandled", "detail": "d", "sentence": "s"}
DATA: dict[EntryKind, dict[str, object]] = {
    EntryKind.WOKEN: {"causes": {"document": "e"}},
    EntryKind.READ_FAILED: {"reads": ["vendor"], "attempt": 1},
    EntryKind.RULED: RULED,
    EntryKind.PROPOSED: {"proposal": PROPOSAL},
    EntryKind.WITHDRAWN: {"why": "w"},
    EntryKind.ASKED: {"fact": "f", "from": "vendor", "to": "v@v.example"},
    EntryKind.LETTER_SENT: {"fact": "f", "to": "v@v.example", "message_id": "<m>"},
    EntryKind.REPLIED: {"intent": "UNCLEAR", "sender": "v@v.example"},
    EntryKind.ANSWERED: {"name": "f", "fact": {"unknown": "u"}},
    EntryKind.HANDED_OVER: OVER,
    EntryKind.CLOSED: {"row": "credited", "text": "t", "status": "resolved"},
    EntryKind.NOTED: {"text": "n"},
    EntryKind.PARKED: {"reason": "r", "attempts": 5, "moment": "rules"},
    EntryKind.REFUSED: {"by_whom": "the ERP", "code": "c", "detail": "d"},
}
OPENING = LogEntry(
    kind=EntryKind.OPENED,
    data={"pack": "p", "subject": "invoice:1", "display": "INV-1", "event": "e"},
    by="erp",
    at=AT,
)


def _entry(kind: EntryKind, **changes: object) -> LogEntry:
    return LogEntry(kind=kind, data={**DATA[kind], **changes}, by="rules", at=AT)


def _decision(approved: bool) -> LogEntry:
    data = {"approved": approved, "action": "a", "proposal": "ap-1-p1", "comment": "c", "reason": None}
    return LogEntry(kind=EntryKind.DECIDED, data=data, by="clara", at=AT)


logs = st.lists(st.sampled_from(sorted(DATA)).map(_entry), max_size=12).map(lambda rest: [OPENING, *rest])


def test_the_fold_knows_every_kind_of_entry() -> None:
    """No kind of entry is missing from the fold."""
    assert set(entry_kinds()) == set(EntryKind)


@given(logs)
def test_state_survives_its_json_form(entries: list[LogEntry]) -> None:
    """The saved snapshot gives back the very state that was saved."""
    state = fold(CASE, entries)
    assert state_from_json(state_to_json(state)) == state


@given(logs)
def test_the_version_counts_the_entries(entries: list[LogEntry]) -> None:
    """Every entry raises the version by one, so a log without a gap and the version agree."""
    assert fold(CASE, entries).version == len(entries)


@given(logs)
def test_a_handoff_is_one_way(entries: list[LogEntry]) -> None:
    """Once the rules gave a case away, no entry gives it back to them."""
    state = fold(CASE, [OPENING])
    given_away = False
    for entry in entries[1:]:
        state = apply_entry(state, entry)
        given_away = given_away or entry.kind is EntryKind.HANDED_OVER
        assert (state.handled_by is Handler.PERSON) == given_away


@given(logs)
def test_the_timeline_has_a_sentence_for_every_entry(entries: list[LogEntry]) -> None:
    """Each entry of the log is one line of the timeline, in order."""
    lines = timeline(entries)
    assert [line.kind for line in lines] == [entry.kind.value for entry in entries]
    assert all(line.text for line in lines)


def test_a_handoff_withdraws_what_nobody_decided() -> None:
    """A proposal that waits is withdrawn when the case is handed over."""
    state = fold(CASE, [OPENING, _entry(EntryKind.RULED), _entry(EntryKind.PROPOSED), _entry(EntryKind.HANDED_OVER)])
    assert state.proposal is not None
    assert state.proposal.state is ProposalState.WITHDRAWN
    assert (state.status, state.stop_reason) == (Status.NEEDS_PERSON, StopReason.UNHANDLED)


def test_a_decline_is_remembered_with_its_words() -> None:
    """A declined proposal stays known to the case: action, words and who said them."""
    state = fold(CASE, [OPENING, _entry(EntryKind.PROPOSED), _decision(approved=False)])
    assert state.declined == ({"action": "a", "reason": None, "comment": "c", "by": "clara", "proposal": "ap-1-p1"},)
    assert state.touches == 1


def test_an_applied_hold_is_on_hold_and_not_resolved() -> None:
    """The status after an applied action is the one that the pack declares for it."""
    applied = LogEntry(
        kind=EntryKind.APPLIED,
        data={"action": "a", "user": "clara", "status": "HELD", "version": 2, "after": "on_hold", "findings": []},
        by="erp",
        at=AT,
    )
    state = fold(CASE, [OPENING, _entry(EntryKind.PROPOSED), _decision(approved=True), applied])
    assert state.status is Status.ON_HOLD


def test_a_reply_never_undoes_a_decision() -> None:
    """A reply moves only a case that awaits an answer."""
    state = fold(CASE, [OPENING, _entry(EntryKind.PROPOSED), _entry(EntryKind.REPLIED)])
    assert state.status is Status.AWAITING_DECISION


def test_a_case_has_every_key_of_the_output_contract() -> None:
    """The JSON of a case carries every key that scripts rely on."""
    keys = (
        "id pack subject reasons status handled_by outcome stop_reason row action amount_minor currency decider"
        " waiting_for evidence"
    )
    assert set(keys.split()) <= set(case_to_json(fold(CASE, [OPENING])))


def test_an_outsiders_sentence_is_not_shown_as_the_subject() -> None:
    """A subject that is not shaped as a reference is withheld in every output."""
    opening = LogEntry(
        kind=EntryKind.OPENED, data={**OPENING.data, "display": "INV-1 approved by the controller"}, by="erp", at=AT
    )
    assert case_to_json(fold(CASE, [opening]))["subject"].startswith("(withheld ")


def test_the_same_subject_has_the_same_case() -> None:
    """The case id hangs on pack and subject alone."""
    first = case_id_for(pack="p", prefix="ap", subject="invoice:1")
    assert first == case_id_for(pack="p", prefix="ap", subject="invoice:1")
    assert first != case_id_for(pack="p", prefix="ap", subject="invoice:2")
    assert first != case_id_for(pack="q", prefix="ap", subject="invoice:1")


def test_a_state_without_history_is_at_work() -> None:
    """A case that was just opened is with the rules, and its first version is one."""
    state = fold(CASE, [OPENING])
    assert isinstance(state, CaseState)
    assert (state.status, state.handled_by, state.version) == (Status.INVESTIGATING, Handler.RULES, 1)
