"""The answer: `RouteTo(decider) | Forbidden(why)`. Whatever is not exactly one of the two is a refusal."""

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteTo:
    """The proposal goes to a person of `role`; with `user` to that person only (or a role that may decide all)."""

    role: str
    user: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """The proposal may not go to anyone. `why` is the true reason, for a person.

    `incident` is set when the engine failed or answered outside the closed type: a refusal too, but one to look into.
    """

    why: str
    incident: bool = False


PolicyAnswer: TypeAlias = RouteTo | Forbidden


def parse_answer(data: Any) -> PolicyAnswer:
    """Read the engine's answer: `{"effect": "route", "role", "user"}` or `{"effect": "forbid", "reason"}`.

    Anything else, be it one key more, becomes `Forbidden` with `incident` set: there is no fail-open.
    """
    match data:
        case {"effect": "route", "role": str(role), "user": None | str() as user, **rest} if not rest:
            if role and user != "":
                return RouteTo(role=role, user=user)
        case {"effect": "forbid", "reason": str(reason), **rest} if reason and not rest:
            return Forbidden(why=reason)
    return Forbidden(why="the policy gave no valid answer, so nothing is allowed", incident=True)
