"""The tab-separated tables of AdventureWorks (layout in its 01_create.sql) as typed rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

STATUSES = {"1": "PENDING", "2": "OPEN", "3": "REJECTED", "4": "OPEN"}
"""PurchaseOrderHeader.Status: 1 pending, 2 approved, 3 rejected, 4 complete. A complete order may still be billed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderLine:
    """One PurchaseOrderDetail row. Quantities are whole in the data; the price has up to four decimals."""

    line: str
    item: str
    description: str
    quantity: Decimal
    unit_price: Decimal
    received: Decimal
    rejected: Decimal

    @property
    def accepted(self) -> Decimal:
        """Return what was received and kept."""
        return self.received - self.rejected


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One PurchaseOrderHeader row with its lines. Dates are ISO text."""

    number: str
    status: str
    buyer: str
    vendor_account: str
    vendor_name: str
    ordered_on: str
    shipped_on: str
    lines: tuple[OrderLine, ...]


def read_orders(folder: Path) -> list[Order]:
    """Read all orders in order of their number; raises `OSError` if a table is absent."""
    vendors = {row[0]: (row[1], row[2]) for row in _rows(folder / "Vendor.csv")}
    products = {row[0]: (row[2], row[1]) for row in _rows(folder / "Product.csv")}
    lines: dict[str, list[OrderLine]] = {}
    for row in _rows(folder / "PurchaseOrderDetail.csv"):
        item, description = products[row[4]]
        lines.setdefault(row[0], []).append(
            OrderLine(
                line=str(len(lines.get(row[0], ())) + 1),
                item=item,
                description=description,
                quantity=Decimal(row[3]),
                unit_price=Decimal(row[5]),
                received=Decimal(row[7]),
                rejected=Decimal(row[8]),
            )
        )
    return [
        Order(
            number=f"PO{int(row[0]):05d}",
            status=STATUSES[row[2]],
            buyer=f"buyer-{row[3]}",
            vendor_account=vendors[row[4]][0],
            vendor_name=vendors[row[4]][1],
            ordered_on=row[6][:10],
            shipped_on=(row[7] or row[6])[:10],
            lines=tuple(lines[row[0]]),
        )
        for row in sorted(_rows(folder / "PurchaseOrderHeader.csv"), key=lambda row: int(row[0]))
    ]


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        for line in file:
            yield line.rstrip("\r\n").split("\t")
