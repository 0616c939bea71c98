"""The Python examples of `docs/tables.md` print what stands below them."""

import doctest
from pathlib import Path

import regex

ROOT = Path(__file__).parents[2]


def test_the_python_examples_of_the_document_work(monkeypatch):
    """Every `>>>` line runs from the project's folder, in order, and gives what the document shows."""
    monkeypatch.chdir(ROOT)
    text = regex.sub(r"(?m)^```.*$", "", (ROOT / "docs" / "tables.md").read_text(encoding="utf-8"))
    examples = doctest.DocTestParser().get_doctest(text, {}, "tables.md", "docs/tables.md", 0)
    assert len(examples.examples) > 10
    printed: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(examples, out=printed.append)
    assert result.failed == 0, "".join(printed)
