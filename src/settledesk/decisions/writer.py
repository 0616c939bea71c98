"""A DMN file in its normal form: what dmn-js writes, so that a changed cell is one changed line.

Two spaces for each level, attributes and children in the order of the schema, texts as they are. Comments, processing
instructions and the elements and attributes of others are kept, though dmn-js drops the first two.
"""

from collections.abc import Iterable, Mapping
from functools import cache

from lxml import etree

from settledesk.decisions.normal_form import (
    DECLARED_FIRST,
    DEFAULTS,
    DRAWING,
    MODEL_1_3,
    NUMBERS,
    TEXTS,
    TO_1_3,
    TRUTHS,
    WELL_KNOWN,
    WIDTHS,
    XSI,
    attribute_order,
    child_ranks,
    is_of_1_3,
)
from settledesk.decisions.normal_values import attribute_text, body_text, number_text
from settledesk.decisions.source import NAMESPACES, parse_model

FIRST_LINE_MAX = 100_000
"""Bytes in which the first line's end is looked for."""
_PREAMBLE = '<?xml version="1.0" encoding="UTF-8"?>\n'
_XML = "http://www.w3.org/XML/1998/namespace"
_LANGUAGES = frozenset({"expressionLanguage", "typeLanguage", "importType"})
_SCHEMA_LOCATION = f"{{{XSI}}}schemaLocation"
"""Attributes that hold names of the standard's namespaces."""


def format_model(content: bytes, file: str = "model") -> bytes:
    """Return a DMN file in its normal form, in DMN 1.3 unless it uses what 1.3 lacks.

    Lines end as the first line of `content` does. Whether the model can be used is for `load_model` to say; this
    raises `ModelError`, with `file` as the place, only for what is not one DMN model in XML.
    """
    parse_model(content, file)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False, strip_cdata=True)
    root = etree.fromstring(content, parser)
    writer = _Writer(renamed=TO_1_3 if _fits_1_3(root) else {})
    written = writer.document(root)
    if content[:FIRST_LINE_MAX].partition(b"\n")[0].endswith(b"\r"):
        written = written.replace("\n", "\r\n")
    return written.encode()


def version_written(root: etree._Element) -> str:
    """Return the version of the standard in which a model is written."""
    return "1.3" if _fits_1_3(root) else NAMESPACES[etree.QName(root).namespace or ""]


def _fits_1_3(root: etree._Element) -> bool:
    model = etree.QName(root).namespace
    if model == MODEL_1_3:
        return True
    for element in root.iter(etree.Element):
        name = etree.QName(element)
        drawing = name.namespace in DRAWING
        if name.namespace == model or drawing:
            plain = [str(key) for key in element.attrib if not str(key).startswith("{")]
            if not is_of_1_3(name.localname, plain, drawing=drawing):
                return False
    return True


@cache
def _ranks(element: str, drawing: bool) -> Mapping[str, int]:
    return child_ranks(element, drawing=drawing)


