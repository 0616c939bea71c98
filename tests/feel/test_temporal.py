"""Dates, times and durations: Python's calendar inside its years, and the standard's rules beyond them."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from settledesk.feel import compile_expression, temporal
from settledesk.feel.temporal.calendar import civil_from_days, days_from_civil, days_in_month

YEARS = st.integers(-999_999_999, 999_999_999)
DATES = st.builds(
    lambda year, month, day: temporal.Date(year, month, min(day, days_in_month(year, month))),
    YEARS,
    st.integers(1, 12),
    st.integers(1, 31),
)
CLOCKS = st.integers(0, temporal.DAY - 1)
ZONES = st.one_of(
    st.none(),
    st.builds(lambda seconds: temporal.Zone(None, seconds), st.integers(-64_800, 64_800)),
    st.sampled_from([temporal.Zone(name) for name in ("Europe/Paris", "Australia/Melbourne", "Etc/UTC", "EST5EDT")]),
)
TIMES = st.builds(temporal.make_time, CLOCKS, ZONES)
DATE_TIMES = st.builds(temporal.make_date_time, DATES, CLOCKS, ZONES)
LENGTHS = st.one_of(
    st.builds(temporal.Days, st.integers(-(10**27), 10**27)),
    st.builds(temporal.Months, st.integers(-temporal.MONTHS_MAX, temporal.MONTHS_MAX)),
)


@given(st.one_of(DATES, TIMES, DATE_TIMES, LENGTHS))
def test_a_value_is_read_back_from_its_text_as_it_was(value):
    """Nothing is lost in a text: year, nanoseconds, offset to the second, or the name of the zone."""
    again = temporal.parse_any(temporal.to_text(value))
    assert type(again) is type(value)
    assert repr(again) == repr(value)


@given(st.dates(), st.dates())
def test_the_calendar_is_python_s_inside_its_years(one, other):
    """Days, weekday, week and day of the year are those of `datetime.date`."""
    found = temporal.from_python(one)
    assert (temporal.to_python(found), found.days) == (one, one.toordinal() - date(1970, 1, 1).toordinal())
    assert temporal.weekday(found.days) == one.isoweekday()
    assert temporal.iso_week(one.year, one.month, one.day) == one.isocalendar().week
    assert temporal.to_python(temporal.difference(found, temporal.from_python(other))) == one - other


@given(YEARS, st.integers(1, 12), st.integers(1, 28))
def test_a_date_comes_back_from_its_number_of_days(year, month, day):
    """The count of days goes both ways for every year, and repeats every 400 years."""
    days = days_from_civil(year, month, day)
    assert civil_from_days(days) == (year, month, day)
    assert days_from_civil(year + 400, month, day) - days == 146_097
    assert civil_from_days(days + 1) > (year, month, day)


@given(st.datetimes(timezones=st.sampled_from([None, UTC, timezone(timedelta(hours=-5)), ZoneInfo("Europe/Paris")])))
def test_python_s_moments_go_in_and_out_unchanged(moment):
    """A datetime, its time and its date are the same after they were FEEL's."""
    if moment.fold or (moment.tzinfo is not None and moment.utcoffset().microseconds):
        return
    for value in (moment, moment.timetz(), moment.date()):
        assert temporal.to_python(temporal.from_python(value)) == value


@given(DATE_TIMES, DATE_TIMES)
def test_what_lies_between_two_moments_leads_from_one_to_the_other(one, other):
    """`one + (other - one)` is `other`, for zones of all kinds, where both have one or neither has."""
    apart = temporal.difference(other, one)
    if type(one) is not type(other):
        assert apart is None
    elif apart is not None:
        assert temporal.add_days(one, apart) == other


@given(st.one_of(st.tuples(DATE_TIMES, DATE_TIMES, DATE_TIMES), st.tuples(TIMES, TIMES, TIMES)))
def test_moments_of_one_kind_have_one_order(values):
    """Exactly one of less, equal and greater holds, the order is transitive, and equal values have one hash."""
    one, other, third = values
    if not type(one) is type(other) is type(third):
        return
    assert (one < other) + (one == other) + (one > other) == 1
    assert not (one <= other <= third) or one <= third
    assert one != other or hash(one) == hash(other)


@given(DATES, st.integers(-(10**6), 10**6))
def test_months_later_is_the_same_day_or_the_last_of_a_shorter_month(day, months):
    """Adding months changes the month by that many, and the day only where the month has no such day."""
    moved = temporal.add_months(day, months)
    if moved is not None:
        assert moved.year * 12 + moved.month == day.year * 12 + day.month + months
        assert moved.day == min(day.day, days_in_month(moved.year, moved.month))


