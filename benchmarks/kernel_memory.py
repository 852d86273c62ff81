"""Memory and memory maps while one arm is loaded again and again, and while many different arms are.

python benchmarks/kernel_memory.py [loads of one arm, 100000] [different arms, 10000]

Kernels are shared by content and freed with their last user, so neither may grow: see emit/recent.py and emit/arena.py.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace
from time import perf_counter

import numpy as np

import torsor
from torsor.arm import Arm
from torsor.emit import arena
from torsor.model.model import Model

Q = np.array([0.3, -0.4])
LINES = 10


def memory() -> tuple[float, int, float]:
    """Of this process: resident MB, memory maps; and MB of machine code."""
    with open("/proc/self/statm") as told, open("/proc/self/maps") as maps:
        resident = int(told.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6
        return resident, sum(1 for _ in maps), arena.in_use() / 1e6


def same(times: int, model: Model) -> None:
    for _ in range(times):
        arm = Arm(model)
        arm.inverse_dynamics(Q, Q, Q)
        arm.mass_matrix(Q)


def different(times: int, model: Model, start: int) -> None:
    for k in range(start, start + times):
        arm = Arm(replace(model, gravity=(1.0 + 1e-6 * k) * model.gravity))
        arm.gravity(Q)


def main() -> None:
    loads, arms = [*(int(word) for word in sys.argv[1:]), *(100_000, 10_000)[len(sys.argv) - 1 :]]
    os.environ["TORSOR_CACHE"] = tempfile.mkdtemp(prefix="torsor-memory-")
    model = torsor.load("planar2").model
    print(f"{'':24} {'resident MB':>12} {'maps':>6} {'code MB':>8} {'ms each':>8}")
    for what, count, run in (
        ("loads of one arm", loads, lambda n, _: same(n, model)),
        ("different arms", arms, lambda n, k: different(n, model, k)),
    ):
        for k in range(LINES if count >= LINES else 0):
            begun = perf_counter()
            run(count // LINES, k * (count // LINES))
            resident, maps, code = memory()
            each = (perf_counter() - begun) / (count // LINES) * 1e3
            done = (k + 1) * (count // LINES)
            print(f"{done:7} {what:16} {resident:12.1f} {maps:6} {code:8.3f} {each:8.2f}", flush=True)


if __name__ == "__main__":
    main()
