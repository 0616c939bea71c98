"""UBL text for an order, its receipt and its invoices. Prices keep all decimals; invoice amounts are in cents."""

from decimal import ROUND_HALF_UP, Decimal
from xml.sax.saxutils import escape

from benchmarks.adventureworks.classes import Expected
from benchmarks.adventureworks.source import Order, OrderLine

CURRENCY = "EUR"
TAX_PERCENT = Decimal(8)
_CENT = Decimal("0.01")
_SPACES = (
    'xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" '
    'xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"'
)


def order_xml(order: Order) -> str:
    """Return the Order. A status other than open stands in an extension, for which UBL has no element."""
    lines = "".join(
        f"<cac:OrderLine><cac:LineItem><cbc:ID>{line.line}</cbc:ID>{_quantity('Quantity', line.quantity)}"
        f"{_amount('LineExtensionAmount', line.quantity * line.unit_price)}{_price(line.unit_price)}{_item(line)}"
        "</cac:LineItem></cac:OrderLine>"
        for line in order.lines
    )
    return _document(
        "Order",
        _status(order)
        + f"<cbc:ID>{order.number}</cbc:ID><cbc:IssueDate>{order.ordered_on}</cbc:IssueDate>"
        + f"<cbc:DocumentCurrencyCode>{CURRENCY}</cbc:DocumentCurrencyCode>"
        + f"<cac:BuyerCustomerParty><cac:Party><cac:Contact><cbc:ID>{order.buyer}</cbc:ID></cac:Contact></cac:Party>"
        + f"</cac:BuyerCustomerParty>{_supplier('SellerSupplierParty', order)}{lines}",
    )


def receipt_xml(order: Order) -> str | None:
    """Return the ReceiptAdvice with received and rejected quantities, or none if nothing came."""
    lines = "".join(
        f"<cac:ReceiptLine><cbc:ID>{line.line}</cbc:ID>{_quantity('ReceivedQuantity', line.received)}"
        f"{_quantity('RejectedQuantity', line.rejected)}{_reference(line)}{_item(line)}</cac:ReceiptLine>"
        for line in order.lines
        if line.received
    )
    if not lines:
        return None
    return _document(
        "ReceiptAdvice",
        f"<cbc:ID>R{order.number}</cbc:ID><cbc:IssueDate>{order.shipped_on}</cbc:IssueDate>"
        f"<cac:OrderReference><cbc:ID>{order.number}</cbc:ID></cac:OrderReference>"
        f"{_supplier('DespatchSupplierParty', order)}{lines}",
    )


def invoice_xml(order: Order, invoice: Expected) -> str:
    """Return the Invoice: what was ordered, at the order's price times the factor of its class."""
    amounts = [_cents(line.quantity * line.unit_price * invoice.factor) for line in order.lines]
    net = sum(amounts, Decimal(0))
    tax = _cents(net * TAX_PERCENT / 100)
    lines = "".join(
        f"<cac:InvoiceLine><cbc:ID>{line.line}</cbc:ID>{_quantity('InvoicedQuantity', line.quantity)}"
        f"{_amount('LineExtensionAmount', amount)}{_reference(line)}{_item(line, tax=True)}"
        f"{_price(line.unit_price * invoice.factor)}</cac:InvoiceLine>"
        for line, amount in zip(order.lines, amounts, strict=True)
    )
    return _document(
        "Invoice",
        f"<cbc:ID>{invoice.number}</cbc:ID><cbc:IssueDate>{order.shipped_on}</cbc:IssueDate>"
        f"<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>{CURRENCY}</cbc:DocumentCurrencyCode>"
        f"<cac:OrderReference><cbc:ID>{order.number}</cbc:ID></cac:OrderReference>"
        f"{_supplier('AccountingSupplierParty', order)}<cac:TaxTotal>{_amount('TaxAmount', tax)}</cac:TaxTotal>"
        f"<cac:LegalMonetaryTotal>{_amount('LineExtensionAmount', net)}{_amount('TaxExclusiveAmount', net)}"
        f"{_amount('TaxInclusiveAmount', net + tax)}{_amount('PayableAmount', net + tax)}"
        f"</cac:LegalMonetaryTotal>{lines}",
    )


def _document(name: str, content: str) -> str:
    space = f"urn:oasis:names:specification:ubl:schema:xsd:{name}-2"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{name} xmlns="{space}" {_SPACES}>{content}</{name}>\n'


def _status(order: Order) -> str:
    if order.status == "OPEN":
        return ""
    return (
        '<ext:UBLExtensions xmlns:ext="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2">'
        "<ext:UBLExtension><ext:ExtensionContent>"
        f'<desk:OrderStatus xmlns:desk="urn:settledesk:ubl:extension">{order.status}</desk:OrderStatus>'
        "</ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>"
    )


def _supplier(element: str, order: Order) -> str:
    return (
        f"<cac:{element}><cbc:CustomerAssignedAccountID>{escape(order.vendor_account)}</cbc:CustomerAssignedAccountID>"
        f"<cac:Party><cac:PartyName><cbc:Name>{escape(order.vendor_name)}</cbc:Name></cac:PartyName></cac:Party>"
        f"</cac:{element}>"
    )


def _item(line: OrderLine, *, tax: bool = False) -> str:
    category = (
        f"<cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>{TAX_PERCENT}</cbc:Percent>"
        "<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory>"
        if tax
        else ""
    )
    return (
        f"<cac:Item><cbc:Name>{escape(line.description)}</cbc:Name><cac:BuyersItemIdentification>"
        f"<cbc:ID>{escape(line.item)}</cbc:ID></cac:BuyersItemIdentification>{category}</cac:Item>"
    )


def _reference(line: OrderLine) -> str:
    return f"<cac:OrderLineReference><cbc:LineID>{line.line}</cbc:LineID></cac:OrderLineReference>"


def _price(price: Decimal) -> str:
    return f"<cac:Price>{_amount('PriceAmount', price)}</cac:Price>"


def _quantity(element: str, quantity: Decimal) -> str:
    return f'<cbc:{element} unitCode="C62">{_plain(quantity)}</cbc:{element}>'


def _amount(element: str, amount: Decimal) -> str:
    return f'<cbc:{element} currencyID="{CURRENCY}">{_plain(amount)}</cbc:{element}>'


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, rounding=ROUND_HALF_UP)


def _plain(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
