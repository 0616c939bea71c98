"""`python -m benchmarks.adventureworks.write FOLDER OUT [--orders N]`: the tables in FOLDER as UBL files below OUT.

Beside OUT a manifest `OUT.manifest.json` says for every invoice number its class and the finding kinds it must have.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.adventureworks.classes import SEED, expected_invoices
from benchmarks.adventureworks.source import read_orders
from benchmarks.adventureworks.ubl import invoice_xml, order_xml, receipt_xml


def write_folder(source: Path, out: Path, *, orders: int | None = None) -> Path:
    """Write the first `orders` orders (all if none) and what belongs to them below `out`; returns the manifest."""
    for name in ("orders", "receipts", "invoices"):
        (out / name).mkdir(parents=True, exist_ok=True)
    invoices: dict[str, dict[str, object]] = {}
    chosen = read_orders(source)[:orders]
    files = 0
    for order in chosen:
        (out / "orders" / f"{order.number}.xml").write_text(order_xml(order), encoding="utf-8")
        receipt = receipt_xml(order)
        if receipt is not None:
            (out / "receipts" / f"R{order.number}.xml").write_text(receipt, encoding="utf-8")
        for place, invoice in enumerate(expected_invoices(order)):
            # The copy's file sorts behind the first one's, as it would arrive.
            path = out / "invoices" / f"{order.number}-{place + 1}.xml"
            path.write_text(invoice_xml(order, invoice), encoding="utf-8")
            invoices[invoice.number] = {"class": invoice.name, "order": order.number, "kinds": list(invoice.kinds)}
            files += 1
        files += 1 + (receipt is not None)
    manifest = out.with_name(f"{out.name}.manifest.json")
    content = {"seed": SEED, "orders": len(chosen), "files": files, "invoices": invoices}
    manifest.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return manifest


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and write the folder."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adventureworks.write", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with AdventureWorks' purchasing tables")
    parser.add_argument("out", type=Path, help="the folder to write the documents to")
    parser.add_argument("--orders", type=int, default=None, help="how many orders, from the first (all if not given)")
    given = parser.parse_args(arguments)
    print(write_folder(given.folder, given.out, orders=given.orders))


if __name__ == "__main__":
    main()
