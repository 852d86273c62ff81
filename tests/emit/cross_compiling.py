"""Code for other processors than this one: machine code for 64-bit ARM, run by QEMU."""

from __future__ import annotations

import subprocess

import numpy as np

from torsor.emit import native
from torsor.emit.host import host_of
from torsor.emit.precision import DOUBLE
from torsor.emit.table import LIBRARY, TABLE_SIZE

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]


def done(command):
    said = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


def arm64():
    """A plain one of 2011: two doubles in a register, fused multiply-add."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return host_of("aarch64-unknown-linux-gnu", "generic", "+neon,+fp-armv8", set())


def run_on_arm64(tape, arrays, folder, real=DOUBLE, **cutting):
    """The three ways into machine code: state by state, all rows, and NumPy's loop over rows that lie apart."""
    host = arm64()
    (folder / "kernel.o").write_bytes(native.compiled(native.ir_of(tape, host, real, **cutting), host))
    (folder / "driver.c").write_text(_driver(tape, real), encoding="utf-8")
    rows = len(arrays[0])
    given = [np.ascontiguousarray(a, dtype=real.dtype).reshape(rows, -1) for a in arrays]
    (folder / "given").write_bytes(b"".join(a.tobytes() for a in given))
    command = ["aarch64-linux-gnu-gcc", *STRICT, "-Wno-pedantic", "-O1", "-static"]
    done([*command, folder / "driver.c", folder / "kernel.o", "-o", folder / "driver", "-lm"])
    done(["qemu-aarch64", folder / "driver", folder / "given", folder / "found", rows])
    found = np.frombuffer((folder / "found").read_bytes(), real.dtype).reshape(3, -1)
    ends = np.cumsum([rows * a.size for a in tape.outputs])[:-1]
    return [
        tuple(part.reshape(rows, *a.shape) for part, a in zip(np.split(way, ends), tape.outputs, strict=True))
        for way in found
    ]


def _driver(tape, real):
    arrays = tape.inputs + tape.outputs
    sizes, count = [a.size for a in arrays], len(arrays)
    scalar = ", ".join(f"p[{k}] + i * {size}" for k, size in enumerate(sizes))
    rows = ", ".join(f"p[{k}], {size} * (long)sizeof(real)" for k, size in enumerate(sizes))
    # rows of twice their length, whose numbers lie two apart
    strides, outer = [], []
    for a in arrays:
        outer.append(f"{2 * a.size} * (long)sizeof(real)")
        inner = [2 * int(np.prod(a.shape[d + 1 :], dtype=int)) for d in range(len(a.shape))]
        strides += [f"{step} * (long)sizeof(real)" for step in inner]
    functions = ", ".join(LIBRARY)
    declared = ", ".join(f"(void *){name}" for name in LIBRARY)
    return f"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef {real.name} real;
extern void *torsor_table[{TABLE_SIZE}];
void torsor_scalar({", ".join(["real *"] * count)});
void torsor_rows(long, {", ".join(["real *, long"] * count)});
void torsor_loop(char **, long *, long *, void *);
static const int sizes[] = {{{", ".join(map(str, sizes))}}};

int main(int argc, char **argv)
{{
    void *library[] = {{{declared}}}; /* {functions} */
    long n = argc > 3 ? atol(argv[3]) : 0, i, way;
    real *p[{count}], *wide[{count}];
    long steps[] = {{{", ".join(outer + strides)}}};
    int k;
    FILE *given = fopen(argv[1], "rb"), *found = fopen(argv[2], "wb");
    for (k = 0; k < {len(LIBRARY)}; ++k) torsor_table[k] = library[k];
    for (k = 0; k < {count}; ++k) {{
        p[k] = calloc((size_t)(n * sizes[k] + 1), sizeof(real));
        wide[k] = calloc((size_t)(2 * n * sizes[k] + 1), sizeof(real));
    }}
    for (k = 0; k < {len(tape.inputs)}; ++k) {{
        if (fread(p[k], sizeof(real), (size_t)(n * sizes[k]), given) != (size_t)(n * sizes[k])) return 1;
        for (i = 0; i < n * sizes[k]; ++i) wide[k][2 * i] = p[k][i];
    }}
    for (way = 0; way < 3; ++way) {{
        if (way == 0) for (i = 0; i < n; ++i) torsor_scalar({scalar});
        if (way == 1) torsor_rows(n, {rows});
        if (way == 2) torsor_loop((char **)wide, &n, steps, NULL);
        for (k = {len(tape.inputs)}; k < {count}; ++k)
            for (i = 0; i < n * sizes[k]; ++i)
                if (fwrite(way == 2 ? wide[k] + 2 * i : p[k] + i, sizeof(real), 1, found) != 1) return 1;
    }}
    return fclose(found);
}}
"""
