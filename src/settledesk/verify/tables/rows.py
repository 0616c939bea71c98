"""Rows against rows: overlaps, duplicates, rows within others, and rows that can never decide anything."""

from collections.abc import Iterator

from settledesk.decisions.session import Session
from settledesk.feel.operators import equal
from settledesk.feel.run import Run
from settledesk.verify.tables.examined import Examined, Shown
from settledesk.verify.tables.findings import Finding, Kind, Severity
from settledesk.verify.tables.replay import Played
from settledesk.verify.tables.search import Box, Space, places
from settledesk.verify.tables.wording import box_text, names_text

PAIRS_MAX = 5_000
"""Findings about two rows that one table may have of a kind; the search is cut there."""
RETRIES_MAX = 40
COVER_SHOWN_MAX = 12

_SINGLE = frozenset({"UNIQUE", "ANY", "FIRST", "PRIORITY"})


def overlaps(table: Examined) -> Iterator[Finding | str]:
    """Yield the pairs of rows that match together where it is forbidden: UNIQUE, and ANY with other outputs."""
    if table.table.hit_policy not in ("UNIQUE", "ANY"):
        return
    found = 0
    for one in places(table.alive):
        for two in places(table.meeting(one) & table.alive & -(2 << one)):
            if table.table.hit_policy == "ANY" and _outputs_agree(table, one, two):
                continue
            finding = _overlap(table, one, two)
            if finding is not None:
                found += 1
                yield finding
            if found >= PAIRS_MAX:
                yield f"`{table.decision}`: the search for overlaps was cut at {found} pairs of rows"
                return


def _overlap(table: Examined, one: int, two: int) -> Finding | None:
    rows = (table.table.rows[one], table.table.rows[two])
    box = table.common(one, two)
    shown = _conflict(table, rows, box, certain=_outputs_agree(table, one, two) is False)
    if shown.played is not None:
        tail = "" if table.table.hit_policy == "UNIQUE" else " and give different outputs"
        where = box_text(table.dimensions, box, shown.played.columns)
        return _finding(table, "overlap", "error", rows, shown.played, f"{names_text(rows)} both match{tail}: {where}")
    if shown.impossible:
        return None
    where = box_text(table.dimensions, box)
    message = (
        f"{names_text(rows)} may both match where {where}: a cell that has to be run decides, and no input shows it"
    )
    return Finding(
        kind="overlap",
        severity="info",
        decision=table.decision,
        rows=rows,
        input=None,
        message=message,
        pasteable=False,
    )


def _conflict(table: Examined, rows: tuple[str, str], box: Box, *, certain: bool) -> Shown:
    """Search for an input on which two rows are in conflict; under ANY with outputs that are run, it need not be."""

    def shows(played: Played) -> bool:
        if "conflict" not in played.kinds or not set(rows) <= set(played.fired):
            return False
        if table.table.hit_policy == "UNIQUE":
            return True
        first, second = table.replayer.outputs(rows, played)
        return equal(first, second, Run()) is not True

    if certain or table.table.hit_policy == "UNIQUE":
        return table.show(box, shows)
    found = table.try_some(box, shows)
    return Shown(played=found, impossible=found is None)


def _outputs_agree(table: Examined, one: int, two: int) -> bool | None:
    """Tell whether two rows give the same: the same texts, or equal constants; `None` if their outputs are run."""
    outputs = table.table.outputs
    if all(output.cells[one] == output.cells[two] for output in outputs):
        return True
    if not all(output.constant[one] and output.constant[two] for output in outputs):
        return None
    session = Session(Run(), trace=False)
    frame = table.table.frame({}, session)
    return all(equal(output.run_on[one](frame), output.run_on[two](frame), session.run) is True for output in outputs)


def inclusions(table: Examined) -> Iterator[Finding | str]:
    """Yield rows that are the same as another or lie within it, where the hit policy makes that a fault.

    Under FIRST and PRIORITY only a row that comes later in the order of decision; under the list policies only a row
    that repeats another's outputs as well.
    """
    ranks = order_of_decision(table)
    found = 0
    for row in places(table.alive):
        containers = table.containing(row) & table.alive & ~(1 << row)
        for other in places(containers):
            same = bool(table.containing(other) >> row & 1)
            if same and other > row and (ranks is None or ranks[other] >= ranks[row]):
                continue
            if found >= PAIRS_MAX:
                yield f"`{table.decision}`: the search for rows within others was cut at {found} pairs of rows"
                return
            finding = _inclusion(table, row, other, same=same, ranks=ranks)
            if finding is not None:
                found += 1
                yield finding


def _inclusion(table: Examined, row: int, other: int, *, same: bool, ranks: list[int] | None) -> Finding | None:
    policy = table.table.hit_policy
    agree = _outputs_agree(table, row, other)
    if policy not in _SINGLE and not (same and agree):
        return None
    if ranks is not None and ranks[other] > ranks[row]:
        return None
    names = (table.table.rows[row], table.table.rows[other])
    shown = table.show(table.box_of(row), lambda played: set(names) <= played.matched)
    if shown.played is None:
        return None
    outputs = {True: "the same outputs", False: "other outputs", None: "outputs that may be others"}[agree]
    if same:
        first, second = names_text([names[1]]), names_text([names[0]])
        message = f"{second} has the same conditions as {first} and {outputs}"
    else:
        message = f"{names_text([names[0]])} lies wholly within {names_text([names[1]])}, which has {outputs}"
    return _finding(table, "duplicate" if same else "subsumed", "warning", names, shown.played, message)


