"""A small world for tests of the desk: the real pack, simulator, policy and tables, and a simulated clock."""

import asyncio
import shutil
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from settledesk.adapters.clocks import CountedIds, SimulatedClock
from settledesk.adapters.mail import MemoryMailbox
from settledesk.adapters.opa import load_policy_engine
from settledesk.adapters.sqlite import open_store
from settledesk.cases import CaseState
from settledesk.desk import DecisionRequest, DecisionResult, Desk, Reply, decide, note, take_in_reply, work_until_idle
from settledesk.packs import load_pack
from settledesk.simulator import Seeded, Simulator, read_pack_files

PACK = Path(__file__).parents[2] / "packs" / "accounts_payable"
SUFFIX = "0000A001"

T = TypeVar("T")


class World:
    """One desk with one seeded situation; everything runs to the end at once."""

    def __init__(self, pack: Path = PACK) -> None:
        self.clock = SimulatedClock()
        self.erp = Simulator(read_pack_files(pack), path=":memory:", clock=self.clock)
        self.mailbox = MemoryMailbox()
        self.desk = Desk(
            pack=load_pack(pack),
            erp=self.erp,
            policy=load_policy_engine(pack / "policy"),
            mailbox=self.mailbox,
            store=open_store(None),
            clock=self.clock,
            ids=CountedIds(),
        )
        self.seeded: Seeded | None = None

    def seed(self, name: str) -> "World":
        """Make a starting situation of the pack."""
        self.seeded = self.erp.seed(name, SUFFIX)
        return self

    def change(self, **ports: Any) -> "World":
        """Put other ports into the desk."""
        self.desk = replace(self.desk, **ports)
        return self

    def work(self) -> CaseState:
        """Work until nothing is due, waiting up to a simulated hour for what is tried again, and return the case."""
        return self.work_for(3_600)

    def work_for_all(self) -> None:
        """Work on whatever cases there are, waiting up to a simulated hour for what is tried again."""
        self.run(work_until_idle(self.desk, wait_max_s=3_600))

    def work_for(self, seconds: float) -> CaseState:
        """Work on, waiting up to that many simulated seconds, and return the case of the seeded subject."""
        self.run(work_until_idle(self.desk, wait_max_s=seconds))
        return self.case()

    def case(self) -> CaseState:
        """Return the case of the seeded subject."""
        assert self.seeded is not None
        return self.case_of(self.seeded.subject_id)

    def case_of(self, subject: str) -> CaseState:
        """Return the case of a subject."""
        state = self.desk.store.reader.case(self.desk.case_id(subject))
        assert state is not None
        return state

    def decide(self, user: str, *, approved: bool = True, **more: Any) -> DecisionResult:
        """Let a person decide, then work on."""
        proposal = self.case().proposal
        seen = {"proposal_id": proposal.id if proposal else "", **more}
        request = DecisionRequest(case_id=self.case().id, approved=approved, user=user, **seen)
        result = self.run(decide(self.desk, request))
        self.work()
        return result

    def decline(self, user: str, words: str = "no", reason: str | None = None) -> CaseState:
        """Let a person decline, then work on."""
        self.decide(user, approved=False, comment=words, reason=reason)
        return self.case()

    def reply(self, sender: str, **reading: Any) -> CaseState:
        """Let a reply come in that was read so, then work on."""
        message = f"<{self.desk.ids.new()}@vendor.example>"
        reply = Reply(case_id=self.case().id, message_id=message, sender=sender, reading=reading)
        self.run(take_in_reply(self.desk, reply))
        return self.work()

    def note(self, user: str, text: str) -> str | None:
        """Let a person write a note, then work on."""
        refused = self.run(note(self.desk, self.case().id, user=user, text=text))
        self.work()
        return refused

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine of the desk."""
        return asyncio.run(work)

    def close(self) -> None:
        """Close store and simulator."""
        self.desk.store.close()
        self.erp.close()


def changed_pack(folder: Path, change: Callable[[Path], None]) -> Path:
    """Return a copy of the pack with something changed in it."""
    copy = folder / "pack"
    shutil.copytree(PACK, copy)
    change(copy)
    return copy
