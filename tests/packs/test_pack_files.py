"""The files of the accounts-payable pack agree with each other."""

import tomllib
from collections import Counter

import pytest
import regex
from ap_files import PACK, TABLES, cells, column_types, columns, needed
from lxml import etree

_FACTS = tomllib.loads((PACK / "facts.toml").read_text(encoding="utf-8"))
_RATIONALES = tomllib.loads((PACK / "rationales.toml").read_text(encoding="utf-8"))
_FILE = tomllib.loads((PACK / "pack.toml").read_text(encoding="utf-8"))
_TABLE_TYPES = {"money": "number", "list": "Any"}
_T111_REASONS = {"NON", "REF", "LEG", "REC", "QUA", "DEL", "PRI", "QTY", "ITM", "PAY", "UNR", "FIN", "PPD", "OTH"}
_ROWS = [(name, row) for name in TABLES for row in cells(name)]


@pytest.mark.parametrize("name", TABLES)
def test_an_input_of_a_table_is_a_fact_that_decides(name: str) -> None:
    """Every input is a fact of facts.toml, marked as one that decides, and of the same type."""
    for column in columns(name):
        fact = _FACTS[column]
        assert fact["decides"] is True
        assert column_types(name)[column] == _TABLE_TYPES.get(fact["type"], fact["type"])


@pytest.mark.parametrize("name", TABLES)
def test_a_value_in_a_cell_belongs_to_the_fact_s_domain(name: str) -> None:
    """A text in a cell is a value that the fact can have: a misspelt one would never fire and never be noticed."""
    for row in cells(name).values():
        for column, text in row.items():
            domain = _FACTS[column].get("domain")
            if domain:
                assert set(regex.findall(r'"([^"]*)"', text)) <= set(domain), (column, text)


def test_a_reason_of_the_pack_is_a_value_of_the_fact() -> None:
    """The domain of `reason_code` is the pack's reasons, that of the actions is the pack's actions."""
    assert set(_FACTS["reason_code"]["domain"]) == set(_FILE["reasons"])
    for name in ("declined_action", "applied_action", "other_action"):
        assert set(_FACTS[name]["domain"]) == set(_FILE["actions"])
    assert set(_FACTS["decline_reason"]["domain"]) == {"none", *_FILE["decline_reasons"]}


def test_every_row_has_a_sentence_and_every_sentence_a_row() -> None:
    """rationales.toml has exactly one sentence for each row of each table."""
    assert sorted(_RATIONALES) == sorted(row for _, row in _ROWS)


@pytest.mark.parametrize(("name", "row"), _ROWS, ids=[row for _, row in _ROWS])
def test_a_sentence_names_only_facts_that_its_row_has_tested(name: str, row: str) -> None:
    """A placeholder is a fact that must be known for the row to fire, so no sentence ever reads `unknown`."""
    assert set(regex.findall(r"\{(\w+)\}", _RATIONALES[row])) <= set(needed(name, row))


def test_a_letter_exists_for_each_question_with_its_peppol_codes() -> None:
    """Each letter has a subject and T111 codes, and its placeholders are facts."""
    letters = {path.name: path.read_text(encoding="utf-8") for path in (PACK / "letters").iterdir()}
    assert set(letters) == {"substitution_reason.vendor.md.j2", "po_unit_price.buyer.md.j2"}
    for text in letters.values():
        head = text.split("\n---\n")[0]
        codes = dict(regex.findall(r"(t111_\w+): (\w+)", head))
        assert codes["t111_status"] in {"AB", "AP", "RE", "IP", "UQ", "CA", "PD"}
        assert codes["t111_reason"] in _T111_REASONS
        assert codes["t111_action"] in {"NOA", "PIN", "NIN", "CNF", "CNP", "CNA", "OTH"}
        assert "subject: " in head
        assert set(regex.findall(r"\{\{ (\w+) \}\}", text)) <= set(_FACTS)


def test_a_reading_always_has_a_word_for_unclear_and_never_takes_it_for_an_answer() -> None:
    """Every reading may say UNCLEAR, accepts another intent, and supplies a fact that `needs` asks for."""
    for path in (PACK / "readings").glob("*.toml"):
        reading = tomllib.loads(path.read_text(encoding="utf-8"))
        assert "UNCLEAR" in reading["intents"]
        assert reading["accept"]["intent"] not in ("UNCLEAR", "OTHER")
        assert reading["accept"]["contains_instructions"] is False
        supplied = {field.get("fact") for field in reading["fields"].values()}
        assert reading["fact"] in supplied
        assert supplied - {None} <= set(_FACTS)
        assert (PACK / "letters" / f"{reading['fact']}.{reading['recipient']}.md.j2").is_file()


def test_an_answer_about_a_substitute_is_about_the_item_billed() -> None:
    """The item that the vendor says was shipped must equal the one billed, and has the shape of a reference."""
    reading = tomllib.loads((PACK / "readings" / "substitution.toml").read_text(encoding="utf-8"))
    assert reading["fields"]["shipped_item"]["equals"] == "billed_item"
    assert reading["fields"]["shipped_item"]["shape"] == "reference"
    assert set(reading["accept"]["required"]) == {"substitution_reason", "shipped_item"}
    assert reading["fields"]["substitution_reason"]["domain"] == _FACTS["substitution_reason"]["domain"]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_dmn_1_3_with_one_decision_and_unique_ids(name: str) -> None:
    """The file is in the namespace that dmn-js writes, holds one decision named as the file, and no id twice."""
    root = etree.parse(PACK / "decisions" / f"{name}.dmn").getroot()
    assert root.tag == "{https://www.omg.org/spec/DMN/20191111/MODEL/}definitions"
    decisions = root.findall("{*}decision")
    assert [item.get("name") for item in decisions] == [name]
    ids = Counter(str(item) for item in root.xpath("//@id"))
    assert [item for item, count in ids.items() if count > 1] == []


def test_the_money_limit_stands_in_the_currency_of_the_pack() -> None:
    """Each row that compares an excess with a limit beyond a rounding difference also tests the pack's currency."""
    for row, tests in cells("resolution").items():
        if "500" in tests.get("excess", ""):
            assert tests["currency"] == f'"{_FILE["currency"]}"', row
