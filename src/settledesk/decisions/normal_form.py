"""What dmn-js writes: the order of attributes and children, what it leaves out, and which elements hold a text.

The order is that of the schema of DMN 1.3, as the package dmn-moddle has it; elements of later versions follow theirs.
"""

from collections.abc import Iterable, Mapping

MODEL_1_3 = "https://www.omg.org/spec/DMN/20191111/MODEL/"
_SITES = {
    "1.2": "http://www.omg.org/spec/DMN/20180521/",
    "1.3": "https://www.omg.org/spec/DMN/20191111/",
    "1.4": "https://www.omg.org/spec/DMN/20211108/",
    "1.5": "https://www.omg.org/spec/DMN/20230324/",
}
DMNDI = frozenset(f"{site}DMNDI/" for site in _SITES.values())
DRAWING = DMNDI | {"http://www.omg.org/spec/DMN/20180521/DC/", "http://www.omg.org/spec/DMN/20180521/DI/"}
BIODI = "http://bpmn.io/schema/dmn/biodi/2.0"
TO_1_3: Mapping[str, str] = {
    f"{site}{part}/": f"{_SITES['1.3']}{part}/" for site in _SITES.values() for part in ("MODEL", "DMNDI", "FEEL")
}
"""The namespaces of each version by those that stand for them in 1.3."""
XSI = "http://www.w3.org/2001/XMLSchema-instance"
WELL_KNOWN = frozenset(f"{site}MODEL/" for site in _SITES.values()) | DRAWING | {BIODI}
"""Namespaces that are declared only where they are used."""
DECLARED_FIRST = WELL_KNOWN | {XSI}

TEXTS = frozenset({"description", "text", "typeRef", "question", "allowedAnswers", "type", "importedElement"})
"""Elements of the model that hold nothing but a text."""
DEFAULTS = {("decisionTable", "hitPolicy"): "UNIQUE", ("textAnnotation", "textFormat"): "text/plain"}
"""Attributes that are left out where they say what holds without them."""
WIDTHS = (f"{{{BIODI}}}width", f"{{{BIODI}}}annotationsWidth")
"""How wide dmn-js draws a column: attributes that stand before those of others."""
NUMBERS = frozenset({"x", "y", "width", "height", "resolution", "fontSize"})
"""Attributes of drawings that are numbers."""
TRUTHS = frozenset(
    {"isCollection", "isListedInputData", "isCollapsed", "fontItalic", "fontBold", "fontUnderline", "fontStrikeThrough"}
)

_EXPRESSIONS_1_3 = (
    "context",
    "decisionTable",
    "functionDefinition",
    "invocation",
    "list",
    "literalExpression",
    "relation",
)
_EXPRESSIONS_LATER = ("conditional", "every", "filter", "for", "some")
_GROUPS: Mapping[str, tuple[str, ...]] = {
    "<expression>": (*_EXPRESSIONS_1_3, *_EXPRESSIONS_LATER),
    "<element>": ("decision", "businessKnowledgeModel", "decisionService", "inputData", "knowledgeSource"),
    "<artifact>": ("association", "group", "textAnnotation"),
    "<context>": ("organizationUnit", "performanceIndicator"),
    "<drawn>": ("DMNShape", "DMNEdge"),
}

_BASE = "id label"
_NAMED = "id label name"
_TYPED = "id label typeRef"
_LINKS = (
    "requiredDecision requiredInput requiredKnowledge requiredAuthority supportedObjective decisionMaker decisionOwner "
    "impactedPerformanceIndicator usingProcess usingTask outputDecision encapsulatedDecision inputDecision owner "
    "drgElement decisionMade decisionOwned impactingDecision sourceRef targetRef"
)
"""Elements that name another one by its address."""
_ITEM = f"{_NAMED} typeLanguage isCollection"
_REQUIRED = "informationRequirement knowledgeRequirement authorityRequirement"

