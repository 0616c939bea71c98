"""Text to dates, times and durations, and back. The forms are those of DMN 1.5, 10.3.2.3, which follow ISO 8601.

A text that names no such value gives `None`.
"""

from typing import Any

import regex

from settledesk.feel.temporal.calendar import YEAR_MAX
from settledesk.feel.temporal.durations import DAY, MONTHS_MAX, SECOND, Days, Months, make_days
from settledesk.feel.temporal.moments import (
    Date,
    LocalDateTime,
    LocalTime,
    ZonedDateTime,
    ZonedTime,
    date_of_days,
    make_date,
    make_date_time,
    make_time,
    zone_of,
)
from settledesk.feel.temporal.zones import UTC_ZONE, Zone, named_zone, offset_zone

_DATE = r"(?P<year>-?(?:[1-9][0-9]{4,8}|[0-9]{4}))-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
_TIME = (
    r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})(?:\.(?P<fraction>[0-9]{1,18}))?"
    r"(?P<zone>Z|[+-][0-9]{2}:[0-9]{2}(?::[0-9]{2})?|@[A-Za-z][A-Za-z0-9]*+(?:[/_+-][A-Za-z0-9]++){0,6})?"
)
_DATE_TEXT = regex.compile(_DATE)
_TIME_TEXT = regex.compile(_TIME)
_DATE_TIME_TEXT = regex.compile(rf"{_DATE}T{_TIME}")
_DAYS_TEXT = regex.compile(
    r"(?P<sign>-)?P(?:(?P<days>[0-9]{1,15})D)?"
    r"(?:T(?=[0-9])(?:(?P<hours>[0-9]{1,17})H)?(?:(?P<minutes>[0-9]{1,19})M)?"
    r"(?:(?P<seconds>[0-9]{1,20})(?:\.(?P<fraction>[0-9]{0,18}))?S)?)?"
)
_MONTHS_TEXT = regex.compile(r"(?P<sign>-)?P(?:(?P<years>[0-9]{1,10})Y)?(?:(?P<months>[0-9]{1,11})M)?")


def parse_date(text: str) -> Date | None:
    """Read `2024-02-29`, `-0044-03-15` or `12024-01-01`; a year of more than four digits has no leading zero."""
    found = _DATE_TEXT.fullmatch(text)
    return None if found is None else _date_of(found)


def _date_of(found: regex.Match[str]) -> Date | None:
    if found["year"] == "-0000":
        return None
    return make_date(int(found["year"]), int(found["month"]), int(found["day"]))


def parse_time(text: str) -> LocalTime | ZonedTime | None:
    """Read `10:30:00`, with a fraction, and with an offset or `@` and a zone; `24:00:00` is midnight."""
    found = _TIME_TEXT.fullmatch(text)
    if found is None:
        return None
    nanoseconds, zone = _clock(found), _zone(found["zone"])
    return None if nanoseconds is None or zone is _WRONG else make_time(nanoseconds % DAY, zone)


def _clock(found: regex.Match[str]) -> int | None:
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"])
    nanoseconds = ((hour * 60 + minute) * 60 + second) * SECOND + _fraction(found["fraction"])
    return None if minute > 59 or second > 59 or nanoseconds > DAY else nanoseconds


def _fraction(digits: str | None) -> int:
    return int((digits or "0")[:9].ljust(9, "0"))


_WRONG = Zone("", 0)
"""What stands for a zone that does not exist."""


def _zone(text: str | None) -> Zone | None:
    if text is None or text == "Z":
        return None if text is None else UTC_ZONE
    if text.startswith("@"):
        return named_zone(text[1:]) or _WRONG
    hours, minutes, *seconds = (int(part) for part in text[1:].split(":"))
    if minutes > 59 or any(part > 59 for part in seconds):
        return _WRONG
    offset_s = (hours * 60 + minutes) * 60 + sum(seconds)
    return offset_zone(-offset_s if text.startswith("-") else offset_s) or _WRONG


