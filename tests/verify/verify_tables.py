"""Small tables made from a few words, random ones, and a search by force over the values that stand for all."""

from html import escape

from settledesk.verify.tables import input_text

MODEL = "https://www.omg.org/spec/DMN/20191111/MODEL/"


def table_xml(table):
    """Return a `decisionTable`: `inputs` are `expression: type` (or a mapping), `rows` are name and cells."""
    policy = f'hitPolicy="{table.get("hit", "UNIQUE")}"'
    if "aggregation" in table:
        policy += f' aggregation="{table["aggregation"]}"'
    parts = [f"<decisionTable {policy}>"]
    clauses = table.get("inputs", {})
    clauses = list(clauses.items()) if isinstance(clauses, dict) else [next(iter(item.items())) for item in clauses]
    for name, kind in clauses:
        clause = {"type": kind} if isinstance(kind, str) or kind is None else kind
        reference = f' typeRef="{clause["type"]}"' if clause.get("type") else ""
        parts.append(f"<input><inputExpression{reference}><text>{escape(name)}</text></inputExpression>")
        if "values" in clause:
            parts.append(f"<inputValues><text>{escape(clause['values'])}</text></inputValues>")
        parts.append("</input>")
    for name, clause in table.get("outputs", {"out": None}).items():
        reference = f' typeRef="{clause["type"]}"' if clause and clause.get("type") else ""
        parts.append(f'<output name="{name}"{reference}>')
        for key, tag in (("values", "outputValues"), ("default", "defaultOutputEntry")):
            if key in (clause or {}):
                parts.append(f"<{tag}><text>{escape(str(clause[key]))}</text></{tag}>")
        parts.append("</output>")
    for name, *cells in table["rows"]:
        parts.append(f'<rule id="{name}">')
        for index, cell in enumerate(cells):
            tag = "inputEntry" if index < len(clauses) else "outputEntry"
            parts.append(f"<{tag}><text>{escape(str(cell))}</text></{tag}>")
        parts.append("</rule>")
    parts.append("</decisionTable>")
    return "".join(parts)


def model_bytes(table):
    """Return a model with one decision `d`; `data` declares input data by type, `items` types by base and values."""
    data = table.get("data", {})
    items = "".join(
        f'<itemDefinition name="{name}"><typeRef>{item["base"]}</typeRef>'
        f"<allowedValues><text>{escape(item['values'])}</text></allowedValues></itemDefinition>"
        for name, item in table.get("items", {}).items()
    )
    inputs = "".join(
        f'<inputData id="input-{place}" name="{name}"><variable name="{name}" typeRef="{kind}"/></inputData>'
        for place, (name, kind) in enumerate(data.items())
    )
    links = "".join(
        f'<informationRequirement><requiredInput href="#input-{place}"/></informationRequirement>'
        for place in range(len(data))
    )
    decision = f'<decision id="d" name="d">{links}{table_xml(table)}</decision>'
    return (
        f'<definitions xmlns="{MODEL}" name="m" namespace="https://m.example">{items}{inputs}{decision}</definitions>'
    ).encode()


def draws(seed):
    """Yield numbers that look random, the same for the same seed."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33


def random_intervals(rows, columns, seed, hit="UNIQUE"):
    """Return a table of random overlapping intervals of numbers between 0 and 100."""
    chance = draws(seed)
    made = []
    for row in range(rows):
        cells = []
        for _ in range(columns):
            low = next(chance) % 90
            high = min(100, low + 5 + next(chance) % 55)
            cells.append(f"[{low}..{high})")
        made.append([f"r{row}", *cells, row])
    return {"hit": hit, "inputs": {f"n{place}": "number" for place in range(columns)}, "rows": made}


def told(finding):
    """Return a finding on one line: `severity kind rows: input`, the input as the command prints it."""
    rows = f" {' '.join(finding.rows)}" if finding.rows else ""
    given = "no input" if finding.input is None else input_text(finding.input)
    return f"{finding.severity} {finding.kind}{rows}: {given}"
