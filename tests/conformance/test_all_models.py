"""All models of the kit load in the standard's reading, and nothing that a caller gives makes an exception escape."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from settledesk.decisions import Evaluation, load_model

KIT = Path(__file__).parents[2].parent / "shared" / "data" / "dmn-tck"
MODELS = sorted(KIT.glob("*/*/*.dmn"))
DEEP = [[[{"a": [{"b": None}]}]]]
ODD = {
    "null": None,
    "a text": "",
    "a number": Decimal("-1E+6144"),
    "a float that is no number": float("nan"),
    "a date": date(1, 1, 1),
    "an empty list": [],
    "a nested list": DEEP,
    "a context": {"name": 1, "": None},
    "something of no FEEL type": object(),
}


def loaded(folder):
    """Return the models of a folder, or skip where the kit is absent."""
    return [load_model(file, standard=True) for file in sorted(folder.glob("*.dmn"))]


@pytest.mark.shared_data
def test_the_kit_is_whole():
    """The kit's 154 models are there, so that the tests below look at all of them."""
    if not KIT.is_dir():
        pytest.skip(f"the conformance kit is not at {KIT}")
    assert len(MODELS) == 154


@pytest.mark.shared_data
@pytest.mark.parametrize("folder", sorted({file.parent for file in MODELS}), ids=lambda folder: folder.name)
def test_every_decision_answers_whatever_it_is_given(folder):
    """Every decision, service and function gives an evaluation on absent, null and odd inputs, and never raises."""
    for model in loaded(folder):
        for kind in ("absent", *ODD):
            for name, decision in model.graph.decisions.items():
                inputs = {} if kind == "absent" else dict.fromkeys(decision.inputs, ODD[kind])
                assert isinstance(model.evaluate(name, inputs), Evaluation)
            for name, service in model.services.items():
                inputs = {} if kind == "absent" else {item.name: ODD[kind] for item in service.parameters}
                assert isinstance(model.evaluate_service(name, inputs), Evaluation)
            for name, function in model.graph.functions.items():
                inputs = {} if kind == "absent" else dict.fromkeys(function.logic.parameters, ODD[kind])
                assert isinstance(model.evaluate_function(name, inputs), Evaluation)
