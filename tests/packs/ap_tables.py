"""The accounts-payable tables through the engine."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from ap_files import PACK, column_types, columns

from settledesk.decisions import Evaluation, Model, load_model


@cache
def model(name: str) -> Model:
    """Return one table of the pack."""
    return load_model(PACK / "decisions" / f"{name}.dmn")


def evaluate(name: str, inputs: Mapping[str, Any]) -> Evaluation:
    """Evaluate a table; an input that is not given is unknown, and numbers may be given as text."""
    types = column_types(name)
    values = {
        column: Decimal(str(value)) if types[column] == "number" and value is not None else value
        for column, value in {**dict.fromkeys(columns(name)), **inputs}.items()
    }
    return model(name).evaluate(name, values, trace=True)
