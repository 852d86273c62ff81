"""What the first call costs in a fresh process, with nothing compiled and with the kernel in the cache; and import."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from statistics import median

from torsor.bench.findings import Row
from torsor.measuring.stopwatch import TimeBudget

EMPTY, WARM, IMPORT = 0.5, 0.01, 0.1  # seconds promised

FIRST_USE = """
import sys, time
import numpy as np
import torsor
arm = torsor.load(sys.argv[1])
q, qd, qdd = np.random.default_rng(0).uniform(-3.0, 3.0, (3, arm.n))
start = time.process_time()
arm.inverse_dynamics(q, qd, qdd)
print(time.process_time() - start)
"""
ON_IMPORT = """
import time
import numpy
start = time.process_time()
import torsor
print(time.process_time() - start)
"""


def first_use(robot: str, name: str, effort: TimeBudget) -> Iterator[Row]:
    """From ``arm = torsor.load(...)`` done to the first torques, in CPU seconds like every figure here."""
    with tempfile.TemporaryDirectory(prefix="torsor-bench-") as folder:
        # the first is for byte code and the disk
        empty = [_fresh(FIRST_USE, robot, cache=os.path.join(folder, str(k))) for k in range(effort.processes + 1)][1:]
        warm = [_fresh(FIRST_USE, robot, cache=os.path.join(folder, "1")) for _ in range(effort.processes)]
    yield Row(name, "first use, no cache", ours=median(empty), at_most=EMPTY)
    yield Row(name, "first use, cached", ours=median(warm), at_most=WARM)


def importing(effort: TimeBudget) -> Iterator[Row]:
    """CPU seconds that ``import torsor`` adds to NumPy's."""
    with tempfile.TemporaryDirectory(prefix="torsor-bench-") as folder:
        took = [_fresh(ON_IMPORT, cache=folder) for _ in range(effort.processes + 1)][1:]
    yield Row("", "import, CPU beyond NumPy", ours=median(took), at_most=IMPORT)


def _fresh(program: str, *arguments: str, cache: str) -> float:
    environment = os.environ | {"TORSOR_CACHE": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else every process would compile all of torsor's source anew
    command = [sys.executable, "-c", program, *arguments]
    return float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
