"""How the check grows: figures are ratios, because only ratios of one run hold from machine to machine."""

import time

import pytest
from verify_tables import model_bytes, random_intervals

from settledesk.decisions import load_model
from settledesk.verify.tables import check_model, gaps, rows

TWELVE = {
    "inputs": {"code": "string", "customer": "string", "region": "string", "amount": "number", "age": "number"},
    "outputs": {"action": None, "who": None},
    "rows": [
        ["r1", '"A"', '"regular"', "-", "<= 10", "-", '"x"', '"clerk"'],
        ["r2", '"A"', '"regular"', "-", "(10..100]", "-", '"y"', '"clerk"'],
        ["r3", '"A"', '"regular"', '"EU"', "> 100", "< 30", '"z"', '"head"'],
        ["r4", '"A"', '"regular"', '"EU"', "> 100", ">= 30", '"z"', '"head"'],
        ["r5", '"A"', '"gold"', "not(null)", "-", "-", '"x"', '"head"'],
        ["r6", '"B"', "-", "null", "[0..50]", "-", '"x"', '"head"'],
        ["r7", '"B"', "-", "not(null)", "[0..50]", "-", '"x"', '"head"'],
        ["r8", '"B"', "-", "-", "(50..500]", "<= 60", '"x"', '"head"'],
        ["r9", '"C"', '"gold", "silver"', "-", "-", "-", '"x"', '"head"'],
        ["r10", '"C"', '"regular"', '"EU", "US"', ">= 1000", "-", '"x"', '"head"'],
        ["r11", '"C"', '"regular"', "-", "[100..1000)", "null", '"x"', '"head"'],
        ["r12", '"D"', "-", "-", "-", "[10..20]", '"x"', '"head"'],
    ],
}


def cpu_s(action, repeat=3):
    """Return the least processor time that an action took."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def test_checking_a_table_of_twelve_rows_takes_little_more_than_loading_it():
    """The check of a 12 x 5 table takes at most five times what loading its file takes."""
    content = model_bytes(TWELVE)
    model = load_model(content)
    check_model(model)
    assert cpu_s(lambda: check_model(model)) <= 5 * cpu_s(lambda: load_model(content))


@pytest.mark.parametrize("hit", ["UNIQUE", "FIRST"])
def test_four_times_the_rows_take_no_more_than_sixteen_times_the_time(hit):
    """The 200 x 4 table of random overlapping intervals takes at most sixteen times what the 50 x 4 table takes."""
    small, large = (load_model(model_bytes(random_intervals(rows, 4, 7, hit))) for rows in (50, 200))
    assert cpu_s(lambda: check_model(large), 1) <= 16 * cpu_s(lambda: check_model(small))


def test_a_search_that_is_cut_says_so(monkeypatch):
    """Where a limit of boxes or pairs is reached, a note names it, and what was found until then is there."""
    monkeypatch.setattr(gaps, "BOXES_MAX", 7)
    monkeypatch.setattr(rows, "PAIRS_MAX", 5)
    report = check_model(load_model(model_bytes(random_intervals(30, 4, 7))))
    kinds = [(finding.severity, finding.kind) for finding in report.findings]
    assert kinds.count(("warning", "gap")) == kinds.count(("info", "gap")) == 7
    assert kinds.count(("error", "overlap")) == 5
    assert [note.partition(": ")[2] for note in report.notes] == [
        "the search for overlaps was cut at 5 pairs of rows",
        "the search for gaps with all values known was cut at 7 boxes",
        "the search for gaps where something is unknown was cut at 7 boxes",
    ]


def test_a_search_that_takes_too_long_says_so(monkeypatch):
    """Where the limit of work is reached, the search ends with a note and does not say that there is no gap."""
    monkeypatch.setattr(gaps, "NODES_MAX", 3)
    report = check_model(load_model(model_bytes(random_intervals(30, 4, 7))))
    assert any("the search for gaps" in note for note in report.notes)
