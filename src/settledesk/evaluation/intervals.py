"""The Wilson interval of a rate: it stays inside 0..1 and says something even when every run passed."""

from math import sqrt

Z_95 = 1.96


def wilson(successes: int, total: int, *, z: float = Z_95) -> tuple[float, float]:
    """Return the interval of the rate `successes / total` (Wilson 1927); without a run nothing is known: 0 to 1.

    Raises `ValueError` unless 0 <= successes <= total.
    """
    if not 0 <= successes <= total:
        raise ValueError(f"{successes} of {total} is not a rate")
    if total == 0:
        return 0.0, 1.0
    rate, square = successes / total, z * z
    scale = 1 + square / total
    centre = (rate + square / (2 * total)) / scale
    half = z * sqrt(rate * (1 - rate) / total + square / (4 * total * total)) / scale
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == total else min(1.0, centre + half)
    return low, high
