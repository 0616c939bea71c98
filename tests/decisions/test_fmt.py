"""The normal form of a file: that of dmn-js, with nothing lost and nothing that means something else."""

from pathlib import Path

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from settledesk.decisions import ModelError, load_model
from settledesk.decisions.writer import format_model

FOLDER = Path(__file__).parent / "fmt"
PAIRS = sorted(path.name.removesuffix(".in.dmn") for path in FOLDER.glob("*.in.dmn"))
INPUTS = {
    "modeler": ("rate", [{"weight": weight, "kind": kind} for weight in (1, 2, None) for kind in ("letter", "parcel")]),
    "older_prefixed": ("bonus", [{"grade": grade} for grade in ("A", "B", "C", None)]),
    "newer": ("seats", [{"party": party} for party in (0, 1, 4, 7, None)]),
    "boxed": ("route", [{"far": far} for far in (True, False, None)]),
    "comments": ("fee", [{}]),
}
NEWER = "https://www.omg.org/spec/DMN/20230324/MODEL/"


def content(name, side):
    return (FOLDER / f"{name}.{side}.dmn").read_bytes()


def model(body, namespace=NEWER):
    return f'<definitions xmlns="{namespace}" name="m" namespace="urn:m">{body}</definitions>'.encode()


@pytest.mark.parametrize("name", PAIRS)
def test_a_file_becomes_what_dmn_js_writes(name):
    """The normal form of each file of the folder is the one that was compared with dmn-moddle's."""
    assert format_model(content(name, "in")).decode() == content(name, "out").decode()


@pytest.mark.parametrize("name", PAIRS)
def test_a_normal_form_is_its_own(name):
    """Formatting what was formatted changes nothing."""
    assert format_model(content(name, "out")) == content(name, "out")


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("standard", [False, True])
def test_a_file_means_afterwards_what_it_meant_before(name, standard):
    """Every input gives the same value, rows, findings and trace, whichever version the file was written in."""
    decision, inputs = INPUTS[name]
    before, after = (load_model(content(name, side), standard=standard) for side in ("in", "out"))
    for facts in inputs:
        assert before.evaluate(decision, facts, trace=True) == after.evaluate(decision, facts, trace=True)


def test_one_changed_cell_is_one_changed_line():
    """Of two formatted files that differ in a cell, the lines are the same but for one."""
    old = content("modeler", "in")
    new = old.replace(b"<text>1.5</text>", b"<text>1.75</text>")
    pairs = zip(format_model(old).splitlines(), format_model(new).splitlines(), strict=True)
    assert [pair for pair in pairs if pair[0] != pair[1]] == [
        (b"          <text>1.5</text>", b"          <text>1.75</text>")
    ]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PAIRS), st.randoms(use_true_random=False))
def test_how_a_file_was_laid_out_is_no_matter(name, random):
    """Other white space, encodings and orders of the standard's attributes give the same normal form."""
    root = etree.fromstring(content(name, "out"))
    for element in root.iter(etree.Element):
        attributes = list(element.attrib.items())
        known = [item for item in attributes if not item[0].startswith("{")]
        if "omg.org" in (etree.QName(element).namespace or ""):
            random.shuffle(known)
        element.attrib.clear()
        for key, value in [*known, *[item for item in attributes if item[0].startswith("{")]]:
            element.set(key, value)
        if len(element) and not any((part or "").strip() for part in (element.text, *(c.tail for c in element))):
            element.text = random.choice(["", "\n", "\t  "])
            for child in element:
                child.tail = random.choice(["", "\n\n", "   "])
    written = etree.tostring(root.getroottree(), encoding=random.choice(["UTF-8", "UTF-16", "US-ASCII"]))
    assert format_model(written).decode() == content(name, "out").decode()


@pytest.mark.parametrize(
    ("body", "version"),
    [
        ('<decision name="d"><literalExpression><text>1</text></literalExpression></decision>', "1.3"),
        ('<itemDefinition name="t"><typeRef>string</typeRef></itemDefinition>', "1.3"),
        (
            '<itemDefinition name="t"><typeRef>string</typeRef><typeConstraint><text>"a"</text></typeConstraint>'
            "</itemDefinition>",
            "1.5",
        ),
        (
            '<decision name="d"><for iteratorVariable="x"><in><literalExpression><text>[1]</text></literalExpression>'
            "</in><return><literalExpression><text>x</text></literalExpression></return></for></decision>",
            "1.5",
        ),
    ],
)
def test_a_file_is_written_in_1_3_unless_it_uses_what_came_later(body, version):
    """Only boxed expressions and constraints that 1.3 does not have keep a file in the version it was read in."""
    written = format_model(model(body))
    assert load_model(written).version == version


@pytest.mark.parametrize("version", ["20180521", "20191111", "20211108", "20230324"])
def test_every_version_has_one_normal_form(version):
    """A file that all versions can hold is the same bytes, whichever namespace it was written with."""
    scheme = "http" if version == "20180521" else "https"
    body = '<decision name="d"><literalExpression><text>1</text></literalExpression></decision>'
    namespace = f"{scheme}://www.omg.org/spec/DMN/{version}/MODEL/"
    assert format_model(model(body, namespace)) == format_model(model(body))


def test_lines_end_as_they_did():
    """A file whose first line ends as on Windows keeps such ends, and is in normal form with them."""
    windows = content("modeler", "out").replace(b"\n", b"\r\n")
    assert format_model(windows) == windows
    assert format_model(content("modeler", "in").replace(b"\n", b"\r\n")) == windows


def test_texts_keep_every_character():
    """Line ends, tabs, quotes and markup come back from texts and attributes as they were."""
    name = "a&#13;b&#9;c&#10;d&quot;e'f&lt;g&gt;h&amp;i\u00e9\U0001f600"
    body = f'<decision name="d" label="{name}"><description> {name} </description><literalExpression><text>1</text>'
    written = format_model(model(f"{body}</literalExpression></decision>"))
    decision = etree.fromstring(written)[0]
    wanted = "a\rb\tc\nd\"e'f<g>h&i\u00e9\U0001f600"
    assert decision.get("label") == wanted
    assert decision[0].text == f" {wanted} "


@pytest.mark.parametrize(
    "wrong",
    [b"<definitions", b"<html/>", b'<!DOCTYPE d [<!ENTITY e "x">]><definitions xmlns="%s">&e;</definitions>'],
)
def test_what_is_not_a_model_is_refused_with_its_place(wrong):
    """Broken XML, other documents and document types are a `ModelError` that names the file."""
    with pytest.raises(ModelError, match=regex.escape("wrong.dmn")):
        format_model(wrong.replace(b"%s", NEWER.encode()), "wrong.dmn")
