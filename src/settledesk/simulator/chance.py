"""Chance that repeats: a splitmix64 generator (Steele, Lea, Flood 2014), seeded by whoever wants the faults."""

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


class Chance:
    """A sequence of numbers that is the same for the same seed, on every machine and Python version."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def next_u64(self) -> int:
        """Return the next whole number in 0..2**64-1."""
        self._state = (self._state + _GAMMA) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def happens(self, rate: float) -> bool:
        """Tell whether something of this rate (0..1) happens now; 0 never does, 1 always does, both without a draw."""
        if rate <= 0:
            return False
        if rate >= 1:
            return True
        return (self.next_u64() >> 11) * 2.0**-53 < rate
