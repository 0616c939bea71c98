"""`settledesk eval PACK`: run a pack's scenarios and print how they went."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from settledesk.cli.output import EXIT_BAD_NEWS, EXIT_FINE, WrongUseError, console, print_json, progress
from settledesk.evaluation import MODELS, EvaluationError, Report, RunResult, evaluate_pack

FAILURES_SHOWN = 10
"""How many failed runs are printed for people; `--json` has all."""


def evaluate(
    pack: Path, *, runs: int | None, parallel: int, scenarios: Sequence[str] | None, model: str, as_json: bool
) -> int:
    """Evaluate and print; exit code 1 if a run failed or the rules did not end a scenario the same way each time."""
    if not (pack / "pack.toml").is_file():
        raise WrongUseError(f"`{pack}` is not a pack: give the folder that holds pack.toml")
    if model not in MODELS:
        raise WrongUseError(f"`{model}` cannot be chosen yet: use --model none, the other models come with the agent")
    try:
        report = evaluate_pack(
            pack,
            runs=runs,
            parallel=parallel,
            scenarios=scenarios or None,
            model=model,
            progress=lambda done, total: progress(f"{done} of {total} runs"),
        )
    except EvaluationError as error:
        raise WrongUseError(str(error)) from error
    finally:
        progress("")
    if as_json:
        print_json(report.to_json())
    else:
        _print(report)
    return EXIT_FINE if report.fine else EXIT_BAD_NEWS


def _print(report: Report) -> None:
    out, document = console(), report.to_json()
    out.print(_table(document["scenarios"]))
    settled = ", ".join(f"{name} {count}" for name, count in document["settled_by"].items())
    out.print(
        f"{report.pack_version}, model {report.model}: {document['passed']} of {document['runs']} runs passed"
        f" ({_percent(document['interval'])}), {document['unsafe']} unsafe ({_percent(document['unsafe_interval'])}).",
        markup=False,
    )
    out.print(f"settled by: {settled}.", markup=False)
    out.print(f"{report.cpu_s:.1f} s of CPU, {report.wall_s:.1f} s in all.", markup=False)
    for scenario in report.scenarios:
        if not scenario.deterministic:
            out.print(f"{scenario.name}: the rules did not end it the same way each time, which is a fault.")
    _print_failures(report.failures)


def _table(scenarios: Iterable[dict[str, Any]]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for title in ("scenario", "passed", "95 %", "unsafe", "settled by", "action at the end", "same", "met", "touches"):
        numeric = title in ("passed", "95 %", "unsafe", "met", "touches")
        table.add_column(title, overflow="fold", justify="right" if numeric else "left", no_wrap=numeric)
    for item in scenarios:
        cells = (
            item["name"],
            f"{item['passed']}/{item['runs']}",
            _percent(item["interval"]),
            str(item["unsafe"]),
            _counted({name: count for name, count in item["settled_by"].items() if count}),
            _counted(item["actions"]),
            "yes" if item["deterministic"] else "NO",
            f"{item['delivered']}/{item['runs']}",
            str(item["touches_mean"]),
        )
        table.add_row(*(Text(cell) for cell in cells), style=None if item["passed"] == item["runs"] else "red")
    return table


def _counted(counts: dict[str, int]) -> str:
    if len(counts) == 1:
        return next(iter(counts))
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _percent(interval: Sequence[float]) -> str:
    return f"{interval[0] * 100:.1f}-{interval[1] * 100:.1f} %"


def _print_failures(failures: Sequence[RunResult]) -> None:
    """Print why runs failed, each once where the same scenario failed in the same way."""
    out = console()
    alike: dict[tuple[str, str], list[RunResult]] = {}
    for result in failures:
        alike.setdefault((result.scenario, repr(result.scores.to_json())), []).append(result)
    for (scenario, _), results in list(alike.items())[:FAILURES_SHOWN]:
        first = results[0]
        more = f" and {len(results) - 1} more like it" if len(results) > 1 else ""
        out.print(f"\n{scenario}, run {first.run}{more}:", markup=False)
        for check, reasons in first.scores.to_json().items():
            for reason in reasons:
                out.print(f"  not {check}: {reason}", markup=False)
        for line in first.timeline:
            out.print(f"    {line.at[:19]} {line.by}: {line.text}", markup=False)
    if len(alike) > FAILURES_SHOWN:
        out.print(f"\n{len(alike) - FAILURES_SHOWN} more ways to fail are in the --json document.")
