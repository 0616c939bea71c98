"""Letters as the pack's text: one template per fact and recipient, with a subject line and Peppol codes in front.

A template is `letters/{fact}.{recipient}.md.j2`: lines of `key: value` up to a line `---`, then the body. Placeholders
are facts; a placeholder that is no fact of the pack is an error when the pack is loaded.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import regex
from jinja2 import StrictUndefined, TemplateError, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from settledesk.facts import Fact, Known
from settledesk.packs.errors import PackError
from settledesk.packs.rationale import show_value

_ENVIRONMENT = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False)

_NOT_PLAIN = regex.compile(r"\{%|\{#|\{\{(?!\s*[a-z_][a-z0-9_]*\s*\}\})")
"""Whatever a template can do besides naming a fact: a letter is text with facts in it, not a program."""

BODY_MAX = 4_000
"""A letter's body is at most this many characters (part 4.5 of the reference)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterText:
    """A rendered letter, before it has an address and a Message-ID."""

    subject: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterTemplate:
    """One template: its front matter (`subject` and the codes) and its body."""

    name: str
    front: Mapping[str, str]
    body: str

    def names(self) -> frozenset[str]:
        """Return the placeholders of subject and body."""
        trees = (_ENVIRONMENT.parse(self.front["subject"]), _ENVIRONMENT.parse(self.body))
        return frozenset(name for tree in trees for name in meta.find_undeclared_variables(tree))

    def render(self, facts: Mapping[str, Fact]) -> LetterText:
        """Fill the template; a fact that is not known reads `not known`."""
        values = {
            name: show_value(fact.value) if isinstance(fact, Known) else "not known" for name, fact in facts.items()
        }
        values = {name: values.get(name, "not known") for name in self.names()}
        subject = _ENVIRONMENT.from_string(self.front["subject"]).render(values)
        body = _ENVIRONMENT.from_string(self.body).render(values)
        return LetterText(subject=" ".join(subject.split()), body=body[:BODY_MAX])


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterTemplates:
    """All letters of a pack, by fact and recipient."""

    templates: Mapping[str, LetterTemplate]

    def find(self, fact: str, recipient: str) -> LetterTemplate | None:
        """Return the letter that asks `recipient` for `fact`, or `None`."""
        return self.templates.get(f"{fact}.{recipient}")


def parse_letter(name: str, text: str) -> LetterTemplate:
    """Read one template; raises `PackError` naming the file and what is wrong."""
    head, mark, body = text.partition("\n---\n")
    if not mark:
        raise PackError(f"letter `{name}` has no line `---` between its codes and its text")
    front = {}
    for line in head.removeprefix("---\n").splitlines():
        key, colon, value = line.partition(":")
        if not colon:
            raise PackError(f"letter `{name}` has the line `{line}` where `key: value` is expected")
        front[key.strip()] = value.strip().strip('"')
    if "subject" not in front:
        raise PackError(f"letter `{name}` has no `subject`")
    template = LetterTemplate(name=name, front=front, body=body)
    for text in (front["subject"], body):
        if _NOT_PLAIN.search(text):
            raise PackError(
                f"letter `{name}` may hold placeholders such as `{{{{ total }}}}` and nothing else of a template"
            )
    try:
        template.names()
    except TemplateError as error:
        raise PackError(f"letter `{name}` cannot be read: {error}") from error
    return template
