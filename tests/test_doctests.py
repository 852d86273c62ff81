"""The examples in docstrings, run in the modules users import (pytest's own collector may import a module twice)."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import torsor

MODULES = sorted(found.name for found in pkgutil.walk_packages(torsor.__path__, "torsor."))


@pytest.mark.parametrize("name", MODULES)
def test_examples_of(name):
    outcome = doctest.testmod(importlib.import_module(name), verbose=False)
    assert outcome.failed == 0


def test_there_are_examples():
    modules = [importlib.import_module(name) for name in MODULES]
    finder = doctest.DocTestFinder(exclude_empty=True)
    assert sum(len(test.examples) > 0 for module in modules for test in finder.find(module)) > 30
