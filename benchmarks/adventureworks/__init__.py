"""AdventureWorks purchasing as a folder of UBL: orders and receipts as in the data, invoices made up with a fixed seed."""
