"""Seeds: starting situations declared by the pack, filled in with a suffix that keeps two of them apart."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from settledesk.simulator.pack_files import PackFileError, PackFiles, Seed, Template


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeded:
    """What a seed made. `facts` gives for each fact the ids that are equally good evidence of it."""

    subject_id: str
    facts: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledDocument:
    """One document of a seed, ready to be taken in; `state` is a status other than the initial one."""

    collection: str
    record: Mapping[str, Any]
    state: str | None


class SeedError(ValueError):
    """A seed cannot be used as asked."""


def fill_seed(
    files: PackFiles, name: str, suffix: str, texts: Mapping[str, str] | None = None
) -> tuple[Seeded, tuple[FilledDocument, ...]]:
    """Return what the seed makes; `suffix` is put in upper case, `texts` replace the seed's own texts.

    Raises `SeedError` for an unknown seed or a suffix that is not 1 to 32 letters and digits.
    """
    seed = files.seeds.get(name)
    if seed is None:
        raise SeedError(f"`{name}` is not a seed of this pack, known are: {', '.join(files.seeds)}")
    if not (suffix.isascii() and suffix.isalnum() and len(suffix) <= 32):
        raise SeedError(f"the suffix `{suffix}` must be 1 to 32 letters and digits")
    values = _values(seed, suffix.upper(), texts or {})
    documents = tuple(
        FilledDocument(
            collection=_template(files, item.use, name).collection,
            record=_fill(_over(_template(files, item.use, name), item.with_), values),
            state=item.state,
        )
        for item in seed.documents
    )
    facts = {fact: tuple(_fill(list(ids), values)) for fact, ids in seed.facts.items()}
    return Seeded(subject_id=_fill(seed.subject, values), facts=facts), documents


def _values(seed: Seed, suffix: str, texts: Mapping[str, str]) -> dict[str, str]:
    own = {"line_text": "goods", **seed.texts}
    unknown = set(texts) - set(own)
    if unknown:
        raise SeedError(f"the seed `{seed.name}` has no text named `{min(unknown)}`, it has: {', '.join(sorted(own))}")
    # A text from outside is put in as it is; only the seed's own may carry the suffix.
    return {**{name: text.replace("{suffix}", suffix) for name, text in own.items()}, **texts, "suffix": suffix}


def _template(files: PackFiles, use: str, seed: str) -> Template:
    template = files.templates.get(use)
    if template is None:
        raise PackFileError(f"the seed `{seed}` uses the template `{use}`, which `seeds/base.yaml` does not have")
    return template


def _over(template: Template, values: Mapping[str, Any]) -> dict[str, Any]:
    record = {**template.record, **values}
    for field, element in template.each.items():
        record[field] = [{**element, **item} for item in record.get(field) or ()]
    return record


def _fill(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        # One pass over the pieces: braces inside a text that was put in are not placeholders again.
        pieces = value.split("{")
        return pieces[0] + "".join(_piece(piece, values) for piece in pieces[1:])
    if isinstance(value, Mapping):
        return {key: _fill(item, values) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_fill(item, values) for item in value]
    return value


def _piece(piece: str, values: Mapping[str, str]) -> str:
    name, closed, rest = piece.partition("}")
    if not closed or name not in values:
        raise PackFileError(f"`{{{name}` in a seed is not a placeholder, known are: {', '.join(sorted(values))}")
    return values[name] + rest
