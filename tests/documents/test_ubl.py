"""UBL documents become records; what is doubtful is refused with its place, never guessed and never half read."""

from pathlib import Path
from typing import Any

import pytest
import ubl_text

from settledesk.adapters.documents import FolderReading, read_folder


def _read(tmp_path: Path, *texts: str) -> FolderReading:
    for place, text in enumerate(texts):
        (tmp_path / f"{place}.xml").write_text(text)
    return read_folder(tmp_path)


def _records(reading: FolderReading, collection: str) -> list[Any]:
    return [one.record for one in reading.documents if one.collection == collection]


def test_an_order_whose_price_contradicts_its_line_amount_has_no_price(tmp_path: Path) -> None:
    """10 at 100.00 with a line amount of 100.00 cannot be right, so the price is left out and the record says why."""
    (order,) = _records(_read(tmp_path, ubl_text.order(price="100.00")), "purchase-orders")
    (line,) = order["lines"]
    assert line["unit_price"] is None
    assert line["unreadable"] == "10 at 100.00 per 1 is 1000, but the line amount is 100.00"


def test_an_order_within_rounding_keeps_its_price(tmp_path: Path) -> None:
    """3 at 3.3333 is 10.00 within half a cent, so nothing contradicts."""
    text = ubl_text.order(price="3.3333", quantity="3", amount="10.00")
    (order,) = _records(_read(tmp_path, text), "purchase-orders")
    assert order["lines"][0]["unit_price"] == "3.3333"
    assert order["lines"][0]["unreadable"] is None
    assert (order["id"], order["status"], order["buyer"]) == ("purchase-order:PO-1", "OPEN", None)


def test_what_was_rejected_is_not_accepted(tmp_path: Path) -> None:
    """UBL counts rejected goods as received, the record does not."""
    line = "<cbc:ReceivedQuantity>100</cbc:ReceivedQuantity><cbc:RejectedQuantity>20</cbc:RejectedQuantity>"
    (record,) = _records(_read(tmp_path, ubl_text.receipt(line)), "receipts")
    assert (record["lines"][0]["accepted"], record["lines"][0]["rejected"]) == ("80", "20")
    assert record["returned"] is False


def test_a_return_is_a_receipt_with_returned_set(tmp_path: Path) -> None:
    """The type code says that goods went back; quantities stay above zero."""
    head = "<cbc:ReceiptAdviceTypeCode>return</cbc:ReceiptAdviceTypeCode>"
    text = ubl_text.receipt("<cbc:ReceivedQuantity>5</cbc:ReceivedQuantity>", head=head)
    (record,) = _records(_read(tmp_path, text), "receipts")
    assert record["returned"] is True


def test_c1_a_negative_invoice_is_a_credit_note_of_the_same_size(tmp_path: Path) -> None:
    """Quantity -1, line -100, price 100 and 21 % tax become a credit of 121 with a price of 100."""
    text = ubl_text.bill(quantity="-1", price="100", amount="-100", tax="-21", payable="-121", kind="380")
    reading = _read(tmp_path, text)
    (credit,) = _records(reading, "credit-notes")
    assert _records(reading, "invoices") == []
    assert (credit["total"], credit["tax"], credit["line_total"]) == ("121", "21", "100")
    (line,) = credit["lines"]
    assert (line["quantity"], line["unit_price"], line["line_amount"]) == ("1", "100", "100")


def test_an_invoice_of_type_381_with_positive_amounts_is_not_flipped(tmp_path: Path) -> None:
    """The type makes it a credit note, and its amounts stay as they are."""
    (credit,) = _records(_read(tmp_path, ubl_text.bill(kind="381")), "credit-notes")
    assert (credit["total"], credit["lines"][0]["quantity"]) == ("100.00", "10")


