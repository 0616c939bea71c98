"""Generated tables: the engine's index and generated function against a naive evaluation of each cell alone."""

from fuzz_choices import fuzz
from fuzz_reference import Reference, plain
from fuzz_tables import Tables
from fuzz_texts import changed
from hypothesis import note

from settledesk.decisions import ModelError, load_model
from settledesk.feel import FeelError


def loaded(table, *, standard):
    """Return the model and the reference; `None` where both refuse a cell."""
    try:
        reference = Reference(table, standard=standard)
    except FeelError as error:
        check_refused(table, error, standard=standard)
        return None
    return load_model(table.xml(), standard=standard), reference


def check_refused(table, refused, *, standard):
    """A cell that cannot be compiled is an error with its place, and in the standard's reading the decision is null."""
    try:
        model = load_model(table.xml(), standard=standard)
    except ModelError as error:
        assert not standard
        check_placed(error)
        return
    assert standard, f"the engine takes what alone is refused: {refused}"
    evaluation = model.evaluate("d", {})
    assert evaluation.value is None
    assert "error" in {finding.kind for finding in evaluation.findings}


def check_placed(error):
    """An error of a model has a file, a sentence, and for a text its excerpt with a caret."""
    assert error.place.file
    assert error.message
    assert "\n" not in error.message
    assert error.excerpt is None or error.excerpt.rsplit("\n", 1)[1].strip() == "^"


@fuzz(examples=1_000, size=400)
def test_a_table_gives_what_its_cells_one_by_one_give(choices):
    """Value, rows and findings are those of a naive evaluation, in both readings, alone, traced and in a batch."""
    tables = Tables(choices)
    table = tables.table()
    inputs = tables.inputs(table, 6)
    note(table.xml().decode())
    for standard in (False, True):
        both = loaded(table, standard=standard)
        if both is not None:
            for one, evaluation in zip(inputs, both[0].evaluate_many("d", inputs), strict=True):
                compare(both, one, evaluation)


def compare(both, inputs, in_batch):
    """Compare one evaluation."""
    model, reference = both
    expected = reference.evaluate(inputs)
    note(f"{inputs} -> {expected}")
    found = model.evaluate("d", inputs)
    note(str(found))
    if any("(`steps_max`)" in finding.message for finding in found.findings):
        # The budget is that of the whole evaluation here, and that of each cell in the reference.
        assert found.value is None
        assert repr(in_batch[:3]) == repr(found[:3])
        return
    assert plain(found.value) == plain(expected.value)
    assert found.fired == expected.fired
    kinds = {finding.kind for finding in found.findings}
    assert kinds == expected.kinds, f"{kinds} is not {expected.kinds}"
    assert [finding.rows for finding in found.findings if finding.kind == "conflict"] == [expected.conflict] * bool(
        expected.conflict
    )
    traced = model.evaluate("d", inputs, trace=True)
    for other in (traced, in_batch):
        assert repr(other[:3]) == repr(found[:3])
    assert [row.row for row in traced.trace] == ([] if expected.ended else reference.rows)
    assert {row.row for row in traced.trace if row.fired} >= set(found.fired)


@fuzz(examples=200, size=300)
def test_a_damaged_model_is_an_error_with_its_place_or_loads(choices):
    """A file with some characters changed never raises anything but an error of the model, and its evaluation ends."""
    table = Tables(choices).table()
    text = changed(choices, table.xml().decode())
    note(text)
    for standard in (False, True):
        try:
            model = load_model(text.encode("utf-8", "surrogatepass"), standard=standard)
        except ModelError as error:
            check_placed(error)
            continue
        for decision in model.decisions:
            model.evaluate(decision, dict.fromkeys(table.data, 1))