_MODEL_1_3: Mapping[str, tuple[str, str]] = {
    "definitions": (
        f"{_NAMED} namespace expressionLanguage typeLanguage exporter exporterVersion",
        "import itemDefinition <element> <artifact> elementCollection <context> DMNDI",
    ),
    "import": (f"{_NAMED} importType locationURI namespace", ""),
    **dict.fromkeys(("itemDefinition", "itemComponent"), (_ITEM, "typeRef allowedValues itemComponent functionItem")),
    "functionItem": (f"{_BASE} outputTypeRef", "parameters"),
    "parameters": (f"{_NAMED} typeRef", ""),
    "allowedValues": (f"{_TYPED} expressionLanguage", "text"),
    "decision": (
        _NAMED,
        f"question allowedAnswers variable {_REQUIRED} supportedObjective impactedPerformanceIndicator decisionMaker "
        "decisionOwner usingProcess usingTask <expression>",
    ),
    "inputData": (f"{_NAMED} href", "variable"),
    "variable": (f"{_NAMED} typeRef", ""),
    "businessKnowledgeModel": (_NAMED, "variable encapsulatedLogic knowledgeRequirement authorityRequirement"),
    "encapsulatedLogic": (f"{_TYPED} kind", "formalParameter <expression>"),
    "functionDefinition": (f"{_TYPED} kind", "formalParameter <expression>"),
    "formalParameter": (f"{_NAMED} typeRef", ""),
    "decisionService": (_NAMED, "variable outputDecision encapsulatedDecision inputDecision inputData"),
    "knowledgeSource": (f"{_NAMED} locationURI", "authorityRequirement type owner"),
    "informationRequirement": (_BASE, "requiredDecision requiredInput"),
    "knowledgeRequirement": (_BASE, "requiredKnowledge"),
    "authorityRequirement": (_BASE, "requiredAuthority requiredDecision requiredInput"),
    "elementCollection": (_NAMED, "drgElement"),
    "organizationUnit": (f"{_NAMED} URI", "decisionMade decisionOwned"),
    "performanceIndicator": (f"{_NAMED} URI", "impactingDecision"),
    "association": (f"{_BASE} associationDirection", "sourceRef targetRef"),
    "textAnnotation": (f"{_BASE} textFormat", "text"),
    "group": (_NAMED, ""),
    "decisionTable": (
        f"{_TYPED} hitPolicy aggregation preferredOrientation outputLabel",
        "input output annotation rule",
    ),
    "input": (_BASE, "inputExpression inputValues"),
    "inputExpression": (f"{_TYPED} expressionLanguage", "text importedValues"),
    "inputValues": (f"{_TYPED} expressionLanguage", "text"),
    "output": (f"{_NAMED} typeRef", "outputValues defaultOutputEntry"),
    "outputValues": (f"{_TYPED} expressionLanguage", "text"),
    "defaultOutputEntry": (f"{_TYPED} expressionLanguage", "text importedValues"),
    "annotation": ("name", ""),
    "rule": (_BASE, "inputEntry outputEntry annotationEntry"),
    "inputEntry": (f"{_TYPED} expressionLanguage", "text"),
    "outputEntry": (f"{_TYPED} expressionLanguage", "text importedValues"),
    "annotationEntry": ("", "text"),
    "literalExpression": (f"{_TYPED} expressionLanguage", "text importedValues"),
    "importedValues": (f"{_NAMED} importType locationURI namespace expressionLanguage", "importedElement"),
    "invocation": (_TYPED, "<expression> binding"),
    "binding": ("", "parameter <expression>"),
    "parameter": (f"{_NAMED} typeRef", ""),
    "context": (_TYPED, "contextEntry"),
    "contextEntry": (_BASE, "variable <expression>"),
    "list": (_TYPED, "<expression>"),
    "relation": (_TYPED, "column row"),
    "column": (f"{_NAMED} typeRef", ""),
    "row": (_TYPED, "<expression>"),
    "extensionElements": ("", ""),
    **dict.fromkeys(TEXTS, ("", "")),
    **dict.fromkeys(
        _LINKS.split(),
        ("href", ""),
    ),
}

_LOOP = f"{_TYPED} iteratorVariable"
_MODEL_LATER: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(
        ("itemDefinition", "itemComponent"), (_ITEM, "typeRef allowedValues typeConstraint itemComponent functionItem")
    ),
    "typeConstraint": (f"{_TYPED} expressionLanguage", "text"),
    "conditional": (_TYPED, "if then else"),
    "filter": (_TYPED, "in match"),
    "for": (_LOOP, "in return"),
    "every": (_LOOP, "in satisfies"),
    "some": (_LOOP, "in satisfies"),
    **dict.fromkeys(("if", "then", "else", "match", "return", "satisfies"), ("id", "<expression>")),
    "in": ("id typeRef", "<expression>"),
}

_SHAPED = "extension style DMNStyle"
_DRAWING: Mapping[str, tuple[str, str]] = {
    "DMNDI": ("", "DMNDiagram DMNStyle"),
    "DMNDiagram": ("id name documentation resolution dmnElementRef sharedStyle", f"{_SHAPED} Size <drawn>"),
    "DMNShape": (
        "id dmnElementRef isListedInputData isCollapsed sharedStyle",
        f"{_SHAPED} Bounds DMNLabel DMNDecisionServiceDividerLine",
    ),
    "DMNEdge": ("id dmnElementRef sourceElement targetElement sharedStyle", f"{_SHAPED} waypoint DMNLabel"),
    "DMNLabel": ("id sharedStyle", f"{_SHAPED} Bounds Text"),
    "DMNDecisionServiceDividerLine": ("id sharedStyle", f"{_SHAPED} waypoint"),
    "DMNStyle": (
        "id fontSize fontFamily fontItalic fontBold fontUnderline fontStrikeThrough labelHorizontalAlignement "
        "labelVerticalAlignment",
        f"{_SHAPED} FillColor StrokeColor FontColor",
    ),
    "Size": ("width height", ""),
    "Bounds": ("height width x y", ""),
    "waypoint": ("x y", ""),
    **dict.fromkeys(("FillColor", "StrokeColor", "FontColor"), ("red green blue", "")),
    **dict.fromkeys(("Text", "extension", "style"), ("", "")),
}

_FIRST = ("description", "extensionElements", "extensionAttribute")


def attribute_order(element: str, *, drawing: bool) -> tuple[str, ...]:
    """Return the attributes of an element, of the model or of its drawing, in their order."""
    return tuple(_found(element, drawing=drawing)[0].split())


def child_ranks(element: str, *, drawing: bool) -> Mapping[str, int]:
    """Return the place of each child's name in an element: names of one group share theirs."""
    tokens = (*(() if drawing else _FIRST), *_found(element, drawing=drawing)[1].split())
    return {name: rank for rank, token in enumerate(tokens) for name in _GROUPS.get(token, (token,))}


def is_of_1_3(element: str, attributes: Iterable[str], *, drawing: bool) -> bool:
    """Tell whether DMN 1.3 has the element with these attributes, which are those without a namespace."""
    found = (_DRAWING if drawing else _MODEL_1_3).get(element)
    return found is not None and set(attributes) <= set(found[0].split())


def _found(element: str, *, drawing: bool) -> tuple[str, str]:
    if drawing:
        return _DRAWING.get(element, ("", ""))
    return _MODEL_LATER.get(element) or _MODEL_1_3.get(element, ("", ""))