CASES = [
    ('date("12024-02-29").year', Decimal(12024)),
    ('date("02024-02-29")', None),
    ('date("-0000-01-01")', None),
    ('string(date("0000-02-29") - duration("P1D"))', "0000-02-28"),
    ('string(date("-999999999-01-01"))', "-999999999-01-01"),
    ('date("-999999999-01-01") - duration("P1D")', None),
    ('date(999999999, 12, 31) + @"P1M"', None),
    ('@"2021-01-02" - @"PT1H"', date(2021, 1, 1)),
    ('@"2021-01-01T24:00:00"', datetime(2021, 1, 2)),  # noqa: DTZ001
    ('time("24:00:01")', None),
    ('@"23:00:00" + @"PT2H"', time(1)),
    ('@"10:00:00" - @"11:00:00"', timedelta(hours=-1)),
    ('@"2024-03-30T10:00:00@Europe/Paris" + @"P1D"', datetime(2024, 3, 31, 11, tzinfo=ZoneInfo("Europe/Paris"))),
    ('@"2024-03-31T10:00:00@Europe/Paris" - @"2024-03-30T10:00:00@Europe/Paris"', timedelta(hours=23)),
    ('@"2024-01-01T10:00:00" - @"2024-01-01T10:00:00Z"', None),
    ('@"2024-01-01" - @"2023-12-31T00:00:00Z"', timedelta(days=1)),
    ('@"10:00:00" < @"11:00:00Z"', True),
    ('@"10:00:00" = @"10:00:00Z"', False),
    ('time("10:30:00.0001") = time("10:30:00.0002")', True),
    ('is(time("10:30:00.0001"), time("10:30:00.0002"))', False),
    ('is(@"23:00:50@Australia/Melbourne", @"23:00:50@Australia/Sydney")', False),
    ('@"23:00:50@Etc/GMT" = @"23:00:50Z"', True),
    ('@"10:00:00@EST5EDT".timezone', "EST5EDT"),
    ('time("10:00:00@Europe/Atlantis")', None),
    ('time("10:00:00+19:00")', None),
    ('string(@"10:00:00-05:30:15")', "10:00:00-05:30:15"),
    ('@"10:00:00+01:00".time offset', timedelta(hours=1)),
    ('duration("P1W")', None),
    ('duration("P1Y1M1D")', None),
    ('duration("PT0.S")', timedelta()),
    ('string(duration("PT0.000000001S"))', "PT0.000000001S"),
    ('duration("P10675199D").days', Decimal(10_675_199)),
    ('duration("P999999999999999D")', None),
    ('@"-PT25H".hours', Decimal(-1)),
    ('@"P1D" / @"PT6H"', Decimal(4)),
    ('@"PT1H" * 1.5', timedelta(minutes=90)),
    ('@"P1Y" / @"P1M"', Decimal(12)),
    ('years and months duration(@"2023-01-31", @"2023-02-28")', 0),
    ('week of year(@"2005-01-01")', Decimal(53)),
    ('day of week(@"-0044-03-15")', date(-44 + 2400, 3, 15).strftime("%A")),
    ("time(12, 0, 0, null)", time(12)),
    ('time(12, 0, 0.5, @"PT1H")', time(12, microsecond=500_000, tzinfo=timezone(timedelta(hours=1)))),
    ('for d in @"2024-02-28"..@"2024-03-01" return day of year(d)', [Decimal(59), Decimal(60), Decimal(61)]),
    ("0 ** 0", Decimal(1)),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_the_standard_s_rules_hold_in_every_year(text, expected):
    """A value is as DMN 1.5 says; a null has its reason."""
    found = compile_expression(text).explain()
    value = found.value.total if isinstance(found.value, temporal.Months) else found.value
    assert value == expected
    assert type(value) is type(expected) or expected == 0
    assert expected is not None or found.diagnostics


def test_a_zone_keeps_its_rules_beyond_python_s_years():
    """After 9999 a zone has summer time as it has today, before 1 it has its local mean time."""
    summer, winter = (temporal.parse_date_time(f"12024-0{month}-15T12:00:00@Europe/Paris") for month in (7, 1))
    assert (summer.offset_s, winter.offset_s) == (7200, 3600)
    ancient = temporal.parse_date_time("-0500-07-15T12:00:00@Europe/Paris")
    assert ancient.offset_s == temporal.parse_date_time("1500-07-15T12:00:00@Europe/Paris").offset_s


@settings(max_examples=50)
@given(st.sampled_from(["date", "time", "date and time", "duration"]), st.text(max_size=30))
def test_any_text_is_a_value_or_null_with_its_reason(function, text):
    """A text that names no such value is null and says so; nothing is raised."""
    found = compile_expression(f"{function}(t)", names=["t"]).explain({"t": text})
    assert found.value is not None or found.diagnostics
