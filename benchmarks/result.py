"""One number of a benchmark: what it is, its unit, and the ratio that it is judged by."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """`ratio` compares with what `against` names, in the same run; `floor` is the bound that the ratio must keep.

    `passed` is `None` where nothing is demanded.
    """

    name: str
    value: float
    unit: str
    ratio: float | None = None
    against: str | None = None
    floor: float | None = None
    passed: bool | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON-ready data."""
        return asdict(self)

    def line(self, width: int = 44) -> str:
        """Return the result as one line of the table; `width` is that of the names."""
        ratio = "" if self.ratio is None else f"{self.ratio:8.2f} x {self.against}"
        bound = "" if self.floor is None else f" (bound {self.floor:g}: {'kept' if self.passed else 'MISSED'})"
        return f"{self.name:<{width}} {self.value:12.2f} {self.unit:<14} {ratio}{bound}"
