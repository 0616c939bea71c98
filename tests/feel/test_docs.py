"""The examples in the docstrings of the language run and give what they show."""

import doctest
import importlib
import pkgutil

import pytest

import settledesk.feel

MODULES = [
    "settledesk.feel",
    *(found.name for found in pkgutil.walk_packages(settledesk.feel.__path__, "settledesk.feel.")),
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name):
    """Whoever copies an example out of a docstring gets the answer that stands beside it."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_public_face_has_examples():
    """The functions that a reader meets first show how they are used."""
    shown = {
        test.name.rpartition(".")[2]
        for test in doctest.DocTestFinder().find(settledesk.feel.expression)
        if test.examples
    }
    assert {"compile_expression", "compile_unary_tests"} <= shown
