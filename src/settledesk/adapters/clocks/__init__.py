"""Clocks and ids: the machine's own, and simulated ones that only move when somebody waits."""

from settledesk.adapters.clocks.simulated import CountedIds, SimulatedClock
from settledesk.adapters.clocks.system import RandomIds, SystemClock

__all__ = ["CountedIds", "RandomIds", "SimulatedClock", "SystemClock"]
