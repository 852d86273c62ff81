"""Appendix II of EMDEG as the page has it: corrected it is ours, printed it is not, and the docs have the same."""

import re
from pathlib import Path

import numpy as np
import pytest

from torsor import derive, load
from torsor.reproducing.burdick_appendix import CORRECTED, PRINTED, as_printed, evaluated, expressions


@pytest.fixture(scope="module")
def equations():
    return derive(load("puma560-burdick"), "coefficients", by="closed-form", parameters="symbolic", lengths=True)


def test_corrected_it_is_ours(equations):
    """107 entries and all that are not listed, at random joints and parameters."""
    rng = np.random.default_rng(5)
    parameters = {name: rng.uniform(0.1, 1.0) for name in equations.values} | {"g": 1.0}
    q = rng.uniform(-3.0, 3.0, 6)
    theirs = evaluated(parameters, q)
    M, c, b, g = equations.tape.evaluate(q, *parameters.values())
    assert sum(bool(re.fullmatch(r"M\d\d|c\d{3}|b\d{3}|g\d", name)) for name in theirs) == 107
    for i in range(6):
        assert g[i] == pytest.approx(-theirs.get(f"g{i + 1}", 0.0), abs=1e-13)
        for j in range(6):
            assert M[i, j] == pytest.approx(theirs.get(f"M{min(i, j) + 1}{max(i, j) + 1}", 0.0), abs=1e-13)
            assert c[i, j] == pytest.approx(theirs.get(f"c{i + 1}{j + 1}{j + 1}", 0.0), abs=1e-13)
            for k in range(j + 1, 6):
                assert b[i, j, k] == pytest.approx(theirs.get(f"b{i + 1}{j + 1}{k + 1}", 0.0), abs=1e-13)


def test_printed_it_is_not(equations):
    rng = np.random.default_rng(5)
    scope = evaluated({name: rng.uniform(0.1, 1.0) for name in equations.values}, rng.uniform(-3.0, 3.0, 6))
    values = {name: as_printed(name, scope) for name in PRINTED}
    assert {name for name, text in PRINTED.items() if not text} == {"b256", "g315", "K11132"}
    assert len(PRINTED) == 29
    assert {name for name, value in values.items() if value is None} == {
        "b256", "g315", "K11132",  # not there
        "c511", "b512", "b523",  # they name K1112, b213 and b323
    }  # fmt: skip
    for name, value in values.items():
        assert value is None or abs(value - scope[name]) > 1e-3, name


def test_the_docs_have_the_same_lines():
    page = (Path(__file__).parents[2] / "docs" / "puma560-appendix.md").read_text()
    shown = {line.split("  # corrected")[0].rstrip() for line in page.splitlines()}
    lines = re.sub(r" *\\\n", "", CORRECTED).splitlines()
    assert {line.rstrip() for line in lines if line} <= shown
    assert set(PRINTED) <= set(expressions())
