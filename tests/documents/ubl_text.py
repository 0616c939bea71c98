"""UBL text for the tests, as short as the reader needs it."""

SPACES = (
    'xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" '
    'xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"'
)


def document(root: str, body: str) -> str:
    """Return a document of that type."""
    space = f"urn:oasis:names:specification:ubl:schema:xsd:{root}-2"
    return f'<?xml version="1.0"?><{root} xmlns="{space}" {SPACES}>{body}</{root}>'


def party(
    element: str, *, name: str = "Quillfeather", tax: str | None = "DE990000001", account: str | None = None
) -> str:
    """Return a supplier."""
    tax_part = f"<cac:PartyTaxScheme><cbc:CompanyID>{tax}</cbc:CompanyID></cac:PartyTaxScheme>" if tax else ""
    account_part = f"<cbc:CustomerAssignedAccountID>{account}</cbc:CustomerAssignedAccountID>" if account else ""
    return (
        f"<cac:{element}>{account_part}<cac:Party><cac:PartyName><cbc:Name>{name}</cbc:Name></cac:PartyName>{tax_part}"
        f"<cac:Contact><cbc:ElectronicMail>x@{element.lower()}.example</cbc:ElectronicMail></cac:Contact>"
        f"</cac:Party></cac:{element}>"
    )


def order(
    number: str = "PO-1", *, price: str = "10.00", quantity: str = "10", amount: str = "100.00", **supplier: str
) -> str:
    """Return an Order of one line."""
    return document(
        "Order",
        f"<cbc:ID>{number}</cbc:ID><cbc:IssueDate>2026-01-05</cbc:IssueDate>"
        f"<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>{party('SellerSupplierParty', **supplier)}"
        f'<cac:OrderLine><cac:LineItem><cbc:ID>1</cbc:ID><cbc:Quantity unitCode="C62">{quantity}</cbc:Quantity>'
        f'<cbc:LineExtensionAmount currencyID="EUR">{amount}</cbc:LineExtensionAmount>'
        f'<cac:Price><cbc:PriceAmount currencyID="EUR">{price}</cbc:PriceAmount></cac:Price>'
        "</cac:LineItem></cac:OrderLine>",
    )


def receipt(line: str, *, head: str = "") -> str:
    """Return a ReceiptAdvice with the inside of one line."""
    return document(
        "ReceiptAdvice",
        f"<cbc:ID>R1</cbc:ID><cbc:IssueDate>2026-01-09</cbc:IssueDate>{head}"
        f"<cac:OrderReference><cbc:ID>PO-1</cbc:ID></cac:OrderReference>"
        f"<cac:ReceiptLine><cbc:ID>1</cbc:ID>{line}</cac:ReceiptLine>",
    )


def bill(
    number: str = "I-1",
    *,
    root: str = "Invoice",
    kind: str = "380",
    quantity: str = "10",
    price: str = "10.00",
    amount: str = "100.00",
    tax: str = "0",
    payable: str = "100.00",
    extra: str = "",
    totals: str = "",
    line: str = "",
    supplier: str = "",
) -> str:
    """Return an Invoice or CreditNote of one line."""
    quantity_name, line_name = (
        ("InvoicedQuantity", "InvoiceLine") if root == "Invoice" else ("CreditedQuantity", "CreditNoteLine")
    )
    code = f"<cbc:InvoiceTypeCode>{kind}</cbc:InvoiceTypeCode>" if root == "Invoice" else ""
    return document(
        root,
        f"<cbc:ID>{number}</cbc:ID><cbc:IssueDate>2026-01-10</cbc:IssueDate>{code}"
        f"<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>{extra}"
        f"<cac:OrderReference><cbc:ID>PO-1</cbc:ID></cac:OrderReference>"
        f"{supplier or party('AccountingSupplierParty')}"
        f'<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">{tax}</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal>'
        f'<cbc:LineExtensionAmount currencyID="EUR">{amount}</cbc:LineExtensionAmount>{totals}'
        f'<cbc:PayableAmount currencyID="EUR">{payable}</cbc:PayableAmount></cac:LegalMonetaryTotal>'
        f'<cac:{line_name}><cbc:ID>1</cbc:ID><cbc:{quantity_name} unitCode="C62">{quantity}</cbc:{quantity_name}>'
        f'<cbc:LineExtensionAmount currencyID="EUR">{amount}</cbc:LineExtensionAmount>{line}'
        f'<cac:Price><cbc:PriceAmount currencyID="EUR">{price}</cbc:PriceAmount></cac:Price></cac:{line_name}>',
    )
