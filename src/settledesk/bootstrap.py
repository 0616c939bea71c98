"""The only place that chooses adapters: it turns paths and settings into a desk with everything plugged in."""

import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import settledesk
from settledesk.adapters.clocks import RandomIds, SystemClock
from settledesk.adapters.erp_http import HttpErp
from settledesk.adapters.mail import OutboxFolder
from settledesk.adapters.opa import load_policy_engine
from settledesk.adapters.sqlite import MissingStoreError, open_reader, open_store
from settledesk.desk import Desk
from settledesk.packs import MissingPackError, load_pack
from settledesk.ports import Clock, Erp, Reader, StoreError
from settledesk.simulator import Simulator, read_pack_files

DEFAULT_STORE = Path("settledesk.db")
PACK_VARIABLE = "SETTLEDESK_PACK"
STORE_VARIABLE = "SETTLEDESK_STORE"
ERP_VARIABLE = "SETTLEDESK_ERP"
KILL_VARIABLE = "SETTLEDESK_KILL_AT"
"""`name:count` kills this process when it passes that named point for the count-th time (for fault tests)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where things are: the pack's folder and the store's file; the ERP's file and the outbox lie beside the store."""

    pack: Path
    store: Path
    erp_url: str | None = None
    """The address of an ERP over HTTP; without one the simulator runs in process."""

    @property
    def erp(self) -> Path:
        """Return the file of the ERP simulator, which is its own and not the desk's."""
        return self._beside(".erp.db")

    @property
    def outbox(self) -> Path:
        """Return the folder of sent letters."""
        return self._beside(".outbox")

    def _beside(self, ending: str) -> Path:
        """Return a name that no other store has: the ending `.db` is dropped, any other one stays."""
        return self.store.with_name(self.store.name.removesuffix(".db") + ending)


def places(*, pack: Path | None = None, store: str | None = None, erp: str | None = None) -> Places:
    """Find pack and store: what was given, else the environment, else the defaults.

    Raises `MissingPackError` if no single pack can be meant, `StoreError` for a store of a kind that does not exist.
    """
    chosen = store or os.environ.get(STORE_VARIABLE) or str(DEFAULT_STORE)
    if "://" in chosen:
        kind = chosen.partition("://")[0]
        raise StoreError(f"a store of kind `{kind}` is not supported: give the path of a SQLite file with --store")
    url = erp or os.environ.get(ERP_VARIABLE) or None
    return Places(pack=pack or _default_pack(), store=Path(chosen), erp_url=url)


def _default_pack() -> Path:
    named = os.environ.get(PACK_VARIABLE)
    if named:
        return Path(named)
    roots = [Path.cwd() / "packs", Path(settledesk.__file__).parents[2] / "packs"]
    found = next((root for root in roots if root.is_dir()), None)
    packs = sorted(path.parent for path in found.glob("*/pack.toml")) if found else []
    if len(packs) != 1:
        raise MissingPackError(
            f"{len(packs)} packs were found where one is expected: name the folder of one with --pack"
        )
    return packs[0]


@asynccontextmanager
async def open_desk(where: Places, *, create: bool = True) -> AsyncIterator[Desk]:
    """Open a desk: SQLite, the policy in process, no model; the ERP simulator in process, or the ERP at `erp_url`.

    Without `create` the store must be there: whoever decides on a case has one, and a misspelt path makes no new one.

    Raises `PackError`, `PolicyLoadError`, `LedgerError` or `StoreError` with a sentence for a person.
    """
    if not create and not where.store.exists():
        raise MissingStoreError(where.store)
    pack = load_pack(where.pack)
    policy = load_policy_engine(where.pack / "policy")
    clock = SystemClock()
    with closing(open_store(where.store)) as store:
        async with _erp(where, clock) as erp:
            yield Desk(
                pack=pack,
                erp=erp,
                policy=policy,
                mailbox=OutboxFolder(where.outbox),
                store=store,
                clock=clock,
                ids=RandomIds(),
                engine=f"settledesk {settledesk.__version__}",
                probe=_probe(),
            )


@asynccontextmanager
async def _erp(where: Places, clock: Clock) -> AsyncIterator[Erp]:
    if where.erp_url is not None:
        async with HttpErp(where.erp_url) as remote:
            yield remote
        return
    with closing(Simulator(read_pack_files(where.pack), path=str(where.erp), clock=clock)) as simulator:
        yield simulator


@contextmanager
def reading(where: Places) -> Iterator[Reader]:
    """Open the store for reading only, beside whoever owns it."""
    reader, close = open_reader(where.store)
    try:
        yield reader
    finally:
        close()


def _probe() -> Callable[[str], None]:
    wanted = os.environ.get(KILL_VARIABLE)
    if not wanted:
        return lambda _: None
    name, _, count = wanted.partition(":")
    passed = 0

    def kill(point: str) -> None:
        nonlocal passed
        passed += point == name
        if point == name and passed == int(count or 1):
            os.kill(os.getpid(), signal.SIGKILL)

    return kill
