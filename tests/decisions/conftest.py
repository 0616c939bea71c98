"""Making small models from a few words, so that a test shows its table and nothing else."""

from html import escape

import pytest

MODEL = "https://www.omg.org/spec/DMN/20191111/MODEL/"


def table_xml(table):
    """Return a `decisionTable`: `inputs` and `outputs` are `name: type` (or a mapping), `rows` are name and cells."""
    policy = f'hitPolicy="{table.get("hit", "UNIQUE")}"'
    if "aggregation" in table:
        policy += f' aggregation="{table["aggregation"]}"'
    parts = [f"<decisionTable {policy}>"]
    for name, kind in table.get("inputs", {}).items():
        clause = {"type": kind} if isinstance(kind, str) else kind
        reference = f' typeRef="{clause["type"]}"' if clause.get("type") else ""
        parts.append(f"<input><inputExpression{reference}><text>{escape(name)}</text></inputExpression>")
        if "values" in clause:
            parts.append(f"<inputValues><text>{escape(clause['values'])}</text></inputValues>")
        parts.append("</input>")
    for name, clause in table["outputs"].items():
        parts.append(f'<output name="{name}">')
        for key, tag in (("values", "outputValues"), ("default", "defaultOutputEntry")):
            if key in (clause or {}):
                parts.append(f"<{tag}><text>{escape(clause[key])}</text></{tag}>")
        parts.append("</output>")
    count = len(table.get("inputs", {}))
    for name, *cells in table["rows"]:
        parts.append(f'<rule id="{name}">')
        for index, cell in enumerate(cells):
            tag = "inputEntry" if index < count else "outputEntry"
            parts.append(f"<{tag}><text>{escape(str(cell))}</text></{tag}>")
        parts.append("</rule>")
    parts.append("</decisionTable>")
    return "".join(parts)


def decision_xml(name, logic, *, inputs=(), decisions=(), functions=()):
    """Return a `decision` with its requirements."""
    links = [
        f'<informationRequirement><requiredInput href="#input-{item}"/></informationRequirement>' for item in inputs
    ]
    links += [
        f'<informationRequirement><requiredDecision href="#decision-{item}"/></informationRequirement>'
        for item in decisions
    ]
    links += [
        f'<knowledgeRequirement><requiredKnowledge href="#function-{item}"/></knowledgeRequirement>'
        for item in functions
    ]
    return f'<decision id="decision-{name}" name="{name}">{"".join(links)}{logic}</decision>'


def input_xml(name, kind=None):
    """Return an `inputData`."""
    reference = f' typeRef="{kind}"' if kind else ""
    return f'<inputData id="input-{name}" name="{name}"><variable name="{name}"{reference}/></inputData>'


def model_bytes(*elements, namespace=MODEL):
    """Return a whole model."""
    return f'<definitions xmlns="{namespace}" name="m" namespace="https://m.example">{"".join(elements)}</definitions>'.encode()


class Make:
    """The functions above under one name."""

    table = staticmethod(table_xml)
    decision = staticmethod(decision_xml)
    input = staticmethod(input_xml)
    model = staticmethod(model_bytes)


@pytest.fixture(name="make", scope="session")
def _make():
    return Make


@pytest.fixture(name="one_table", scope="session")
def _one_table():
    """Return a function that makes the bytes of a model with one decision `d` whose logic is the table."""
    return lambda table, **keywords: model_bytes(decision_xml("d", table_xml(table)), **keywords)
