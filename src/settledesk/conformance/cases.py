"""Reading a file of test cases of the kit (`testCases.xsd`)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Literal, TypeAlias

from lxml import etree

from settledesk.decisions.item_types import ItemType
from settledesk.feel import temporal

FILE_BYTES_MAX = 20_000_000
CASES_MAX = 100_000
_KIT = "{http://www.omg.org/spec/DMN/20160719/testcase}"
_XSI = "{http://www.w3.org/2001/XMLSchema-instance}"

Invoked: TypeAlias = Literal["decision", "bkm", "decisionService"]


class CaseFileError(ValueError):
    """A file that holds no readable test cases; the text is one lower-case sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A value that the kit states and that could not be read: nothing equals it."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Untyped:
    """A value without a type: it is of the type that the model declares."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What a result node demands: the value of the decision of that name."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class KitCase:
    """One test case. `inputs` are by name, or by `{namespace}name` where the case states the namespace.

    `invocable` names the decision service or business knowledge model that is invoked, if it is one.
    """

    id: str
    kind: Invoked
    invocable: str | None
    inputs: Mapping[str, Any]
    expected: tuple[Expectation, ...]

    @property
    def substantive(self) -> bool:
        """Whether at least one expected answer is not null."""
        return any(item.value is not None for item in self.expected)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFile:
    """The cases of one file, and the file name of the model that they are about."""

    model: str
    cases: tuple[KitCase, ...]


def read_cases(file: Path) -> CaseFile:
    """Read a file of test cases. Raises `CaseFileError` for one that is none, and `OSError`."""
    root = _parsed(file)
    if root.tag != f"{_KIT}testCases":
        raise CaseFileError(f"`{file.name}` holds no test cases but `{etree.QName(root).localname}`")
    found = list(root.iterchildren(f"{_KIT}testCase"))
    if len(found) > CASES_MAX:
        raise CaseFileError(f"`{file.name}` holds more than {CASES_MAX} test cases")
    return CaseFile(
        model=(root.findtext(f"{_KIT}modelName") or "").strip(),
        cases=tuple(_case(case, index) for index, case in enumerate(found, start=1)),
    )


def _parsed(file: Path) -> etree._Element:
    content = file.read_bytes()
    if len(content) > FILE_BYTES_MAX:
        raise CaseFileError(f"`{file.name}` has more than {FILE_BYTES_MAX} bytes")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise CaseFileError(f"`{file.name}` is not readable XML: {error}") from error


def _case(element: etree._Element, index: int) -> KitCase:
    kind = element.get("type") or "decision"
    if kind not in ("decision", "bkm", "decisionService"):
        raise CaseFileError(f"test case {index} is of the unknown type `{kind}`")
    return KitCase(
        id=element.get("id") or f"#{index}",
        kind=kind,  # type: ignore[arg-type]
        invocable=element.get("invocableName"),
        inputs={_key(node): _value(node) for node in element.iterchildren(f"{_KIT}inputNode")},
        expected=tuple(_expectation(node) for node in element.iterchildren(f"{_KIT}resultNode")),
    )


def _key(node: etree._Element) -> str:
    namespace, name = node.get("namespace"), node.get("name") or ""
    return f"{{{namespace}}}{name}" if namespace else name


def _expectation(node: etree._Element) -> Expectation:
    stated = node.find(f"{_KIT}expected")
    return Expectation(name=node.get("name") or "", value=None if stated is None else _value(stated))


def _value(element: etree._Element) -> Any:
    """Return the value of an element with `value`, `list` or `component` children; null if it has none."""
    simple = element.find(f"{_KIT}value")
    if simple is not None:
        return _simple(simple)
    listed = element.find(f"{_KIT}list")
    if listed is not None:
        return None if _is_nil(listed) else [_value(item) for item in listed.iterchildren(f"{_KIT}item")]
    parts = element.findall(f"{_KIT}component")
    if not parts or (len(parts) == 1 and parts[0].get("name") is None and _is_nil(parts[0])):
        return None
    return {part.get("name") or "": None if _is_nil(part) else _value(part) for part in parts}


def _is_nil(element: etree._Element) -> bool:
    return element.get(f"{_XSI}nil") in ("true", "1")


def _simple(element: etree._Element) -> Any:
    """Return a `value` by its `xsi:type`."""
    if _is_nil(element):
        return None
    text, kind = element.text or "", element.get(f"{_XSI}type")
    return Untyped(text=text) if kind is None else read_text(text, kind.rpartition(":")[2])


def read_text(text: str, kind: str) -> Any:
    """Return the value that a text is as one of a type of XML Schema; a text where the type is not known."""
    read = _READERS.get(kind)
    if read is None:
        return text
    try:
        found = read(text.strip())
    except (InvalidOperation, ValueError):
        found = None
    return Unreadable(text=text) if found is None else found


_SCHEMA_TYPES = {
    "number": "decimal",
    "date and time": "dateTime",
    "days and time duration": "duration",
    "years and months duration": "duration",
}


def settled(value: Any, wanted: ItemType | None) -> Any:
    """Return the value with everything that has no type read as the type that the model declares."""
    while wanted is not None and isinstance(wanted.base, ItemType) and not wanted.components:
        wanted = wanted.base
    if isinstance(value, Untyped):
        base = wanted.base if wanted is not None and isinstance(wanted.base, str) else "string"
        return read_text(value.text, _SCHEMA_TYPES.get(base, base))
    if isinstance(value, list):
        return [settled(item, wanted) for item in value]
    if isinstance(value, dict):
        components = (wanted.components if wanted is not None else None) or {}
        return {key: settled(item, components.get(key)) for key, item in value.items()}
    return value


def _boolean(text: str) -> bool | None:
    return {"true": True, "1": True, "false": False, "0": False}.get(text)


_NUMBERS = ("decimal", "double", "float", "integer", "int", "long", "short", "byte")
_READERS: dict[str, Callable[[str], Any]] = {
    "boolean": _boolean,
    "date": temporal.parse_date,
    "time": temporal.parse_time,
    "dateTime": temporal.parse_date_time,
    "duration": temporal.parse_duration,
    "dayTimeDuration": temporal.parse_duration,
    "yearMonthDuration": temporal.parse_duration,
    **dict.fromkeys(_NUMBERS, Decimal),
}
