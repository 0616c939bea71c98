"""`settledesk table check`: what is wrong with the tables of a file, each finding with an input that shows it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from settledesk.cli.output import EXIT_BAD_NEWS, EXIT_FAILED, EXIT_FINE, WrongUseError, console, print_json
from settledesk.cli.table import to_json
from settledesk.decisions import ModelError, load_model
from settledesk.verify.tables import Finding, Report, check_model, input_text, value_text

SHOWN_MAX = 20
"""Findings of a kind and severity that are printed for a person unless all are asked for."""


def check(file: Path, *, decision: str | None, show_all: bool, as_json: bool) -> int:
    """Check the tables of a file; exit code 1 if there is an error among the findings."""
    if not file.is_file():
        raise WrongUseError(f"there is no file `{file}`")
    try:
        report = check_model(load_model(file), decision)
    except ModelError as error:
        raise WrongUseError(str(error)) from error
    if as_json:
        print_json(report_to_json(report))
    else:
        console().print(report_text(report, show_all=show_all), markup=False, soft_wrap=True)
    if report.unconfirmed:
        return EXIT_FAILED
    return EXIT_BAD_NEWS if report.has_errors else EXIT_FINE


def report_to_json(report: Report) -> dict[str, Any]:
    """Return the report as `settledesk table check --json` prints it."""
    return {
        "findings": [
            {
                "kind": finding.kind,
                "severity": finding.severity,
                "decision": finding.decision,
                "rows": list(finding.rows),
                "input": None if finding.input is None else to_json(dict(finding.input)),
                "message": finding.message,
                "outputs": [to_json(output) for output in finding.outputs],
                "pasteable": finding.pasteable,
            }
            for finding in report.findings
        ],
        "notes": list(report.notes),
        "tables": report.tables,
        "unconfirmed": report.unconfirmed,
    }


def report_text(report: Report, *, show_all: bool = False) -> str:
    """Return the report for a person: the worst findings first, each with its input, and counts last."""
    return "\n".join(_lines(report, show_all=show_all))


def _lines(report: Report, *, show_all: bool) -> Iterator[str]:
    printed: Counter[tuple[str, str]] = Counter()
    findings = _folded(report.findings)
    total = Counter((finding.severity, finding.kind) for finding, _ in findings)
    for finding, also in findings:
        group = (finding.severity, finding.kind)
        printed[group] += 1
        if show_all or printed[group] <= SHOWN_MAX:
            yield from _finding(finding, also)
        elif printed[group] == total[group]:
            yield f"{finding.severity} {finding.kind}: and {total[group] - SHOWN_MAX} more (--all shows them)"
    yield from (f"note: {note}" for note in report.notes)
    if report.unconfirmed:
        yield f"fault of the check: {report.unconfirmed} findings are withheld: the engine did not bear them out"
    yield _counts(report)


def _folded(findings: Iterable[Finding]) -> list[tuple[Finding, list[str]]]:
    """Return the findings, a warning on the very rows of an error told with the error."""
    found: list[tuple[Finding, list[str]]] = []
    errors: dict[tuple[str, frozenset[str]], list[str]] = {}
    for finding in findings:
        key = (finding.decision, frozenset(finding.rows))
        if finding.severity == "warning" and finding.rows and key in errors:
            errors[key].append(finding.message)
            continue
        also: list[str] = []
        found.append((finding, also))
        if finding.severity == "error":
            errors.setdefault(key, also)
    return found


def _finding(finding: Finding, also: list[str]) -> Iterator[str]:
    yield f"{finding.severity} {finding.kind} in {finding.decision}: {'; '.join((finding.message, *also))}"
    if finding.input is None:
        return
    given = input_text(finding.input) or "no input"
    yield f"    {'input' if finding.pasteable else 'values of the columns'}: {given}"
    if finding.outputs:
        pairs = zip(finding.rows, finding.outputs, strict=False)
        yield "    " + "; ".join(f"`{row}` gives {value_text(value)}" for row, value in pairs)


def _counts(report: Report) -> str:
    counts = Counter(finding.severity for finding in report.findings)
    tables = f"{report.tables} table{'' if report.tables == 1 else 's'}"
    errors, warnings = counts["error"], counts["warning"]
    return (
        f"{tables}: {errors} error{'' if errors == 1 else 's'}, {warnings} warning{'' if warnings == 1 else 's'}, "
        f"{counts['info']} info"
    )
