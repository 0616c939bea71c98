"""XML from outside into a tree: bounded in size, depth and time, with no DTD, no entities and no network."""

import codecs

import regex
from lxml import etree

from settledesk.adapters.documents.reading import DocumentError

FILE_BYTES_MAX = 20_000_000
TAGS_MAX = 400_000
"""How many `<` a file may hold: each is at most one node, so this bounds the memory of the tree."""
ATTRIBUTES_MAX = 100_000

_DECLARED = regex.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._\-]{1,40})[\"']")
_DECLARATION = regex.compile(r"\s*<\?xml[^>]{0,200}\?>")
_ENCODINGS = frozenset(
    {b"utf-8", b"us-ascii", b"ascii", b"windows-1252", *(f"iso-8859-{part}".encode() for part in range(1, 17))}
)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def parse_xml(data: bytes) -> etree._Element:
    """Return the root element of `data`; raises `DocumentError` with the line where it is broken."""
    text = _in_ascii_compatible_bytes(data)
    _refuse_bombs(text)
    parser = etree.XMLParser(
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
    return root


def _in_ascii_compatible_bytes(data: bytes) -> bytes:
    if data.startswith(_UTF16):
        try:
            text = data.decode("utf-16")
        except UnicodeDecodeError as error:
            raise DocumentError("the XML cannot be decoded as UTF-16") from error
        return str(_DECLARATION.sub("", text, count=1)).encode("utf-8", errors="replace")
    body = data.removeprefix(codecs.BOM_UTF8).lstrip(b" \t\r\n")
    declared = _DECLARED.match(body)
    # An encoding in which `<!DOCTYPE` is other bytes would hide it from the check that follows.
    if not body.startswith(b"<") or (declared and declared.group(1).lower() not in _ENCODINGS):
        raise DocumentError("the XML is in an encoding that the desk does not read, save it as UTF-8")
    return bytes(body)


def _refuse_bombs(data: bytes) -> None:
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise DocumentError("the XML carries a DOCTYPE, which the desk does not read")
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
