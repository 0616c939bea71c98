"""A pack as a value: a domain as data, versioned by the hash of its content."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path

from settledesk.decisions import Model
from settledesk.facts import Fact
from settledesk.matching.assessment import MatchSettings, Tolerance
from settledesk.packs.letters import LetterTemplates
from settledesk.packs.rationale import render_sentence
from settledesk.packs.readings import ReadingSpec
from settledesk.packs.spec import FactSpec, PackFile, PersonSpec, ToleranceSpec


@dataclass(frozen=True, kw_only=True)
class Pack:
    """Everything that a domain says, loaded and checked."""

    folder: Path
    file: PackFile
    facts: Mapping[str, FactSpec]
    tables: Mapping[str, Model]
    tolerances: tuple[ToleranceSpec, ...]
    rationales: Mapping[str, str]
    letters: LetterTemplates
    readings: Mapping[str, ReadingSpec]
    people: Mapping[str, PersonSpec]
    content_hash: str
    tables_hash: str

    @property
    def name(self) -> str:
        """Return the pack's name."""
        return self.file.name

    @property
    def version_label(self) -> str:
        """Return name, version and the first 12 hex digits of the content hash."""
        return f"{self.file.name} {self.file.version} ({self.content_hash[:12]})"

    @cached_property
    def settings(self) -> MatchSettings:
        """Return the numbers that the pack's matcher works with."""
        return MatchSettings(
            tolerances=self.tolerance,
            windows_days=self.file.windows_days,
            inference_threshold=self.file.limits.inference_threshold,
        )

    def tolerance(self, finding: str, scope: Mapping[str, str]) -> Tolerance:
        """Return the first tolerance for a finding whose scope matches; without one, nothing is tolerated."""
        for spec in self.tolerances:
            if spec.finding == finding and all(scope.get(key) == value for key, value in spec.scope.items()):
                return Tolerance(name=spec.name, percent=spec.percent, absolute=spec.absolute)
        return Tolerance(name="none", absolute=Decimal(0))

    @cached_property
    def _reasons(self) -> Mapping[str, str]:
        return {finding: code for code, spec in self.file.reasons.items() for finding in spec.findings}

    def reason_of(self, finding: str) -> str:
        """Return the reason code of a generic finding; every finding has one, `check_pack` sees to it."""
        return self._reasons[finding]

    def rationale(self, row: str, facts: Mapping[str, Fact]) -> str:
        """Return the row's sentence with the facts filled in."""
        return render_sentence(self.rationales[row], facts)
