"""Play one run until nothing moves: the desk works, people decide, outsiders answer, and scripted things happen.

Whatever can happen next has a time on the simulated clock, and the earliest happens; on a tie the system comes before
the people. So a run is the same every time, and waiting for days costs nothing.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from settledesk.cases import CaseState, EntryKind, Proposal, ProposalState
from settledesk.desk import DecisionRequest, Reply, decide, take_in_reply, work_until_idle
from settledesk.evaluation.scenario import Event
from settledesk.evaluation.world import World, filled

DECISION_AFTER_S = 300
"""How long a person takes to decide: time enough for a delayed event or a repeated read to come first."""

ANSWER_AFTER_S = 3_600
"""How long an outsider takes to answer a letter."""

POLL_S = 2
"""After how long a feed of events that could not be read is looked at again."""

DAYS_MAX = 30
"""After how much simulated time a run that still moves is given up."""

STEPS_MAX = 500
"""After how many steps a run that still moves is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that can happen next."""

    at: datetime
    act: Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What the script came to: why it is not at rest (if so), which decisions the desk refused, what did not happen."""

    unsettled: str | None
    refused: tuple[str, ...]
    missed: tuple[str, ...]
    replies: tuple[str, ...]


class Play:
    """The script of one run, and how far it has come."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._case_id = world.desk.case_id(world.subject)
        self._started = world.clock.now()
        self._seen: dict[str, datetime] = {}
        self._decided: set[str] = set()
        self._declined = False
        self._refused: list[str] = []
        self._events = list(enumerate(world.scenario.when.events))
        self._answers = list(world.scenario.when.vendor)
        self._replies: dict[str, list[str]] = {}

    async def until_quiet(self) -> Played:
        """Play until nothing can happen any more, or a limit is reached."""
        unsettled = None
        for _ in range(STEPS_MAX):
            await work_until_idle(self._world.desk)
            step = self._next()
            if step is None:
                break
            if step.at > self._started + timedelta(days=DAYS_MAX):
                unsettled = f"still moving after {DAYS_MAX} simulated days"
                break
            await self._world.clock.sleep(max(0.0, (step.at - self._now).total_seconds()))
            await step.act()
        else:
            unsettled = f"still moving after {STEPS_MAX} steps"
        return Played(
            unsettled=unsettled,
            refused=tuple(self._refused),
            missed=tuple(self._missed()),
            replies=tuple(message for messages in self._replies.values() for message in messages),
        )

    @property
    def _now(self) -> datetime:
        return self._world.clock.now()

    def _next(self) -> Step | None:
        """Return what happens next: the earliest, and of those at the same time the first in this order."""
        state = self._world.desk.store.reader.case(self._case_id)
        steps = [*self._waiting_work(), *self._scripted_events(state)]
        if state is not None:
            steps += [*self._answer(state), *self._decision(state)]
        return min(steps, key=lambda step: step.at, default=None)

    def _waiting_work(self) -> list[Step]:
        due = self._world.desk.store.reader.next_moment_at()
        steps = [] if due is None else [Step(at=due, act=_nothing)]
        if self._world.erp.feed_failed:
            steps.append(Step(at=self._now + timedelta(seconds=POLL_S), act=_nothing))
        return steps

    def _scripted_events(self, state: CaseState | None) -> list[Step]:
        steps = []
        for number, event in self._events:
            at = self._now
            if event.after_s is not None:
                at = self._started + timedelta(seconds=event.after_s)
            elif state is None or state.status != event.after_status:
                continue
            steps.append(Step(at=at, act=self._happening(number, event)))
        return steps

    def _happening(self, number: int, event: Event) -> Callable[[], Awaitable[None]]:
        async def happen() -> None:
            simulator = self._world.simulator
            if event.post is not None:
                simulator.post(event.post.collection, filled(event.post.record, self._world.suffix))
            elif self._world.opening_event is not None:
                simulator.redeliver(self._world.opening_event)
            self._events = [item for item in self._events if item[0] != number]

        return happen

    def _answer(self, state: CaseState) -> list[Step]:
        """Return the answer to the letter that waits for one, if the script has it."""
        log = self._world.desk.store.reader.log(self._case_id)
        for fact, asked in state.asked.items():
            sent = sum(entry.kind is EntryKind.LETTER_SENT and entry.data["fact"] == fact for entry in log)
            given = len(self._replies.get(fact, ()))
            index = next((i for i, answer in enumerate(self._answers) if answer.asked == fact), None)
            if given < sent and index is not None:
                at = self._since(f"letter {fact} {sent}") + timedelta(seconds=ANSWER_AFTER_S)
                return [Step(at=at, act=self._answering(fact, str(asked["to"]), index))]
        return []

    def _answering(self, fact: str, sender: str, index: int) -> Callable[[], Awaitable[None]]:
        async def answer() -> None:
            reading = filled(self._answers.pop(index).reading, self._world.suffix)
            message_id = f"answer-{self._world.suffix}-{fact}-{len(self._replies.get(fact, ())) + 1}"
            reply = Reply(case_id=self._case_id, message_id=message_id, sender=sender, reading=reading)
            await take_in_reply(self._world.desk, reply)
            self._replies.setdefault(fact, []).append(message_id)

        return answer

    def _decision(self, state: CaseState) -> list[Step]:
        """Return the decision of the person whom the policy named, unless that person is silent."""
        proposal = state.proposal
        if proposal is None or proposal.state is not ProposalState.PENDING or proposal.id in self._decided:
            return []
        user = self._decider(proposal)
        silent = self._world.scenario.when.people.silent
        if user is None or user in silent or proposal.role in silent:
            return []
        at = self._since(f"proposal {proposal.id}") + timedelta(seconds=DECISION_AFTER_S)
        return [Step(at=at, act=self._deciding(state, proposal, user))]

    def _decider(self, proposal: Proposal) -> str | None:
        people = self._world.desk.pack.people
        if proposal.user is not None:
            return proposal.user
        return next((user for user, person in people.items() if person.role == proposal.role), None)

    def _deciding(self, state: CaseState, proposal: Proposal, user: str) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            request = DecisionRequest(
                case_id=state.id, proposal_id=proposal.id, approved=True, user=user, seen_version=state.version
            )
            decline = self._world.scenario.when.people.decline
            declines = decline is not None and not self._declined and decline.action == proposal.action
            if decline is not None and declines:
                request = replace(request, approved=False, comment=decline.words, reason=decline.reason)
            result = await decide(self._world.desk, request)
            self._decided.add(proposal.id)
            if result.refused is not None:
                self._refused.append(f"the decision of {user} was refused: {result.refused}")
            self._declined |= declines and result.recorded

        return act

    def _since(self, what: str) -> datetime:
        return self._seen.setdefault(what, self._now)

    def _missed(self) -> list[str]:
        """Return what the script has and the run did not meet."""
        scenario, erp = self._world.scenario, self._world.erp
        missed = [f"event {number + 1} did not happen" for number, _ in self._events]
        decline = scenario.when.people.decline
        if decline is not None and not self._declined:
            missed.append(f"no proposal of {decline.action} came to be declined")
        failing = [fault.path for fault in scenario.given.faults if fault.error_rate > 0]
        if failing and not any(path.startswith(tuple(failing)) for path in erp.failed):
            missed.append("no call failed")
        slow = [fault.path for fault in scenario.given.faults if fault.latency_s > 0]
        if slow and not any(path.startswith(tuple(slow)) for path in erp.delayed):
            missed.append("no call took time")
        return missed


async def _nothing() -> None:
    """Let the time pass; the desk works again afterwards."""
