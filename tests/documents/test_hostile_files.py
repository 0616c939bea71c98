"""Files that mean harm, or that nobody meant to hand in, are refused in little time and memory, without a crash."""

import os
import resource
import time
from pathlib import Path

import pytest
import ubl_text

from settledesk.adapters.documents import read_folder
from settledesk.adapters.documents.reading import DocumentError
from settledesk.adapters.documents.xml_safely import FILE_BYTES_MAX, TAGS_MAX, parse_xml

CPU_S_MAX = 1.0
MEMORY_MB_MAX = 400

_LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
_INVOICE = ubl_text.bill()
_UTF16 = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'


def _many_lines(count: int, *, last: str) -> bytes:
    start, end = _INVOICE.index("<cac:InvoiceLine>"), _INVOICE.index("</Invoice>")
    names = [*(str(place) for place in range(count - 1)), last]
    lines = "".join(_INVOICE[start:end].replace("<cbc:ID>1<", f"<cbc:ID>{name}<") for name in names)
    return f"{_INVOICE[:start]}{lines}{_INVOICE[end:]}".encode()


HOSTILE = {
    "laughs.xml": f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "ha">{_LAUGHS}]><a>&l9;</a>'.encode(),
    "quadratic.xml": f'<!DOCTYPE a [<!ENTITY b "{"b" * 100_000}">]><a>{"&b;" * 100_000}</a>'.encode(),
    "attribute.xml": f'<!DOCTYPE a [<!ENTITY l0 "ha">{_LAUGHS}]><a x="&l9;"/>'.encode(),
    "external.xml": b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    "external-dtd.xml": b'<!DOCTYPE a SYSTEM "http://dtd.example/a.dtd"><a/>',
    "utf16.xml": '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE a [<!ENTITY l "ha">]><a>&l;</a>'.encode("utf-16"),
    "utf16-le.xml": _UTF16.encode("utf-16-le"),
    "utf16-be.xml": _UTF16.encode("utf-16-be"),
    "utf32.xml": _UTF16.replace("16", "32").encode("utf-32"),
    "late-encoding.xml": b'<?xml version="1.0"' + b" " * 500 + b'encoding="utf-7"?>+ADwAIQ-DOCTYPE a+AD4-<a/>',
    "nul.xml": ubl_text.bill(number="I\x001").encode(),
    "lists.json": b"[" + b",".join([b"[]"] * 6_000_000) + b"]",
    "few-lists.json": b"[" + b",".join([b"[]"] * 149_000) + b"]",
    "names.json": b"{" + b",".join(b'"%d":1' % n for n in range(290_000)) + b"}",
    "invoices-rows.csv": b"number\n" + b"a\n" * 2_000_000,
    "invoices-cells.csv": b"number" + b"," * 4_000_000,
    "lines.xml": _many_lines(20_001, last="x"),
    "repeated.xml": _many_lines(6_000, last="5998"),
    "utf7.xml": b'<?xml version="1.0" encoding="utf-7"?>+ADwAIQ-DOCTYPE a+AD4-<a/>',
    "ebcdic.xml": '<?xml version="1.0" encoding="cp037"?><!DOCTYPE a []><a/>'.encode("cp037"),
    "deep.xml": b"<a>" * 100_000 + b"</a>" * 100_000,
    "deep.json": b"[" * 100_000 + b"]" * 100_000,
    "deep-objects.json": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "wide.xml": b"<a>" + b"<b/>" * 4_000_000 + b"</a>",
    "attributes.xml": b"<a " + b" ".join(b'a%d=""' % n for n in range(1_500_000)) + b"/>",
    "namespaces.xml": b"<a " + b" ".join(b'xmlns:a%d="u"' % n for n in range(1_000_000)) + b"/>",
    "unfinished.xml": _INVOICE[: len(_INVOICE) // 2].encode(),
    "undeclared.xml": b"<Invoice><cbc:ID>1</cbc:ID></Invoice>",
    "entity.xml": _INVOICE.replace("I-1", "&unknown;").encode(),
    "empty.xml": b"",
    "blank.xml": b" \n ",
    "text.xml": b"not xml",
    "latin.csv": b"number\n\xff\xfe\n",
    "nul.csv": b"number\x00\n",
    "number.json": b'{"kind": "invoice", "total": ' + b"9" * 5_000_000 + b"}",
    "nan.json": b'{"kind": "invoice", "number": "1", "total": NaN}',
    "half.json": b'{"kind": "vendor", "name": "\\ud800"}',
    "twice.json": b'{"kind": "vendor", "name": "A", "name": "B"}',
    "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20,
    "LICENSE": b"Permission is granted",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_a_second_of_processor_time(name: str, tmp_path: Path) -> None:
    """The file is listed as unread with a reason, no document comes of it, and little time and memory is used."""
    (tmp_path / name).write_bytes(HOSTILE[name])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    reading = read_folder(tmp_path)
    assert time.process_time() - started < CPU_S_MAX
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MEMORY_MB_MAX * 1024
    assert reading.documents == ()
    (unread,) = reading.unread
    assert unread.path == name
    assert unread.reason
    assert unread.reason[0].islower() or unread.reason[0] == "`"
    assert not unread.reason.endswith(".")


def test_a_file_of_a_gigabyte_is_refused_by_its_size(tmp_path: Path) -> None:
    """The size is asked before anything is read, so the refusal takes no time."""
    path = tmp_path / "huge.xml"
    with path.open("wb") as file:
        file.truncate(1_000_000_000)
    started = time.process_time()
    (unread,) = read_folder(tmp_path).unread
    assert time.process_time() - started < 0.2
    assert str(FILE_BYTES_MAX) in unread.reason


def test_pipes_and_links_are_not_opened(tmp_path: Path) -> None:
    """A pipe would block for ever and a link may lead anywhere: both are listed as no regular files."""
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "link.xml").symlink_to("/etc/passwd")
    reading = read_folder(tmp_path)
    assert [(one.path, one.reason) for one in reading.unread] == [
        ("link.xml", "not a regular file"),
        ("pipe.xml", "not a regular file"),
    ]


