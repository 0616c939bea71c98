"""`settledesk note CASE TEXT --as USER`."""

import asyncio
from pathlib import Path

from settledesk import desk as use_cases
from settledesk.bootstrap import Places, open_desk, places
from settledesk.cases import CaseState
from settledesk.cli.one_case import one_case
from settledesk.cli.output import EXIT_BAD_NEWS, EXIT_FINE, WrongUseError, console, print_json


def note(case: str, text: str, *, user: str, store: str | None, pack: Path | None, as_json: bool) -> int:
    """Write the note; exit code 1 if it was refused."""
    refused, after = asyncio.run(_note(places(pack=pack, store=store), case, text, user))
    if as_json:
        print_json({"noted": refused is None, "refused": refused, "status": after.status.value, "by": user})
    else:
        outcome = f"refused: {refused}" if refused else f"noted; the case is now {after.status.value}"
        console().print(outcome, markup=False)
    return EXIT_FINE if refused is None else EXIT_BAD_NEWS


async def _note(where: Places, case: str, text: str, user: str) -> tuple[str | None, CaseState]:
    if not text.strip():
        raise WrongUseError("the note is empty: write what the next person should know")
    async with open_desk(where, create=False) as desk:
        state = one_case(desk.store.reader, case)
        refused = await use_cases.note(desk, state.id, user=user, text=text)
        after = desk.store.reader.case(state.id)
    assert after is not None, "a case is never deleted"
    return refused, after
