"""AdventureWorks purchasing as UBL files: orders and receipts as in the data, invoices made up with a fixed seed."""
