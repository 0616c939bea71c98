"""Writes the decision tables of the grid as DMN files: `python -m tools.oracles.tables` from the project's root."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import yaml

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / "tests" / "conformance" / "golden" / "tables"
NAMESPACES = ("https://www.omg.org/spec/DMN/20191111/MODEL/", "https://www.omg.org/spec/DMN/20230324/MODEL/")
_POLICIES = {
    "U": ("UNIQUE", None),
    "A": ("ANY", None),
    "F": ("FIRST", None),
    "P": ("PRIORITY", None),
    "R": ("RULE ORDER", None),
    "O": ("OUTPUT ORDER", None),
    "C": ("COLLECT", None),
    "C+": ("COLLECT", "SUM"),
    "C#": ("COLLECT", "COUNT"),
    "C<": ("COLLECT", "MIN"),
    "C>": ("COLLECT", "MAX"),
}
_UNTYPED = ("any", "list", "context")


def shapes() -> Any:
    """Return the shapes of the grid."""
    return yaml.safe_load((HERE / "grid" / "tables.yaml").read_text(encoding="utf-8"))["shapes"]


def tables() -> Iterator[tuple[str, Mapping[str, Any], str, str]]:
    """Yield for each table its name, its shape, its policy's letters and the namespace of its version of DMN."""
    for name, shape in shapes().items():
        for policy in shape["policies"]:
            hit, aggregation = _POLICIES[policy]
            suffix = (aggregation or hit).lower().replace(" ", "-")
            version = len(f"{name}{suffix}") % 2
            yield f"{name.replace(' ', '-')}-{suffix}", shape, policy, NAMESPACES[version]


def document(name: str, shape: Mapping[str, Any], policy: str, namespace: str) -> str:
    """Return the DMN file of a table: its inputs, and the decision `d`."""
    hit, aggregation = _POLICIES[policy]
    added = f' aggregation="{aggregation}"' if aggregation else ""
    inputs = {key: value if isinstance(value, dict) else {"type": value} for key, value in shape["inputs"].items()}
    needs = "".join(
        f'    <informationRequirement id="n_{key}"><requiredInput href="#i_{key}"/></informationRequirement>\n'
        for key in inputs
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>\n',
        f'<definitions xmlns="{namespace}" id="m" name={quoteattr(name)} namespace="https://tables.example/{name}">\n',
        *(_input_data(key, value["type"]) for key, value in inputs.items()),
        f'  <decision id="d" name="d">\n    <variable id="v_d" name="d"/>\n{needs}',
        f'    <decisionTable id="t" hitPolicy="{hit}"{added}>\n',
        *_columns(shape, inputs),
        *_outputs(shape["outputs"]),
        *_rules(shape["rules"], len(shape.get("expressions", inputs))),
        "    </decisionTable>\n  </decision>\n</definitions>\n",
    ]
    return "".join(lines)


def _type(name: str) -> str:
    return "" if name in _UNTYPED else f' typeRef="{name}"'


def _input_data(key: str, kind: str) -> str:
    return f'  <inputData id="i_{key}" name="{key}"><variable id="v_{key}" name="{key}"{_type(kind)}/></inputData>\n'


def _columns(shape: Mapping[str, Any], inputs: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    texts = shape.get("expressions")
    columns = [(text, "any", None) for text in texts] if texts else _plain_columns(inputs)
    for index, (text, kind, values) in enumerate(columns):
        allowed = f'<inputValues id="w_{index}"><text>{escape(values)}</text></inputValues>' if values else ""
        expression = f'<inputExpression id="e_{index}"{_type(kind)}><text>{escape(text)}</text></inputExpression>'
        yield f'      <input id="c_{index}">{expression}{allowed}</input>\n'


def _plain_columns(inputs: Mapping[str, Mapping[str, str]]) -> list[tuple[str, str, str | None]]:
    return [(key, value["type"], value.get("values")) for key, value in inputs.items()]


def _outputs(outputs: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for key, value in outputs.items():
        name = f' name="{key}"' if len(outputs) > 1 else ""
        values = f"<outputValues><text>{escape(value['values'])}</text></outputValues>" if "values" in value else ""
        default = (
            f"<defaultOutputEntry><text>{escape(value['default'])}</text></defaultOutputEntry>"
            if "default" in value
            else ""
        )
        yield f'      <output id="o_{key}"{name}{_type(value["type"])}>{values}{default}</output>\n'


def _rules(rules: Iterable[list[str]], columns: int) -> Iterator[str]:
    for number, rule in enumerate(rules, start=1):
        entries = [
            f'<{kind} id="{kind[0]}_{number}_{index}"><text>{escape(text)}</text></{kind}>'
            for index, text in enumerate(rule)
            for kind in ("inputEntry" if index < columns else "outputEntry",)
        ]
        yield f'      <rule id="row_{number}">{"".join(entries)}</rule>\n'


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, shape, policy, namespace in tables():
        (FOLDER / f"{name}.dmn").write_text(document(name, shape, policy, namespace), encoding="utf-8")


if __name__ == "__main__":
    main()
