"""Our own engine's answers to the grids, in the standard's reading and in the form of the vectors."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.oracles.shown import shown

from settledesk.conformance.cases import read_text
from settledesk.decisions import Model, load_model
from settledesk.feel import FeelError, compile_expression, compile_unary_tests


def cells(tests: Sequence[str], values: Sequence[str]) -> list[str]:
    """Return per test a mark for each value: 1 (it matches), 0, or ! (refused)."""
    given = [compile_expression(text).evaluate() for text in values]
    return ["".join(_marks(test, given)) for test in tests]


def _marks(test: str, values: Sequence[Any]) -> list[str]:
    try:
        compiled = compile_unary_tests(test, unknown_nulls=False)
    except FeelError:
        return ["!"] * len(values)
    return ["1" if compiled.test(value) is True else "0" for value in values]


def expressions(texts: Sequence[str]) -> list[str]:
    """Return the values of expressions; one that is refused is null, as in a model in the standard's reading."""
    return [_expression(text) for text in texts]


def _expression(text: str) -> str:
    try:
        return shown(compile_expression(text).evaluate())
    except FeelError:
        return "null"


def table(file: Path, cases: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the answers of the decision `d` of a file to the cases of inputs; a date is given as its text."""
    model = load_model(file, standard=True)
    return [shown(model.evaluate("d", _typed(model, case)).value) for case in cases]


def _typed(model: Model, case: Mapping[str, Any]) -> dict[str, Any]:
    typed = {key: str(model.input_types[key].base) for key in case}
    return {
        key: read_text(value, _TEXTS[typed[key]]) if isinstance(value, str) and typed[key] in _TEXTS else value
        for key, value in case.items()
    }


_TEXTS = {"date": "date", "time": "time", "date and time": "dateTime"}
