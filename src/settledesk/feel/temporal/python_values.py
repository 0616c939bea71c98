"""Python's own dates, times and durations in and out, so that callers need to know no others.

Python's hold the years 1 to 9999 and whole microseconds. What they cannot hold exactly stays as FEEL has it.
"""

from datetime import date, datetime, time, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from settledesk.feel.temporal.durations import SECOND, Days
from settledesk.feel.temporal.moments import (
    Date,
    LocalDateTime,
    LocalTime,
    ZonedDateTime,
    ZonedTime,
    make_date_time,
    make_time,
    zone_of,
)
from settledesk.feel.temporal.zones import Zone, named_zone

PYTHON_TYPES = (date, time, timedelta)
"""Types of Python that are taken; a `datetime` is a `date`."""
_FEEL_TYPES = frozenset({Date, LocalDateTime, ZonedDateTime, LocalTime, ZonedTime, Days})
_MICROSECOND = 1_000
_TIMEDELTA_MIN, _TIMEDELTA_MAX = (end // timedelta(microseconds=1) for end in (timedelta.min, timedelta.max))


def from_python(value: date | time | timedelta) -> Any:
    """Return Python's value as FEEL's. Of a zone that the database does not name, the offset is kept in seconds."""
    match value:
        case datetime():
            return make_date_time(Date(value.year, value.month, value.day), _clock(value), _zone(value), value.fold)
        case date():
            return Date(value.year, value.month, value.day)
        case time():
            return make_time(_clock(value), _zone(value))
    return Days((value.days * 86_400 + value.seconds) * SECOND + value.microseconds * _MICROSECOND)


def _clock(value: datetime | time) -> int:
    return ((value.hour * 60 + value.minute) * 60 + value.second) * SECOND + value.microsecond * _MICROSECOND


def _zone(value: datetime | time) -> Zone | None:
    if value.tzinfo is None:
        return None
    named = named_zone(value.tzinfo.key) if isinstance(value.tzinfo, ZoneInfo) and value.tzinfo.key else None
    if named is not None:
        return named
    offset = value.utcoffset()
    return None if offset is None else Zone(None, offset.days * 86_400 + offset.seconds)


def to_python(value: Any) -> Any:
    """Return FEEL's date, time or duration as Python's where that holds it exactly, and anything else as it is."""
    if type(value) not in _FEEL_TYPES:
        return value
    if type(value) is Days:
        return _timedelta(value)
    if type(value) is Date:
        return date(value.year, value.month, value.day) if 1 <= value.year <= 9999 else value
    microseconds, rest = divmod(value.nanoseconds, _MICROSECOND)
    if rest:
        return value
    seconds, microsecond = divmod(microseconds, 1_000_000)
    clock = time(seconds // 3600, seconds // 60 % 60, seconds % 60, microsecond, tzinfo=_tzinfo(zone_of(value)))
    if isinstance(value, LocalTime | ZonedTime):
        return clock
    day = to_python(value.date)
    if type(day) is not date:
        return value
    return datetime.combine(day, clock).replace(fold=value.fold if isinstance(value, ZonedDateTime) else 0)


def _tzinfo(zone: Zone | None) -> tzinfo | None:
    if zone is None:
        return None
    return timezone(timedelta(seconds=zone.offset_s)) if zone.name is None else ZoneInfo(zone.name)


def _timedelta(value: Days) -> Any:
    microseconds, rest = divmod(value.nanoseconds, _MICROSECOND)
    if rest or not _TIMEDELTA_MIN <= microseconds <= _TIMEDELTA_MAX:
        return value
    return timedelta(microseconds=microseconds)
