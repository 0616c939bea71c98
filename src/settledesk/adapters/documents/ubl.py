"""The UBL document types that the desk reads, by their root element."""

from collections.abc import Callable, Mapping

from lxml import etree

from settledesk.adapters.documents.reading import DocumentError, Draft
from settledesk.adapters.documents.ubl_billing import read_credit_note, read_invoice
from settledesk.adapters.documents.ubl_nodes import Element
from settledesk.adapters.documents.ubl_orders import read_despatch, read_order, read_receipt
from settledesk.adapters.documents.xml_safely import parse_xml

ALIEN = "not a document type that the desk reads"
_UBL = "urn:oasis:names:specification:ubl:schema:xsd:"

_READERS: Mapping[str, Callable[[Element], list[Draft]]] = {
    f"{{{_UBL}Order-2}}Order": read_order,
    f"{{{_UBL}DespatchAdvice-2}}DespatchAdvice": read_despatch,
    f"{{{_UBL}ReceiptAdvice-2}}ReceiptAdvice": read_receipt,
    f"{{{_UBL}Invoice-2}}Invoice": read_invoice,
    f"{{{_UBL}CreditNote-2}}CreditNote": read_credit_note,
}


def read_ubl(data: bytes) -> list[Draft]:
    """Read one UBL file; raises `DocumentError` for what is not whole or not of these types."""
    root = parse_xml(data)
    reader = _READERS.get(str(root.tag))
    if reader is None:
        raise DocumentError(ALIEN, place="/" + etree.QName(root).localname)
    return reader(root)