def parse_date_time(text: str) -> LocalDateTime | ZonedDateTime | None:
    """Read `2024-02-29T10:30:00`, with an offset or a zone; a date alone is its midnight."""
    found = _DATE_TIME_TEXT.fullmatch(text)
    if found is None:
        day = parse_date(text)
        return None if day is None else LocalDateTime(day, 0)
    day, nanoseconds, zone = _date_of(found), _clock(found), _zone(found["zone"])
    if nanoseconds == DAY and day is not None:
        day, nanoseconds = date_of_days(day.days + 1), 0
    if day is None or nanoseconds is None or zone is _WRONG:
        return None
    return make_date_time(day, nanoseconds, zone)


def parse_duration(text: str) -> Days | Months | None:
    """Read a duration of either kind: `P1DT2H` or `P1Y2M`. The two never mix."""
    found = _MONTHS_TEXT.fullmatch(text)
    if found is not None and (found["years"] or found["months"]):
        total = int(found["years"] or 0) * 12 + int(found["months"] or 0)
        return None if total > MONTHS_MAX else Months(-total if found["sign"] else total)
    found = _DAYS_TEXT.fullmatch(text)
    if found is None or not any(found[part] for part in ("days", "hours", "minutes", "seconds")):
        return None
    days, hours, minutes, seconds = (int(found[part] or 0) for part in ("days", "hours", "minutes", "seconds"))
    length = days * DAY + ((hours * 60 + minutes) * 60 + seconds) * SECOND + _fraction(found["fraction"])
    return make_days(-length if found["sign"] else length)


def parse_any(text: str) -> Any:
    """Read whatever an at-literal may hold."""
    if "T" in text.partition("@")[0] and not text.lstrip("-").startswith("P"):
        return parse_date_time(text)
    return parse_date(text) or parse_time(text) or parse_duration(text)


def to_text(value: Any) -> str:
    """Return the text that reads back as the value."""
    match value:
        case Date():
            return _date_text(value)
        case LocalDateTime() | ZonedDateTime():
            return f"{_date_text(value.date)}T{_time_text(value)}"
        case LocalTime() | ZonedTime():
            return _time_text(value)
        case Days():
            return _days_text(value)
        case Months():
            return _months_text(value)
    raise TypeError(type(value))


def _date_text(value: Date) -> str:
    assert abs(value.year) <= YEAR_MAX
    return f"{'-' if value.year < 0 else ''}{abs(value.year):04}-{value.month:02}-{value.day:02}"


def _time_text(value: LocalTime | ZonedTime | LocalDateTime | ZonedDateTime) -> str:
    seconds, fraction = divmod(value.nanoseconds, SECOND)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    text += f".{fraction:09}".rstrip("0") if fraction else ""
    zone = zone_of(value)
    return text if zone is None else text + _zone_text(zone)


def _zone_text(zone: Zone) -> str:
    if zone.name is not None:
        return f"@{zone.name}"
    if not zone.offset_s:
        return "Z"
    minutes, seconds = divmod(abs(zone.offset_s), 60)
    text = f"{'-' if zone.offset_s < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"
    return f"{text}:{seconds:02}" if seconds else text


def _days_text(value: Days) -> str:
    days, rest = divmod(abs(value.nanoseconds), DAY)
    seconds, fraction = divmod(rest, SECOND)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    decimals = f".{fraction:09}".rstrip("0") if fraction else ""
    clock = "".join(f"{number}{unit}" for number, unit in ((hours, "H"), (minutes, "M")) if number)
    clock += f"{seconds}{decimals}S" if seconds or decimals else ""
    body = (f"{days}D" if days else "") + (f"T{clock}" if clock else "")
    return f"{'-' if value.nanoseconds < 0 else ''}P{body or 'T0S'}"


def _months_text(value: Months) -> str:
    years, months = divmod(abs(value.total), 12)
    body = (f"{years}Y" if years else "") + (f"{months}M" if months else "")
    return f"{'-' if value.total < 0 else ''}P{body or '0M'}"
