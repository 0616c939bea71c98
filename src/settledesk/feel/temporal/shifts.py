"""Sums and differences of dates, times and durations (DMN 1.5, 10.3.2.3.4 to 10.3.2.3.8). `None` is out of range."""

from decimal import Decimal
from typing import Any

from settledesk.feel.temporal.calendar import YEAR_MAX, days_in_month
from settledesk.feel.temporal.durations import DAY, SECOND, Days, Months, make_days
from settledesk.feel.temporal.moments import (
    DATE_TIMES,
    Date,
    LocalDateTime,
    LocalTime,
    ZonedDateTime,
    ZonedTime,
    date_of_days,
    date_time_at,
    make_date_time,
    make_time,
    zone_of,
)
from settledesk.feel.temporal.zones import UTC_ZONE, Zone


def add_months(value: Any, months: int) -> Any:
    """Return the date or date and time so many months later, on the last day of the month if it is shorter."""
    date = value if type(value) is Date else value.date
    year, month = divmod(date.year * 12 + date.month - 1 + months, 12)
    if abs(year) > YEAR_MAX:
        return None
    moved = Date(year, month + 1, min(date.day, days_in_month(year, month + 1)))
    return moved if value is date else make_date_time(moved, value.nanoseconds, zone_of(value))


def add_days(value: Any, length: Days) -> Any:
    """Add a days and time duration to a date (over midnight UTC, cut to the day), a date and time, or a time.

    A date and time in a zone moves along the time line: an hour later is an hour later also where a clock is set back.
    """
    match value:
        case Date():
            return date_of_days((value.days * DAY + length.nanoseconds) // DAY)
        case LocalDateTime() | ZonedDateTime():
            return date_time_at(value.instant + length.nanoseconds, zone_of(value))
    return make_time((value.nanoseconds + length.nanoseconds) % DAY, zone_of(value))


def as_moment(value: Any) -> LocalDateTime | ZonedDateTime:
    """Return a date as midnight UTC, and a date and time as it is."""
    return ZonedDateTime(value, 0, UTC_ZONE) if type(value) is Date else value


def in_one_zone(left: Any, right: Any) -> tuple[Any, Any]:
    """Return two times, or two dates and times, of which one may be local: it is taken to be in the other's zone.

    Source: DMN 1.5, table 54, on the order of times.
    """
    if isinstance(left, LocalTime | LocalDateTime) and isinstance(right, ZonedTime | ZonedDateTime):
        return _in_zone(left, right.zone), right
    if isinstance(right, LocalTime | LocalDateTime) and isinstance(left, ZonedTime | ZonedDateTime):
        return left, _in_zone(right, left.zone)
    return left, right


def _in_zone(value: LocalTime | LocalDateTime, zone: Zone) -> ZonedTime | ZonedDateTime:
    if isinstance(value, LocalTime):
        return ZonedTime(value.nanoseconds, zone)
    return ZonedDateTime(value.date, value.nanoseconds, zone)


def difference(later: Any, earlier: Any) -> Days | None:
    """Return the time between two dates or two times; `None` if only one of them has a zone."""
    if isinstance(later, LocalTime) and isinstance(earlier, LocalTime):
        return make_days(later.nanoseconds - earlier.nanoseconds)
    if isinstance(later, ZonedTime) or isinstance(earlier, ZonedTime):
        return None if type(later) is not type(earlier) else make_days(later.instant - earlier.instant)
    if isinstance(later, LocalTime) or isinstance(earlier, LocalTime):
        return None
    one, other = as_moment(later), as_moment(earlier)
    return None if type(one) is not type(other) else make_days(one.instant - other.instant)


def months_between(start: Any, end: Any) -> Months:
    """Return the whole months from `start` to `end`, negative if `end` is earlier."""
    first, last = (value.date if isinstance(value, DATE_TIMES) else value for value in (start, end))
    total = (last.year - first.year) * 12 + last.month - first.month
    if total > 0 and last.day < first.day:
        total -= 1
    if total < 0 and last.day > first.day:
        total += 1
    return Months(total)


def seconds_of(value: Days) -> Decimal:
    """Return the exact length in seconds."""
    return Decimal(value.nanoseconds).scaleb(-9)


def from_seconds(seconds: Decimal) -> Days | None:
    """Return the duration of so many seconds, cut to nanoseconds; `None` if it is too long."""
    return None if abs(seconds) >= 2**63 else make_days(int(seconds * SECOND))
