"""The commands. Every reading command takes `--json` and then prints exactly one JSON document on standard output.

Exit codes: 0 fine, 1 the command worked and the answer is bad news, 2 wrong use, 3 the system failed.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import structlog
from cyclopts import App, Parameter
from cyclopts.exceptions import CycloptsError

import settledesk
from settledesk.adapters.sqlite import MissingStoreError
from settledesk.cli.commands import (
    cases,
    decide,
    doctor,
    evaluate,
    note,
    run,
    show,
    simulator,
    table,
    table_check,
    table_diff,
    table_fmt,
    tck,
)
from settledesk.cli.output import EXIT_FAILED, EXIT_WRONG_USE, WrongUseError, complain
from settledesk.packs import MissingPackError

Store = Annotated[str | None, Parameter(help="path of the SQLite store (default: ./settledesk.db)")]
PackFolder = Annotated[Path | None, Parameter(help="folder of the pack (default: the only one under packs/)")]
ErpAddress = Annotated[str | None, Parameter(help="address of an ERP over HTTP (default: simulated in process)")]
CaseName = Annotated[str, Parameter(help="a case's id, the start of one, or the document's number")]
DmnFile = Annotated[Path, Parameter(help="a DMN file")]
AsJson = Annotated[bool, Parameter(name="--json", negative="", help="print one JSON document")]

app = App(
    name="settledesk",
    help="Settle business exceptions: rules first, people decide, models only inside controls.",
    version=settledesk.__version__,
    result_action="return_value",
)
table_app = App(name="table", help="Look at decision tables and try them.")
app.command(table_app)


@app.command(name="run")
def run_command(
    folder: Annotated[Path, Parameter(help="the folder that holds the documents")],
    /,
    *,
    store: Store = None,
    pack: PackFolder = None,
    erp: ErpAddress = None,
    json: AsJson = False,
) -> int:
    """Read a folder of orders, receipts and invoices, match them, and settle what the rules can settle."""
    return run.run(folder, store=store, pack=pack, erp=erp, as_json=json)


@app.command(name="cases")
def cases_command(*, store: Store = None, pack: PackFolder = None, json: AsJson = False) -> int:
    """List the cases: what each is about, what the rules said, and whose move it is."""
    return cases.cases(store=store, pack=pack, as_json=json)


@app.command(name="show")
def show_command(case: CaseName, /, *, store: Store = None, pack: PackFolder = None, json: AsJson = False) -> int:
    """Show one case: its facts with evidence, the tables with the fired row, the policy's answer, the timeline."""
    return show.show(case, store=store, pack=pack, as_json=json)


@app.command(name="decide")
def decide_command(
    case: CaseName,
    verdict: Annotated[str, Parameter(help="`approve` or `decline`")],
    /,
    *,
    as_: Annotated[str, Parameter(name="--as", help="who decides")],
    comment: Annotated[str | None, Parameter(help="why, in words")] = None,
    reason: Annotated[str | None, Parameter(help="why, as one of the pack's decline reasons (`pack.toml`)")] = None,
    seen_version: Annotated[int | None, Parameter(help="the version of the case that you looked at")] = None,
    store: Store = None,
    pack: PackFolder = None,
    erp: ErpAddress = None,
    json: AsJson = False,
) -> int:
    """Approve or decline the proposal that waits on a case, in your own name."""
    request = decide.Wanted(
        case=case, verdict=verdict, user=as_, comment=comment, reason=reason, seen_version=seen_version
    )
    return decide.decide(request, store=store, pack=pack, erp=erp, as_json=json)


@app.command(name="note")
def note_command(
    case: CaseName,
    text: Annotated[str, Parameter(help="what the next person should know")],
    /,
    *,
    as_: Annotated[str, Parameter(name="--as", help="who writes")],
    store: Store = None,
    pack: PackFolder = None,
    json: AsJson = False,
) -> int:
    """Write a note on a case; the rules then hand it over to a person."""
    return note.note(case, text, user=as_, store=store, pack=pack, as_json=json)


@table_app.command(name="eval")
def table_eval_command(
    file: DmnFile,
    /,
    *,
    decision: Annotated[str, Parameter(help="the decision's name")],
    facts: Annotated[str, Parameter(help="the inputs as a JSON object; null is unknown")],
    json: AsJson = False,
) -> int:
    """Evaluate one decision of a DMN file on given facts."""
    return table.evaluate(file, decision=decision, facts=facts, as_json=json)


@table_app.command(name="show")
def table_show_command(file: DmnFile, /, *, json: AsJson = False) -> int:
    """Print the decision tables of a DMN file."""
    return table.show(file, as_json=json)


