"""What a new version of a model does otherwise than the old one: classes of inputs, each with an input that shows it.

>>> from pathlib import Path
>>> from settledesk.decisions import load_model
>>> from settledesk.verify.diff import compare_models
>>> found = compare_models(load_model(Path("old.dmn")), load_model(Path("new.dmn")))  # doctest: +SKIP
>>> [(change.where, change.old.value, change.new.value) for change in found.changes]  # doctest: +SKIP
[('total in [100..150)', 'discount', 'none')]
"""

from settledesk.verify.diff.compare import compare_models
from settledesk.verify.diff.outcomes import Outcome
from settledesk.verify.diff.report import Change, Comparison

__all__ = ["Change", "Comparison", "Outcome", "compare_models"]
