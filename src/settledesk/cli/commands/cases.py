"""`settledesk cases`: the list of cases."""

from pathlib import Path

from settledesk.bootstrap import places, reading
from settledesk.cases import Status, case_to_json
from settledesk.cli.case_table import case_table
from settledesk.cli.output import EXIT_FINE, console, print_json


def cases(*, store: str | None, pack: Path | None, as_json: bool) -> int:
    """Print every case; what matched without an exception is no case."""
    with reading(places(pack=pack, store=store)) as reader:
        found = [state for state in reader.cases() if state.status is not Status.MATCHED]
    if as_json:
        print_json({"cases": [case_to_json(state) for state in found]})
    elif found:
        console().print(case_table(found))
    else:
        console().print("no cases")
    return EXIT_FINE
