"""What the first call costs in a fresh process, with nothing compiled and with the kernel in the cache; and import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from torsor.bench.measure import Effort
from torsor.bench.rows import Row

EMPTY, WARM, IMPORT = 0.5, 0.01, 0.1  # seconds promised

FIRST_USE = """
import json, sys, time
import numpy as np
import torsor
arm = torsor.load(sys.argv[1])
q, qd, qdd = np.random.default_rng(0).uniform(-3.0, 3.0, (3, arm.n))
wall, cpu = time.perf_counter(), time.process_time()
arm.inverse_dynamics(q, qd, qdd)
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu]))
"""
ON_IMPORT = """
import json, time
import numpy
wall, cpu = time.perf_counter(), time.process_time()
import torsor
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu]))
"""


@dataclass(frozen=True)
class Took:
    wall: float
    cpu: float


def first_use(robot: str, name: str, effort: Effort) -> Iterator[Row]:
    """From ``arm = torsor.load(...)`` done to the first torques."""
    with tempfile.TemporaryDirectory(prefix="torsor-bench-") as folder:
        caches = [os.path.join(folder, str(k)) for k in range(effort.processes)]
        _fresh(FIRST_USE, robot, cache=os.path.join(folder, "before"))  # for byte code and the disk
        empty = [_fresh(FIRST_USE, robot, cache=cache) for cache in caches]
        warm = [_fresh(FIRST_USE, robot, cache=caches[0]) for _ in range(effort.processes)]
    yield Row(name, "first use, no cache", ours=median(t.wall for t in empty), at_most=EMPTY)
    yield Row(name, "first use, cached", ours=median(t.wall for t in warm), at_most=WARM)


def importing(effort: Effort) -> Iterator[Row]:
    """CPU seconds that ``import torsor`` adds to NumPy's."""
    with tempfile.TemporaryDirectory(prefix="torsor-bench-") as folder:
        _fresh(ON_IMPORT, cache=folder)  # for byte code and the disk
        took = [_fresh(ON_IMPORT, cache=folder) for _ in range(effort.processes)]
    yield Row("", "import, CPU beyond NumPy", ours=median(t.cpu for t in took), at_most=IMPORT)


def _fresh(program: str, *arguments: str, cache: str) -> Took:
    environment = os.environ | {"TORSOR_CACHE": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else every process would compile all of torsor's source anew
    ran = subprocess.run(
        [sys.executable, "-c", program, *arguments], env=environment, capture_output=True, text=True, check=True
    )
    return Took(*json.loads(ran.stdout))
