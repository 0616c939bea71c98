"""Small readers for UBL elements: text, number, date, amount at a path, refused with the XPath where they are wrong."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import cache
from typing import TypeVar

from lxml import etree

from settledesk.adapters.documents.reading import DocumentError, Party
from settledesk.adapters.documents.values import (
    ValueRefusedError,
    code_text,
    currency_text,
    date_text,
    decimal_of,
    free_text,
)

Element = etree._Element
T = TypeVar("T")

_SPACES = {
    "cbc": "{urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2}",
    "cac": "{urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2}",
    "ext": "{urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2}",
    "desk": "{urn:settledesk:ubl:extension}",
}


@cache
def clark(path: str) -> str:
    """Turn `cac:Party/cbc:Name` into the form that lxml looks up without a table of prefixes."""
    return "/".join(_SPACES[prefix] + name for prefix, name in (step.split(":") for step in path.split("/")))


def children(node: Element, path: str) -> list[Element]:
    """Return all elements at the path."""
    return node.findall(clark(path))


def child(node: Element, path: str) -> Element | None:
    """Return the one element at the path, or none; if there are several, nothing says which one counts."""
    found = node.findall(clark(path))
    if len(found) > 1:
        raise DocumentError(f"`{path}` stands {len(found)} times where it may stand once", place=place_of(found[1]))
    return found[0] if found else None


def agreed(node: Element, path: str) -> Element | None:
    """Return the element at a path that may stand more than once; if they say different things, it is refused."""
    found = node.findall(clark(path))
    if len({_value(one) for one in found}) > 1:
        raise DocumentError(f"`{path}` stands {len(found)} times and says different things", place=place_of(found[1]))
    return found[0] if found else None


def value_of(node: Element) -> str:
    """Return an element's whole text; one that holds other elements has no single value, so it is refused."""
    if len(node):
        raise DocumentError("an element that holds a value holds other elements", place=place_of(node))
    return _value(node)


def _value(node: Element) -> str:
    return node.text or ""


def place_of(node: Element) -> str:
    """Return the element's XPath by local names, with a position where it has siblings of its name."""
    steps: list[str] = []
    current: Element | None = node
    while current is not None:
        parent = current.getparent()
        name = etree.QName(current).localname
        same = [] if parent is None else [one for one in parent if one.tag == current.tag]
        steps.append(f"{name}[{same.index(current) + 1}]" if len(same) > 1 else name)
        current = parent
    return "/" + "/".join(reversed(steps))


def code(node: Element, path: str) -> str | None:
    """Return a number, id or code at the path, or none if absent or blank."""
    return _code(child(node, path))


def agreed_code(node: Element, path: str) -> str | None:
    """Return a code at a path that may stand more than once, or none."""
    return _code(agreed(node, path))


def _code(found: Element | None) -> str | None:
    if found is None or not value_of(found).strip():
        return None
    return _read(found, code_text)


def needed_code(node: Element, path: str) -> str:
    """Return a code that the document must have."""
    value = code(node, path)
    if value is None:
        raise DocumentError(f"the document lacks `{path}`", place=place_of(node))
    return value


def text(node: Element, path: str) -> str | None:
    """Return text for people at the path, or none; where it stands in several parts, these are joined."""
    parts = [_read(found, free_text) for found in children(node, path)]
    return " ".join(part for part in parts if part) or None


def day(node: Element, path: str) -> str | None:
    """Return an ISO date at the path, or none if absent."""
    found = child(node, path)
    return None if found is None else _read(found, date_text)


def needed_day(node: Element, path: str) -> str:
    """Return a date that the document must have."""
    value = day(node, path)
    if value is None:
        raise DocumentError(f"the document lacks `{path}`", place=place_of(node))
    return value


def number(node: Element, path: str) -> Decimal | None:
    """Return a number at the path, or none if absent."""
    found = child(node, path)
    return None if found is None else _read(found, decimal_of)


def amount(node: Element, path: str, currency: str) -> Decimal | None:
    """Return an amount at the path, or none; an amount in another currency than the document's is refused."""
    found = child(node, path)
    if found is None:
        return None
    stated = found.get("currencyID")
    if stated and stated != currency:
        raise DocumentError(
            f"an amount is in {_stated_currency(found, stated)} where the document is in {currency}",
            place=place_of(found),
        )
    return _read(found, decimal_of)


def unit(node: Element, path: str) -> str | None:
    """Return the unit code of the quantity at the path, or none."""
    found = child(node, path)
    stated = None if found is None else found.get("unitCode")
    return stated.strip() if stated and stated.strip() else None


def flag(node: Element, path: str) -> bool:
    """Return a boolean at the path; absent is false, anything but true and false is refused."""
    found = child(node, path)
    if found is None:
        return False
    value = value_of(found).strip().lower()
    if value not in {"true", "false", "1", "0"}:
        raise DocumentError("a value is neither true nor false", place=place_of(found))
    return value in {"true", "1"}


def currency_of(root: Element, fallbacks: Iterable[str]) -> str:
    """Return the document's currency: as declared, else that of the first amount at one of the paths."""
    declared = child(root, "cbc:DocumentCurrencyCode")
    if declared is not None:
        return _read(declared, currency_text)
    for path in fallbacks:
        found = root.find(clark(path))
        stated = None if found is None else found.get("currencyID")
        if found is not None and stated:
            return _stated_currency(found, stated)
    raise DocumentError("the document does not say in which currency it is", place=place_of(root))


def _stated_currency(node: Element, stated: str) -> str:
    return _read(node, lambda _: currency_text(stated))


def party_of(node: Element | None) -> Party | None:
    """Read a supplier: trading name and registered name, tax and company ids, the account id that the customer gave."""
    if node is None:
        return None
    party = child(node, "cac:Party")
    if party is None:
        party = node
    names = (
        *(text(one, "cbc:Name") for one in children(party, "cac:PartyName")),
        *(text(one, "cbc:RegistrationName") for one in children(party, "cac:PartyTaxScheme")),
        *(text(one, "cbc:RegistrationName") for one in children(party, "cac:PartyLegalEntity")),
    )
    return Party(
        names=tuple(dict.fromkeys(name for name in names if name)),
        tax_ids=_tax_ids(party),
        party_ids=_party_ids(party),
        account=code(node, "cbc:CustomerAssignedAccountID"),
        email=text(party, "cac:Contact/cbc:ElectronicMail"),
        phone=text(party, "cac:Contact/cbc:Telephone"),
        contact=text(party, "cac:Contact/cbc:Name"),
    )


def _tax_ids(party: Element) -> tuple[str, ...]:
    schemes = children(party, "cac:PartyTaxScheme")
    # The VAT number first: it is the identity that other documents most often carry.
    schemes.sort(key=lambda one: (code(one, "cac:TaxScheme/cbc:ID") or "") != "VAT")
    stated = [code(one, "cbc:CompanyID") for one in (*schemes, *children(party, "cac:PartyLegalEntity"))]
    plain = ("".join(char for char in one.upper() if char.isalnum()) for one in stated if one)
    return tuple(dict.fromkeys(one for one in plain if len(one) >= 5))


def _party_ids(party: Element) -> tuple[str, ...]:
    found = []
    for one in children(party, "cac:PartyIdentification/cbc:ID"):
        stated = value_of(one).strip()
        if stated and one.get("schemeID"):
            found.append(f"{one.get('schemeID')}:{stated}".casefold())
    return tuple(dict.fromkeys(found))


def _read(node: Element, read: Callable[[str], T]) -> T:
    try:
        return read(value_of(node))
    except ValueRefusedError as error:
        raise DocumentError(str(error), place=place_of(node)) from error
