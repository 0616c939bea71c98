"""The check of a model: every table in it, in its order."""

from collections.abc import Iterator
from itertools import chain

from settledesk.decisions import Model
from settledesk.decisions.item_types import ANY, ItemType
from settledesk.verify.tables.cells import cell_faults, output_faults
from settledesk.verify.tables.examined import Examined
from settledesk.verify.tables.findings import KINDS, SEVERITIES, Finding, Report
from settledesk.verify.tables.gaps import gaps
from settledesk.verify.tables.linear import solver_is_there
from settledesk.verify.tables.partition import Subject
from settledesk.verify.tables.replay import Replayer
from settledesk.verify.tables.rows import inclusions, overlaps, unreachable
from settledesk.verify.tables.subjects import column_types, row_inputs, table_logics
from settledesk.verify.tables.upstream import Upstream


def check_model(model: Model, decision: str | None = None) -> Report:
    """Check the tables of a model, or of one decision; raises `ModelError` for an unknown decision."""
    if decision is not None:
        model.inputs(decision)
    findings: list[Finding] = []
    notes: list[str] = []
    tables = unconfirmed = 0
    unsolved = False
    for examined, result in _tables(model, decision):
        tables += 1
        found, said = check_table(examined, result)
        findings.extend(found)
        notes.extend(said)
        unconfirmed += examined.counters.unconfirmed
        unsolved = unsolved or examined.counters.unsolved
    if unsolved and not solver_is_there():
        notes.append(
            "cells that look at other columns were only tried out: the extra `verify` (z3-solver) decides them"
        )
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return Report(findings=tuple(findings), notes=tuple(notes), tables=tables, unconfirmed=unconfirmed)


def check_table(table: Examined, result: ItemType = ANY) -> tuple[list[Finding], list[str]]:
    """Return the findings on one table, by severity, row and kind, and notes on what was not decided.

    `result` is the declared type of what the table gives.
    """
    notes: list[str] = []
    findings: list[Finding] = [*cell_faults(table), *output_faults(table, result), *unreachable(table)]
    for found in chain(overlaps(table), inclusions(table), gaps(table)):
        if isinstance(found, str):
            notes.append(found)
        else:
            findings.append(found)
    notes.extend(_undecided(table))
    places = {row: place for place, row in enumerate(table.table.rows)}

    def order(finding: Finding) -> tuple[int, list[int], int]:
        rows = [places[row] for row in finding.rows] or [len(places)]
        return SEVERITIES.index(finding.severity), rows, KINDS.index(finding.kind)

    return sorted(findings, key=order), notes


def _undecided(table: Examined) -> Iterator[str]:
    for dimension, may, sure in zip(table.dimensions, table.masks, table.sure, strict=True):
        doubtful = 0
        for one, other in zip(may, sure, strict=True):
            doubtful |= one & ~other
        if doubtful:
            names = ", ".join(f"`{name}`" for name in table.row_names(doubtful)[:5])
            yield (
                f"`{table.decision}`: the cells of {names} on `{dimension.name}` have to be run; "
                "they were tried on what they name, and may do otherwise elsewhere"
            )
    if table.counters.undecided:
        count = table.counters.undecided
        what = "one question stayed" if count == 1 else f"{count} questions stayed"
        yield f"`{table.decision}`: {what} open: cells that have to be run, and no input was found that shows it"


def _tables(model: Model, only: str | None) -> Iterator[tuple[Examined, ItemType]]:
    upstream = Upstream(model, lambda decision: row_inputs(model, decision))
    for name, decision in model.decisions.items():
        if only not in (None, name):
            continue
        for path, logic in table_logics(decision.logic, ()):
            types = {} if path else column_types(model, name, logic)
            subject = Subject(decision=" / ".join((name, *path)), table=logic.table, input_types=types)
            replayer = Replayer(model, None if path else name, logic.table, subject.input_types, upstream)
            yield Examined(subject, replayer), ANY if path else decision.type
    for name, knowledge in model.graph.functions.items():
        if only is not None or name != knowledge.name:
            continue
        function = knowledge.logic
        types = dict(zip(function.parameters, function.types, strict=True))
        for path, logic in table_logics(function.body, ()):
            subject = Subject(decision=" / ".join((name, *path)), table=logic.table, input_types={} if path else types)
            yield Examined(subject, Replayer(model, None, logic.table, subject.input_types)), ANY
