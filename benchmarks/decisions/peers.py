"""zen-engine and SpiffWorkflow as engines, each on its quickest way that takes the same facts.

zen-engine compiles a table once if a static loader holds it, and anew for each evaluation otherwise; it is handed a
dict or the bytes of a JSON document. SpiffWorkflow evaluates Python, so the cells are Python, in the form (`?`) that it
evaluates quickest, on floats, for which no call is needed to write a constant.
"""

import json
import os
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from types import SimpleNamespace
from typing import Any

from lxml import etree

from benchmarks.decisions.cells import as_python, as_zen
from benchmarks.decisions.draw import Facts, as_json_has_them
from benchmarks.decisions.engines import Engine
from settledesk.decisions import DecisionTable

MAY_BE_ABSENT = os.environ.get("SETTLEDESK_BENCH_PEERS") == "optional"
ZEN_PACKAGE = "zen-engine"
SPIFF_PACKAGE = "SpiffWorkflow"
ZEN = "zen-engine"
ZEN_BYTES = "zen-engine, JSON bytes"
ZEN_TRACE = "zen-engine, trace"
SPIFF = "SpiffWorkflow"
DMN = "https://www.omg.org/spec/DMN/20191111/MODEL/"


def installed(package: str) -> str | None:
    """Return the version of a peer, or `None` if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def as_jdm(table: DecisionTable) -> dict[str, Any]:
    """Return a table as a decision model of zen-engine: input, table, output."""
    content = {
        "hitPolicy": "first",
        "inputs": [{"id": column.name, "name": column.name, "field": column.name} for column in table.columns],
        "outputs": [{"id": f"{o.name}_output", "name": o.name, "field": o.name} for o in table.outputs],
        "rules": [
            {
                "_id": row,
                **{column.name: as_zen(column.cells[place]) for column in table.columns},
                **{f"{output.name}_output": output.cells[place] for output in table.outputs},
            }
            for place, row in enumerate(table.rows)
        ],
    }
    kinds: list[tuple[str, str, dict[str, Any]]] = [
        ("in", "inputNode", {}),
        ("table", "decisionTableNode", {"content": content}),
        ("out", "outputNode", {}),
    ]
    return {
        "contentType": "application/vnd.gorules.decision",
        "nodes": [
            {"id": name, "type": kind, "name": name, "position": {"x": 0, "y": 0}, **more} for name, kind, more in kinds
        ],
        "edges": [
            {"id": f"{source}-{target}", "type": "edge", "sourceId": source, "targetId": target}
            for source, target in (("in", "table"), ("table", "out"))
        ],
    }


def zen_engines(table: DecisionTable) -> list[Engine]:
    """Return zen-engine with a static loader: handed a dict, handed bytes, and with its trace."""
    import zen

    engine = zen.ZenEngine({"loader": {"type": "static", "content": {table.name: as_jdm(table)}}})
    evaluate, key = engine.evaluate, table.name
    options: Any = {"trace": True}

    def loop(cases: Sequence[Any]) -> None:
        for case in cases:
            evaluate(key, case)

    def trace_loop(cases: Sequence[Any]) -> None:
        for case in cases:
            evaluate(key, case, options)

    def one(case: Any) -> Any:
        return evaluate(key, case)["result"]

    def as_bytes(facts: Facts) -> bytes:
        return json.dumps(as_json_has_them(facts)).encode()

    return [
        Engine(name=ZEN, given=as_json_has_them, one=one, loop=loop),
        Engine(name=ZEN_BYTES, given=as_bytes, one=one, loop=loop),
        Engine(name=ZEN_TRACE, given=as_json_has_them, one=one, loop=trace_loop),
    ]


def as_spiff_xml(table: DecisionTable) -> etree._Element:
    """Return the table as a DMN document whose cells are Python."""
    root = etree.Element(f"{{{DMN}}}definitions", nsmap={"dmn": DMN})
    decision = etree.SubElement(root, f"{{{DMN}}}decision", id=table.name, name=table.name)
    made = etree.SubElement(decision, f"{{{DMN}}}decisionTable", id=f"{table.name}_table", hitPolicy=table.hit_policy)
    for column in table.columns:
        clause = etree.SubElement(made, f"{{{DMN}}}input", id=column.name, label=column.name)
        _text(etree.SubElement(clause, f"{{{DMN}}}inputExpression", id=f"{column.name}_expression"), column.name)
    for output in table.outputs:
        etree.SubElement(made, f"{{{DMN}}}output", id=f"{output.name}_output", name=str(output.name))
    for place, row in enumerate(table.rows):
        rule = etree.SubElement(made, f"{{{DMN}}}rule", id=row)
        for column in table.columns:
            entry = etree.SubElement(rule, f"{{{DMN}}}inputEntry", id=f"{row}_{column.name}")
            _text(entry, as_python(column.cells[place]))
        for output in table.outputs:
            _text(etree.SubElement(rule, f"{{{DMN}}}outputEntry", id=f"{row}_{output.name}"), output.cells[place])
    return root


def _text(element: etree._Element, text: str) -> None:
    etree.SubElement(element, f"{{{DMN}}}text").text = text


def spiff_engine(table: DecisionTable) -> Engine:
    """Return SpiffWorkflow's engine for tables, without a workflow around it."""
    from SpiffWorkflow.bpmn.script_engine import PythonScriptEngine
    from SpiffWorkflow.dmn.engine.DMNEngine import DMNEngine
    from SpiffWorkflow.dmn.parser.DMNParser import DMNParser

    parser = DMNParser(None, as_spiff_xml(table), {"dmn": DMN})
    parser.parse()
    engine = DMNEngine(parser.decision.decisionTables[0])
    workflow = SimpleNamespace(script_engine=PythonScriptEngine())

    def as_task(facts: Facts) -> SimpleNamespace:
        return SimpleNamespace(data=as_json_has_them(facts), workflow=workflow, task_spec=None)

    def loop(cases: Sequence[Any]) -> None:
        for case in cases:
            engine.result(case)

    return Engine(name=SPIFF, given=as_task, one=engine.result, loop=loop)
