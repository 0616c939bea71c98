"""Dates, times and durations: their values, text to value and back, parts, sums and differences.

All calendar knowledge stands in here. Years reach from -999,999,999 to 999,999,999 and times to nanoseconds.
"""

from settledesk.feel.temporal.calendar import YEAR_MAX, iso_week, weekday
from settledesk.feel.temporal.durations import DAY, MONTHS_MAX, SECOND, Days, Months, make_days
from settledesk.feel.temporal.moments import (
    DATE_TIMES,
    MOMENTS,
    TIMES,
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
from settledesk.feel.temporal.parts import PROPERTIES
from settledesk.feel.temporal.python_values import PYTHON_TYPES, from_python, to_python
from settledesk.feel.temporal.shifts import (
    add_days,
    add_months,
    as_moment,
    difference,
    from_seconds,
    in_one_zone,
    months_between,
    seconds_of,
)
from settledesk.feel.temporal.text import parse_any, parse_date, parse_date_time, parse_duration, parse_time, to_text
from settledesk.feel.temporal.zones import UTC_ZONE, Zone, offset_zone

__all__ = [
    "DATE_TIMES",
    "DAY",
    "MOMENTS",
    "MONTHS_MAX",
    "PROPERTIES",
    "PYTHON_TYPES",
    "SECOND",
    "TIMES",
    "UTC_ZONE",
    "YEAR_MAX",
    "Date",
    "Days",
    "LocalDateTime",
    "LocalTime",
    "Months",
    "Zone",
    "ZonedDateTime",
    "ZonedTime",
    "add_days",
    "add_months",
    "as_moment",
    "date_of_days",
    "difference",
    "from_python",
    "from_seconds",
    "in_one_zone",
    "iso_week",
    "make_date",
    "make_date_time",
    "make_days",
    "make_time",
    "months_between",
    "offset_zone",
    "parse_any",
    "parse_date",
    "parse_date_time",
    "parse_duration",
    "parse_time",
    "seconds_of",
    "to_python",
    "to_text",
    "weekday",
    "zone_of",
]
