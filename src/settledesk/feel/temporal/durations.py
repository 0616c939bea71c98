"""The two kinds of duration, which never mix: days and time in nanoseconds, years and months in months."""

from dataclasses import dataclass

SECOND = 1_000_000_000
"""Nanoseconds of a second."""
DAY = 86_400 * SECOND
"""Nanoseconds of a day."""
NANOSECONDS_MAX = 2**63 * SECOND
MONTHS_MAX = 12 * 1_999_999_999
"""As much as lies between the first year and the last one."""


@dataclass(frozen=True, slots=True, order=True)
class Days:
    """A days and time duration, in nanoseconds."""

    nanoseconds: int


@dataclass(frozen=True, slots=True, order=True)
class Months:
    """A years and months duration, in months."""

    total: int


def make_days(nanoseconds: int) -> Days | None:
    """Return the duration, or `None` if it is too long."""
    return Days(nanoseconds) if abs(nanoseconds) < NANOSECONDS_MAX else None
