"""A program inside generated C that proves it on the machine where it will run: states, expected values, a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from torsor.algebra.tape import Tape

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
    given = [[x[k] for x in stacked] for k in range(len(states))]
    expected = [[y[k] for y in results] for k in range(len(states))]
    wide = sum(a.size for a in tape.inputs)
    tall = sum(a.size for a in tape.outputs)
    f = "f" if real == "float" else ""
    lines = [
        "#ifdef TORSOR_SELFTEST",
        "/* cc -std=c99 -DTORSOR_SELFTEST this_file.c -lm && ./a.out */",
        "#include <stdio.h>",
        "",
        "int main(void)",
        "{",
        f"    static const {real} given[{len(given)}][{wide}] = {{",
        *(_row([x for a in s for x in a.ravel()], real) for s in given),
        "    };",
        f"    static const {real} expected[{len(given)}][{tall}] = {{",
        *(_row([x for a in s for x in a.ravel()], real) for s in expected),
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
    if any(not np.isfinite(x).all() for s in expected for x in s):
        lines.insert(3, "#include <math.h>")
    return lines


def _pointers(tape: Tape) -> str:
    parts, at = [], 0
    for a in tape.inputs:
        parts.append(f"given[state] + {at}")
        at += a.size
    at = 0
    for a in tape.outputs:
        parts.append(f"found + {at}")
        at += a.size
    return ", ".join(parts)


def _row(numbers: list[Any], real: str) -> str:
    from torsor.emit.c99 import literal

    return "        {" + ", ".join(literal(float(x), real) for x in numbers) + "},"
