"""How cost and compile time grow with the arm: chains of more and more joints, beside Pinocchio's loop in C++."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

import numpy as np

from torsor.bench.chains import chain
from torsor.bench.findings import GrowthRow
from torsor.bench.peers import PeerMissing
from torsor.bench.peers_pinocchio import Pinocchio
from torsor.emit import Kernel, compile_kernel
from torsor.measuring.agreement import difference
from torsor.measuring.state_loop import over_states
from torsor.measuring.states import states
from torsor.measuring.stopwatch import TimeBudget, TimedWork, alone, compared, repeated
from torsor.mechanics.asking import trace
from torsor.mechanics.canonical import Trees
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import lower
from torsor.model.transforms import Floats

# seconds to compile; forward dynamics are shown without a promise
PROMISED: dict[str, float | None] = {"inverse_dynamics": 5.0, "forward_dynamics": None}
STATES = 1024


def growth(quantity: str, joints: int, effort: TimeBudget, *, peers: bool) -> GrowthRow:
    """One size: traced and compiled anew, compared with the reference and with Pinocchio, then timed."""
    model = chain(joints)
    with _empty_cache():
        _warm_up(quantity)
        start = time.process_time()
        trees = Trees(lower(model))
        tape = trace(trees, quantity)
        traced = time.process_time()
        kernel = compile_kernel(tape)
        done = time.process_time()
    counts = tape.counts()
    row = GrowthRow(quantity, joints, counts.M, counts.A, traced - start, done - traced, PROMISED[quantity])
    inputs = states(min(STATES, 2 * effort.states), joints)
    out, other = np.empty_like(inputs[0]), np.empty_like(inputs[0])

    def ours() -> None:
        kernel.general(*inputs, out=out, threads=1)

    ours()
    error = difference(out, getattr(ReferenceQuantities(trees.plain), quantity)(*inputs))
    batch = repeated(ours, len(out))
    pinocchio = _pinocchio(joints) if peers else None
    if pinocchio is not None:
        theirs = getattr(pinocchio, quantity)
        theirs(*inputs, other)
        error = max(error, difference(out, other))
    checked = replace(row, error=error)
    if checked.wrong:
        return checked
    single = _single(kernel, inputs, out, effort)
    if pinocchio is None:
        return replace(checked, single=single, batch=alone(batch, effort))
    f = compared(batch, repeated(lambda: theirs(*inputs, other), len(out)), effort)
    return replace(checked, single=single, batch=f.ours, peer_batch=f.theirs, ratio=f.ratio)


def _single(kernel: Kernel, inputs: list[Floats], out: Floats, effort: TimeBudget) -> float | None:
    if kernel.scalar_address is None:  # no machine code on this system
        return None
    return alone(TimedWork(over_states(kernel.scalar_address, [*inputs, out]), len(out)), effort)


def _pinocchio(joints: int) -> Pinocchio | None:
    try:
        return Pinocchio(chain(joints))
    except PeerMissing:
        return None


@cache
def _warm_up(quantity: str) -> None:
    """What is only paid once in a process, the import of LLVM above all, is not to be blamed on the smallest chain."""
    compile_kernel(trace(Trees(lower(chain(1))), quantity))


@contextmanager
def _empty_cache() -> Iterator[None]:
    """Kernels compiled under this are not found in the cache."""
    before = os.environ.get("TORSOR_CACHE")
    with tempfile.TemporaryDirectory(prefix="torsor-bench-") as folder:
        os.environ["TORSOR_CACHE"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["TORSOR_CACHE"]
            else:
                os.environ["TORSOR_CACHE"] = before
