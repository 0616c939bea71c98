"""Functions that make dates, times and durations, and read their parts."""

from decimal import Decimal
from typing import Any

from settledesk.feel import temporal
from settledesk.feel.builtins.registry import builtin
from settledesk.feel.run import Run
from settledesk.feel.temporal import SECOND, Date, Days, Months, ZonedTime

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def _or_note(value: Any, run: Run, what: str, text: str = "") -> Any:
    return (
        value if value is not None else run.note("argument", f"`{text[:80]}` is not {what}" if text else f"not {what}")
    )


def _date_part(moment: Any) -> Date:
    found: Date = moment if type(moment) is Date else moment.date
    return found


@builtin("date", "from: string")
def _date(run: Run, text: str) -> Any:
    return _or_note(temporal.parse_date(text), run, "a date", text)


@builtin("date", "from: moment")
def _date_of(_run: Run, moment: Any) -> Date:
    return _date_part(moment)


@builtin("date", "year: number, month: number, day: number")
def _date_from(run: Run, year: Decimal, month: Decimal, day: Decimal) -> Any:
    if any(part != part.to_integral_value() or abs(part) > temporal.YEAR_MAX for part in (year, month, day)):
        return run.note("argument", "not a date")
    return _or_note(temporal.make_date(int(year), int(month), int(day)), run, "a date")


@builtin("time", "from: string")
def _time(run: Run, text: str) -> Any:
    return _or_note(temporal.parse_time(text), run, "a time", text)


@builtin("time", "from: timed")
def _time_of(_run: Run, moment: Any) -> Any:
    if type(moment) in temporal.TIMES:
        return moment
    if type(moment) is Date:
        return ZonedTime(0, temporal.UTC_ZONE)
    return temporal.make_time(moment.nanoseconds, temporal.zone_of(moment))


@builtin("time", "hour: number, minute: number, second: number, offset?: days and time duration?")
def _time_from(run: Run, hour: Decimal, minute: Decimal, second: Decimal, offset: Days | None) -> Any:
    if not (_whole(hour, 23) and _whole(minute, 59) and 0 <= second < 60):
        return run.note("argument", "not a time")
    nanoseconds = (int(hour) * 60 + int(minute)) * 60 * SECOND + int(second * SECOND)
    if offset is None:
        return temporal.make_time(nanoseconds, None)
    zone = temporal.offset_zone(offset.nanoseconds // SECOND)
    if zone is None or offset.nanoseconds % SECOND:
        return run.note("argument", "the offset of a time is in whole seconds and at most 18 hours")
    return temporal.make_time(nanoseconds, zone)


def _whole(number: Decimal, most: int) -> bool:
    return 0 <= number <= most and number == number.to_integral_value()


@builtin("date and time", "from: string")
def _date_time(run: Run, text: str) -> Any:
    return _or_note(temporal.parse_date_time(text), run, "a date and time", text)


@builtin("date and time", "from: moment")
def _date_time_of(_run: Run, moment: Any) -> Any:
    return temporal.as_moment(moment)


@builtin("date and time", "date: moment, time: time")
def _date_time_from(_run: Run, day: Any, moment: Any) -> Any:
    return temporal.make_date_time(_date_part(day), moment.nanoseconds, temporal.zone_of(moment))


@builtin("duration", "from: string")
def _duration(run: Run, text: str) -> Any:
    return _or_note(temporal.parse_duration(text), run, "a duration", text)


@builtin("years and months duration", "from: moment, to: moment")
def _months_between(_run: Run, start: Any, end: Any) -> Months:
    return temporal.months_between(start, end)


@builtin("day of year", "date: moment")
def _day_of_year(_run: Run, moment: Any) -> Decimal:
    day = _date_part(moment)
    return Decimal(day.days - Date(day.year, 1, 1).days + 1)


@builtin("day of week", "date: moment")
def _day_of_week(_run: Run, moment: Any) -> str:
    return _DAYS[temporal.weekday(_date_part(moment).days) - 1]


@builtin("month of year", "date: moment")
def _month_of_year(_run: Run, moment: Any) -> str:
    return _MONTHS[_date_part(moment).month - 1]


@builtin("week of year", "date: moment")
def _week_of_year(_run: Run, moment: Any) -> Decimal:
    day = _date_part(moment)
    return Decimal(temporal.iso_week(day.year, day.month, day.day))
