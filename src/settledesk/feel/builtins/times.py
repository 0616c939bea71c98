"""Functions that make dates, times and durations, and read their parts."""

from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

from settledesk.feel import temporal
from settledesk.feel.builtins.registry import builtin
from settledesk.feel.run import Run
from settledesk.feel.values import Months

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


@builtin("date", "from: string")
def _date(run: Run, text: str) -> Any:
    return _or_note(temporal.parse_date(text), run, "a date", text)


@builtin("date", "from: moment")
def _date_of(_run: Run, moment: date) -> date:
    return date(moment.year, moment.month, moment.day)


@builtin("date", "year: number, month: number, day: number")
def _date_from(run: Run, year: Decimal, month: Decimal, day: Decimal) -> Any:
    if any(part != part.to_integral_value() or abs(part) > 9999 for part in (year, month, day)):
        return run.note("argument", "not a date")
    return _or_note(temporal.make_date(int(year), int(month), int(day)), run, "a date")


@builtin("time", "from: string")
def _time(run: Run, text: str) -> Any:
    return _or_note(temporal.parse_time(text), run, "a time", text)


@builtin("time", "from: timed")
def _time_of(_run: Run, moment: Any) -> time:
    if isinstance(moment, datetime):
        return moment.timetz()
    return moment if isinstance(moment, time) else time(tzinfo=temporal.as_moment(moment).tzinfo)


@builtin("time", "hour: number, minute: number, second: number, offset?: days and time duration?")
def _time_from(run: Run, hour: Decimal, minute: Decimal, second: Decimal, offset: timedelta | None) -> Any:
    whole = int(second) if 0 <= second < 60 else -1
    try:
        zone = None if offset is None else timezone(offset)
        micro = int((second - whole).scaleb(6))
        return time(int(hour), int(minute), whole, micro, tzinfo=zone)
    except (ValueError, OverflowError):
        return run.note("argument", "not a time")


@builtin("date and time", "from: string")
def _date_time(run: Run, text: str) -> Any:
    return _or_note(temporal.parse_date_time(text), run, "a date and time", text)


@builtin("date and time", "from: moment")
def _date_time_of(_run: Run, moment: date) -> datetime:
    return temporal.as_moment(moment)


@builtin("date and time", "date: moment, time: time")
def _date_time_from(_run: Run, day: date, moment: time) -> datetime:
    return datetime.combine(date(day.year, day.month, day.day), moment)


@builtin("duration", "from: string")
def _duration(run: Run, text: str) -> Any:
    return _or_note(temporal.parse_duration(text), run, "a duration", text)


@builtin("years and months duration", "from: moment, to: moment")
def _months_between(_run: Run, start: date, end: date) -> Months:
    return temporal.months_between(start, end)


@builtin("day of year", "date: moment")
def _day_of_year(_run: Run, day: date) -> Decimal:
    return Decimal(day.timetuple().tm_yday)


@builtin("day of week", "date: moment")
def _day_of_week(_run: Run, day: date) -> str:
    return _DAYS[day.weekday()]


@builtin("month of year", "date: moment")
def _month_of_year(_run: Run, day: date) -> str:
    return _MONTHS[day.month - 1]


@builtin("week of year", "date: moment")
def _week_of_year(_run: Run, day: date) -> Decimal:
    return Decimal(day.isocalendar().week)
