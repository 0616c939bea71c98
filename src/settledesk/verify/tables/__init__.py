"""What can be said of a decision table without waiting for the input that shows it: overlaps, gaps, dead rows.

>>> from pathlib import Path
>>> from settledesk.decisions import load_model
>>> from settledesk.verify.tables import check_model
>>> report = check_model(load_model(Path("discount.dmn")))  # doctest: +SKIP
>>> [(finding.kind, finding.rows) for finding in report.findings]  # doctest: +SKIP
[('overlap', ('small', 'regular_large'))]

`partition` and `search` are the ground that a comparison of two tables stands on as well.
"""

from settledesk.verify.tables.check import check_model, check_table
from settledesk.verify.tables.findings import Finding, Report
from settledesk.verify.tables.wording import input_text, value_text

__all__ = ["Finding", "Report", "check_model", "check_table", "input_text", "value_text"]
