"""Do a pack's parts agree? Each problem is one sentence that names the file and the name in it."""

from collections.abc import Iterator

import regex

from settledesk.facts import MoneyError, minor_unit_exponent
from settledesk.matching import FINDING_KINDS, MATCHERS, PAYABLE_PARTS
from settledesk.packs.pack import Pack
from settledesk.packs.rationale import placeholders
from settledesk.packs.readings import UNCLEAR, ReadingField

_READ = regex.compile(r"\{([a-z_]+)(?:\.[a-z_.+]+)?\}")


def check_parts(pack: Pack) -> list[str]:
    """Return every disagreement between the pack's files; none means that the pack holds together."""
    return [
        *_reasons(pack),
        *_inputs(pack),
        *_outputs(pack),
        *_rationales(pack),
        *_letters(pack),
        *_reads(pack),
        *_numbers(pack),
        *_readings(pack),
    ]


def _reasons(pack: Pack) -> Iterator[str]:
    if pack.file.matcher not in MATCHERS:
        yield f"pack.toml: matcher `{pack.file.matcher}` does not exist, choose one of {', '.join(sorted(MATCHERS))}"
        return
    kinds = FINDING_KINDS[pack.file.matcher]
    mapped: set[str] = set()
    for code, spec in pack.file.reasons.items():
        for kind in spec.findings:
            if kind not in kinds:
                yield f"pack.toml: reason `{code}` names the finding `{kind}`, which the matcher does not make"
            if kind in mapped:
                yield f"pack.toml: the finding `{kind}` has two reasons"
            mapped.add(kind)
    for kind in sorted(kinds - mapped):
        yield f"pack.toml: the finding `{kind}` has no reason"


def _inputs(pack: Pack) -> Iterator[str]:
    for decision, model in pack.tables.items():
        for name in model.inputs(decision):
            spec = pack.facts.get(name)
            if spec is None:
                yield f"decisions/{decision}.dmn: input `{name}` is not a fact of facts.toml"
            elif not spec.decides:
                yield f"facts.toml: `{name}` is an input of {decision}.dmn and must say `decides = true`"


def _outputs(pack: Pack) -> Iterator[str]:
    for column, allowed, where in (
        ("action", frozenset(pack.file.actions), "an action of pack.toml"),
        ("amount_basis", frozenset(pack.file.amounts), "an amount of pack.toml"),
    ):
        for row, value in pack.tables["resolution"].output_texts("resolution", column):
            if value not in allowed:
                yield f"decisions/resolution.dmn: row `{row}` gives `{value}`, which is not {where}"
    for row, value in pack.tables["combine"].output_texts("combine", "action"):
        if value not in pack.file.actions and value != "none":
            yield f"decisions/combine.dmn: row `{row}` gives `{value}`, which is not an action of pack.toml"
    for row, value in pack.tables["needs"].output_texts("needs", "fact"):
        if value not in pack.facts:
            yield f"decisions/needs.dmn: row `{row}` asks for `{value}`, which is not a fact of facts.toml"


def _rationales(pack: Pack) -> Iterator[str]:
    for decision in ("needs", "resolution", "closure"):
        for row in pack.tables[decision].rows(decision):
            template = pack.rationales.get(row)
            if template is None:
                yield f"rationales.toml: row `{row}` of {decision}.dmn has no sentence"
                continue
            for name in placeholders(template):
                if name not in pack.facts:
                    yield f"rationales.toml: `{row}` names `{name}`, which is not a fact of facts.toml"


def _letters(pack: Pack) -> Iterator[str]:
    for name, template in pack.letters.templates.items():
        for placeholder in sorted(template.names() - set(pack.facts)):
            yield f"letters/{name}.md.j2: `{placeholder}` is not a fact of facts.toml"
    facts = dict(pack.tables["needs"].output_texts("needs", "fact"))
    suppliers = dict(pack.tables["needs"].output_texts("needs", "from"))
    for row, fact in facts.items():
        if pack.letters.find(fact, suppliers[row]) is None:
            yield f"decisions/needs.dmn: row `{row}` asks {suppliers[row]} for `{fact}`, but no letter does that"
    supplied = {spec.fact for spec in pack.readings.values()}
    for fact in sorted(set(facts.values()) - supplied):
        yield f"readings/: no reading supplies `{fact}`, which needs.dmn asks for"


def _reads(pack: Pack) -> Iterator[str]:
    before: set[str] = set()
    for spec in pack.file.reads:
        for name in _READ.findall(spec.path):
            if name not in before and name != "subject":
                yield f"pack.toml: read `{spec.name}` names `{name}`, which is not a read before it"
        before.add(spec.name)
    if "subject" not in before:
        yield "pack.toml: one of the reads must be named `subject`"
    roles = {person.role for person in pack.people.values()}
    for role in pack.file.decides_all:
        if role not in roles:
            yield f"pack.toml: `{role}` in decides_all is not a role of anybody in people.toml"
    for name, fact in pack.facts.items():
        if fact.role is not None and fact.role not in roles:
            yield f"facts.toml: `{name}` wants the role `{fact.role}`, which nobody in people.toml has"


def _numbers(pack: Pack) -> Iterator[str]:
    kinds = FINDING_KINDS.get(pack.file.matcher, frozenset())
    for tolerance in pack.tolerances:
        if tolerance.finding not in kinds:
            yield f"tolerances.toml: `{tolerance.name}` is for the finding `{tolerance.finding}`, which does not exist"
    for window in pack.file.windows_days:
        if window not in kinds:
            yield f"pack.toml: the window `{window}` is for a finding that does not exist"
    for basis, parts in pack.file.amounts.items():
        for part in parts:
            if part not in PAYABLE_PARTS:
                yield f"pack.toml: amount `{basis}` leaves out `{part}`, choose from {', '.join(sorted(PAYABLE_PARTS))}"
    try:
        minor_unit_exponent(pack.file.currency)
    except MoneyError as error:
        yield f"pack.toml: currency {error}"


def _readings(pack: Pack) -> Iterator[str]:
    for file, spec in pack.readings.items():
        where = f"readings/{file}.toml"
        if UNCLEAR not in spec.intents:
            yield f"{where}: `{UNCLEAR}` must be among the intents"
        if spec.accept.intent not in spec.intents:
            yield f"{where}: `{spec.accept.intent}` is accepted but is not an intent"
        for name in spec.accept.required:
            if name not in spec.fields:
                yield f"{where}: `{name}` is required but is not a field"
        for name, field in spec.fields.items():
            yield from _reading_field(pack, where, name, field)


def _reading_field(pack: Pack, where: str, name: str, field: ReadingField) -> Iterator[str]:
    for fact in (field.equals, field.fact):
        if fact is not None and fact not in pack.facts:
            yield f"{where}: field `{name}` names `{fact}`, which is not a fact of facts.toml"
    if field.pattern is not None:
        try:
            regex.compile(field.pattern)
        except regex.error as error:
            yield f"{where}: the pattern of `{name}` is not a regular expression: {error}"
