"""Ways to decide a table, ours and the peers': each runs over many facts in a loop of its own, and can be compared.

The loops are written out, one for each way, so that none pays for being called through another function.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from benchmarks.decisions.draw import Facts, as_json_has_them
from settledesk.decisions import Model

ByHand: TypeAlias = Callable[[Mapping[str, Any]], dict[str, Any] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """`given` turns facts into what the engine takes, outside of the measurement; `one` decides one of them.

    `one` gives the outputs by name, or something empty. `loop` does the same for many and keeps nothing.
    """

    name: str
    given: Callable[[Facts], Any]
    one: Callable[[Any], Any]
    loop: Callable[[Sequence[Any]], None]

    def wrong(self, facts: Sequence[Facts], truth: ByHand) -> int:
        """Return how many answers differ from the truth; an error is no answer."""
        return sum(not self._right(one, truth) for one in facts)

    def _right(self, facts: Facts, truth: ByHand) -> bool:
        try:
            return same(self.one(self.given(facts)), truth(facts))
        except Exception as error:
            print(f"  {self.name} fails: {error}")
            return False


def same(answer: Any, true: Mapping[str, Any] | None) -> bool:
    """Tell whether an answer gives the true outputs; numbers may come as any kind of number."""
    if not answer or not true:
        return not answer and not true
    return dict(answer).keys() == true.keys() and all(_equal(answer[name], value) for name, value in true.items())


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return bool(one == other)
    return abs(float(one) - float(other)) < 1e-9


def bare(model: Model, decision: str, *, json: bool) -> Engine:
    """Return our evaluation of value, fired rows and findings, the decision looked up once."""
    evaluate = model.evaluator(decision)

    def loop(cases: Sequence[Any]) -> None:
        for case in cases:
            evaluate(case)

    return Engine(
        name=f"bare, {_kind(json)}",
        given=as_json_has_them if json else dict,
        one=lambda case: evaluate(case).value,
        loop=loop,
    )


def traced(model: Model, decision: str, *, json: bool, read: bool) -> Engine:
    """Return our evaluation with its trace, recorded, or each of its entries read as well."""
    evaluate = model.evaluate

    def loop(cases: Sequence[Any]) -> None:
        for case in cases:
            evaluate(decision, case, trace=True)

    def read_loop(cases: Sequence[Any]) -> None:
        for case in cases:
            for _ in evaluate(decision, case, trace=True).trace:
                pass

    return Engine(
        name=f"trace {'read' if read else 'recorded'}, {_kind(json)}",
        given=as_json_has_them if json else dict,
        one=lambda case: evaluate(decision, case, trace=True).value,
        loop=read_loop if read else loop,
    )


def _kind(json: bool) -> str:
    return "floats" if json else "decimals"


def by_hand(decide: ByHand, name: str) -> Engine:
    """Return a plain Python function as an engine."""

    def loop(cases: Sequence[Any]) -> None:
        for case in cases:
            decide(case)

    return Engine(name=name, given=dict, one=decide, loop=loop)
