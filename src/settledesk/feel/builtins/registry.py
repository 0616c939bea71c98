"""How a built-in is declared and invoked: its parameters with their types, and the coercions of the standard."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from settledesk.feel.run import Run
from settledesk.feel.values import Function, type_name

_KINDS: dict[str, frozenset[str]] = {
    "moment": frozenset({"date", "date and time"}),
    "timed": frozenset({"date", "time", "date and time", "string"}),
    "duration": frozenset({"days and time duration", "years and months duration"}),
    "point": frozenset(
        (
            *("number", "string", "date", "time", "date and time"),
            *("days and time duration", "years and months duration"),
        )
    ),
}

Several: TypeAlias = Literal["one", "values", "each"]
"""How many arguments the last parameter takes: one; one list or several values; or any number, each for itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter. `kind` is a type's name, `any`, or a group of types; `nullable` passes null on to the function."""

    name: str
    kind: str
    optional: bool
    nullable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One signature. Where the last parameter takes several arguments, the function is given them as one list."""

    parameters: tuple[Parameter, ...]
    several: Several
    function: Callable[..., Any]

    @property
    def variadic(self) -> bool:
        """Whether any number of arguments may be given."""
        return self.several != "one"

    def takes(self, count: int, names: tuple[str, ...]) -> bool:
        """Tell whether the number of arguments, or their names, fit."""
        required = {parameter.name for parameter in self.parameters if not parameter.optional}
        if names:
            return self.knows(names) and required <= set(names)
        if self.several != "one":
            return count >= len(self.parameters)
        return len(required) <= count <= len(self.parameters)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, in their order."""
        return tuple(parameter.name for parameter in self.parameters)

    def knows(self, names: tuple[str, ...]) -> bool:
        """Tell whether the names are those of different parameters."""
        return set(names) <= {parameter.name for parameter in self.parameters} and len(set(names)) == len(names)

    def arrange(self, arguments: list[Any], names: tuple[str, ...]) -> list[Any]:
        """Return one value per parameter; one that is left out is null."""
        if names:
            given = dict(zip(names, arguments, strict=True))
            values = [given.get(parameter.name) for parameter in self.parameters]
            return [*values[:-1], [values[-1]]] if self.several == "each" else values
        if self.several == "one":
            return [*arguments, *[None] * (len(self.parameters) - len(arguments))]
        fixed = len(self.parameters) - 1
        rest = arguments[fixed:]
        if self.several == "values" and len(rest) == 1:
            rest = rest[0]
        return [*arguments[:fixed], rest]


@dataclass(slots=True, kw_only=True)
class Builtin:
    """A built-in function with its variants, the first that fits is used."""

    name: str
    variants: tuple[Variant, ...]

    def problem(self, count: int, names: tuple[str, ...]) -> str | None:
        """Return what is wrong with such an invocation, or `None`."""
        if any(variant.takes(count, names) for variant in self.variants):
            return None
        usage = " or ".join(self._usage(variant) for variant in self.variants)
        return f"`{self.name}` is invoked with the wrong arguments: it is {usage}"

    def _usage(self, variant: Variant) -> str:
        names = [f"{parameter.name}?" if parameter.optional else parameter.name for parameter in variant.parameters]
        return f"`{self.name}({', '.join(names)}{'' if variant.several == 'one' else ', …'})`"

    def invoke(self, run: Run, arguments: list[Any], names: tuple[str, ...], position: int) -> Any:
        """Invoke with evaluated arguments; a wrong argument is null with a diagnostic.

        Of named arguments those that are left out are null, which many functions do not take.
        """
        run.place = position
        count = len(arguments)
        complaint: tuple[str, str] | None = None
        for variant in self._by_order(names) if names else self.variants:
            if not (variant.knows(names) if names else variant.takes(count, names)):
                continue
            values, trouble = _coerced(variant, variant.arrange(arguments, names), count, names)
            if trouble is None:
                run.spend()
                return variant.function(run, *values)
            complaint = (trouble[0], f"`{self.name}`: {trouble[1]}")
        if complaint is None:
            complaint = ("argument", self.problem(count, names) or f"`{self.name}` does not take these arguments")
        return run.note(complaint[0], complaint[1], position)

    def _by_order(self, names: tuple[str, ...]) -> tuple[Variant, ...]:
        """Return the variants, those first whose parameters stand in the order of the names.

        `before(point, range)` and `before(range, point)` differ in nothing else.
        """
        return tuple(sorted(self.variants, key=lambda variant: variant.names != names))

    def as_function(self) -> Function:
        """Return the built-in as a value that can be handed to another function."""
        parameters = tuple(parameter.name for parameter in self.variants[0].parameters)
        return Function(
            parameters=parameters,
            call=lambda run, arguments: self.invoke(run, arguments, (), run.place),
            takes=lambda count: any(variant.takes(count, ()) for variant in self.variants),
        )


BUILTINS: dict[str, Builtin] = {}
"""All built-ins by name. Filled when the modules of the families are imported."""


def builtin(
    name: str, parameters: str, *, several: Several = "one"
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function, which takes the run and then one value per parameter.

    `parameters` reads `name: kind, name?: kind`: a name with `?` may be left out, a kind with `?` takes a null that is
    given. `several` says how many arguments the last parameter takes.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        variant = Variant(parameters=_parameters(parameters), several=several, function=function)
        known = BUILTINS.get(name)
        if known is None:
            BUILTINS[name] = Builtin(name=name, variants=(variant,))
        else:
            known.variants = (*known.variants, variant)
        return function

    return register


def _parameters(text: str) -> tuple[Parameter, ...]:
    made: list[Parameter] = []
    for part in text.split(",") if text else ():
        name, kind = (piece.strip() for piece in part.split(":"))
        optional, nullable = name.endswith("?"), kind.endswith("?")
        made.append(
            Parameter(
                name=name.removesuffix("?"),
                kind=kind.removesuffix("?"),
                optional=optional,
                nullable=nullable,
            )
        )
    return tuple(made)


def _coerced(
    variant: Variant, values: list[Any], count: int, names: tuple[str, ...]
) -> tuple[list[Any], tuple[str, str] | None]:
    made: list[Any] = []
    for index, (parameter, given) in enumerate(zip(variant.parameters, values, strict=True)):
        omitted = parameter.name not in names if names else index >= count
        if given is None:
            allowed = parameter.nullable or parameter.kind == "any" or (omitted and parameter.optional)
            if not allowed:
                return [], ("null", f"`{parameter.name}` is {'missing' if omitted else 'null'}")
            made.append(None)
            continue
        value = _coerce(given, parameter.kind)
        if value is None:
            return [], (
                "argument",
                f"`{parameter.name}` must be {_article(parameter.kind)}, not {_article(type_name(given))}",
            )
        made.append(value)
    return made, None


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _coerce(value: Any, kind: str) -> Any:
    """Return the value for a parameter of that kind, or `None`. A list of one stands for its element, and back."""
    if kind == "any":
        return value
    if kind == "list":
        return value if type(value) is list else [value]
    if _is_of(value, kind):
        return value
    if type(value) is list and len(value) == 1 and _is_of(value[0], kind):
        return value[0]
    return None


def _is_of(value: Any, kind: str) -> bool:
    name = type_name(value)
    return name == kind or name in _KINDS.get(kind, ())
