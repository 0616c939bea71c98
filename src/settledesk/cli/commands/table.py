"""`settledesk table eval` and `settledesk table show`."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from settledesk.cli.output import EXIT_BAD_NEWS, EXIT_FINE, WrongUseError, console, print_json
from settledesk.cli.table import table_eval, table_show
from settledesk.decisions import ModelError, load_model


def evaluate(file: Path, *, decision: str, facts: str, as_json: bool) -> int:
    """Evaluate a decision; exit code 1 if the table itself is at fault (a conflict, a wrong type)."""
    given = _facts(facts)
    try:
        result = table_eval(_existing(file), decision, given)
    except ModelError as error:
        raise WrongUseError(str(error)) from error
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


def show(file: Path, *, as_json: bool) -> int:
    """Print the tables."""
    try:
        model = load_model(_existing(file))
        text = table_show(file)
    except ModelError as error:
        raise WrongUseError(str(error)) from error
    if as_json:
        decisions = [
            {"decision": name, "inputs": list(model.inputs(name)), "rows": list(model.rows(name))}
            for name in model.decisions
        ]
        print_json({"file": file.name, "version": model.version, "decisions": decisions})
    else:
        console().print(text, markup=False, soft_wrap=True)
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
