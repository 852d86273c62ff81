"""How close the batch kernels come to the limit of the machine, which is that of their own instructions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np

from torsor.bench.arm_rows import ArmContest
from torsor.bench.findings import PortRow
from torsor.emit.precision import precision_of
from torsor.measuring.processor_ports import clock, cycles_of, port_rates
from torsor.measuring.states import states
from torsor.measuring.stopwatch import repeated

STATES = 1024  # that stay in the cache: what is asked is what the kernel does, not the memory
KERNELS: tuple[tuple[str, str, type[np.floating[Any]]], ...] = (
    ("ID", "inverse_dynamics", np.float64),
    ("FD", "forward_dynamics", np.float64),
    ("ID, float32", "inverse_dynamics", np.float32),
    ("FD, float32", "forward_dynamics", np.float32),
    ("dID", "inverse_dynamics_derivatives", np.float64),
    ("dFD", "forward_dynamics_derivatives", np.float64),
)
MEASURED = "{:.2f} GHz at best, by a chain of additions that wait for each other, one a cycle"
NOT_KNOWN = "not known: there is no machine code"


def at_the_ports(contest: ArmContest, settings: dict[str, str]) -> Iterator[PortRow]:
    """Each batch kernel. How fast the clock is and how it was found is told in ``settings``."""
    arm = contest.arm
    for what, quantity, dtype in KERNELS:
        kernel, real = arm.kernel(quantity, dtype=dtype), precision_of(dtype)
        row = PortRow(arm.name, what)
        if kernel.backend == "python":
            settings["clock"] = NOT_KNOWN
            yield row
            continue
        if "clock" not in settings:
            settings["clock"] = MEASURED.format(clock() * 1e-9)
        count = kernel.instructions
        if count is None:
            yield row
            continue
        inputs = [a.astype(dtype) for a in states(STATES, arm.n)]
        outs = tuple(np.empty((STATES, *array.shape), dtype) for array in kernel.tape.outputs)
        out = outs if len(outs) > 1 else outs[0]
        cycles = cycles_of(repeated(partial(kernel, *inputs, out=out, threads=1), STATES // count.lanes))
        rates = port_rates(count.lanes, real)
        row = PortRow(arm.name, what, **asdict(count), cycles=cycles)
        if rates is not None:
            limit = rates.cycles(count.multiplications, count.additions, count.divisions)
            row = replace(row, ports=asdict(rates), limit=limit)
        yield row
