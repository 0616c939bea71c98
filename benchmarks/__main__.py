"""`python -m benchmarks [NAME …]`: run benchmarks, print a table, keep the numbers under build/bench/NAME.json."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks import documents
from benchmarks.decisions import measure as decisions
from benchmarks.result import Result

WITH_DATA: Mapping[str, Callable[[Path], list[Result]]] = {"documents": documents.measure}
ALONE: Mapping[str, Callable[[], list[Result]]] = {"decisions": decisions.measure}
OUT = Path("build") / "bench"
DATA = Path(__file__).parents[2] / "shared" / "data"


def main(names: list[str]) -> int:
    """Run the named benchmarks (all if none is named); 1 if a floor was missed."""
    OUT.mkdir(parents=True, exist_ok=True)
    missed = False
    known = sorted({*WITH_DATA, *ALONE})
    for name in names or known:
        if name not in known:
            print(f"`{name}` is not a benchmark, choose from: {', '.join(known)}", file=sys.stderr)
            return 2
        if name in WITH_DATA and not DATA.is_dir():
            print(f"{name}: skipped, the real documents are not here (no folder shared/data beside the project)")
            continue
        results = WITH_DATA[name](DATA) if name in WITH_DATA else ALONE[name]()
        (OUT / f"{name}.json").write_text(json.dumps([result.to_json() for result in results], indent=1) + "\n")
        width = max(len(result.name) for result in results)
        for result in results:
            print(result.line(width))
        missed = missed or any(result.passed is False for result in results)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