def order_of_decision(table: Examined) -> list[int] | None:
    """Return for each row how late it comes when several match: FIRST by place, PRIORITY by outputs, then place.

    `None` where the policy has no order. A row of PRIORITY whose outputs depend on the input counts as the last.
    """
    count = len(table.table.rows)
    if table.table.hit_policy == "FIRST":
        return list(range(count))
    if table.table.hit_policy != "PRIORITY":
        return None
    session = Session(Run(), trace=False)
    frame = table.table.frame({}, session)
    keys: list[tuple[int, ...]] = []
    for row in range(count):
        ranked = [output for output in table.table.outputs if output.rank is not None]
        constant = all(output.constant[row] for output in ranked)
        ranks = [output.rank(output.run_on[row](frame)) for output in ranked if output.rank is not None]
        keys.append((0, *ranks, row) if constant else (1, row))
    ordered = sorted(range(count), key=lambda row: keys[row])
    return [ordered.index(row) for row in range(count)]


def unreachable(table: Examined) -> Iterator[Finding]:
    """Yield the rows that never decide.

    Under FIRST and PRIORITY others take all of it; under UNIQUE all of it is in conflict, with several rows.
    """
    policy = table.table.hit_policy
    if policy not in ("UNIQUE", "FIRST", "PRIORITY"):
        return
    ranks = order_of_decision(table)
    ground = Space(masks=[list(masks) for masks in table.sure], bit=1 << len(table.table.rows))
    for row in places(table.alive):
        others = table.meeting(row) & table.alive & ~(1 << row)
        if ranks is None:
            if table.containing(row) & others:
                continue
        else:
            others &= _before(table, row, ranks)
        if not others or not _covered(table, ground, row, others):
            continue
        finding = _dead(table, ground, row, others)
        if finding is not None:
            yield finding


def _before(table: Examined, row: int, ranks: list[int]) -> int:
    if table.table.hit_policy == "PRIORITY" and not _has_rank(table, row):
        return 0
    return sum(1 << other for other, rank in enumerate(ranks) if rank < ranks[row] and _has_rank(table, other))


def _has_rank(table: Examined, row: int) -> bool:
    if table.table.hit_policy != "PRIORITY":
        return True
    return all(output.constant[row] for output in table.table.outputs if output.rank is not None)


def _covered(table: Examined, ground: Space, row: int, others: int) -> bool:
    """Tell whether the other rows certainly take all inputs of a row."""
    domain = table.box_of(row)
    if not table.has_conditions:
        return ground.uncovered(domain, others) is None and not ground.exhausted
    space = Space(masks=[list(masks) for masks in ground.masks], bit=ground.bit)
    name, takers = table.table.rows[row], set(table.row_names(others))

    def alone(played: Played) -> bool:
        return name in played.matched and not takers & played.matched

    for _ in range(RETRIES_MAX):
        point = space.uncovered(domain, others)
        if point is None:
            return not space.exhausted
        box = tuple(1 << place for place in point)
        wide = tuple(
            bits if dimension.condition is None else one
            for dimension, bits, one in zip(table.dimensions, domain, box, strict=True)
        )
        if not table.refuted(box) and not table.show(box, alone).impossible:
            return False
        others |= space.bit
        space.add(wide if table.refuted(wide) else box)
    return False


def _dead(table: Examined, ground: Space, row: int, others: int) -> Finding | None:
    name = table.table.rows[row]
    cover = _small_cover(table, ground, row, others)
    shown: Shown = table.show(table.box_of(row), lambda played: name in played.matched and played.fired != (name,))
    if shown.played is None:
        return None
    names = table.row_names(cover)
    what = "is in conflict with" if table.table.hit_policy == "UNIQUE" else "can never decide: all of it is taken by"
    message = f"`{name}` {what} {names_text(names)}" + (" everywhere" if table.table.hit_policy == "UNIQUE" else "")
    return _finding(table, "unreachable", "error", (name, *names), shown.played, message)


def _small_cover(table: Examined, ground: Space, row: int, others: int) -> int:
    """Return rows that cover a row, none of them needlessly where they are few enough to try."""
    alone = table.containing(row) & others
    if alone:
        return alone & -alone
    if others.bit_count() > COVER_SHOWN_MAX:
        return others
    for other in reversed(places(others)):
        fewer = others & ~(1 << other)
        if fewer and _covered(table, ground, row, fewer):
            others = fewer
    return others


def _finding(
    table: Examined, kind: Kind, severity: Severity, rows: tuple[str, ...], played: Played, message: str
) -> Finding:
    outputs = table.replayer.outputs(rows, played)
    return Finding(
        kind=kind,
        severity=severity,
        decision=table.decision,
        rows=rows,
        input=played.input,
        message=message,
        outputs=outputs,
        pasteable=played.pasteable,
    )
