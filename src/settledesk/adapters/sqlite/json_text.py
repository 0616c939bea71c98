"""JSON as the store writes it: compact, keys in order, enum members as values, so that equal data is equal text."""

import json
from collections.abc import Mapping
from typing import Any

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


def to_text(value: Mapping[str, Any]) -> str:
    """Return the JSON text of a mapping."""
    return _ENCODER.encode(value)


def from_text(text: str) -> dict[str, Any]:
    """Read what `to_text` wrote."""
    data = json.loads(text)
    assert isinstance(data, dict)
    return data
