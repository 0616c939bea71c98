"""Texts that are no good: tokens in any order, and good texts with a few characters changed."""

from fuzz_trees import NAMES

TOKENS = (
    *(
        "1",
        "2.5",
        "-",
        "+",
        "*",
        "**",
        "/",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "..",
        ",",
        ":",
        ".",
        "?",
        "@",
        "=",
        "!=",
        "<",
    ),
    *("<", ">=", "null", "true", "not", "if", "then", "else", "for", "in", "return", "some", "every", "satisfies"),
    *(
        "and",
        "or",
        "between",
        "instance",
        "of",
        "number",
        "list",
        "function",
        "item",
        "partial",
        '"a"',
        '@"P1D"',
        "sum",
        "is",
    ),
    *(
        "count",
        "list contains",
        "date",
        "//",
        "/*",
        "*/",
        '"',
        "\\",
        "\n",
        "string join",
        "range",
        "context",
        "->",
        "'",
    ),
    *(
        "'",
        "\u00a0",
        "\u2028",
        "\ufeff",
        "é",
        "😀",
        "e\u0301",
        "\x00",
        "\x07",
        "９",
        "١",
        "1e5",
        "1E999999",
        ".5",
        "==",
    ),
    *NAMES,
)
STRANGE = "\"\\()[]{}<>=!?@.,:;-+*/#$%&|~^`' \n\t\x00éß日😀\u0301\u200b\u202e０9aZ_·"


def soup(choices):
    """Return tokens in any order."""
    glue = choices.of((" ", " ", ""))
    return glue.join(choices.of(TOKENS) for _ in range(1 + choices.pick(14)))


def changed(choices, text):
    """Return the text with some characters put in, taken out, doubled, or cut off."""
    for _ in range(1 + choices.pick(3)):
        place = (choices.pick(256) * 256 + choices.pick(256)) % (len(text) + 1)
        match choices.pick(5):
            case 0:
                text = text[:place] + text[place + 1 :]
            case 1:
                text = text[:place] + choices.of(STRANGE) + text[place:]
            case 2:
                text = text[:place] + text[max(0, place - 5) :]
            case 3:
                text = text[:place] + choices.of(TOKENS) + text[place:]
            case 4:
                text = text[:place]
    return text
