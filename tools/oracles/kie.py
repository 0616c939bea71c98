"""The KIE engine as an oracle: starting its binary on the loopback, and putting cells, expressions and models to it."""

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from tools.oracles.shown import from_json, shown, temporal_text

PACKAGE = Path("node_modules/@kie-tools/jitexecutor-native")
_SYSTEMS = {"linux": "linux/jitexecutor", "darwin": "darwin/jitexecutor", "win32": "win32/jitexecutor.exe"}
_HEAD = (
    '<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="m" name="m" namespace="https://m.example">'
)
START_S = 30
CALL_S = 120
STOP_S = 20
TEMPORAL = ("date and time", "date", "time", "days and time duration", "years and months duration")


@contextmanager
def engine(folder: Path) -> Iterator["Kie"]:
    """Start the binary that npm put into `folder` on a free port; it is stopped at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    binary = (folder / PACKAGE / "dist" / _SYSTEMS[sys.platform]).resolve()
    binary.chmod(0o755)
    options = ["-Dquarkus.http.host=127.0.0.1", f"-Dquarkus.http.port={port}"]
    process = subprocess.Popen([binary, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    version = json.loads((folder / PACKAGE / "package.json").read_text(encoding="utf-8"))["version"]
    try:
        yield Kie(port=port, version=version).awaited()
    finally:
        process.terminate()
        try:
            process.wait(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kie:
    """A running engine."""

    port: int
    version: str

    def awaited(self) -> "Kie":
        """Return the engine when it answers; raises `TimeoutError` if it does not."""
        for _ in range(START_S * 10):
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                    return self
            except OSError:
                time.sleep(0.1)
        raise TimeoutError(f"the engine does not answer within {START_S} s")

    def evaluate(self, model: str, context: Mapping[str, Any], resources: Sequence[Mapping[str, str]] = ()) -> Any:
        """Return the results by decision: `(value, status)`; an error of the engine is the text of its answer."""
        body: dict[str, Any] = {"context": context}
        if resources:
            body |= {"mainURI": "main.dmn", "resources": [{"URI": "main.dmn", "content": model}, *resources]}
        else:
            body |= {"model": model}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/jitdmn/dmnresult",
            json.dumps(body, default=str).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=CALL_S) as answer:
                found = json.loads(answer.read(), parse_float=Decimal)
        except OSError as error:
            return str(error)
        return {
            item["decisionName"]: (from_json(item["result"]), item["evaluationStatus"])
            for item in found["decisionResults"]
        }

    def cells(self, tests: Sequence[str], values: Sequence[str]) -> list[str]:
        """Return per test a mark for each value: 1 (it matches), 0, or ! (refused)."""
        return ["".join(self._marks(test, values)) for test in tests]

    def _marks(self, test: str, values: Sequence[str]) -> list[str]:
        tables = "".join(_table(f"d{index}", value, test) for index, value in enumerate(values))
        found = self.evaluate(f"{_HEAD}{tables}</definitions>", {})
        if isinstance(found, str):
            return ["!"] * len(values)
        return [_mark(*found[f"d{index}"]) for index in range(len(values))]

    def expressions(self, texts: Sequence[str], batch: int = 25) -> list[str]:
        """Return the values of expressions, as `shown` writes them."""
        return [item for at in range(0, len(texts), batch) for item in self._batch(texts[at : at + batch])]

    def _batch(self, texts: Sequence[str]) -> list[str]:
        decisions = "".join(_typed(index, text) for index, text in enumerate(texts))
        found = self.evaluate(f"{_HEAD}{decisions}</definitions>", {})
        if isinstance(found, str):
            return ["null"] if len(texts) == 1 else [item for text in texts for item in self._batch([text])]
        return [_answer(found, index) for index in range(len(texts))]


def _mark(value: Any, status: str) -> str:
    return "1" if value is True else "0" if status == "SUCCEEDED" else "!"


def _table(name: str, expression: str, test: str) -> str:
    return (
        f'<decision id="{name}" name="{name}"><variable id="v{name}" name="{name}"/>'
        f'<decisionTable id="t{name}" hitPolicy="UNIQUE"><input id="i{name}"><inputExpression id="e{name}">'
        f'<text>{escape(expression)}</text></inputExpression></input><output id="o{name}"/>'
        f'<rule id="r{name}"><inputEntry id="c{name}"><text>{escape(test)}</text></inputEntry>'
        f'<outputEntry id="u{name}"><text>true</text></outputEntry></rule></decisionTable></decision>'
    )


def _literal(name: str, text: str, needs: str | None = None) -> str:
    need = (
        f'<informationRequirement id="q{name}"><requiredDecision href="#{needs}"/></informationRequirement>'
        if needs
        else ""
    )
    return (
        f'<decision id="{name}" name="{name}"><variable id="v{name}" name="{name}"/>{need}'
        f'<literalExpression id="l{name}"><text>{escape(text)}</text></literalExpression></decision>'
    )


def _typed(index: int, text: str) -> str:
    """Return the decisions for the value, for its type where JSON does not tell it, and for its text."""
    name = f"d{index}"
    kinds = "".join(f'if {name} instance of {kind} then "{kind}" else ' for kind in TEMPORAL)
    return (
        _literal(name, text)
        + _literal(f"t{index}", f'{kinds}if {name} instance of string then "string" else "other"', name)
        + _literal(f"s{index}", f"string({name})", name)
    )


def _answer(found: Mapping[str, tuple[Any, str]], index: int) -> str:
    value, status = found[f"d{index}"]
    if status != "SUCCEEDED":
        return "null"
    kind = found[f"t{index}"][0]
    if kind in TEMPORAL:
        return f"@{temporal_text(str(found[f's{index}'][0]))}"
    if kind != "string" and isinstance(value, str):
        return "function" if value.startswith("function") else "range"
    return shown(value)
