"""A program inside generated C that proves it on the machine where it will run: states, expected values, a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from torsor.algebra.tape import Array
from torsor.emit.c_function import CFunction
from torsor.emit.c_parameters import CParameters
from torsor.emit.c_text import literal, suffix
from torsor.model.transforms import Floats

TOLERANCE = {"double": "1e-9", "float": "1e-3f"}
OTHER = 1.25  # times the arm's own parameters, to prove that constants follow them


def selftest(
    library: str, functions: Sequence[CFunction], parameters: CParameters, stand_ins: Mapping[str, float], real: str
) -> list[str]:
    """Lines under ``#ifdef TORSOR_SELFTEST``. The main function returns 0 when every number agrees.

    ``stand_ins`` are values to test with for parameters that have none.
    """
    kind: Any = np.float32 if real == "float" else np.float64
    known = {**stand_ins, **parameters.values}
    own = {a.name: np.asarray(known[a.name], dtype=kind) for a in parameters.arrays}
    sets = [own, {name: (value * kind(OTHER)).astype(kind) for name, value in own.items()}] if own else [own]
    tests, finite = [], True
    for function in functions:
        given, expected = _tables(function, sets, kind)
        finite = finite and bool(np.isfinite(expected).all())
        tests += _test(function, library, parameters.kind, given, expected, len(sets), real)
    return [
        "#ifdef TORSOR_SELFTEST",
        "/* cc -std=c99 -DTORSOR_SELFTEST this_file.c -lm && ./a.out */",
        "#include <stdio.h>",
        *([] if finite else ["#include <math.h>"]),
        "",
        *_compare(real),
        *tests,
        "int main(void)",
        "{",
        "    int wrong = 0;",
        *_main(library, functions, parameters, sets, stand_ins, real),
        f'    printf("{library}: %s\\n", wrong ? "wrong" : "ok");',
        "    return wrong ? 1 : 0;",
        "}",
        "#endif",
        "",
    ]


def _tables(function: CFunction, sets: Sequence[Mapping[str, Any]], kind: Any) -> tuple[Floats, Floats]:
    """States, a row each, and what they give with each set of parameters, one after the other."""
    states = function.states
    if states is None:
        rng = np.random.default_rng(1)
        states = [[rng.uniform(-1.5, 1.5, a.shape) for a in function.inputs] for _ in range(4)]
    stacked = {
        a.name: np.stack([np.asarray(state[k], dtype=kind).reshape(a.shape) for state in states]).astype(float)
        for k, a in enumerate(function.inputs)
    }
    rows = []
    if function.loops is not None:
        guess = function.loops.guess.name
        reached = {guess: function.loops.closed(stacked[function.inputs[0].name], stacked[guess])}
    else:
        reached = {}
    for values in sets:
        known = {**values, **stacked, **reached}
        arrays = [np.asarray(known[a.name]) for a in function.tape.inputs]
        rows.append(_flat(function.tape.evaluate(*map(np.float64, arrays)), len(states)))
    return _flat([stacked[a.name] for a in function.inputs], len(states)), np.vstack(rows)


def _flat(arrays: Sequence[Any], rows: int) -> Floats:
    return np.hstack([np.asarray(each).reshape(rows, -1) for each in arrays])


def _compare(real: str) -> list[str]:
    f = suffix(real)
    return [
        f"static int torsor__wrong(const char *what, int state, const {real} *found, const {real} *expected, int n)",
        "{",
        "    int k, wrong = 0;",
        f"    {real} scale = 1.0{f};",
        "    for (k = 0; k < n; ++k) {",
        f"        const {real} size = (expected[k] < 0.0{f}) ? -expected[k] : expected[k];",
        "        scale = (size > scale) ? size : scale;",
        "    }",
        "    for (k = 0; k < n; ++k) {",
        f"        const {real} e = expected[k];",
        f"        const {real} d = found[k] - e;",
        f"        const int near = ((d < 0.0{f}) ? -d : d) <= {TOLERANCE[real]} * scale;",
        "        const int same = (e != e) ? (found[k] != found[k]) : ((found[k] == e) || near);",
        "        if (!same) {",
        "            const double is = (double)found[k];",
        '            printf("%s, state %d, result %d: %.9g, expected %.9g\\n", what, state, k, is, (double)e);',
        "            ++wrong;",
        "        }",
        "    }",
        "    return wrong;",
        "}",
        "",
    ]


def _test(
    function: CFunction, library: str, kind: str, given: Floats, expected: Floats, sets: int, real: str
) -> list[str]:
    name = function.called(library)
    arguments = f"const {kind} *p, int set" if sets > 1 else "void"
    rows, tall = len(given), expected.shape[1]
    row = f"set * {rows} + state" if sets > 1 else "state"
    passed = "p, " if function.takes_parameters else ""
    places = [*_places("given[state]", function.inputs), *_places("found", function.tape.outputs)]
    copied: list[str] = []
    if function.loops is not None:  # the guess is changed by the call
        at = [array.name for array in function.inputs].index(function.loops.guess.name)
        copied = [
            f"        {real} guess[{function.loops.guess.size}], gap[1];",
            "        int k;",
            f"        for (k = 0; k < {function.loops.guess.size}; ++k) {{",
            f"            guess[k] = ({places[at]})[k];",
            "        }",
        ]
        places[at] = "guess"
        places.append("gap")
    return [
        f"static int {name}_test({arguments})",
        "{",
        f"    static const {real} given[{rows}][{given.shape[1]}] = {{",
        *(_row(numbers, real) for numbers in given),
        "    };",
        f"    static const {real} expected[{len(expected)}][{tall}] = {{",
        *(_row(numbers, real) for numbers in expected),
        "    };",
        "    int state, wrong = 0;",
        *(["    (void)p;"] if sets > 1 and not passed else []),
        f"    for (state = 0; state < {rows}; ++state) {{",
        f"        {real} found[{tall}];",
        *copied,
        f"        {name}({passed}{', '.join(places)});",
        f'        wrong += torsor__wrong("{name}", state, found, expected[{row}], {tall});',
        "    }",
        "    return wrong;",
        "}",
        "",
    ]


def _main(
    library: str,
    functions: Sequence[CFunction],
    parameters: CParameters,
    sets: Sequence[Mapping[str, Any]],
    stand_ins: Mapping[str, float],
    real: str,
) -> list[str]:
    if len(sets) == 1:
        return [f"    wrong += {f.called(library)}_test();" for f in functions]
    lines = [f"    {parameters.kind} p;", f"    {library}_defaults(&p);"]
    for number, values in enumerate(sets):
        for name, value in values.items():
            if number or name in stand_ins:
                lines += [
                    f"    p.{place} = {literal(float(x), real)};" for place, x in _entries(parameters, name, value)
                ]
        if number or stand_ins:
            lines.append(f"    {library}_init(&p);")
        lines += [f"    wrong += {f.called(library)}_test(&p, {number});" for f in functions]
    return lines


def _entries(parameters: CParameters, name: str, value: Any) -> list[tuple[str, float]]:
    field, numbers = parameters.fields[name], np.asarray(value)
    return [(f"{field}[{k}]" if numbers.shape else field, float(x)) for k, x in enumerate(np.ravel(numbers))]


def _places(of: str, arrays: Sequence[Array]) -> list[str]:
    begins = accumulate((a.size for a in arrays[:-1]), initial=0)
    return [f"{of} + {at}" for at in begins]


def _row(numbers: Floats, real: str) -> str:
    return "        {" + ", ".join(literal(float(x), real) for x in numbers) + "},"
