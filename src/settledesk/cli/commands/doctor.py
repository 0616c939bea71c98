"""`settledesk doctor`: can this installation work? Every check is made for real."""

import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from settledesk.adapters.opa import load_policy_engine
from settledesk.adapters.sqlite import open_store
from settledesk.bootstrap import places, reading
from settledesk.cli.output import EXIT_BAD_NEWS, EXIT_FINE, console, print_json
from settledesk.packs import load_pack

SQLITE_FIXED = (3, 51, 3)
"""The first SQLite without the WAL-reset fault; this desk is not exposed to it, because one connection writes."""

Check = Callable[[], str]


def doctor(*, store: str | None, pack: Path | None, as_json: bool) -> int:
    """Run the checks; exit code 1 if one fails."""
    results = [_result(name, check) for name, check in _checks(store, pack)]
    if as_json:
        print_json({"checks": results})
    else:
        for result in results:
            console().print(f"{'ok  ' if result['ok'] else 'FAIL'} {result['name']}: {result['message']}", markup=False)
    return EXIT_FINE if all(result["ok"] for result in results) else EXIT_BAD_NEWS


def _result(name: str, check: Check) -> dict[str, object]:
    try:
        return {"name": name, "ok": True, "message": check()}
    except Exception as error:  # whatever is wrong is the answer of this command
        return {"name": name, "ok": False, "message": str(error) or type(error).__name__}


def _checks(store: str | None, pack: Path | None) -> list[tuple[str, Check]]:
    return [
        ("python", _python),
        ("sqlite", _sqlite),
        ("pack", lambda: f"{load_pack(places(pack=pack).pack).version_label} holds together"),
        ("policy", lambda: _policy(pack)),
        ("disk", _disk),
        ("store", lambda: _store(store, pack)),
    ]


def _python() -> str:
    return f"Python {sys.version.split()[0]}"


def _sqlite() -> str:
    version = sqlite3.sqlite_version
    if sqlite3.sqlite_version_info < SQLITE_FIXED:
        return f"SQLite {version} (older than 3.51.3: never let a second program write or checkpoint the store)"
    return f"SQLite {version}"


def _policy(pack: Path | None) -> str:
    engine = load_policy_engine(places(pack=pack).pack / "policy")
    return f"policy {engine.policy_hash} is compiled from the sources beside it"


def _disk() -> str:
    with tempfile.TemporaryDirectory() as folder:
        open_store(Path(folder) / "trial.db").close()
    return "a store can be created and closed"


def _store(store: str | None, pack: Path | None) -> str:
    where = places(pack=pack, store=store)
    if not where.store.exists():
        return f"`{where.store}` does not exist yet: `settledesk run FOLDER` creates it"
    with reading(where) as reader:
        parked = reader.parked()
        count = len(reader.cases())
    if parked:
        raise RuntimeError(f"{len(parked)} pieces of work were put aside as poison, the first on case {parked[0][0]}")
    return f"`{where.store}` holds {count} subjects, nothing is put aside"