def test_what_hides_behind_another_encoding_is_refused_as_such() -> None:
    """UTF-16 without its mark, and UTF-32, are named as encodings and never half read."""
    for encoding in ("utf-16-le", "utf-16-be", "utf-32", "utf-32-le"):
        with pytest.raises(DocumentError, match="in an encoding that the desk does not read, save it as UTF-8"):
            parse_xml(_UTF16.encode(encoding))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
def test_a_document_in_a_known_encoding_is_read_in_it(encoding: str) -> None:
    """A name with an umlaut comes out as it was written."""
    declared = f'version="1.0" encoding="{encoding.removesuffix("-sig")}"'
    text = ubl_text.bill(supplier=ubl_text.party("AccountingSupplierParty", name="Qüill"))
    root = parse_xml(text.replace('version="1.0"', declared).encode(encoding))
    assert "Qüill" in "".join(str(part) for part in root.itertext())


def test_the_limit_of_tags_leaves_room_for_large_invoices(tmp_path: Path) -> None:
    """An invoice of two thousand lines is read: the limits are for bombs, not for business."""
    one = ubl_text.bill()
    start, end = one.index("<cac:InvoiceLine>"), one.index("</Invoice>")
    lines = "".join(one[start:end].replace("<cbc:ID>1<", f"<cbc:ID>{place}<") for place in range(2_000))
    text = one[:start] + lines + one[end:]
    assert text.count("<") < TAGS_MAX
    (tmp_path / "large.xml").write_text(text)
    reading = read_folder(tmp_path)
    assert reading.unread == ()
    assert len(reading.documents[-1].record["lines"]) == 2_000


def test_one_bad_file_takes_nothing_from_the_others(tmp_path: Path) -> None:
    """The files beside a broken one are read as if it were not there."""
    (tmp_path / "a.xml").write_bytes(HOSTILE["laughs.xml"])
    (tmp_path / "b.xml").write_text(ubl_text.bill())
    reading = read_folder(tmp_path)
    assert [one.collection for one in reading.documents] == ["vendors", "invoices"]
    assert [one.path for one in reading.unread] == ["a.xml"]
