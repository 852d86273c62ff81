"""How cost and compile time grow with the arm: chains of more and more joints, beside Pinocchio's loop in C++."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, partial

import numpy as np

from torsor.bench.findings import GrowthRow
from torsor.bench.peers import PeerMissing
from torsor.bench.peers_pinocchio import Pinocchio
from torsor.emit import compile_kernel
from torsor.measuring.agreement import difference
from torsor.measuring.chains import chain
from torsor.measuring.state_loop import kernel_work
from torsor.measuring.states import states
from torsor.measuring.stopwatch import TimeBudget, alone, compared, repeated
from torsor.mechanics.asking import trace
from torsor.mechanics.canonical import Trees
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import lower

# seconds to compile; forward dynamics are shown without a promise
PROMISED: dict[str, float | None] = {"inverse_dynamics": 5.0, "forward_dynamics": None}
STATES = 1024


def growth(quantity: str, joints: int, effort: TimeBudget, *, peers: bool) -> Iterator[GrowthRow]:
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
    inputs = states(min(STATES, 2 * effort.states), joints)
    out, single, batch = kernel_work(kernel, inputs)
    batch.run(1)
    error, theirs = difference(out, getattr(ReferenceQuantities(trees.plain), quantity)(*inputs)), None
    if peers:
        with suppress(PeerMissing):
            other = np.empty_like(out)
            theirs = repeated(partial(getattr(Pinocchio(model), quantity), *inputs, other), len(out))
            theirs.run(1)
            error = max(error, difference(out, other))
    M, A = tape.counts().M, tape.counts().A
    row = GrowthRow(quantity, joints, M, A, traced - start, done - traced, PROMISED[quantity], error=error)
    if not row.wrong:
        row = replace(row, single=None if single is None else alone(single, effort))
        if theirs is None:
            row = replace(row, batch=alone(batch, effort))
        else:
            f = compared(batch, theirs, effort)
            row = replace(row, batch=f.ours, peer_batch=f.theirs, ratio=f.ratio)
    yield row


@cache
def _warm_up(quantity: str) -> None:
    """What is only paid once in a process, the import of LLVM above all, is not to be blamed on the smallest chain."""
    compile_kernel(trace(Trees(lower(chain(1))), quantity))


@contextmanager
def _empty_cache() -> Iterator[None]:
    """Kernels compiled under this are not found in the cache."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="torsor-bench-") as folder:
        os.environ["TORSOR_CACHE"] = folder
        try:
            yield
        finally:
            os.environ.pop("TORSOR_CACHE")
            os.environ.update(before)
