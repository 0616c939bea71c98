"""Who may decide what in the system of record: the second gate, which knows nothing of the desk's policy."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import Enum

from settledesk.facts import Money
from settledesk.ports import ErpRefused
from settledesk.simulator.pack_files import Grant, PackFileError, PeopleFile

AUTHORITY = "AUTHORITY"


class AuthorityMode(Enum):
    """How the system of record checks who decides."""

    ENFORCE = "enforce"
    """Every command needs a grant of the person it names."""
    TRUST = "trust"
    """Any named person passes: the weak integration, for experiments only."""


class AuthorityMatrix:
    """Grants by person and action."""

    def __init__(self, people: PeopleFile) -> None:
        """Read the grants; raises `PackFileError` for a grant to nobody or two grants for one action."""
        self._users = frozenset(people.users)
        self._grants: dict[tuple[str, str], Grant] = {}
        for grant in people.grants:
            if grant.user not in self._users:
                raise PackFileError(f"`people.toml` grants something to `{grant.user}`, who is not one of its users")
            for action in grant.actions:
                if (grant.user, action) in self._grants:
                    raise PackFileError(f"`people.toml` grants `{action}` to `{grant.user}` twice")
                self._grants[grant.user, action] = grant

    def refusal(
        self,
        *,
        user: str,
        action: str,
        amount: Callable[[], Money | None],
        own_orders: Callable[[], str | None],
        mode: AuthorityMode,
    ) -> ErpRefused | None:
        """Return why `user` may not do this, or none if the grant covers it.

        `amount` gives what is compared with the limit (none: not known); `own_orders` why these are not the user's own
        orders (none: they are). Both are asked only if the grant has such a condition.
        """
        if not user:
            return _refused("nobody is named as deciding, and a caller who acts for nobody decides nothing")
        if mode is AuthorityMode.TRUST:
            return None
        if user not in self._users:
            return _refused(f"`{user}` is not a person known to this system")
        grant = self._grants.get((user, action))
        if grant is None:
            return _refused(f"`{user}` has no grant for `{action}`")
        over = None if grant.max_amount is None else _over_limit(user, action, grant.max_amount, amount())
        if over is not None:
            return _refused(over)
        foreign = own_orders() if grant.own_orders_only else None
        return None if foreign is None else _refused(foreign)


def _over_limit(user: str, action: str, limits: Mapping[str, Decimal], amount: Money | None) -> str | None:
    if amount is None:
        return f"the amount of `{action}` is not known, so it cannot be compared with the limit of `{user}`"
    limit = limits.get(amount.currency)
    if limit is None:
        return f"`{user}` has no limit in {amount.currency} for `{action}`, and without a rate nothing is compared"
    if amount.amount > limit:
        allowed = Money(amount=limit, currency=amount.currency)
        return f"`{user}` may decide `{action}` up to {allowed}, and this is {amount}"
    return None


def _refused(detail: str) -> ErpRefused:
    return ErpRefused(code=AUTHORITY, detail=detail)
