"""Makes the golden vectors: puts the grids and the tables to the other engines and writes down what they answer.

Run from the root of the project: `python -m tools.oracles.generate FOLDER`, where FOLDER holds the engines'
`node_modules` (see the README beside this file).
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml
from tools.oracles import ours
from tools.oracles.kie import TEMPORAL, Kie, engine
from tools.oracles.shown import nested_text, number_text, shown, temporal_text
from tools.oracles.tables import FOLDER, tables

HERE = Path(__file__).parent
GOLDEN = HERE.parents[1] / "tests" / "conformance" / "golden"
FEELIN_S = 300


def grid(name: str) -> Any:
    """Return a file of the grid."""
    return yaml.safe_load((HERE / "grid" / f"{name}.yaml").read_text(encoding="utf-8"))


def all_expressions(given: Mapping[str, Any]) -> list[str]:
    """Return the expressions of a grid, each once, in their order."""
    pairs = [
        f"{left} {operator} {right}"
        for item in given["pairs"]
        for operator in item["operators"]
        for left in item["operands"]
        for right in item["operands"]
    ]
    return list(dict.fromkeys([text for group in given["single"].values() for text in group] + pairs))


def ask_feelin(folder: Path, values: Sequence[str], tests: Sequence[str], expressions: Sequence[str]) -> Any:
    """Return feelin's answers as the script beside this file gives them."""
    asked = json.dumps({"values": values, "tests": tests, "expressions": expressions})
    command = ["node", str(HERE / "feelin.mjs"), str(folder)]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=FEELIN_S, check=True)
    return json.loads(done.stdout)


def feelin_shown(value: Mapping[str, Any]) -> str:
    """Return feelin's value as the vectors write it."""
    if value["t"] == "temporal":
        return f"@{temporal_text(value['v'])}"
    return value["t"] if value["t"] in ("range", "function") else shown(_feelin_plain(value))


def _feelin_plain(value: Mapping[str, Any]) -> Any:
    match value["t"]:
        case "null":
            return None
        case "number":
            return Decimal(value["v"])
        case "list":
            return [_feelin_plain(item) for item in value["v"]]
        case "context":
            return {key: _feelin_plain(item) for key, item in value["v"].items()}
        case "temporal":
            return nested_text(value["v"]) if value["v"].lstrip("-").startswith("P") else temporal_text(value["v"])
        case "range" | "function":
            return value["t"]
    return value["v"]


def agreement(columns: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return for each pair of engines how many answers are the same, as `same of all = percentage`."""
    names = list(columns)
    pairs = [(left, right) for at, left in enumerate(names) for right in names[at + 1 :]]
    return {f"{left} and {right}": _share(columns[left], columns[right]) for left, right in pairs}


def _share(left: Sequence[str], right: Sequence[str]) -> str:
    same = sum(a == b for a, b in zip(left, right, strict=True))
    percent = number_text((Decimal(100) * same / len(left)).quantize(Decimal("0.1")))
    return f"{same} of {len(left)} = {percent} %"


def write(name: str, head: Mapping[str, Any], body: str) -> None:
    """Write a file of vectors: the head as YAML, the body as it is, and print the agreement."""
    top = yaml.safe_dump(dict(head), sort_keys=False, allow_unicode=True, width=120)
    (GOLDEN / name).write_text(top + body, encoding="utf-8")
    print(name, json.dumps(head["agreement"], indent=1))


def quoted(text: str) -> str:
    """Return a text as YAML and JSON both read it."""
    return json.dumps(text, ensure_ascii=False)


def cells(kie: Kie, feelin: Any, given: Mapping[str, Any], tests: Sequence[str]) -> None:
    """Write the vectors of cells: a row of marks for each test, one mark for each value."""
    values = list(given["values"].values())
    marks = {"kie": kie.cells(tests, values), "feelin": feelin["cells"], "settledesk": ours.cells(tests, values)}
    flat = {name: ["1" if mark == "1" else "0" for row in rows for mark in row] for name, rows in marks.items()}
    head = {"engines": _engines(kie, feelin), "pairs": len(tests) * len(values), "agreement": agreement(flat)}
    lines = (f"- [{quoted(test)}, '{marks['kie'][at]}', '{marks['feelin'][at]}']\n" for at, test in enumerate(tests))
    names = "".join(f"  {quoted(name)}: {quoted(text)}\n" for name, text in given["values"].items())
    write("cells.yaml", head, f"values:\n{names}cells:\n{''.join(lines)}")


def expressions(kie: Kie, feelin: Any, texts: Sequence[str]) -> None:
    """Write the vectors of expressions: the text, KIE's answer, feelin's answer."""
    answers = {
        "kie": kie.expressions(texts),
        "feelin": [feelin_shown(value) for value in feelin["expressions"]],
        "settledesk": ours.expressions(texts),
    }
    head = {"engines": _engines(kie, feelin), "agreement": agreement(answers)}
    rows: Iterable[tuple[str, ...]] = zip(texts, answers["kie"], answers["feelin"], strict=True)
    body = "".join(f"- [{', '.join(map(quoted, row))}]\n" for row in rows)
    write("expressions.yaml", head, f"expressions:\n{body}")


def table_vectors(kie: Kie) -> None:
    """Write the vectors of tables: for each file and each case of inputs KIE's answer."""
    given = {name: shape["cases"] for name, shape, _, _ in tables()}
    found = {
        name: [kie_table(kie, FOLDER / f"{name}.dmn", shape, case) for case in shape["cases"]]
        for name, shape, _, _ in tables()
    }
    mine = {name: ours.table(FOLDER / f"{name}.dmn", cases) for name, cases in given.items()}
    head = {
        "engines": {"kie": kie.version},
        "tables": len(given),
        "agreement": agreement({"kie": _flat(found), "settledesk": _flat(mine)}),
    }
    lines = [
        f"  - [{json.dumps(case, ensure_ascii=False)}, {quoted(answer)}]\n"
        if at
        else f"  {name}:\n  - [{json.dumps(case, ensure_ascii=False)}, {quoted(answer)}]\n"
        for name, answers in found.items()
        for at, (case, answer) in enumerate(zip(given[name], answers, strict=True))
    ]
    write("tables.yaml", head, f"tables:\n{''.join(lines)}")


def _flat(answers: Mapping[str, Sequence[str]]) -> list[str]:
    return [answer for row in answers.values() for answer in row]


def kie_table(kie: Kie, file: Path, shape: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    """Return KIE's answer for the decision `d` of a file; its answers have no dates or durations, only texts."""
    found = kie.evaluate(file.read_text(encoding="utf-8"), case)
    if isinstance(found, str):
        return "null"
    value, status = found["d"]
    kinds = [output["type"] for output in shape["outputs"].values()]
    if isinstance(value, str) and kinds[0] in TEMPORAL:
        return f"@{temporal_text(value)}"
    return shown(value) if status == "SUCCEEDED" else "null"


def _engines(kie: Kie, feelin: Any) -> dict[str, str]:
    return {"kie": kie.version, "feelin": feelin["version"]}


def main(folder: Path) -> None:
    """Write all vectors."""
    given, written = grid("cells"), grid("expressions")
    tests = [test for group in given["tests"].values() for test in group]
    texts = all_expressions(written)
    feelin = ask_feelin(folder, list(given["values"].values()), tests, texts)
    with engine(folder) as kie:
        cells(kie, feelin, given, tests)
        expressions(kie, feelin, texts)
        table_vectors(kie)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
