"""`settledesk table eval` and `settledesk table show`."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from settledesk.cli.output import EXIT_BAD_NEWS, EXIT_FINE, WrongUseError, console, print_json
from settledesk.cli.table import table_eval, table_show


def evaluate(file: Path, *, decision: str, facts: str, as_json: bool) -> int:
    """Evaluate a decision; exit code 1 if the table itself is at fault (a conflict, a wrong type)."""
    result = table_eval(_existing(file), decision, _facts(facts))
    if as_json:
        print_json(result)
    else:
        out = console()
        out.print(f"value: {json.dumps(result['value'], default=str, ensure_ascii=False)}", markup=False)
        out.print(f"fired: {', '.join(result['fired']) or 'no row'}", markup=False)
        for finding in result["findings"]:
            out.print(f"{finding['kind']}: {finding['message']}", markup=False)
    serious = [finding for finding in result["findings"] if finding["kind"] in ("conflict", "error", "wrong_type")]
    return EXIT_BAD_NEWS if serious else EXIT_FINE


def show(file: Path) -> int:
    """Print the tables."""
    console().print(table_show(_existing(file)), markup=False)
    return EXIT_FINE


def _existing(file: Path) -> Path:
    if not file.is_file():
        raise WrongUseError(f"there is no file `{file}`")
    return file


def _facts(text: str) -> dict[str, Any]:
    try:
        facts = json.loads(text, parse_float=Decimal, parse_int=Decimal)
    except json.JSONDecodeError as error:
        raise WrongUseError(f"--facts is not JSON: {error.msg} at character {error.pos}") from error
    if not isinstance(facts, dict):
        raise WrongUseError("--facts must be a JSON object such as '{\"amount\": 10}'")
    return facts
