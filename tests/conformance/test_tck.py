"""The conformance kit of the DMN TCK, level 2: a ratchet. A case in `tck.passing` may never fail again."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from settledesk.decisions import ModelError, load_model
from settledesk.feel import Months, temporal
from settledesk.feel.operators import equal
from settledesk.feel.run import Run

KIT = Path(__file__).parents[2].parent / "shared" / "data" / "dmn-tck"
PASSING = Path(__file__).with_name("tck.passing")
TCK = "{http://www.omg.org/spec/DMN/20160719/testcase}"
XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
LEVEL = "compliance-level-2"


def read_value(element):
    """Return the value of an element with `value`, `list` or `component` children."""
    found = element.find(f"{TCK}value")
    if found is not None:
        return read_simple(found)
    listed = element.find(f"{TCK}list")
    if listed is not None:
        return None if listed.get(f"{XSI}nil") == "true" else [read_value(item) for item in listed.iter(f"{TCK}item")]
    parts = element.findall(f"{TCK}component")
    return {part.get("name"): read_value(part) for part in parts} if parts else None


def read_simple(element):
    """Return a `value` by its `xsi:type`."""
    if element.get(f"{XSI}nil") == "true":
        return None
    text, kind = element.text or "", (element.get(f"{XSI}type") or "xsd:string").rpartition(":")[2]
    match kind:
        case "boolean":
            return text.strip() == "true"
        case "decimal" | "double" | "integer" | "int" | "long" | "float":
            return Decimal(text.strip())
        case "date" | "time" | "dateTime" | "duration":
            parse = {"date": temporal.parse_date, "time": temporal.parse_time, "dateTime": temporal.parse_date_time}
            return parse.get(kind, temporal.parse_duration)(text.strip())
    return text


def same(got: Any, expected: Any) -> bool:
    """Compare as the kit's runners do: numbers to eight decimals."""
    if isinstance(expected, Decimal) and isinstance(got, Decimal):
        return abs(got - expected) < Decimal("0.00000001")
    if isinstance(expected, dict) and isinstance(got, dict):
        return expected.keys() == got.keys() and all(same(got[key], expected[key]) for key in expected)
    if isinstance(expected, list) and isinstance(got, list):
        return len(got) == len(expected) and all(map(same, got, expected))
    if isinstance(expected, (date, datetime, time, timedelta, Months)):
        return type(got) is type(expected) and equal(got, expected, Run()) is True
    return type(got) is type(expected) and got == expected


def run_folder(folder: Path, *, ignored_errors=(ModelError,)) -> dict[str, tuple[bool, bool]]:
    """Return (passed, substantive) by case id of one folder."""
    outcomes: dict[str, tuple[bool, bool]] = {}
    for file in sorted(folder.glob("*.xml")):
        cases = etree.parse(str(file)).getroot()
        try:
            model = load_model(folder / (cases.findtext(f"{TCK}modelName") or ""), standard=True)
        except ignored_errors:
            model = None
        for case in cases.iter(f"{TCK}testCase"):
            inputs = {node.get("name"): read_value(node) for node in case.iter(f"{TCK}inputNode")}
            results = list(case.iter(f"{TCK}resultNode"))
            expected = {node.get("name"): read_value(node.find(f"{TCK}expected")) for node in results}
            passed = model is not None and all(
                name in model.decisions and same(model.evaluate(name, inputs).value, wanted)
                for name, wanted in expected.items()
            )
            key = f"{folder.parent.name}/{folder.name}/{file.stem}/{case.get('id')}"
            outcomes[key] = (passed, any(value is not None for value in expected.values()))
    return outcomes


def passing_ids() -> list[str]:
    """Return the ids that the ratchet holds."""
    return [line for line in PASSING.read_text().splitlines() if line and not line.startswith("#")]


@pytest.mark.shared_data
@pytest.mark.parametrize("folder", sorted({line.rsplit("/", 2)[0] for line in passing_ids()}))
def test_a_case_that_passed_once_passes_for_ever(folder):
    """Every case of the kit that `tck.passing` lists gives the kit's answer."""
    if not KIT.is_dir():
        pytest.skip(f"the conformance kit is not at {KIT}")
    outcomes = run_folder(KIT / folder)
    listed = [line for line in passing_ids() if line.startswith(folder + "/")]
    assert listed
    assert [line for line in listed if not outcomes[line][0]] == []
