"""Dates, times and durations: text to value and back, parts, and sums. All calendar knowledge stands in this module.

Years reach from 1 to 9999. A text that names no such value gives `None`.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import regex

from settledesk.feel.values import Months

_DATE = r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
_TIME = (
    r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})(?:\.(?P<fraction>[0-9]{1,18}))?"
    r"(?P<zone>Z|[+-][0-9]{2}:[0-9]{2}(?::[0-9]{2})?|@[A-Za-z]+(?:[/_+-][A-Za-z0-9]+){0,4})?"
)
_DATE_TEXT = regex.compile(_DATE)
_TIME_TEXT = regex.compile(_TIME)
_DATE_TIME_TEXT = regex.compile(rf"{_DATE}T{_TIME}")
_DAYS_TEXT = regex.compile(
    r"(?P<sign>-)?P(?:(?P<days>[0-9]{1,12})D)?"
    r"(?:T(?=[0-9])(?:(?P<hours>[0-9]{1,14})H)?(?:(?P<minutes>[0-9]{1,16})M)?"
    r"(?:(?P<seconds>[0-9]{1,18})(?:\.(?P<fraction>[0-9]{1,18}))?S)?)?"
)
_MONTHS_TEXT = regex.compile(r"(?P<sign>-)?P(?:(?P<years>[0-9]{1,9})Y)?(?:(?P<months>[0-9]{1,10})M)?")
_ZONE_OFFSET_MAX = timedelta(hours=18)
MONTHS_MAX = 12 * 999_999_999


def parse_date(text: str) -> date | None:
    """Read `2024-02-29`."""
    found = _DATE_TEXT.fullmatch(text)
    return None if found is None else make_date(int(found["year"]), int(found["month"]), int(found["day"]))


def make_date(year: int, month: int, day: int) -> date | None:
    """Return the date, or `None` if the calendar has no such day."""
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


def parse_time(text: str) -> time | None:
    """Read `10:30:00`, with a fraction, and with an offset or `@` and a zone."""
    found = _TIME_TEXT.fullmatch(text)
    return None if found is None else _time_of(found)


def _time_of(found: regex.Match[str]) -> time | None:
    try:
        zone = _zone(found["zone"])
        return time(
            int(found["hour"]), int(found["minute"]), int(found["second"]), _micro(found["fraction"]), tzinfo=zone
        )
    except (ValueError, KeyError, OSError):
        return None


def _micro(fraction: str | None) -> int:
    return int((fraction or "0")[:6].ljust(6, "0"))


def _zone(text: str | None) -> tzinfo | None:
    """Return the zone; raises `KeyError` or `ValueError` for one that does not exist."""
    if text is None:
        return None
    if text == "Z":
        return UTC
    if text.startswith("@"):
        return ZoneInfo(text[1:])
    hours, minutes, *seconds = (int(part) for part in text[1:].split(":"))
    offset = timedelta(hours=hours, minutes=minutes, seconds=seconds[0] if seconds else 0)
    if minutes > 59 or offset > _ZONE_OFFSET_MAX:
        raise ValueError(text)
    return timezone(-offset if text.startswith("-") else offset)


def parse_date_time(text: str) -> datetime | None:
    """Read `2024-02-29T10:30:00`, with an offset or a zone; a date alone is its midnight."""
    found = _DATE_TIME_TEXT.fullmatch(text)
    if found is None:
        day = parse_date(text)
        return None if day is None else datetime(day.year, day.month, day.day)  # noqa: DTZ001
    day = make_date(int(found["year"]), int(found["month"]), int(found["day"]))
    moment = _time_of(found)
    return None if day is None or moment is None else datetime.combine(day, moment)


def parse_duration(text: str) -> timedelta | Months | None:
    """Read a duration of either kind: `P1DT2H` or `P1Y2M`. The two never mix."""
    found = _MONTHS_TEXT.fullmatch(text)
    if found is not None and (found["years"] or found["months"]):
        total = int(found["years"] or 0) * 12 + int(found["months"] or 0)
        return None if total > MONTHS_MAX else Months(-total if found["sign"] else total)
    found = _DAYS_TEXT.fullmatch(text)
    if found is None or not any(found[part] for part in ("days", "hours", "minutes", "seconds")):
        return None
    return _days_of(found)


def _days_of(found: regex.Match[str]) -> timedelta | None:
    numbers = {part: int(found[part] or 0) for part in ("days", "hours", "minutes", "seconds")}
    try:
        length = timedelta(**numbers, microseconds=_micro(found["fraction"]))
        return -length if found["sign"] else length
    except OverflowError:
        return None


def parse_any(text: str) -> date | datetime | time | timedelta | Months | None:
    """Read whatever an at-literal may hold."""
    if "T" in text and not text.lstrip("-").startswith("P"):
        return parse_date_time(text)
    return parse_date(text) or parse_time(text) or parse_duration(text)


def to_text(value: date | datetime | time | timedelta | Months) -> str:
    """Return the text that reads back as the value."""
    match value:
        case datetime():
            return f"{value.date().isoformat()}T{_time_text(value.timetz())}"
        case date():
            return value.isoformat()
        case time():
            return _time_text(value)
        case timedelta():
            return _days_text(value)
        case Months():
            return _months_text(value)


def _time_text(value: time) -> str:
    text = value.replace(tzinfo=None).isoformat()
    if value.microsecond:
        text = text.rstrip("0")
    zone = value.tzinfo
    if zone is None:
        return text
    if isinstance(zone, ZoneInfo):
        return f"{text}@{zone.key}"
    offset = zone.utcoffset(None) or timedelta()
    if not offset:
        return text + "Z"
    seconds = abs(int(offset.total_seconds()))
    return f"{text}{'-' if offset < timedelta() else '+'}{seconds // 3600:02}:{seconds // 60 % 60:02}"


def _days_text(value: timedelta) -> str:
    length = abs(value)
    hours, rest = divmod(length.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    fraction = f".{length.microseconds:06}".rstrip("0").rstrip(".")
    clock = "".join(f"{number}{unit}" for number, unit in ((hours, "H"), (minutes, "M")) if number)
    clock += f"{seconds}{fraction}S" if seconds or fraction else ""
    body = (f"{length.days}D" if length.days else "") + (f"T{clock}" if clock else "")
    return f"{'-' if value < timedelta() else ''}P{body or 'T0S'}"


def _months_text(value: Months) -> str:
    years, months = divmod(abs(value.total), 12)
    body = (f"{years}Y" if years else "") + (f"{months}M" if months else "")
    return f"{'-' if value.total < 0 else ''}P{body or '0M'}"


def add_months(day: Any, months: int) -> Any:
    """Return the date or date and time so many months later, on the last day of the month if it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    for last in (day.day, 30, 29, 28):
        if last <= day.day and (moved := make_date(year, month + 1, last)) is not None:
            return day.replace(year=moved.year, month=moved.month, day=moved.day)
    return None