def test_a_negative_correction_is_a_credit_note(tmp_path: Path) -> None:
    """Type 384 with negative amounts is flipped once; the number on the price is not."""
    text = ubl_text.bill(kind="384", quantity="-5", price="1", amount="-5", payable="-5")
    (credit,) = _records(_read(tmp_path, text), "credit-notes")
    assert (credit["total"], credit["lines"][0]["quantity"], credit["lines"][0]["unit_price"]) == ("5", "5", "1")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ubl_text.bill(root="CreditNote", quantity="-1", amount="-10", payable="-10"), "negative total"),
        (ubl_text.bill(kind="384"), "a correction with a positive total"),
        (ubl_text.bill(price="NaN"), "`NaN` is not a number"),
        (ubl_text.bill(price="1e400"), "`1e400` is not a number"),
        (ubl_text.bill(price="1,000.50"), "`1,000.50` is ambiguous"),
        (ubl_text.bill(price="9" * 40), "has more than 18 digits before the decimal point"),
        (ubl_text.bill(price="0.1111111111111111111"), "has more than 18 decimals"),
        (ubl_text.bill(price="9" * 200), "a number has more than 100 characters"),
        (
            ubl_text.bill().replace(">EUR<", ">XXX<").replace('"EUR"', '"XXX"'),
            "`XXX` is not a currency code of ISO 4217",
        ),
        (ubl_text.bill(payable="100.001"), "the total has more decimals than EUR has"),
        (ubl_text.bill(number="AB<x/>CD"), "an element that holds a value holds other elements"),
        (ubl_text.bill(payable='1<b xmlns="q"/>00'), "an element that holds a value holds other elements"),
        (ubl_text.bill(number="I\u009b31m"), "`I\\x9b31m` holds control characters"),
        (
            ubl_text.bill(extra="<cbc:ID>I-2</cbc:ID>"),
            "`cbc:ID` stands 2 times where it may stand once",
        ),
        (
            ubl_text.bill(totals='<cbc:PayableAmount currencyID="EUR">9999.00</cbc:PayableAmount>'),
            "`cbc:PayableAmount` stands 2 times where it may stand once",
        ),
        (
            ubl_text.bill(line=2 * "<cac:Item><cbc:Name>bolts</cbc:Name></cac:Item>"),
            "`cac:Item` stands 2 times where it may stand once",
        ),
        (
            ubl_text.bill(
                line="".join(
                    f"<cac:OrderLineReference><cbc:LineID>{n}</cbc:LineID></cac:OrderLineReference>" for n in (1, 2)
                )
            ),
            "`cac:OrderLineReference/cbc:LineID` stands 2 times and says different things",
        ),
        (
            ubl_text.bill().replace("</Invoice>", "")
            + ubl_text.bill()[ubl_text.bill().index("<cac:InvoiceLine>") : ubl_text.bill().index("</Invoice>")]
            + "</Invoice>",
            "line number `1` stands twice",
        ),
        (ubl_text.bill(amount="INF"), "`INF` is not a number"),
        (ubl_text.bill().replace("2026-01-10", "2026-02-30"), "`2026-02-30` is not a day of the calendar"),
        (ubl_text.bill().replace("2026-01-10", "10.01.2026"), "is not a date"),
        (
            ubl_text.bill().replace('PayableAmount currencyID="EUR"', 'PayableAmount currencyID="USD"'),
            "an amount is in USD",
        ),
        (ubl_text.bill(number=""), "the document lacks `cbc:ID`"),
        (ubl_text.bill(extra="").replace("InvoiceLine>", "NoLine>"), "the document has no lines"),
        (ubl_text.order(quantity="-1"), "an order line has no quantity, or one below zero"),
        (ubl_text.receipt("<cbc:ReceivedQuantity>-3</cbc:ReceivedQuantity>"), "below zero"),
        (
            ubl_text.receipt(
                "<cbc:ReceivedQuantity>3</cbc:ReceivedQuantity><cbc:RejectedQuantity>4</cbc:RejectedQuantity>"
            ),
            "more is rejected than was received",
        ),
        (ubl_text.document("Waybill", "<cbc:ID>1</cbc:ID>"), "not a document type that the desk reads"),
        (ubl_text.document("OrderResponse", "<cbc:ID>1</cbc:ID>"), "not a document type that the desk reads"),
    ],
)
def test_what_is_not_whole_is_unread_with_place_and_reason(text: str, reason: str, tmp_path: Path) -> None:
    """Nothing of the document is taken, and the list says why and where in the file."""
    reading = _read(tmp_path, text)
    assert reading.documents == ()
    (unread,) = reading.unread
    assert reason in unread.reason
    assert unread.place.startswith("/")


