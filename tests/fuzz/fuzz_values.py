"""Values as a caller gives them, by type, with those that sit on edges."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal

from settledesk.feel import Months, Range

WHOLE = [0, 1, 2, 3, 5, 10, 11, -1, 100, 2**53 + 1]
NUMBERS = [
    *WHOLE,
    *(Decimal(text) for text in ("0", "1", "2.5", "-0.5", "10.00", "9.999999999999999999", "1E+300", "-3", "0.1")),
    *(0.0, 0.1, 0.2, 2.5, 10.0, -1.5, 1e22, 0.30000000000000004),
]
TEXTS = [
    "",
    "a",
    "b",
    "A",
    "B",
    "a, b",
    'say "hi"',
    "back\\slash",
    "two\nlines",
    "é",
    "e\u0301",
    "😀",
    "?",
    "5",
    "null",
]
TEXTS += ["e\u0301", "5", "null", "2024-01-01", "P1D", "true", "aaaa", " a "]
TRUTHS = [False, True]
DATES = [date(2024, 1, 1), date(2024, 2, 29), date(2023, 12, 31), date(1, 1, 1), date(9999, 12, 31)]
MOMENTS = [
    datetime(2024, 1, 1, 12, 30),  # noqa: DTZ001
    datetime(2024, 1, 1, 0, 0, tzinfo=UTC),
    datetime(2024, 1, 1, 1, 0, tzinfo=timezone(timedelta(hours=1))),
    datetime(9999, 12, 31, 23, 59, 59),  # noqa: DTZ001
]
TIMES = [time(0, 0), time(12, 30), time(23, 59, 59), time(12, 0, tzinfo=UTC)]
DAYS = [timedelta(), timedelta(days=1), timedelta(hours=-5), timedelta(days=400, seconds=1)]
MONTHS = [Months(0), Months(1), Months(12), Months(-7)]
RANGES = [
    Range(low=Decimal(1), high=Decimal(5), low_included=True, high_included=False),
    Range(low=None, high=Decimal(3), low_included=False, high_included=True),
    Range(low="a", high="c", low_included=True, high_included=True),
]
LISTS = [[], [1], [1, 2, 3], ["a", "b"], [[1], [2, 3]], [True, False], [1, "a"], [{"a": 1}, {"a": 2, "b c": "x"}]]
CONTEXTS = [{}, {"a": 1}, {"a": "x", "b c": 2}, {"start Date": date(2024, 1, 1)}, {"a": {"a": 1}}]
ODD = [float("nan"), float("inf"), Decimal("NaN"), Decimal("-Infinity"), 10**400, (1, 2)]

BY_KIND = {
    "number": NUMBERS,
    "string": TEXTS,
    "boolean": TRUTHS,
    "date": DATES,
    "date and time": MOMENTS,
    "time": TIMES,
    "days and time duration": DAYS,
    "years and months duration": MONTHS,
    "range": RANGES,
    "list": LISTS,
    "context": CONTEXTS,
}
KINDS = tuple(BY_KIND)


def value_of(choices, kind):
    """Return a value of the type; now and then null, of another type, or one that no type has."""
    odd = choices.pick(16)
    if odd == 15:
        return None
    if odd == 14:
        kind = choices.of(KINDS)
    if odd == 13 and choices.rarely(4):
        return choices.of(ODD)
    return choices.of(BY_KIND.get(kind) or BY_KIND[choices.of(KINDS)])


def holds_null(value):
    """Tell whether a value is null, or becomes null as a FEEL value, or holds such a one."""
    if value is None:
        return True
    if isinstance(value, dict):
        return any(holds_null(item) for item in value.values())
    if isinstance(value, list | tuple):
        return any(holds_null(item) for item in value)
    if isinstance(value, float | Decimal):
        return not Decimal(value).is_finite()
    return type(value) is int and abs(value) >= 10**300
