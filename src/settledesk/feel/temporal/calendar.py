"""The proleptic Gregorian calendar by whole numbers, for every year that FEEL knows.

Days are counted from 1970-01-01. The formulas count in cycles of 400 years, after which the calendar repeats.
"""

from datetime import MAXYEAR, MINYEAR, date

YEAR_MAX = 999_999_999
_EPOCH = date(1970, 1, 1).toordinal()
_PYTHON_DAYS = range(date.min.toordinal() - _EPOCH, date.max.toordinal() - _EPOCH + 1)
"""The days that the standard library counts, which it does quicker."""
_CYCLE_DAYS = 146_097
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_leap(year: int) -> bool:
    """Tell whether the year has a 29th of February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year: int, month: int) -> int:
    """Return the number of days of a month."""
    return 29 if month == 2 and is_leap(year) else _MONTH_DAYS[month - 1]


def days_from_civil(year: int, month: int, day: int) -> int:
    """Return the days from 1970-01-01 to a date. Years begin in March here, so that a leap day is a year's last."""
    if MINYEAR <= year <= MAXYEAR:
        return date(year, month, day).toordinal() - _EPOCH
    year -= month <= 2
    cycle, year_of_cycle = divmod(year, 400)
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    day_of_cycle = year_of_cycle * 365 + year_of_cycle // 4 - year_of_cycle // 100 + day_of_year
    return cycle * _CYCLE_DAYS + day_of_cycle - 719_468


def civil_from_days(days: int) -> tuple[int, int, int]:
    """Return year, month and day of a number of days from 1970-01-01."""
    if days in _PYTHON_DAYS:
        found = date.fromordinal(days + _EPOCH)
        return found.year, found.month, found.day
    cycle, day_of_cycle = divmod(days + 719_468, _CYCLE_DAYS)
    year_of_cycle = (day_of_cycle - day_of_cycle // 1460 + day_of_cycle // 36524 - day_of_cycle // 146096) // 365
    day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle // 4 - year_of_cycle // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + (3 if shifted < 10 else -9)
    return year_of_cycle + cycle * 400 + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1


def weekday(days: int) -> int:
    """Return the day of the week of a number of days from 1970-01-01: 1 is Monday, 7 is Sunday."""
    return (days + 3) % 7 + 1


def iso_week(year: int, month: int, day: int) -> int:
    """Return the week of the year by ISO 8601: the first week is that of the first Thursday."""
    days = days_from_civil(year, month, day)
    thursday = days - weekday(days) + 4
    return (thursday - days_from_civil(civil_from_days(thursday)[0], 1, 1)) // 7 + 1
