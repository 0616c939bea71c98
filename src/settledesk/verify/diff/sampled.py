"""The comparison of decisions that are no tables: on inputs put together from what stands in their expressions."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Any

from settledesk.decisions import Model
from settledesk.decisions.item_types import ANY
from settledesk.feel.expression import Program
from settledesk.feel.tree import Literal
from settledesk.verify.diff.pair import evaluated
from settledesk.verify.diff.report import Change
from settledesk.verify.tables.examined import spread
from settledesk.verify.tables.partition import base_kind
from settledesk.verify.tables.samples import guesses
from settledesk.verify.tables.shapes import walk
from settledesk.verify.tables.wording import input_text

INPUTS_MAX = 400
VALUES_MAX = 8
CHANGES_MAX = 5
DEPTH_MAX = 40


def compare_by_samples(old: Model, new: Model, decision: str) -> tuple[list[Change], str]:
    """Return the changes that were found, one for each pair of outcomes, and a note that there may be others."""
    names = list(dict.fromkeys((*old.inputs(decision), *new.inputs(decision))))
    constants = [
        value for model in (old, new) for value in _constants([*model.decisions.values(), *_functions(model)], 0)
    ]
    choices: list[list[Any]] = []
    for name in names:
        kind = base_kind(new.input_types.get(name, old.input_types.get(name, ANY)))
        kinds = ["number", "string", "boolean"] if kind == "any" else [kind]
        choices.append([*guesses(constants, kinds)[:VALUES_MAX], None])
    found: dict[Any, Change] = {}
    tried = 0
    for values in islice(spread(choices) if choices else iter([()]), INPUTS_MAX):
        facts = dict(zip(names, values, strict=True))
        tried += 1
        one, two = (evaluated(model, decision, facts) for model in (old, new))
        if one.said != two.said and (one.said, two.said) not in found:
            found[one.said, two.said] = Change(
                decision=decision, where=input_text(facts) or "any input", input=facts, old=one, new=two, tried=True
            )
            if len(found) == CHANGES_MAX:
                break
    note = f"`{decision}`: what it says differs and is no table: it was evaluated on {tried} inputs"
    return list(found.values()), note


def _functions(model: Model) -> list[Any]:
    return list(model.graph.functions.values())


def _constants(thing: Any, depth: int) -> Iterator[Any]:
    """Yield the constants in logic."""
    if depth > DEPTH_MAX:
        return
    if isinstance(thing, Program):
        yield from (node.value for node in walk(thing.tree) if isinstance(node, Literal) and node.value is not None)
    elif isinstance(thing, tuple | list):
        for item in thing:
            yield from _constants(item, depth + 1)
    elif is_dataclass(thing) and type(thing).__module__.startswith("settledesk.decisions"):
        for entry in fields(thing):
            if entry.name not in ("type", "item_type", "index", "paths"):
                yield from _constants(getattr(thing, entry.name), depth + 1)
