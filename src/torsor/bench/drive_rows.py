"""Algorithm 1 as a controller runs it: generated C, compiled here, and the time of its worst cycle."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from torsor.bench.findings import Row
from torsor.derived import Equations
from torsor.deriving import derive
from torsor.loading import load
from torsor.measuring.agreement import difference
from torsor.measuring.stopwatch import QUICK, TimeBudget
from torsor.model.transforms import Floats

ARM, CYCLE = "rl15", 0.01
REPEATS = 7  # of every cycle; the quickest counts, so that a neighbour's work does not
DRIVER = """
#define _POSIX_C_SOURCE 199309L
#include <time.h>
#include "{name}.h"

/* seconds that each state takes, the quickest of some repeats */
void timed(long states, int repeats, const double *given, double *found, double *seconds)
{{
    for (long k = 0; k < states; ++k) {{
        const double *s = given + k * {taken};
        double *f = found + k * {made};
        double best = 1e9;
        for (int r = 0; r < repeats; ++r) {{
            struct timespec a, b;
            clock_gettime(CLOCK_MONOTONIC, &a);
            {name}({arguments});
            clock_gettime(CLOCK_MONOTONIC, &b);
            const double t = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
            best = (t < best) ? t : best;
        }}
        seconds[k] = best;
    }}
}}
"""


def worst_cycle(effort: TimeBudget) -> Iterator[Row]:
    """Its code has no branches, so that the worst cycle is hardly slower than the others: what a controller needs."""
    compiler = shutil.which("cc")
    if compiler is None:
        return
    cycle = derive(
        load(ARM), "achievable_motion", drives=True, dt=CYCLE, effort="none" if effort == QUICK else "normal"
    )
    rng = np.random.default_rng(0)
    states = rng.uniform(-1.5, 1.5, (effort.states, 3, cycle.tape.inputs[0].size))
    found, seconds = _run(compiler, cycle, states.reshape(effort.states, -1))
    right = np.hstack(cycle(*(states[:64, k] for k in range(3))))
    error = difference(found[:64], right)
    yield Row(ARM, f"achievable motion in C, worst of {effort.states} cycles", ours=float(seconds.max()), error=error)
    yield Row(
        ARM, f"achievable motion in C, median of {effort.states} cycles", ours=float(np.median(seconds)), error=error
    )


def _run(compiler: str, cycle: Equations, states: Floats) -> tuple[Floats, Floats]:
    files = cycle.c_files("achievable")
    taken, made = states.shape[1], sum(a.size for a in cycle.tape.outputs)
    places = [f"{of} + {at}" for of, arrays in (("s", cycle.tape.inputs), ("f", cycle.tape.outputs))
              for at in np.cumsum([0, *(a.size for a in arrays)])[:-1]]  # fmt: skip
    found, seconds = np.zeros((len(states), made)), np.zeros(len(states))
    with tempfile.TemporaryDirectory() as place:
        _, source = files.write(place)
        driver, library = Path(place, "driver.c"), Path(place, "driver.so")
        text = DRIVER.format(name=files.name, taken=taken, made=made, arguments=", ".join(places))
        driver.write_text(text, encoding="utf-8")
        flags = ["-std=c99", "-O2", "-shared", "-fPIC"]
        subprocess.run([compiler, *flags, str(driver), str(source), "-o", str(library), "-lm"], check=True)
        given = np.ascontiguousarray(states)
        places_in_memory = [ctypes.c_void_p(each.ctypes.data) for each in (given, found, seconds)]
        ctypes.CDLL(str(library)).timed(ctypes.c_long(len(states)), REPEATS, *places_in_memory)
    return found, seconds
