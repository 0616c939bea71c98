"""XML from outside into a tree: bounded in size, depth and time, with no DTD, no entities and no network."""

import codecs
from typing import Any

import regex
from lxml import etree

from settledesk.adapters.documents.reading import DocumentError

FILE_BYTES_MAX = 20_000_000
TAGS_MAX = 400_000
"""How many `<` a file may hold: each is at most one node, so this bounds the memory of the tree."""
ATTRIBUTES_MAX = 100_000

_DECLARED = regex.compile(rb"\sencoding\s*=\s*[\"']([A-Za-z0-9._\-]{1,40})[\"']")
_ENCODINGS = frozenset(
    {"utf-8", "us-ascii", "ascii", "windows-1252", *(f"iso-8859-{part}" for part in range(1, 17) if part != 12)}
)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_OTHER_ENCODING = "the XML is in an encoding that the desk does not read, save it as UTF-8"
_DOCTYPE = "the XML carries a DOCTYPE, which the desk does not read"


def parse_xml(data: bytes) -> etree._Element:
    """Return the root element of `data`; raises `DocumentError` with the line where it is broken."""
    text = _as_utf8(data)
    _refuse_bombs(text)
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(text, parser)
    except etree.XMLSyntaxError as error:
        raise _broken(error) from error
    except ValueError as error:
        raise DocumentError("the XML cannot be decoded") from error
    info: Any = root.getroottree().docinfo
    if info.doctype or info.internalDTD is not None:
        raise DocumentError(_DOCTYPE)
    return root


def _as_utf8(data: bytes) -> bytes:
    """Decode here and hand UTF-8 to the parser, so that what is checked and what is parsed are the same text."""
    if data.startswith(_UTF32):
        raise DocumentError(_OTHER_ENCODING)
    if data.startswith(_UTF16):
        return _decoded(data, "utf-16")
    body = data.removeprefix(codecs.BOM_UTF8).lstrip(b" \t\r\n")
    # UTF-16 and UTF-32 without a mark have zero bytes; in an encoding unknown here `<!DOCTYPE` may be other bytes.
    if not body.startswith(b"<") or b"\x00" in body:
        raise DocumentError(_OTHER_ENCODING)
    encoding = "utf-8"
    if body.startswith(b"<?xml"):
        declared = _DECLARED.search(body[: body.find(b"?>") + 1])
        encoding = declared.group(1).lower().decode("ascii") if declared else encoding
    if encoding not in _ENCODINGS:
        raise DocumentError(_OTHER_ENCODING)
    return _decoded(body, encoding)


def _decoded(data: bytes, encoding: str) -> bytes:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DocumentError(f"the XML cannot be decoded as {encoding.upper()}") from error
    if "\x00" in text:
        raise DocumentError("the XML holds NUL characters")
    return text.encode("utf-8")


def _refuse_bombs(data: bytes) -> None:
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise DocumentError(_DOCTYPE)
    if data.count(b"<") > TAGS_MAX:
        raise DocumentError(f"the XML has more than {TAGS_MAX} tags")
    if data.count(b'="') + data.count(b"='") + data.count(b"= ") > ATTRIBUTES_MAX:
        raise DocumentError(f"the XML has more than {ATTRIBUTES_MAX} attributes")


def _broken(error: etree.XMLSyntaxError) -> DocumentError:
    line = error.lineno or 1
    message = str(error.msg or "")
    if "depth" in message.lower():
        return DocumentError("the XML is nested too deeply", place=f"line {line}")
    if "namespace" in message.lower():
        return DocumentError("the XML uses a namespace that it does not declare", place=f"line {line}")
    return DocumentError("the XML is broken and cannot be parsed", place=f"line {line}")