def test_a_place_names_the_element_and_its_position(tmp_path: Path) -> None:
    """The XPath leads to the one element that is wrong."""
    one = ubl_text.bill()
    start, end = one.index("<cac:InvoiceLine>"), one.index("</Invoice>")
    second = one[start:end].replace("<cbc:ID>1<", "<cbc:ID>2<").replace("10.00", "ten")
    (unread,) = _read(tmp_path, one[:end] + second + one[end:]).unread
    assert unread.place == "/Invoice/InvoiceLine[2]/Price/PriceAmount"


def test_a_rounding_of_the_total_keeps_the_total_of_the_document(tmp_path: Path) -> None:
    """What is asked for is 100.05; the five cents stand as a charge of their own, so the totals follow."""
    text = ubl_text.bill(
        payable="100.05",
        totals='<cbc:TaxInclusiveAmount currencyID="EUR">100.00</cbc:TaxInclusiveAmount>'
        '<cbc:PayableRoundingAmount currencyID="EUR">0.05</cbc:PayableRoundingAmount>',
    )
    (invoice,) = _records(_read(tmp_path, text), "invoices")
    assert (invoice["total"], invoice["charge_total"]) == ("100.05", "0.05")


def test_the_total_is_what_is_asked_for_before_prepayment(tmp_path: Path) -> None:
    """40 are still to be paid of 100 after 60 were prepaid: the total is 100."""
    text = ubl_text.bill(payable="40.00", totals='<cbc:PrepaidAmount currencyID="EUR">60.00</cbc:PrepaidAmount>')
    (invoice,) = _records(_read(tmp_path, text), "invoices")
    assert (invoice["total"], invoice["prepaid"]) == ("100.00", "60.00")


@pytest.mark.parametrize("where", ["extra", "line"])
def test_a_credit_note_names_its_invoice_in_the_header_or_on_a_line(where: str, tmp_path: Path) -> None:
    """Both places of a billing reference are read."""
    reference = (
        "<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>I-9</cbc:ID></cac:InvoiceDocumentReference>"
        "</cac:BillingReference>"
    )
    (credit,) = _records(_read(tmp_path, ubl_text.bill(root="CreditNote", **{where: reference})), "credit-notes")
    assert credit["invoice_numbers"] == ["I-9"]


def test_the_content_hash_is_of_what_is_said_and_not_of_how(tmp_path: Path) -> None:
    """Other prefixes, comments, decimals and writing of the number leave the hash; another price changes it."""
    plain = ubl_text.bill(number="I-001")
    other = (
        plain.replace("cbc:", "b:").replace("xmlns:cbc", "xmlns:b").replace("I-001", "i 1").replace("100.00", "100.0")
    )
    changed = ubl_text.bill(number="I-001", price="9.00")
    records = _records(_read(tmp_path, plain, other.replace("<b:ID>", "<!-- x --><b:ID>", 1), changed), "invoices")
    first, second, third = (one["content_hash"] for one in records)
    assert first == second != third


def test_the_same_folder_gives_the_same_keys_and_a_changed_file_another(tmp_path: Path) -> None:
    """A key is of path and content: a second reading repeats it, a change of the file does not."""
    first = _read(tmp_path, ubl_text.order(), ubl_text.bill())
    again = read_folder(tmp_path)
    assert first == again
    changed = _read(tmp_path, ubl_text.order(), ubl_text.bill(price="11.00", amount="110.00", payable="110.00"))
    keys = [{one.key for one in reading.documents} for reading in (first, changed)]
    assert len(keys[0] & keys[1]) == 2
    assert len(keys[0] | keys[1]) == 4


