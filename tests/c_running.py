"""Generated C, compiled as a controller would and called from Python."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np

STRICT = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Wshadow", "-Werror"]
KINDS = {"double": np.float64, "float": np.float32}


def compiled(files, folder: Path, *flags: str, compiler: str = "gcc", name: str = "built") -> Path:
    _, source = files.write(folder)
    made = folder / name
    done = subprocess.run(
        [compiler, *STRICT, *flags, str(source), "-o", str(made), "-lm"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return made


def proves_itself(files, folder: Path) -> None:
    made = compiled(files, folder, "-O1", "-DTORSOR_SELFTEST", name="selftest")
    said = subprocess.run([made], capture_output=True, text=True)
    assert (said.returncode, said.stdout) == (0, f"{files.name}: ok\n")


class CLibrary:
    """The functions of a pair of files, row by row on arrays."""

    def __init__(self, equations, folder: Path, *, real: str = "double", trig: str = "math.h") -> None:
        self.equations, self.kind = equations, KINDS[real]
        self.files = equations.c_files("lib", real=real, trig=trig)
        self.loaded = ctypes.CDLL(str(compiled(self.files, folder, "-O1", "-shared", "-fPIC")))
        shared = dict.fromkeys(name for each in equations for name in each.parameters)
        self.parameters = list(shared)
        self.block = np.full(4096, np.nan, self.kind)  # the struct: its parameters come first
        if shared:
            self._call("lib_defaults")

    def set(self, **values: float) -> None:
        for name, value in values.items():
            self.block[self.parameters.index(name)] = value
        self._call("lib_init")

    def _call(self, word: str) -> None:
        getattr(self.loaded, f"torsor_{word}")(ctypes.c_void_p(self.block.ctypes.data))

    def __call__(self, which: int, *states):
        tape = self.equations[which].tape
        word = "lib" if len(self.equations) == 1 else f"lib_{self.equations[which].quantity}"
        function = getattr(self.loaded, f"torsor_{word}")
        given = [np.ascontiguousarray(state, dtype=self.kind) for state in states]
        rows = len(given[0])
        found = [np.zeros((rows, *array.shape), self.kind) for array in tape.outputs]
        ahead = [ctypes.c_void_p(self.block.ctypes.data)] if tape.parameters else []
        for row in range(rows):
            function(*ahead, *(ctypes.c_void_p(a.ctypes.data + row * a.strides[0]) for a in given + found))
        return found[0] if len(found) == 1 else tuple(found)


def closing_states(arm, count: int, width: float = 0.4):
    """Free joints around the assembled posture at which the loops close, with rates."""
    rng = np.random.default_rng(0)
    q = arm.closure.free_of(arm.closure.reference) + rng.uniform(-width, width, (4 * count, arm.n))
    # well away from dead centres, where joints run off and a rounded angle is a large one
    q = q[(np.abs(arm.closure.matrix(q)) < 2.0).all(axis=(-1, -2))][:count]
    assert len(q) == count
    return q, *rng.uniform(-1.0, 1.0, (2, count, arm.n))
