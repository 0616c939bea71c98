"""The parts of a value by type and name, as a path reads them: `date("2024-01-02").year` (DMN 1.5, table 53)."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from settledesk.feel.temporal.calendar import weekday
from settledesk.feel.temporal.durations import DAY, SECOND, Days, Months
from settledesk.feel.temporal.moments import Date, LocalDateTime, LocalTime, ZonedDateTime, ZonedTime

Part = Callable[[Any], Any]


def _calendar(date: Callable[[Any], Date]) -> dict[str, Part]:
    return {
        "year": lambda value: Decimal(date(value).year),
        "month": lambda value: Decimal(date(value).month),
        "day": lambda value: Decimal(date(value).day),
        "weekday": lambda value: Decimal(weekday(date(value).days)),
    }


_CLOCK: dict[str, Part] = {
    "hour": lambda value: Decimal(value.nanoseconds // (3600 * SECOND)),
    "minute": lambda value: Decimal(value.nanoseconds // (60 * SECOND) % 60),
    "second": lambda value: _decimal_seconds(value.nanoseconds % (60 * SECOND)),
}
_LOCAL: dict[str, Part] = {"time offset": lambda _: None, "timezone": lambda _: None}
_ZONED: dict[str, Part] = {
    "time offset": lambda value: Days(value.offset_s * SECOND),
    "timezone": lambda value: value.zone.name,
}


def _decimal_seconds(nanoseconds: int) -> Decimal:
    seconds, fraction = divmod(nanoseconds, SECOND)
    return Decimal(seconds) + Decimal(fraction).scaleb(-9).normalize() if fraction else Decimal(seconds)


def _signed(number: Decimal, of: int) -> Decimal:
    return -number if of < 0 and number else number


PROPERTIES: dict[type, dict[str, Part]] = {
    Date: _calendar(lambda value: value),
    LocalDateTime: _calendar(lambda value: value.date) | _CLOCK | _LOCAL,
    ZonedDateTime: _calendar(lambda value: value.date) | _CLOCK | _ZONED,
    LocalTime: _CLOCK | _LOCAL,
    ZonedTime: _CLOCK | _ZONED,
    Days: {
        "days": lambda value: _signed(Decimal(abs(value.nanoseconds) // DAY), value.nanoseconds),
        "hours": lambda value: _signed(Decimal(abs(value.nanoseconds) // (3600 * SECOND) % 24), value.nanoseconds),
        "minutes": lambda value: _signed(Decimal(abs(value.nanoseconds) // (60 * SECOND) % 60), value.nanoseconds),
        "seconds": lambda value: _signed(_decimal_seconds(abs(value.nanoseconds) % (60 * SECOND)), value.nanoseconds),
    },
    Months: {
        "years": lambda value: _signed(Decimal(abs(value.total) // 12), value.total),
        "months": lambda value: _signed(Decimal(abs(value.total) % 12), value.total),
    },
}
