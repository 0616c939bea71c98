"""All models of the DMN TCK through `settledesk table fmt`: valid, the same to evaluate, and formatted once for all."""

import shutil
from pathlib import Path

import pytest
from lxml import etree

from settledesk.conformance.runner import run_folder
from settledesk.decisions.source import NAMESPACES
from settledesk.decisions.writer import format_model

KIT = Path(__file__).parents[2].parent / "shared" / "data" / "dmn-tck"
SCHEMAS = {"1.3": "DMN13.xsd", "1.5": "DMN15.xsd"}
LEVELS = ("compliance-level-2", "compliance-level-3")


@pytest.fixture(name="models", scope="module")
def _models():
    """Return the models of the kit."""
    if not KIT.is_dir():
        pytest.skip(f"the conformance kit is not at {KIT}")
    return sorted(KIT.rglob("*.dmn"))


@pytest.mark.shared_data
def test_every_model_of_the_kit_has_a_valid_normal_form(models):
    """What is written is valid by the schema of its version, and formatting it again changes nothing."""
    schemas = {version: etree.XMLSchema(etree.parse(KIT / name)) for version, name in SCHEMAS.items()}
    versions = {"1.3": 0, "1.5": 0}
    for path in models:
        written = format_model(path.read_bytes(), str(path))
        assert format_model(written, str(path)) == written, path
        root = etree.fromstring(written)
        version = NAMESPACES[etree.QName(root).namespace]
        versions[version] += 1
        if schemas["1.5"].validate(etree.parse(path)):
            assert schemas[version].validate(root), f"{path}: {schemas[version].error_log.last_error}"
    assert versions["1.3"] > versions["1.5"] > 0


@pytest.mark.shared_data
@pytest.mark.parametrize("level", LEVELS)
def test_every_case_of_the_kit_gives_the_same_after_formatting(models, level, tmp_path):
    """Each case gives the same answer from the formatted models as from those of the kit."""
    for folder in sorted(path for path in (KIT / level).iterdir() if path.is_dir()):
        copy = tmp_path / level / folder.name
        shutil.copytree(folder, copy)
        for path in copy.glob("*.dmn"):
            path.write_bytes(format_model(path.read_bytes(), str(path)))
        before, after = run_folder(folder), run_folder(copy)
        assert [(case.id, case.verdict) for case in after[0]] == [(case.id, case.verdict) for case in before[0]]
        assert [str(case.reason).replace(str(copy), str(folder)) for case in after[0]] == [
            str(case.reason) for case in before[0]
        ]