def test_comments_and_character_data_inside_a_value_are_part_of_its_text(tmp_path: Path) -> None:
    """A number is read whole around a comment, an instruction or a CDATA section, never up to it."""
    text = ubl_text.bill(number="AB<!-- x -->CD<?x y?>E<![CDATA[F]]>", payable="1<!-- -->00.00")
    (invoice,) = _records(_read(tmp_path, text), "invoices")
    assert (invoice["number"], invoice["total"]) == ("ABCDEF", "100.00")


def test_what_may_stand_more_than_once_is_read_where_it_says_one_thing(tmp_path: Path) -> None:
    """Two references to one order line are one, parts of a description are joined, two tax rates are no percent."""
    reference = "<cac:OrderLineReference><cbc:LineID>7</cbc:LineID></cac:OrderLineReference>"
    rates = "".join(
        f"<cac:ClassifiedTaxCategory><cbc:Percent>{rate}</cbc:Percent></cac:ClassifiedTaxCategory>" for rate in (7, 19)
    )
    item = f"<cac:Item><cbc:Description>hex</cbc:Description><cbc:Description>bolts</cbc:Description>{rates}</cac:Item>"
    (invoice,) = _records(_read(tmp_path, ubl_text.bill(line=2 * reference + item)), "invoices")
    (line,) = invoice["lines"]
    assert (line["po_line"], line["description"], line["tax_percent"]) == ("7", "hex bolts", None)


def test_a_receipt_of_two_orders_is_a_receipt_of_each(tmp_path: Path) -> None:
    """One file of two orders gives two documents, neither of which is taken for a copy of the other."""
    lines = "".join(
        f"<cac:ReceiptLine><cbc:ID>{n}</cbc:ID><cbc:ReceivedQuantity>5</cbc:ReceivedQuantity><cac:OrderLineReference>"
        f"<cbc:LineID>1</cbc:LineID><cac:OrderReference><cbc:ID>PO-{n}</cbc:ID></cac:OrderReference>"
        "</cac:OrderLineReference></cac:ReceiptLine>"
        for n in (1, 2)
    )
    text = ubl_text.document("ReceiptAdvice", f"<cbc:ID>R1</cbc:ID><cbc:IssueDate>2026-01-09</cbc:IssueDate>{lines}")
    reading = _read(tmp_path, text)
    assert [one.record["po_number"] for one in reading.documents] == ["PO-1", "PO-2"]
    assert len({one.key for one in reading.documents}) == 2
    assert len({one.record["id"] for one in reading.documents}) == 2


def test_documents_come_in_the_order_in_which_they_can_be_used(tmp_path: Path) -> None:
    """Vendors, orders, receipts, invoices, credit notes, whatever the files are called."""
    texts = [
        ubl_text.bill("C-1", root="CreditNote"),
        ubl_text.bill(),
        ubl_text.receipt("<cbc:ReceivedQuantity>5</cbc:ReceivedQuantity>"),
        ubl_text.order(),
    ]
    reading = _read(tmp_path, *texts)
    assert [one.collection for one in reading.documents] == [
        "vendors",
        "purchase-orders",
        "receipts",
        "invoices",
        "credit-notes",
    ]
    assert reading.files == 4


def test_progress_is_told_file_by_file(tmp_path: Path) -> None:
    """The caller can show how far the reading is."""
    told: list[int] = []
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "b.xml").write_text(ubl_text.order())
    read_folder(tmp_path, told.append)
    assert told == [1, 2]


def test_one_file_can_be_read_instead_of_a_folder(tmp_path: Path) -> None:
    """A path to a file reads that file; a path to nothing is an error of the caller."""
    (tmp_path / "a.xml").write_text(ubl_text.order())
    assert len(read_folder(tmp_path / "a.xml").documents) == 2
    with pytest.raises(FileNotFoundError):
        read_folder(tmp_path / "none")
