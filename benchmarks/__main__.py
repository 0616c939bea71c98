"""`python -m benchmarks [NAME …]`: run benchmarks, print a table, keep the numbers under build/bench/NAME.json."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks import documents
from benchmarks.result import Result

BENCHMARKS: Mapping[str, Callable[[Path], list[Result]]] = {"documents": documents.measure}
OUT = Path("build") / "bench"
DATA = Path(__file__).parents[2] / "shared" / "data"


def main(names: list[str]) -> int:
    """Run the named benchmarks (all if none is named); 1 if a floor was missed."""
    OUT.mkdir(parents=True, exist_ok=True)
    missed = False
    for name in names or sorted(BENCHMARKS):
        if name not in BENCHMARKS:
            print(f"`{name}` is not a benchmark, choose from: {', '.join(sorted(BENCHMARKS))}", file=sys.stderr)
            return 2
        if not DATA.is_dir():
            print(f"{name}: skipped, the real documents are not here (no folder shared/data beside the project)")
            continue
        results = BENCHMARKS[name](DATA)
        (OUT / f"{name}.json").write_text(json.dumps([result.to_json() for result in results], indent=1) + "\n")
        for result in results:
            print(result.line())
        missed = missed or any(result.passed is False for result in results)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