class _Writer:
    """Writes one document. `renamed` are the namespaces to be declared instead of those that stand in it."""

    def __init__(self, *, renamed: Mapping[str, str]) -> None:
        self._renamed = renamed
        self._parts: list[str] = []
        self._used: frozenset[str | None] = frozenset()

    def document(self, root: etree._Element) -> str:
        """Return the document with its comments before and after the model."""
        self._used = frozenset(_prefixes(root))
        self._parts.append(_PREAMBLE)
        for node in reversed(list(root.itersiblings(preceding=True))):
            self._aside(node, "")
        self._element(root, "", {})
        for node in root.itersiblings():
            self._aside(node, "")
        return "".join(self._parts)

    def _aside(self, node: etree._Element, indent: str) -> None:
        self._parts.append(f"{indent}{_aside_text(node)}\n")

    def _element(self, element: etree._Element, indent: str, scope: Mapping[str | None, str]) -> None:
        name = etree.QName(element)
        of_model = name.namespace in NAMESPACES
        if of_model and name.localname in TEXTS and not any(_is_element(child) for child in element):
            self._text(element, indent, scope)
        elif _is_mixed(element) or element.get(f"{{{_XML}}}space") == "preserve":
            self._parts.append(indent)
            self._verbatim(element, scope)
            self._parts.append("\n")
        elif len(element):
            tag, attributes, inner = self._opening(element, scope)
            self._parts.append(f"{indent}<{tag}{attributes}>\n")
            for child in _ordered(element):
                if _is_element(child):
                    self._element(child, indent + "  ", inner)
                else:
                    self._aside(child, indent + "  ")
            self._parts.append(f"{indent}</{tag}>\n")
        else:
            tag, attributes, _ = self._opening(element, scope)
            text = element.text or ""
            body = f">{body_text(text)}</{tag}>" if text.strip() else " />"
            self._parts.append(f"{indent}<{tag}{attributes}{body}\n")

    def _text(self, element: etree._Element, indent: str, scope: Mapping[str | None, str]) -> None:
        """Write an element of text on its own line; comments in it go before it."""
        for child in element:
            self._aside(child, indent)
        tag, attributes, _ = self._opening(element, scope)
        text = "".join([element.text or "", *(child.tail or "" for child in element)])
        self._parts.append(f"{indent}<{tag}{attributes}>{body_text(text) if text.strip() else ''}</{tag}>\n")

    def _verbatim(self, element: etree._Element, scope: Mapping[str | None, str]) -> None:
        """Write an element in which texts and elements are mixed: white space is part of it."""
        tag, attributes, inner = self._opening(element, scope)
        if not len(element) and not element.text:
            self._parts.append(f"<{tag}{attributes} />")
            return
        self._parts.append(f"<{tag}{attributes}>{body_text(element.text or '')}")
        for child in element:
            if _is_element(child):
                self._verbatim(child, inner)
            else:
                self._parts.append(_aside_text(child))
            self._parts.append(body_text(child.tail or ""))
        self._parts.append(f"</{tag}>")

    def _opening(
        self, element: etree._Element, scope: Mapping[str | None, str]
    ) -> tuple[str, str, Mapping[str | None, str]]:
        """Return the tag, the declarations and attributes as they follow it, and the prefixes that hold inside."""
        name = etree.QName(element)
        tag = f"{element.prefix}:{name.localname}" if element.prefix else name.localname
        declared = self._declared(element, scope)
        inner = {**scope, **declared} if declared else scope
        pairs = [(f"xmlns:{prefix}" if prefix else "xmlns", uri) for prefix, uri in declared.items()]
        pairs.extend(self._attributes(element))
        return tag, "".join(f' {key}="{attribute_text(value)}"' for key, value in pairs), inner

    def _declared(self, element: etree._Element, scope: Mapping[str | None, str]) -> dict[str | None, str]:
        """Return the prefixes that the element declares: those of the standard first, if they are used."""
        own: dict[str | None, str] = {}
        for prefix, uri in element.nsmap.items():
            written = self._renamed.get(uri, uri)
            if scope.get(prefix) != written and (uri not in WELL_KNOWN or prefix in self._used):
                own[prefix] = written
        return dict(sorted(own.items(), key=lambda item: item[1] not in DECLARED_FIRST))

    def _attributes(self, element: etree._Element) -> Iterable[tuple[str, str]]:
        """Yield the attributes: those of the schema in its order, then the others in theirs."""
        name = etree.QName(element)
        drawing = name.namespace in DRAWING
        known: Mapping[str, int] = {}
        if drawing or name.namespace in NAMESPACES:
            order = (*attribute_order(name.localname, drawing=drawing), *WIDTHS)
            known = {key: rank for rank, key in enumerate(order)}
        items = [(str(key), str(value)) for key, value in element.attrib.items()]
        for key, value in sorted(items, key=lambda item: known.get(item[0], len(known))):
            if DEFAULTS.get((name.localname, key)) == value and key in known:
                continue
            yield _spelled(element, key), self._value(key, value, drawing=drawing) if known else value

    def _value(self, key: str, value: str, *, drawing: bool) -> str:
        if key in _LANGUAGES:
            return self._renamed.get(value, value)
        if key == _SCHEMA_LOCATION:
            return " ".join(self._renamed.get(part, part) for part in value.split())
        if key in TRUTHS and value.strip() in ("1", "0"):
            return "true" if value.strip() == "1" else "false"
        return number_text(value) if drawing and key in NUMBERS else value


def _prefixes(root: etree._Element) -> Iterable[str | None]:
    """Yield the prefixes that elements and attributes use."""
    for element in root.iter(etree.Element):
        yield element.prefix
        for key in element.attrib:
            yield _spelled(element, str(key)).rpartition(":")[0] or None


def _spelled(element: etree._Element, key: str) -> str:
    """Return an attribute's name with its prefix."""
    if not key.startswith("{"):
        return key
    uri, _, local = key[1:].partition("}")
    if uri == _XML:
        return f"xml:{local}"
    prefixes = [prefix for prefix, found in element.nsmap.items() if found == uri and prefix]
    return f"{prefixes[0]}:{local}"


def _is_element(node: etree._Element) -> bool:
    """Tell an element from a comment and a processing instruction."""
    return not isinstance(node, etree._Comment | etree._ProcessingInstruction)


def _is_mixed(element: etree._Element) -> bool:
    """Tell whether an element holds texts between its children."""
    texts = [element.text, *(child.tail for child in element)]
    return len(element) > 0 and any(text is not None and text.strip() for text in texts)


def _aside_text(node: etree._Element) -> str:
    """Return a comment or a processing instruction."""
    return str(etree.tostring(node, encoding="unicode", with_tail=False))


def _ordered(element: etree._Element) -> list[etree._Element]:
    """Return the children in the order of the schema, each with the comments before it.

    What the schema does not know stays behind the child that it stands behind, and comments at the end stay there.
    """
    name = etree.QName(element)
    drawing = name.namespace in DRAWING
    if not drawing and name.namespace not in NAMESPACES:
        return list(element)
    ranks = _ranks(name.localname, drawing)
    groups: list[tuple[int, list[etree._Element]]] = []
    waiting: list[etree._Element] = []
    rank = -1
    for child in element:
        waiting.append(child)
        if _is_element(child):
            rank = ranks.get(etree.QName(child).localname, rank)
            groups.append((rank, waiting))
            waiting = []
    groups.sort(key=lambda group: group[0])
    return [child for _, group in groups for child in group] + waiting
