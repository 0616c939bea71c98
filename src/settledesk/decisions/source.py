"""A DMN file as an XML tree: entities, network and huge trees off, one model, one version of the standard."""

from collections.abc import Iterator
from typing import Any

from lxml import etree

from settledesk.decisions.errors import ModelError, Place

FILE_BYTES_MAX = 8_000_000
NAMESPACES = {
    "http://www.omg.org/spec/DMN/20180521/MODEL/": "1.2",
    "https://www.omg.org/spec/DMN/20191111/MODEL/": "1.3",
    "https://www.omg.org/spec/DMN/20211108/MODEL/": "1.4",
    "https://www.omg.org/spec/DMN/20230324/MODEL/": "1.5",
}
_OLD = {"http://www.omg.org/spec/DMN/20151101/dmn.xsd": "1.1", "http://www.omg.org/spec/DMN/20130901": "1.0"}
_READABLE = ", ".join(f"{version} `{namespace}`" for namespace, version in NAMESPACES.items())


def parse_model(content: bytes, file: str) -> etree._Element:
    """Return the `definitions` element; raises `ModelError` for whatever is not exactly one model."""
    place = Place(file=file)
    if len(content) > FILE_BYTES_MAX:
        raise ModelError(f"a model may have at most {FILE_BYTES_MAX} bytes", place)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        dtd_validation=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ModelError(f"the file is not readable XML: {' '.join(str(error).split())}", place) from error
    if content_has_doctype(root):
        raise ModelError("a document type declaration is not allowed in a model", place)
    _check_namespaces(root, place)
    return root


def content_has_doctype(root: etree._Element) -> bool:
    """Tell whether the file declares a document type."""
    doctype: Any = getattr(root.getroottree().docinfo, "doctype", "")
    return bool(doctype)


def _check_namespaces(root: etree._Element, place: Place) -> None:
    name = etree.QName(root)
    if name.localname != "definitions":
        raise ModelError(f"the file holds `{name.localname}`, not the `definitions` of a model", place)
    if name.namespace not in NAMESPACES:
        version = _OLD.get(name.namespace or "")
        told = f"DMN {version} " if version else ""
        raise ModelError(f"{told}`{name.namespace}` is not a version that is read: use one of {_READABLE}", place)
    for element in root.iter(etree.Element):
        found = etree.QName(element)
        if found.namespace == name.namespace:
            if found.localname == "definitions" and element is not root:
                raise ModelError("the file holds more than one model", place)
        elif found.namespace in NAMESPACES or found.namespace in _OLD:
            raise ModelError(
                f"`{found.localname}` is of `{found.namespace}` but the model is of `{name.namespace}`", place
            )


def children(element: etree._Element, name: str) -> Iterator[etree._Element]:
    """Return the child elements of that name, in the model's namespace."""
    namespace = etree.QName(element).namespace
    return element.iterchildren(f"{{{namespace}}}{name}")


def child(element: etree._Element, name: str) -> etree._Element | None:
    """Return the first child element of that name, or `None`."""
    return next(children(element, name), None)


def text_of(element: etree._Element | None, default: str = "") -> str:
    """Return the content of the element's `text`, without the white space around it."""
    holder = None if element is None else child(element, "text")
    if holder is None:
        return default
    return "".join(str(part) for part in holder.itertext()).strip() or default


def local_name(element: etree._Element) -> str:
    """Return the element's name without its namespace."""
    return etree.QName(element).localname


def attribute(element: etree._Element, name: str) -> str | None:
    """Return an attribute as text, or `None`."""
    value = element.get(name)
    return None if value is None else str(value)
