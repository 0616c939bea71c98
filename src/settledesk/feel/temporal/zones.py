"""Time zones: an offset from UTC, or a name whose offset depends on the moment.

Python's zones know the years 1 to 9999. The rules of a zone repeat with the calendar, every 400 years, so that another
year is looked up as one that is like it: after 9999 the last rules hold, before 1 local mean time does.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from settledesk.feel.temporal.calendar import civil_from_days
from settledesk.feel.temporal.durations import DAY, SECOND

OFFSET_MAX_S = 18 * 3600
_FOREIGN = ("posix/", "right/", "posixrules", "localtime")
"""What lies beside the zones on some machines: copies, zones that count leap seconds, and the machine's own zone."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone: `name` of the zone database, or an offset from UTC in seconds."""

    name: str | None
    offset_s: int = 0


UTC_ZONE = Zone(None, 0)


def named_zone(name: str) -> Zone | None:
    """Return the zone of that name, or `None` if there is none."""
    if name.startswith(_FOREIGN):
        return None
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
    return Zone(name)


def offset_zone(offset_s: int) -> Zone | None:
    """Return the zone of that offset, or `None` if it is more than 18 hours."""
    return Zone(None, offset_s) if abs(offset_s) <= OFFSET_MAX_S else None


def offset_at_local(zone: Zone, days: int, nanoseconds: int, fold: int = 0) -> int:
    """Return the offset in seconds at a local moment; of a time that a clock shows twice, `fold` 1 is the second."""
    if zone.name is None:
        return zone.offset_s
    return _seconds(_moment(days, nanoseconds).replace(tzinfo=ZoneInfo(zone.name), fold=fold).utcoffset())


def offset_at_utc(zone: Zone, nanoseconds: int) -> int:
    """Return the offset in seconds at a moment in nanoseconds from 1970-01-01 UTC."""
    if zone.name is None:
        return zone.offset_s
    days, rest = divmod(nanoseconds, DAY)
    moment = _moment(days, rest).replace(tzinfo=UTC)
    return _seconds(moment.astimezone(ZoneInfo(zone.name)).utcoffset())


def _moment(days: int, nanoseconds: int) -> datetime:
    year, month, day = civil_from_days(days)
    if not 2 <= year <= 9998:
        year = year % 400 + (400 if year < 2 else 9200)
    return datetime(year, month, day) + timedelta(seconds=nanoseconds // SECOND)  # noqa: DTZ001


def _seconds(offset: timedelta | None) -> int:
    return 0 if offset is None else offset.days * 86_400 + offset.seconds