def add_days(value: Any, length: timedelta) -> Any:
    """Add a days and time duration to a date (over midnight UTC, cut to the day), a date and time, or a time."""
    try:
        if type(value) is date:
            return (datetime(value.year, value.month, value.day) + length).date()  # noqa: DTZ001
        if isinstance(value, datetime):
            return value + length
        anchor = datetime.combine(date(2000, 1, 1), value.replace(tzinfo=None))
        return (
            (anchor + timedelta(seconds=length.seconds, microseconds=length.microseconds))
            .time()
            .replace(tzinfo=value.tzinfo)
        )
    except (OverflowError, ValueError):
        return None


def as_moment(value: Any) -> datetime:
    """Return a date as midnight UTC, and a date and time as it is."""
    return datetime(value.year, value.month, value.day, tzinfo=UTC) if type(value) is date else value


def difference(later: Any, earlier: Any) -> timedelta | None:
    """Return the time between two of a kind; `None` if only one of them has a zone."""
    if isinstance(later, time):
        later, earlier = _anchored(later), _anchored(earlier)
    else:
        later, earlier = as_moment(later), as_moment(earlier)
    try:
        result: timedelta = later - earlier
    except (TypeError, OverflowError):
        return None
    return result


def _anchored(value: time) -> datetime:
    return datetime.combine(date(2000, 1, 1), value)


def months_between(start: date, end: date) -> Months:
    """Return the whole months from `start` to `end`, negative if `end` is earlier."""
    total = (end.year - start.year) * 12 + end.month - start.month
    if total > 0 and end.day < start.day:
        total -= 1
    if total < 0 and end.day > start.day:
        total += 1
    return Months(total)


def seconds_of(value: timedelta) -> Decimal:
    """Return the exact length in seconds."""
    return Decimal(value.days * 86400 + value.seconds) + Decimal(value.microseconds).scaleb(-6)


def from_seconds(seconds: Decimal) -> timedelta | None:
    """Return the duration of so many seconds, cut to microseconds; `None` if it is too long."""
    try:
        return timedelta(microseconds=int(seconds.scaleb(6)))
    except (OverflowError, ValueError):
        return None


def _offset(value: Any) -> timedelta | None:
    found = value.utcoffset()
    return found if isinstance(found, timedelta) else None


def _zone_name(value: Any) -> str | None:
    return value.tzinfo.key if isinstance(value.tzinfo, ZoneInfo) else None


_CALENDAR: dict[str, Callable[[Any], Any]] = {
    "year": lambda value: Decimal(value.year),
    "month": lambda value: Decimal(value.month),
    "day": lambda value: Decimal(value.day),
    "weekday": lambda value: Decimal(value.isoweekday()),
}
_CLOCK: dict[str, Callable[[Any], Any]] = {
    "hour": lambda value: Decimal(value.hour),
    "minute": lambda value: Decimal(value.minute),
    "second": lambda value: Decimal(value.second) + Decimal(value.microsecond).scaleb(-6),
    "time offset": _offset,
    "timezone": _zone_name,
}


def _toward_zero(value: timedelta, part: Callable[[timedelta], int]) -> Decimal:
    number = Decimal(part(abs(value)))
    return -number if value < timedelta() else number


PROPERTIES: dict[type, dict[str, Callable[[Any], Any]]] = {
    date: _CALENDAR,
    datetime: _CALENDAR | _CLOCK,
    time: _CLOCK,
    timedelta: {
        "days": lambda value: _toward_zero(value, lambda length: length.days),
        "hours": lambda value: _toward_zero(value, lambda length: length.seconds // 3600),
        "minutes": lambda value: _toward_zero(value, lambda length: length.seconds // 60 % 60),
        "seconds": lambda value: (
            _toward_zero(value, lambda length: length.seconds % 60)
            + _toward_zero(value, lambda length: length.microseconds).scaleb(-6)
        ),
    },
    Months: {
        "years": lambda value: Decimal(abs(value.total) // 12).copy_sign(Decimal(value.total or 1)),
        "months": lambda value: Decimal(abs(value.total) % 12).copy_sign(Decimal(value.total or 1)),
    },
}
"""The parts of a value by type and name, as a path reads them: `date("2024-01-02").year`."""
