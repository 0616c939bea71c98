"""Running a folder in the kit's layout. Nothing that is in a file ends the run: it is a failed case with a reason."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from settledesk.conformance.cases import CaseFileError, Expectation, KitCase, read_cases, settled
from settledesk.conformance.compare import same
from settledesk.conformance.outcome import CaseOutcome, Unread, Verdict
from settledesk.conformance.report import KitReport
from settledesk.decisions import Model, ModelError, load_model

FOLDER_DEPTH_MAX = 4
MOMENT = datetime(2024, 2, 29, 12, 30, tzinfo=UTC)
"""What `now()` says while the kit runs, so that two runs give the same."""


def run_kit(root: Path) -> KitReport:
    """Run every folder with test cases at or below `root`: the kit, a level of it, or one folder of a level."""
    report = KitReport()
    for folder in _folders(root.resolve()):
        outcomes, unread = run_folder(folder)
        report.add(outcomes, unread)
    return report


def _folders(root: Path, depth: int = 0) -> Iterator[Path]:
    if any(root.glob("*.xml")):
        yield root
    if depth < FOLDER_DEPTH_MAX:
        for inner in sorted(item for item in root.iterdir() if item.is_dir() and not item.is_symlink()):
            yield from _folders(inner, depth + 1)


def run_folder(folder: Path) -> tuple[list[CaseOutcome], list[Unread]]:
    """Run the cases of one folder, and tell which files could not be read."""
    outcomes: dict[str, CaseOutcome] = {}
    unread: list[Unread] = []
    models: dict[str, Model | str] = {}
    for file in sorted(folder.glob("*.xml")):
        try:
            found = read_cases(file)
        except (CaseFileError, OSError) as error:
            unread.append(Unread(path=f"{folder.parent.name}/{folder.name}/{file.name}", reason=str(error)))
            continue
        if found.model not in models:
            models[found.model] = _load(folder, found.model)
        for case in found.cases:
            outcome = _outcome(folder, file.stem, case, models[found.model], outcomes)
            outcomes[outcome.id] = outcome
    return list(outcomes.values()), unread


def _load(folder: Path, name: str) -> Model | str:
    """Return the model of a case file, or why there is none."""
    if not name or Path(name).name != name:
        return f"`{name}` is not the name of a file in the folder"
    try:
        return load_model(folder / name, standard=True, clock=lambda: MOMENT)
    except (ModelError, OSError) as error:
        return str(error)
    except Exception as error:  # the run goes on whatever a model does
        return f"loading raised {type(error).__name__}: {error}"


def _outcome(folder: Path, file: str, case: KitCase, model: Model | str, known: dict[str, CaseOutcome]) -> CaseOutcome:
    level = folder.parent.name
    key = first = f"{level}/{folder.name}/{file}/{case.id}"
    number = 1
    while key in known:
        number += 1
        key = f"{first}#{number}"
    verdict, reason = _judged(model, case)
    return CaseOutcome(
        id=key, level=level, folder=folder.name, verdict=verdict, substantive=case.substantive, reason=reason
    )


def _judged(model: Model | str, case: KitCase) -> tuple[Verdict, str | None]:
    if isinstance(model, str):
        return Verdict.FAILED, model
    if _unsupported(model, case):
        return Verdict.UNSUPPORTED, "it invokes a function that is written in Java"
    reason = _difference(model, case)
    return (Verdict.PASSED if reason is None else Verdict.FAILED), reason


def _unsupported(model: Model, case: KitCase) -> bool:
    return any(item.name in model.external for item in case.expected) or case.invocable in model.external


def _difference(model: Model, case: KitCase) -> str | None:
    """Return how the answers differ from the expected ones, or `None`."""
    try:
        answers = _Answers(model=model, case=case)
        for expectation in case.expected:
            got = answers.of(expectation)
            if not same(got, expectation.value):
                return f"`{expectation.name}` is `{_short(got)}`, expected `{_short(expectation.value)}`"
    except Exception as error:  # an exception that escapes is a failed case, and its reason says so
        return f"it raised {type(error).__name__}: {error}"
    return None


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 200 else text[:199] + "…"


class _Answers:
    """The answers of a model to one case; an invocable is invoked once for all result nodes."""

    def __init__(self, *, model: Model, case: KitCase) -> None:
        self._model = model
        self._case = case
        self._inputs = {name: settled(value, model.input_types.get(name)) for name, value in case.inputs.items()}
        self._invoked: Any = None
        if case.kind == "decisionService":
            self._invoked = model.evaluate_service(case.invocable or "", self._inputs).value
        elif case.kind == "bkm":
            self._invoked = model.evaluate_function(case.invocable or "", self._inputs).value

    def of(self, expectation: Expectation) -> Any:
        """Return the answer for a result node."""
        if self._case.kind == "decision":
            return self._model.evaluate(expectation.name, self._inputs).value
        if self._case.kind == "decisionService" and len(self._model.services[self._case.invocable or ""].outputs) > 1:
            several = isinstance(self._invoked, dict) and expectation.name in self._invoked
            return self._invoked[expectation.name] if several else self._invoked
        return self._invoked
