"""Settle business exceptions: rules first, people decide, models only inside controls."""

__version__ = "0.1.0"
