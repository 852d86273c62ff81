"""Equations, listings and plans are the same on every processor.

Without another machine: NumPy's own routines for newer processors are switched off, and OpenBLAS takes those of older
ones, in processes of their own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
# what NumPy found beyond its baseline, so that it can be switched off
FOUND = [f for f in np._core._multiarray_umath.__cpu_dispatch__ if np._core._multiarray_umath.__cpu_features__.get(f)]
PROCESSORS = {
    "as it is": {},
    "several threads": {"OPENBLAS_NUM_THREADS": "2"},
    "NumPy's baseline": {"NPY_DISABLE_CPU_FEATURES": " ".join(FOUND)},
    "OpenBLAS of 2004": {"OPENBLAS_CORETYPE": "Prescott"},
    "OpenBLAS of 2013": {"OPENBLAS_CORETYPE": "Haswell"},
}
PROGRAM = """
import sys, torsor

for name in sys.argv[1:]:
    arm = torsor.load(name)
    for parameters in ("numeric", "base"):
        print(torsor.derive(arm, parameters=parameters, effort="normal"))
    print(torsor.derive(arm, "jacobian_inverse", effort="normal"))
    print(torsor.derive(arm, "coefficients", parameters="symbolic", lengths=True, effort="normal"))
    if arm.model.drives and name == "rl15":
        print(torsor.derive(arm, drives=True, states="motors", effort="normal"))
        print(torsor.derive(arm, "achievable_motion", drives=True, dt=0.01, effort="normal"))
"""


def ran(arguments: list[str], processor: dict[str, str], cache: Path) -> subprocess.CompletedProcess[str]:
    # the same examples on each: random ones are for the suite itself
    same = {"HYPOTHESIS_PROFILE": "same"}
    env = {**os.environ, **same, **processor, "TORSOR_CACHE": str(cache), "TORSOR_TEST_CACHE": str(cache)}
    return subprocess.run([sys.executable, *arguments], env=env, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "arms",
    [["ur5"], pytest.param(["puma560-burdick", "rl15", "irb140-screws", "stanford"], marks=pytest.mark.slow)],
    ids=len,
)
def test_listings(arms, tmp_path):
    listings = {}
    for name, processor in PROCESSORS.items():
        made = ran(["-c", PROGRAM, *arms], processor, tmp_path)
        assert made.returncode == 0, made.stderr
        listings[name] = made.stdout
    assert len(listings["as it is"].splitlines()) > 400
    assert len(set(listings.values())) == 1, [name for name, text in listings.items() if text != listings["as it is"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", PROCESSORS)
def test_a_part_of_the_suite(name, tmp_path):
    """Golden files, docs with their printed figures, derivations and plans."""
    tests = ["tests/test_golden.py", "tests/test_docs.py", "tests/test_deriving.py", "tests/algebra", "tests/motion"]
    made = ran(["-m", "pytest", "-q", "-x", *tests], PROCESSORS[name], tmp_path)
    assert made.returncode == 0, made.stdout[-3000:]
