"""The subject's lifecycle, compiled from `lifecycle.toml`: which action leads where, under which guards."""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import Any

import regex

from settledesk.feel import FeelError, compile_expression
from settledesk.matching.assessment import Record
from settledesk.simulator.pack_files import LifecycleFile, Lookup, PackFileError, Transition
from settledesk.simulator.paths import quoted
from settledesk.simulator.records import values_at

FILE = "lifecycle.toml"
LOOKUP_READS_MAX = 1_000
_PLACEHOLDER = regex.compile(r"\{subject\.([\w.-]+)\}")
_OWN_NAMES = ("subject", "amount", "user")

Compiled = Callable[[Mapping[str, Any]], Any]
Reader = Callable[[str], tuple[Record, ...]]
Numbers = Callable[[Record], frozenset[str]]


class GuardRefusal(Exception):
    """A guard did not say `true`. Internal to the simulator: it becomes a refusal with `code` and `detail`."""

    def __init__(self, *, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Lifecycle:
    """What the file says, with every FEEL expression compiled once."""

    def __init__(self, file: LifecycleFile) -> None:
        """Compile the file; raises `PackFileError` for a state, guard or name that does not exist."""
        self.file = file
        _check_states(file)
        names = (*_OWN_NAMES, *file.lookups)
        self._guards = {name: _compile(guard.check, names, f"guards.{name}") for name, guard in file.guards.items()}
        self._amount = _compile(file.authority.amount, names, "authority.amount")
        self._amounts = {
            action: _compile(text, names, f"authority.amount_by_action.{action}")
            for action, text in file.authority.amount_by_action.items()
        }
        self._set = {
            text: _compile(text, names, f"the transition `{transition.action}`")
            for transition in file.transitions
            for text in transition.set.values()
        }

    def transition(self, action: str, status: str) -> Transition | None:
        """Return the transition that a person's command takes from this status, or none."""
        for transition in self.file.transitions:
            if transition.action == action and status in transition.from_ and transition.by == "person":
                return transition
        return None

    def authority_amount(self, action: str, context: Mapping[str, Any]) -> Decimal | None:
        """Return the amount to compare with a person's limit, or none if it is not known."""
        value = self._amounts.get(action, self._amount)(context)
        return value if isinstance(value, Decimal) else None

    def check(self, guard: str, context: Mapping[str, Any]) -> None:
        """Pass if the guard says `true`; raises `GuardRefusal` with its true reason otherwise."""
        declared = self.file.guards[guard]
        answer = self._guards[guard](context)
        if answer is not True:
            raise GuardRefusal(code=declared.code, detail=declared.refused if answer is False else declared.unknown)

    def updates(self, transition: Transition, context: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields that the transition writes, numbers as text; the status is not among them."""
        return {field: _to_json(self._set[text](context)) for field, text in transition.set.items()}

    def context(
        self, *, subject: Record, amount: Decimal | None, user: str, read: Reader, numbers: Numbers
    ) -> dict[str, Any]:
        """Return what the guards see. `read` answers a path; `numbers` says which fields of a record are numbers."""

        def seen(record: Record) -> dict[str, Any]:
            return _with_numbers(record, numbers(record))

        context: dict[str, Any] = {"subject": seen(subject), "amount": amount, "user": user}
        for name, lookup in self.file.lookups.items():
            found = [seen(record) for record in _look_up(lookup, subject, read)]
            context[name] = (found[0] if found else None) if lookup.one else found
        return context


def _look_up(lookup: Lookup, subject: Record, read: Reader) -> Iterable[Record]:
    found: dict[str, Record] = {}
    reads = 0
    for template in lookup.paths:
        fields = _PLACEHOLDER.findall(template)
        choices = [dict.fromkeys(str(value) for value in values_at(subject, field)) for field in fields]
        for values in product(*choices):
            reads += 1
            if reads > LOOKUP_READS_MAX:
                raise GuardRefusal(
                    code="LOOKUP_LIMIT",
                    detail=f"checking the subject needs more than {LOOKUP_READS_MAX} reads (`LOOKUP_READS_MAX`)",
                )
            found.update({record["id"]: record for record in read(_path(template, values))})
    return found.values()


def _path(template: str, values: Iterable[str]) -> str:
    # A split by a pattern with one group gives text and field names in turns, beginning and ending with text.
    texts: list[str] = _PLACEHOLDER.split(template)[::2]
    return texts[0] + "".join(quoted(value) + text for value, text in zip(values, texts[1:], strict=True))


def _with_numbers(record: Record, numbers: frozenset[str]) -> dict[str, Any]:
    return {name: _number(value) if name in numbers else value for name, value in record.items()}


def _number(value: Any) -> Decimal | None:
    # A total that is no number is unknown to a guard, never zero.
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _to_json(value: Any) -> Any:
    return format(value, "f") if isinstance(value, Decimal) else value


def _compile(text: str, names: Iterable[str], place: str) -> Compiled:
    try:
        return compile_expression(text, names=tuple(names)).evaluate
    except FeelError as error:
        raise PackFileError(f"the expression of `{place}` in `{FILE}` cannot be used: {error}") from error


def _check_states(file: LifecycleFile) -> None:
    states = set(file.states)
    named = {file.initial, *file.final, *(s for t in file.transitions for s in (*t.from_, t.to))}
    if named - states:
        raise PackFileError(f"`{min(named - states)}` in `{FILE}` is not one of its states")
    reached = {file.initial}
    for _ in states:
        reached |= {t.to for t in file.transitions if reached.intersection(t.from_)}
    if states - reached:
        raise PackFileError(f"the state `{min(states - reached)}` in `{FILE}` cannot be reached from `{file.initial}`")
    leaving = set(file.final).intersection(s for t in file.transitions for s in t.from_)
    if leaving:
        raise PackFileError(f"the state `{min(leaving)}` in `{FILE}` is final, yet a transition leads out of it")
    guards = {g for t in file.transitions for g in t.guards} | ({file.authority.own_orders} - {None})
    if guards - set(file.guards):
        raise PackFileError(f"`{min(str(g) for g in guards - set(file.guards))}` in `{FILE}` is not one of its guards")
    pairs = [(t.action, state) for t in file.transitions for state in t.from_]
    for pair in pairs:
        if pairs.count(pair) > 1:
            raise PackFileError(f"`{pair[0]}` leads out of `{pair[1]}` twice in `{FILE}`, one action has one way")
