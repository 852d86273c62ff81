"""A program inside generated C that proves it on the machine where it will run: states, expected values, a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from torsor.algebra.tape import Tape
from torsor.model.transforms import Floats

TOLERANCE = {"double": "1e-9", "float": "1e-3f"}


def selftest(tape: Tape, word: str, real: str, states: Sequence[Sequence[Any]] | None) -> list[str]:
    """Lines under ``#ifdef TORSOR_SELFTEST``. The main function returns 0 when every number agrees."""
    kind = np.float32 if real == "float" else np.float64
    if states is None:
        rng = np.random.default_rng(1)
        states = [[rng.uniform(-1.5, 1.5, a.shape) for a in tape.inputs] for _ in range(4)]
    stacked = [
        np.stack([np.asarray(s[k], dtype=kind).reshape(a.shape) for s in states]) for k, a in enumerate(tape.inputs)
    ]
    results = tape.evaluate(*(x.astype(float) for x in stacked))
    given, expected = (np.hstack([x.reshape(len(states), -1) for x in side]) for side in (stacked, results))
    tall = expected.shape[1]
    f = "f" if real == "float" else ""
    lines = [
        "#ifdef TORSOR_SELFTEST",
        "/* cc -std=c99 -DTORSOR_SELFTEST this_file.c -lm && ./a.out */",
        "#include <stdio.h>",
        "",
        "int main(void)",
        "{",
        f"    static const {real} given[{len(given)}][{given.shape[1]}] = {{",
        *(_row(numbers, real) for numbers in given),
        "    };",
        f"    static const {real} expected[{len(given)}][{tall}] = {{",
        *(_row(numbers, real) for numbers in expected),
        "    };",
        "    int state, k, wrong = 0;",
        f"    for (state = 0; state < {len(given)}; ++state) {{",
        f"        {real} found[{tall}];",
        f"        {real} scale = 1.0{f};",
        f"        {word}({_pointers(tape)});",
        f"        for (k = 0; k < {tall}; ++k) {{",
        f"            const {real} e = expected[state][k];",
        f"            const {real} size = (e < 0.0{f}) ? -e : e;",
        "            scale = (size > scale) ? size : scale;",
        "        }",
        f"        for (k = 0; k < {tall}; ++k) {{",
        f"            const {real} e = expected[state][k];",
        f"            const {real} d = found[k] - e;",
        f"            const int near = (d < 0.0{f} ? -d : d) <= {TOLERANCE[real]} * scale;",
        "            const int same = (e != e) ? (found[k] != found[k]) : (found[k] == e || near);",
        "            if (!same) {",
        '                printf("state %d, result %d: %.9g, expected %.9g\\n", state, k, (double)found[k], (double)e);',
        "                ++wrong;",
        "            }",
        "        }",
        "    }",
        f'    printf(wrong ? "{word}: wrong\\n" : "{word}: ok\\n");',
        "    return wrong ? 1 : 0;",
        "}",
        "#endif",
        "",
    ]
    if not np.isfinite(expected).all():
        lines.insert(3, "#include <math.h>")
    return lines


def _pointers(tape: Tape) -> str:
    sides = ("given[state]", tape.inputs), ("found", tape.outputs)
    starts = [(place, accumulate((a.size for a in arrays[:-1]), initial=0)) for place, arrays in sides]
    return ", ".join(f"{place} + {at}" for place, begins in starts for at in begins)


def _row(numbers: Floats, real: str) -> str:
    from torsor.emit.c99 import literal

    return "        {" + ", ".join(literal(float(x), real) for x in numbers) + "},"
