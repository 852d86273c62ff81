"""Code for narrower registers than the machine has, where somebody asks for it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from torsor.emit.host import VECTORS, this_host, vectors
from torsor.errors import Unsupported

PROGRAM = """
import numpy as np
import torsor
from torsor.emit.host import this_host

arm = torsor.load("planar3")
states = np.random.default_rng(0).uniform(-1.0, 1.0, (3, 37, 3))
error = np.abs(arm.inverse_dynamics(*states) - arm.reference.inverse_dynamics(*states)).max()
print(this_host().width, "zmm" in arm.kernel("inverse_dynamics").assembly, error < 1e-12)
"""


def test_never_wider_than_asked_and_never_wider_than_the_machine(tmp_path):
    """In a process of its own: a process has one kind of code. Kernels of both kinds lie in one cache."""
    own = this_host().width
    for limit, width in (("", str(own)), ("avx2", str(min(own, 4))), ("AVX2", str(min(own, 4)))):
        env = {**os.environ, VECTORS: limit, "TORSOR_CACHE": str(tmp_path)}
        ran = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=True)
        assert ran.stdout.split() == [width, str(width == "8"), "True"]


def test_what_there_is_not(monkeypatch):
    monkeypatch.setenv(VECTORS, "avx")
    with pytest.raises(Unsupported, match="TORSOR_VECTORS is 'avx'; did you mean 'avx2'"):
        vectors()
