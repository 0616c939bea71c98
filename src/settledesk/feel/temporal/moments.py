"""Dates, times, and dates with times. Of the last two, those with a zone are types of their own.

A local and a zoned value cannot be compared, so within one type Python's `==`, `<` and `hash` are FEEL's: a zoned value
stands for its instant, whatever zone shows it, and times are compared by whole seconds (DMN 1.5, 10.3.2.3.4 and
10.3.2.3.5: the value of a time is its seconds).
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from settledesk.feel.temporal.calendar import YEAR_MAX, civil_from_days, days_from_civil, days_in_month
from settledesk.feel.temporal.durations import DAY, SECOND
from settledesk.feel.temporal.zones import Zone, offset_at_local, offset_at_utc

_ANY_DAY = days_from_civil(2000, 1, 1)
"""A time of a named zone has the offset of this day, since it names none."""


class _Keyed:
    """What is compared, within its type, by one whole number."""

    __slots__ = ()

    if TYPE_CHECKING:
        key: int

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __lt__(self, other: Self) -> bool:
        return self.key < other.key if type(other) is type(self) else NotImplemented

    def __le__(self, other: Self) -> bool:
        return self.key <= other.key if type(other) is type(self) else NotImplemented

    def __gt__(self, other: Self) -> bool:
        return self.key > other.key if type(other) is type(self) else NotImplemented

    def __ge__(self, other: Self) -> bool:
        return self.key >= other.key if type(other) is type(self) else NotImplemented


@dataclass(frozen=True, slots=True, eq=False)
class Date(_Keyed):
    """A date of the proleptic Gregorian calendar, with a year from -999,999,999 to 999,999,999."""

    year: int
    month: int
    day: int
    key: int = field(init=False, repr=False)
    """Of no meaning but in the order of dates."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", (self.year * 16 + self.month) * 32 + self.day)

    @property
    def days(self) -> int:
        """Days from 1970-01-01."""
        return days_from_civil(self.year, self.month, self.day)


class _Clock(_Keyed):
    """What has an instant, in nanoseconds, and is compared by it in whole seconds."""

    __slots__ = ()

    if TYPE_CHECKING:
        instant: int

    def _set_instant(self, instant: int) -> None:
        object.__setattr__(self, "instant", instant)
        object.__setattr__(self, "key", instant // SECOND)


@dataclass(frozen=True, slots=True, eq=False)
class LocalTime(_Clock):
    """A time of day without a zone, in nanoseconds from midnight."""

    nanoseconds: int
    instant: int = field(init=False, repr=False)
    """Nanoseconds from midnight."""
    key: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._set_instant(self.nanoseconds)


@dataclass(frozen=True, slots=True, eq=False)
class LocalDateTime(_Clock):
    """A date and a time of day without a zone."""

    date: Date
    nanoseconds: int
    instant: int = field(init=False, repr=False)
    """Nanoseconds from 1970-01-01, as if the zone were UTC."""
    key: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._set_instant(self.date.days * DAY + self.nanoseconds)


@dataclass(frozen=True, slots=True, eq=False)
class ZonedTime(_Clock):
    """A time of day in a zone, in nanoseconds from midnight there."""

    nanoseconds: int
    zone: Zone
    instant: int = field(init=False, repr=False)
    """Nanoseconds from midnight UTC; below zero or beyond a day where the day there is another."""
    key: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._set_instant(self.nanoseconds - self.offset_s * SECOND)

    @property
    def offset_s(self) -> int:
        """The offset from UTC in seconds."""
        return offset_at_local(self.zone, _ANY_DAY, self.nanoseconds)


@dataclass(frozen=True, slots=True, eq=False)
class ZonedDateTime(_Clock):
    """A date and a time of day in a zone. Of two moments that its clocks show alike, `fold` 1 is the later one."""

    date: Date
    nanoseconds: int
    zone: Zone
    fold: int = 0
    instant: int = field(init=False, repr=False)
    """Nanoseconds from 1970-01-01 UTC."""
    key: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        local = self.date.days * DAY + self.nanoseconds
        self._set_instant(local - self.offset_s * SECOND)

    @property
    def offset_s(self) -> int:
        """The offset from UTC in seconds."""
        return offset_at_local(self.zone, self.date.days, self.nanoseconds, self.fold)


DATE_TIMES = (LocalDateTime, ZonedDateTime)
TIMES = (LocalTime, ZonedTime)
MOMENTS = (Date, *DATE_TIMES, *TIMES)


def make_date(year: int, month: int, day: int) -> Date | None:
    """Return the date, or `None` if the calendar has no such day."""
    if abs(year) > YEAR_MAX or not 1 <= month <= 12 or not 1 <= day <= days_in_month(year, month):
        return None
    return Date(year, month, day)


def date_of_days(days: int) -> Date | None:
    """Return the date so many days from 1970-01-01, or `None` if its year is out of range."""
    year, month, day = civil_from_days(days)
    return Date(year, month, day) if abs(year) <= YEAR_MAX else None


def make_time(nanoseconds: int, zone: Zone | None) -> LocalTime | ZonedTime:
    """Return the time of day."""
    return LocalTime(nanoseconds) if zone is None else ZonedTime(nanoseconds, zone)


def make_date_time(date: Date, nanoseconds: int, zone: Zone | None, fold: int = 0) -> LocalDateTime | ZonedDateTime:
    """Return the date and time."""
    return LocalDateTime(date, nanoseconds) if zone is None else ZonedDateTime(date, nanoseconds, zone, fold)


def date_time_at(instant: int, zone: Zone | None) -> LocalDateTime | ZonedDateTime | None:
    """Return the date and time of an instant as a zone shows it, or `None` if its year is out of range."""
    offset_s = 0 if zone is None else offset_at_utc(zone, instant)
    days, nanoseconds = divmod(instant + offset_s * SECOND, DAY)
    date = date_of_days(days)
    if date is None:
        return None
    found = make_date_time(date, nanoseconds, zone)
    return found if found.instant == instant else make_date_time(date, nanoseconds, zone, 1)


def zone_of(value: Any) -> Zone | None:
    """Return the zone of a time or a date and time."""
    return value.zone if isinstance(value, ZonedTime | ZonedDateTime) else None
