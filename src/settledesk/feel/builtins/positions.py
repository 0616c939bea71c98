"""Places in a list or a string: they count from 1, or from the end if negative."""

from decimal import Decimal

LENGTH_MAX = Decimal(10) ** 9


def part_of(size: int, start: Decimal, length: Decimal | None) -> slice | None:
    """Return the part that begins at `start` and has at most `length` elements, or `None` if there is none.

    The numbers may be of any size; a fraction of a place is cut off.
    """
    if not 1 <= abs(start) < size + 1 or (length is not None and length < 1):
        return None
    begin = int(start) - 1 if start > 0 else size + int(start)
    end = size if length is None else min(size, begin + int(min(length, LENGTH_MAX)))
    return slice(begin, end)
