"""The system of record, played: the `Erp` port in process, with a durable file of its own and all words from the pack.

Everything is done on the caller's event loop and one call is one commit, so two calls never interleave inside one.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Any

from settledesk.facts import Money
from settledesk.matching.assessment import Record
from settledesk.ports import Clock, ErpApplied, ErpCommand, ErpEvent, ErpRefused, ErpResult, IntakeDocument
from settledesk.simulator.authority import AuthorityMatrix, AuthorityMode
from settledesk.simulator.book import STATUS, VERSION, Arrival, Book, check_collections, event_id
from settledesk.simulator.chance import Chance
from settledesk.simulator.commands import Judged, judge, request_hash, result_from_json, result_to_json
from settledesk.simulator.faults import Fault, Faults
from settledesk.simulator.intake import scalars
from settledesk.simulator.ledger import AuditRow, Ledger
from settledesk.simulator.lifecycle import Lifecycle
from settledesk.simulator.pack_files import PackFiles, Verification
from settledesk.simulator.paths import quoted
from settledesk.simulator.seeds import Seeded, SeedError, fill_seed
from settledesk.simulator.verification import Verified, call_back, confirm

EVENTS_MAX = 10_000
SUBJECT_CHANGED = "subject.changed"
RECORD_CHANGED = "record.changed"
EVENTS_PATH = "/events"
INTAKE_PATH = "/intake"


class Simulator:
    """An ERP for tests, evaluations and trying the desk; see `docs/architecture.md` for records and read paths."""

    def __init__(
        self,
        files: PackFiles,
        *,
        path: str,
        clock: Clock,
        chance: Chance | None = None,
        mode: AuthorityMode = AuthorityMode.ENFORCE,
    ) -> None:
        """Open or create the file at `path` (`:memory:` for none); `chance` draws for faults with an error rate.

        Raises `PackFileError` if the pack's files contradict themselves and `LedgerError` if the file cannot be used.
        """
        self._files = files
        self._clock = clock
        self._mode = mode
        check_collections(files)
        self._lifecycle = Lifecycle(files.lifecycle)
        self._authority = AuthorityMatrix(files.people)
        self._faults = Faults(clock=clock, chance=chance or Chance(0))
        self._ledger = Ledger(path)
        self._book = Book(files, self._ledger)

    # What the desk sees.

    async def read(self, path: str) -> tuple[Record, ...]:
        """Return the records at `path`; raises `ErpUnavailableError` for a fault and for a path that is not served."""
        await self._faults.before(path)
        found = self._book.read(path)
        await self._faults.after(path)
        return found

    async def events(self, *, after: int, limit: int) -> tuple[ErpEvent, ...]:
        """Return at most `limit` (never more than `EVENTS_MAX`) events with `seq` above `after`, in order."""
        await self._faults.before(EVENTS_PATH)
        return self._ledger.events(after=after, limit=max(0, min(limit, EVENTS_MAX)))

    async def command(self, command: ErpCommand) -> ErpResult:
        """Apply an action in a person's name, once per key; the answer to a repeat is the first answer."""
        path = command_path(command)
        await self._faults.before(path)
        result = self._command(command)
        await self._faults.after(path)
        return result

    async def intake(self, documents: Sequence[IntakeDocument]) -> int:
        """Take documents in as one commit; returns how many had an effect; raises `RefusedIntakeError`."""
        await self._faults.before(INTAKE_PATH)
        arrivals = [Arrival(key=item.key, collection=item.collection, record=item.record) for item in documents]
        count = sum(1 for record_id in self._book.take_in(arrivals) if record_id is not None)
        await self._faults.after(INTAKE_PATH)
        return count

    # What tests, evaluations and the admin page use.

    def effects(self, key: str) -> int:
        """Return how often a command with this idempotency key took effect: 0 or 1, or something is broken."""
        return self._ledger.effects(key)

    def effect_counts(self) -> dict[str, int]:
        """Return the number of effects for every key that had one."""
        return self._ledger.effect_counts()

    def audit(self, *, entity: str | None = None) -> tuple[AuditRow, ...]:
        """Return the audit trail in order, of one record or of all."""
        return self._ledger.audit(entity=entity)

    def set_fault(
        self,
        path_pattern: str,
        *,
        latency_s: float = 0.0,
        error_rate: float = 0.0,
        status: int = 503,
        answer_lost: bool = False,
    ) -> None:
        """Set a fault on all paths that begin with what the pattern matches; raises `FaultSettingError`."""
        self._faults.put(
            Fault(
                path_pattern=path_pattern,
                latency_s=latency_s,
                error_rate=error_rate,
                status=status,
                answer_lost=answer_lost,
            )
        )

    def clear_faults(self, path_pattern: str | None = None) -> None:
        """Take one fault away, or all."""
        self._faults.clear(path_pattern)

    def faults(self) -> tuple[Fault, ...]:
        """Return the faults that are set."""
        return self._faults.all()

    def seed_names(self) -> tuple[str, ...]:
        """Return the names of the pack's seeds."""
        return tuple(self._files.seeds)

    def seed(self, name: str, suffix: str, texts: Mapping[str, str] | None = None) -> Seeded:
        """Make a starting situation in one commit; the same suffix again has no second effect.

        `texts` replace the seed's own texts (what a vendor wrote on the document). Raises `SeedError`.
        """
        seeded, documents = fill_seed(self._files, name, suffix, texts)
        arrivals = [
            Arrival(
                key=f"seed:{name}:{suffix.upper()}:{number}",
                collection=item.collection,
                record=item.record,
                state=None if item.state is None else {STATUS: item.state},
            )
            for number, item in enumerate(documents)
        ]
        for arrival in arrivals:
            there = self._book.find(arrival.record["id"])
            if there is not None and self._ledger.was_taken_in(str(arrival.key)) is None:
                raise SeedError(f"`{there['id']}` is there already, use another suffix than `{suffix}`")
        self._book.take_in(arrivals)
        return seeded

    def post(self, collection: str, record: Record) -> str:
        """Take one record in that nobody sends twice (a later receipt); returns the id it got."""
        return self._book.take_in([Arrival(collection=collection, record=record)])[0] or str(record["id"])

    def redeliver(self, event_id: str) -> int:
        """Publish an event again, with the same id and payload; returns its new `seq`. Raises `LookupError`."""
        event = self._ledger.event(event_id)
        if event is None:
            raise LookupError(f"`{event_id}` is not an event of this system")
        with self._ledger.transaction():
            return self._ledger.publish(event.type, event.payload, event_id=event.id)

    def propose_change(self, verification: str, record_id: str, part: Mapping[str, Any]) -> ErpResult:
        """Add a part (a bank account) that stays pending until it is verified; `part` needs an `id` of its own."""
        rule, record = self._verification(verification), self._book.find(record_id)
        if record is None:
            return _unknown(record_id)
        parts = list(record.get(rule.parts) or ())
        if not part.get("id") or any(other.get("id") == part["id"] for other in parts):
            return ErpRefused(code="PART_ID", detail="a proposed change needs an `id` that no other part has")
        parts.append({**part, rule.status: rule.pending})
        changed = Verified(record={**record, rule.parts: parts}, detail=f"{part['id']} proposed")
        return self._change(rule, changed, user="")

    def call_back(
        self, verification: str, record_id: str, part_id: str, *, user: str, phone: str, confirmed: bool
    ) -> ErpResult:
        """Record that `user` called the phone of record about a pending change, and what was said."""
        rule, record = self._verification(verification), self._book.find(record_id)
        refused = self._may_verify(rule, user)
        if record is None or refused is not None:
            return refused or _unknown(record_id)
        step = call_back(rule, record, part_id, user=user, phone=phone, confirmed=confirmed, at=self._at())
        return step if isinstance(step, ErpRefused) else self._change(rule, step, user=user)

    def confirm_change(self, verification: str, record_id: str, part_id: str, *, user: str) -> ErpResult:
        """Confirm a change that another person verified by call-back; the part it replaces is superseded."""
        rule, record = self._verification(verification), self._book.find(record_id)
        refused = self._may_verify(rule, user)
        if record is None or refused is not None:
            return refused or _unknown(record_id)
        step = confirm(rule, record, part_id, user=user, at=self._at())
        return step if isinstance(step, ErpRefused) else self._change(rule, step, user=user)

    def reset(self) -> None:
        """Forget everything, faults included."""
        self._ledger.clear()
        self._faults.clear()
        self._book.load()

    def close(self) -> None:
        """Release the file."""
        self._ledger.close()

    def _command(self, command: ErpCommand) -> ErpResult:
        if not command.idempotency_key:
            return ErpRefused(code="IDEMPOTENCY", detail="a command needs an idempotency key, so that it is done once")
        request = request_hash(command)
        earlier = self._ledger.answer(command.idempotency_key)
        if earlier is not None:
            if earlier[0] != request:
                detail = "this idempotency key was used for another request, which is not repeated and not replaced"
                return ErpRefused(code="IDEMPOTENCY", detail=detail)
            return result_from_json(earlier[1])
        subject = self._book.find(command.subject)
        if subject is None or self._book.home(command.subject) not in self._files.lifecycle.subjects:
            return _unknown(command.subject)
        judged = judge(
            command,
            subject=subject,
            lifecycle=self._lifecycle,
            authority=self._authority,
            mode=self._mode,
            read=self._book.read,
            numbers=self._book.numbers,
        )
        if isinstance(judged, ErpRefused):
            self._write_refusal(command, request, judged)
            return judged
        return self._apply(command, request, judged)

    def _apply(self, command: ErpCommand, request: str, judged: Judged) -> ErpApplied:
        home, subject = str(self._book.home(command.subject)), judged.subject
        result = ErpApplied(status=subject[STATUS], version=subject[VERSION])
        with self._ledger.transaction():
            self._ledger.write_record(home, subject)
            self._ledger.write_answer(command.idempotency_key, request, result_to_json(result))
            self._ledger.write_effect(command.idempotency_key, command.action, command.subject)
            self._write_audit(command, judged.detail)
            payload = {"collection": home, "action": command.action, **scalars(subject)}
            self._ledger.publish(SUBJECT_CHANGED, payload, event_id=event_id(SUBJECT_CHANGED, command.idempotency_key))
        self._book.keep(home, subject)
        return result

    def _write_refusal(self, command: ErpCommand, request: str, refused: ErpRefused) -> None:
        with self._ledger.transaction():
            # A call in nobody's name does not use its key up: whoever decided may repeat it in their own name.
            if command.user:
                self._ledger.write_answer(command.idempotency_key, request, result_to_json(refused))
            self._write_audit(command, f"refused {refused.code}: {refused.detail}")

    def _write_audit(self, command: ErpCommand, detail: str) -> None:
        self._ledger.write_audit(
            AuditRow(
                at=self._at(),
                entity=command.subject,
                action=command.action,
                user=command.user,
                detail=detail,
                key=command.idempotency_key,
            )
        )

    def _verification(self, name: str) -> Verification:
        rule = self._files.simulator.verifications.get(name)
        if rule is None:
            raise LookupError(f"`{name}` is not a verification of this pack")
        return rule

    def _may_verify(self, rule: Verification, user: str) -> ErpRefused | None:
        def no_amount() -> Money | None:
            return None

        return self._authority.refusal(
            user=user, action=rule.action, amount=no_amount, own_orders=lambda: "no order is at hand", mode=self._mode
        )

    def _change(self, rule: Verification, step: Verified, *, user: str) -> ErpApplied:
        record = step.record
        with self._ledger.transaction():
            self._ledger.write_record(rule.collection, record)
            self._ledger.write_audit(
                AuditRow(at=self._at(), entity=record["id"], action=rule.action, user=user, detail=step.detail, key="")
            )
            cause = f"{record['id']}:{step.detail}:{self._at()}"
            payload = {"collection": rule.collection, **scalars(record)}
            self._ledger.publish(RECORD_CHANGED, payload, event_id=event_id(RECORD_CHANGED, cause))
        self._book.keep(rule.collection, record)
        return ErpApplied(status=step.detail, version=int(record.get(VERSION) or 0))

    def _at(self) -> str:
        return self._clock.now().astimezone(UTC).isoformat()


def command_path(command: ErpCommand) -> str:
    """Return the path that a command is posted to, which is also what a fault's pattern is matched with."""
    return f"/api/subjects/{quoted(command.subject)}/{quoted(command.action)}"


def _unknown(record_id: str) -> ErpRefused:
    return ErpRefused(code="UNKNOWN_SUBJECT", detail=f"`{record_id}` is not known to this system")