@table_app.command(name="check")
def table_check_command(
    file: DmnFile,
    /,
    *,
    decision: Annotated[str | None, Parameter(help="only the table of this decision")] = None,
    all_: Annotated[bool, Parameter(name="--all", negative="", help="print every finding")] = False,
    json: AsJson = False,
) -> int:
    """Find overlaps, gaps, dead rows and wrong cells in the tables of a DMN file, each with an input that shows it."""
    return table_check.check(file, decision=decision, show_all=all_, as_json=json)


@table_app.command(name="diff")
def table_diff_command(
    old: DmnFile,
    new: DmnFile,
    /,
    *,
    decision: Annotated[str | None, Parameter(help="only this decision")] = None,
    all_: Annotated[bool, Parameter(name="--all", negative="", help="print every change")] = False,
    json: AsJson = False,
) -> int:
    """Print the inputs whose outcome changes from one DMN file to another; exit code 1 if there are any."""
    return table_diff.diff(old, new, decision=decision, show_all=all_, as_json=json)


@table_app.command(name="fmt")
def table_fmt_command(
    files: Annotated[list[Path], Parameter(help="DMN files", negative="")],
    /,
    *,
    check: Annotated[bool, Parameter(negative="", help="write nothing; exit code 1 if a file is not in it")] = False,
    standard: Annotated[
        bool, Parameter(negative="", help="take what the standard takes: wrong cells are null")
    ] = False,
    json: AsJson = False,
) -> int:
    """Bring DMN files into the normal form that dmn-js writes, so that a changed cell is one changed line."""
    return table_fmt.fmt(files, check=check, standard=standard, as_json=json)


@app.command(name="eval")
def eval_command(
    pack: Annotated[Path, Parameter(help="the folder of the pack")],
    /,
    *,
    runs: Annotated[int | None, Parameter(help="runs per scenario (default: as each scenario says)")] = None,
    parallel: Annotated[int, Parameter(help="processes side by side")] = 1,
    scenario: Annotated[list[str] | None, Parameter(help="only this scenario; may be repeated", negative="")] = None,
    model: Annotated[str, Parameter(help="the model to use; `none` is the only one yet")] = "none",
    json: AsJson = False,
) -> int:
    """Run a pack's scenarios with a simulated clock and score them."""
    return evaluate.evaluate(pack, runs=runs, parallel=parallel, scenarios=scenario, model=model, as_json=json)


@app.command(name="tck")
def tck_command(
    folder: Annotated[Path, Parameter(help="the conformance kit, a level of it, or one folder of a level")],
    /,
    *,
    passing: Annotated[Path | None, Parameter(help="file of cases that must pass, one id a line")] = None,
    update: Annotated[bool, Parameter(negative="", help="add the cases that pass to that file")] = False,
    json: AsJson = False,
) -> int:
    """Run a folder in the layout of the DMN conformance kit: pass rates by level, and what failed."""
    return tck.tck(folder, passing=passing, update=update, as_json=json)


@app.command(name="simulator")
def simulator_command(
    *,
    pack: PackFolder = None,
    file: Annotated[Path, Parameter(help="the ERP's own SQLite file")] = Path("settledesk.erp.db"),
    port: int = 8081,
) -> int:
    """Serve the ERP simulator over HTTP on loopback until it is interrupted."""
    return simulator.serve(pack=pack, file=file, port=port)


@app.command(name="doctor")
def doctor_command(*, store: Store = None, pack: PackFolder = None, json: AsJson = False) -> int:
    """Check that this installation can work: pack, tables, policy, store."""
    return doctor.doctor(store=store, pack=pack, as_json=json)


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit with its code."""
    structlog.configure(logger_factory=lambda *_: structlog.PrintLogger(sys.stderr))
    given = sys.argv[1:] if arguments is None else arguments
    sys.exit(_guarded(lambda: app(given, exit_on_error=False, print_error=True), as_json="--json" in given))


def _guarded(command: Callable[[], Any], *, as_json: bool) -> int:
    try:
        result = command()
    except KeyboardInterrupt:
        return complain("interrupted; what was committed is kept", EXIT_FAILED, as_json=as_json)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else EXIT_WRONG_USE
    except Exception as error:
        return complain(*_explain(error), as_json=as_json)
    return result if isinstance(result, int) else 0


def _explain(error: Exception) -> tuple[str, int]:
    """Return what to say and the exit code; wrong use is what another command line would mend."""
    if isinstance(error, CycloptsError):
        return "", EXIT_WRONG_USE
    wrong_use = isinstance(error, WrongUseError | MissingStoreError | MissingPackError)
    return str(error) or type(error).__name__, EXIT_WRONG_USE if wrong_use else EXIT_FAILED
