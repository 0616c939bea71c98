"""Compact choices: hypothesis draws bytes, and a grammar reads one per choice.

Drawing a byte string is one draw, so an example costs little; hypothesis shrinks it to fewer and smaller bytes, and a
byte of zero, which is also what stands behind the end, always means the simplest choice.
"""

import os

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

SCALE = int(os.environ.get("SETTLEDESK_FUZZ", "1"))
"""1 is a tenth, 10 is all: 100,000 cells and 10,000 tables."""
PROFILE = settings(
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


CHECKS = {}
"""Every check by its name, with the bytes that it reads: for a run by hand."""


class Choices:
    """A source of choices that ends; behind its end every choice is the first."""

    def __init__(self, data):
        self._data = data
        self._next = 0

    def pick(self, count):
        """Return a number below `count`, which is at most 256."""
        if self._next >= len(self._data):
            return 0
        self._next += 1
        return self._data[self._next - 1] % count

    def of(self, options):
        """Return one of the options."""
        return options[self.pick(len(options))]

    def rarely(self, once_in=8):
        """Return true once in a while."""
        return self.pick(once_in) == once_in - 1


def fuzz(*, examples, size, shards=8):
    """Make a test of a check that takes choices.

    `examples` are those of a tenth, divided over shards that may run side by side; each has its own fixed seed.
    """

    def decorate(check):
        CHECKS[check.__name__] = (check, size)

        @pytest.mark.parametrize("shard", range(shards))
        def test(shard):
            @seed(shard)
            @settings(PROFILE, max_examples=max(1, examples * SCALE // shards))
            @given(st.binary(min_size=size, max_size=size))
            def run(data):
                check(Choices(data))

            run()

        test.__name__ = test.__qualname__ = check.__name__
        test.__doc__ = check.__doc__
        test.__module__ = check.__module__
        return test

    return decorate
