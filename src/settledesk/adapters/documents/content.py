"""The hash of what an invoice says, not of how it is written: other namespaces or signatures leave it the same."""

import hashlib
import json
from decimal import Decimal
from typing import Any

from settledesk.adapters.documents.values import canonical
from settledesk.matching.assessment import Record

_TOTALS = ("line_total", "allowance_total", "charge_total", "tax", "total", "prepaid")
_LINE_NUMBERS = ("quantity", "unit_price", "base_quantity", "allowance", "line_amount", "tax_percent")
_LINE_TEXTS = ("po_number", "po_line", "item", "vendor_item", "unit")


def content_hash(record: Record) -> str:
    """Return the SHA-256 (hex) over number, vendor, order, dates, lines and totals, all in normal form."""
    content = {
        "number": record["number_key"],
        "vendor": record["vendor_id"],
        "order": record["po_number"],
        "dates": [record["issue_date"], record["due_date"]],
        "currency": record["currency"],
        "totals": [_number(record[name]) for name in _TOTALS],
        "credits": sorted(record.get("invoice_numbers", ())),
        "lines": [_line(line) for line in record["lines"]],
    }
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _line(line: dict[str, Any]) -> list[str | None]:
    return [*(line[name] for name in _LINE_TEXTS), *(_number(line[name]) for name in _LINE_NUMBERS)]


def _number(text: str | None) -> str | None:
    return None if text is None else canonical(Decimal(text))
