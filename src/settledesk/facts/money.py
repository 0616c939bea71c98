"""Money: a `Decimal` with its currency inside, and integer minor units on the wire. Never a float.

The rounding rule of the whole project stands here and nowhere else: half up, to the minor unit of the currency.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from functools import cache
from typing import Self

import iso4217

_CONTEXT = Context(prec=34, rounding=ROUND_HALF_UP)


class MoneyError(ValueError):
    """Two currencies met in one sum, an amount was not finite, or the currency is not one of ISO 4217."""


@cache
def minor_unit_exponent(currency: str) -> int:
    """Return how many decimals the currency has (ISO 4217: EUR 2, JPY 0, KWD 3).

    Raises `MoneyError` for a code that ISO 4217 does not list or that has no minor unit.
    """
    try:
        exponent = iso4217.Currency(currency).exponent
    except ValueError:
        exponent = None
    if exponent is None:
        raise MoneyError(f"`{currency}` is not a currency code of ISO 4217 with a minor unit")
    return int(exponent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Money:
    """An amount in one currency. `amount` may carry more decimals than the currency has until `rounded` is called."""

    amount: Decimal
    currency: str

    def __post_init__(self) -> None:
        if not self.amount.is_finite():
            raise MoneyError(f"an amount must be a finite number, not `{self.amount}`")
        minor_unit_exponent(self.currency)

    @classmethod
    def of(cls, amount: Decimal | int | str, currency: str) -> Self:
        """Make money from a decimal, a whole number or decimal text; floats are refused by type."""
        return cls(amount=Decimal(amount), currency=currency)

    @classmethod
    def from_minor(cls, minor: int, currency: str) -> Self:
        """Make money from integer minor units: `from_minor(107_50, "GBP")` is 107.50 pounds."""
        return cls(amount=Decimal(minor).scaleb(-minor_unit_exponent(currency)), currency=currency)

    @classmethod
    def zero(cls, currency: str) -> Self:
        """Return nothing, in that currency."""
        return cls(amount=Decimal(0), currency=currency)

    def rounded(self) -> "Money":
        """Round half up to the minor unit of the currency."""
        quantum = Decimal(1).scaleb(-minor_unit_exponent(self.currency))
        return Money(amount=self.amount.quantize(quantum, context=_CONTEXT), currency=self.currency)

    def to_minor(self) -> int:
        """Return integer minor units, rounded half up."""
        return int(self.rounded().amount.scaleb(minor_unit_exponent(self.currency)))

    def __add__(self, other: "Money") -> "Money":
        self._same_currency(other)
        with localcontext(_CONTEXT):
            return Money(amount=self.amount + other.amount, currency=self.currency)

    def __sub__(self, other: "Money") -> "Money":
        self._same_currency(other)
        with localcontext(_CONTEXT):
            return Money(amount=self.amount - other.amount, currency=self.currency)

    def __lt__(self, other: "Money") -> bool:
        self._same_currency(other)
        return self.amount < other.amount

    def __le__(self, other: "Money") -> bool:
        self._same_currency(other)
        return self.amount <= other.amount

    def __str__(self) -> str:
        return f"{self.rounded().amount:,f} {self.currency}"

    def _same_currency(self, other: "Money") -> None:
        if self.currency != other.currency:
            raise MoneyError(f"`{self.currency}` and `{other.currency}` cannot be compared or summed without a rate")
