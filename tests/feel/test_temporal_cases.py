"""Dates, times and durations by their cases, and how they pass between FEEL and Python."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import tzdata
import yaml
from hypothesis import given
from hypothesis import strategies as st

from settledesk.feel import Months, Range, compile_expression
from settledesk.feel.builtins.conversions import text_of
from settledesk.feel.run import Run
from settledesk.feel.temporal import DAY, MOMENTS, Days, add_days, difference, make_days, make_time, parse_any, to_text
from settledesk.feel.values import from_feel, to_feel

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "temporal.yaml").read_text(encoding="utf-8"))
NOW = datetime.fromisoformat(CASES["now"])
PARIS = ZoneInfo("Europe/Paris")
STEPS = st.integers(-(10**14), 10**14)
TZDATA = Path(tzdata.__file__).parent / "zoneinfo"


def shown(value):
    """Return a value as FEEL writes it, a text without its quotes."""
    return value if isinstance(value, str) else text_of(to_feel(value), Run())


@pytest.mark.parametrize(("text", "expected"), CASES["cases"])
def test_an_expression_gives_its_value(text, expected):
    """Each expression of the file gives what stands beside it, and a null says why it is one."""
    result = compile_expression(text).explain(now=NOW)
    assert shown(result.value) == expected
    assert result.value is not None or result.diagnostics


def test_without_a_clock_the_moment_is_unknown():
    """The language has no clock of its own: `now()` and `today()` are null and say so."""
    for text in ("now()", "today()"):
        result = compile_expression(text).explain()
        assert result.value is None
        assert "clock" in result.diagnostics[0].message


PYTHON = [
    date(1, 1, 1),
    date(9999, 12, 31),
    time(10, 30, 0, 123456),
    time(10, 30, tzinfo=UTC),
    time(10, 30, tzinfo=PARIS),
    datetime(2024, 2, 29, 10, 30),  # noqa: DTZ001
    datetime(2024, 2, 29, 10, 30, tzinfo=timezone(timedelta(hours=-5, minutes=-30))),
    datetime(2021, 10, 31, 2, 30, tzinfo=PARIS, fold=1),
    timedelta(days=-3, microseconds=1),
    timedelta.max,
    timedelta(days=-999999999),
]


@pytest.mark.parametrize("value", PYTHON, ids=repr)
def test_a_value_of_the_standard_library_comes_back_as_it_went_in(value):
    """What a caller gives is what a caller gets: the same value, of the same type, with the same zone."""
    back = compile_expression("x", ["x"]).evaluate({"x": value})
    assert type(back) is type(value)
    assert back == value
    assert getattr(back, "tzinfo", None) == getattr(value, "tzinfo", None)
    assert getattr(back, "fold", 0) == getattr(value, "fold", 0)


@pytest.mark.parametrize(
    "text", ["10000-01-01", "0000-01-01", "-0001-12-31T00:00:00Z", "10:00:00.000000001", "PT0.000000001S", "P1Y"]
)
def test_what_the_standard_library_cannot_hold_stays_as_feel_has_it(text):
    """A year before 1 or after 9999, a nanosecond and a number of months are never rounded to fit: they keep exact."""
    value = compile_expression(f'@"{text}"').evaluate()
    assert not isinstance(value, date | time | timedelta)
    assert to_text(value) == text
    assert to_feel(value) is value


def test_values_inside_lists_contexts_and_ranges_are_handed_out_alike():
    """A caller finds the standard library's values at every depth of what an expression gives."""
    text = '{a: [@"2024-01-01", {b: @"PT1H"}], c: [@"10:00:00"..@"11:00:00"], d: @"P1M", e: 1}'
    value = compile_expression(text).evaluate()
    ends = Range(low=time(10), high=time(11), low_included=True, high_included=True)
    assert value == {"a": [date(2024, 1, 1), {"b": timedelta(hours=1)}], "c": ends, "d": Months(1), "e": 1}


def test_a_value_that_shares_its_parts_is_handed_out_in_no_time():
    """Lists that hold one another a thousand deep share their parts; handing them out neither copies nor nests."""
    value = compile_expression("for i in 1..1000 return partial").evaluate()
    assert value[-1][-1] is value[-2]
    held = to_feel(date(2024, 1, 1))
    for _ in range(3000):
        held = [held]
    inner = from_feel(held)
    for _ in range(3000):
        (inner,) = inner
    assert inner == date(2024, 1, 1)


def test_a_zone_that_the_database_does_not_name_is_taken_by_its_offset():
    """A zone of the caller's own is an offset in FEEL, so that nothing depends on the caller's files."""
    odd = timezone(timedelta(hours=1, minutes=2, seconds=3), "odd")
    assert to_text(to_feel(datetime(2024, 1, 1, tzinfo=odd))) == "2024-01-01T00:00:00+01:02:03"
    with (TZDATA / "Europe" / "Paris").open("rb") as file:
        renamed = ZoneInfo.from_file(file, key="Nowhere/Land")
    assert to_text(to_feel(datetime(2024, 7, 1, tzinfo=renamed))) == "2024-07-01T00:00:00+02:00"


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("-0001-12-31", "0000-01-01"),
        ("9999-12-31", "10000-01-01"),
        ("10:00:00", "10:00:01"),
        ("12:00:00+02:00", "10:00:01Z"),
        ("9999-12-31T23:59:59", "10000-01-01T00:00:00"),
        ("2024-01-01T12:00:00+02:00", "2024-01-01T10:00:01Z"),
        ("-PT1S", "PT0S"),
        ("-P1M", "P0M"),
    ],
)
def test_within_a_type_python_orders_as_feel_does(low, high):
    """An index may search by `<`, `==` and `hash`: within one type they are those of FEEL."""
    one, two = parse_any(low), parse_any(high)
    assert one < two
    assert two >= one
    assert not two < one
    assert sorted([two, one]) == [one, two]
    found = compile_expression("a < b", ["a", "b"]).evaluate({"a": one, "b": two})
    assert found is True


@given(st.sampled_from(["2021-03-28T02:30:00", "2021-10-31T02:30:00", "12021-10-31T02:30:00"]), STEPS, STEPS)
def test_time_that_passes_adds_up_where_clocks_are_set(around, first, second):
    """In the hours that a clock skips or shows twice, `a + (b - a)` is `b`, and two steps are one of their length."""
    start = parse_any(f"{around}@Europe/Paris")
    one, two = (add_days(start, make_days(step)) for step in (first, second))
    assert add_days(one, difference(two, one)) == two
    assert difference(two, one) == make_days(second - first)
    assert add_days(add_days(start, make_days(first)), make_days(second)) == add_days(start, make_days(first + second))
    assert (one.offset_s, two.offset_s) <= (7200, 7200)


@given(st.integers(0, DAY - 1), st.integers(-(10**30), 10**30))
def test_a_time_wraps_over_midnight(nanoseconds, length):
    """A time moved by any length is the time of day that is left over of whole days."""
    moved = add_days(make_time(nanoseconds, None), Days(length))
    assert 0 <= moved.nanoseconds < DAY
    assert (moved.nanoseconds - nanoseconds - length) % DAY == 0


def test_equal_values_have_one_hash():
    """One moment, written in two ways, is one key."""
    for first, second in [("10:00:00Z", "12:00:00+02:00"), ("2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00")]:
        one, two = parse_any(first), parse_any(second)
        assert one == two
        assert hash(one) == hash(two)
    assert parse_any("10:00:00") != parse_any("10:00:00Z")
    assert len({type(parse_any(text)) for text in ("2024-01-01", "10:00:00", "10:00:00Z")} & set(MOMENTS)) == 3
