"""Code speaks the names of its sheet: what has one name in both is one number."""

import json
import math
import re
import sys

import numpy as np
import pytest
from tests.c_running import proves_itself
from tests.emit.equation_tapes import COMPARE, FLOATS

import torsor
from torsor.algebra import parameter, symbols, tape_from
from torsor.emit.c99 import c_library
from torsor.emit.code_function import CodeAbout, CodeFunction
from torsor.emit.code_names import NO_NAMES, CodeNames
from torsor.emit.equations import readable
from torsor.emit.python_source import to_python

ASKED = [
    ("planar2", "inverse_dynamics", "symbolic", None),
    ("puma560-burdick", "inverse_dynamics", "base", None),
    ("rl15", "forward_dynamics", "numeric", None),
    ("irb140", "inverse_dynamics", "base", "mrnea"),
    ("fourbar", "mass_matrix", "numeric", None),
]


def derived(arm, what, parameters, by):
    return torsor.derive(torsor.load(arm), what, parameters=parameters, by=by, effort="normal")


def locals_of(source, arguments):
    """What every name in the generated Python function stands for at its end."""
    seen = {}

    def watch(frame, event, _):
        if event == "call" and frame.f_code.co_filename == "<code>":
            return watch
        if event == "return" and frame.f_code.co_filename == "<code>":
            seen.update(frame.f_locals)
        return watch

    space = {}
    exec(compile(source, "<code>", "exec"), space)
    (function,) = (each for name, each in space.items() if callable(each) and name != "np")
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return seen


@pytest.mark.parametrize("asked", ASKED, ids=lambda each: f"{each[0]}-{each[1]}")
def test_a_name_is_the_same_number_in_code_and_on_the_sheet(asked):
    equations = derived(*asked)
    rng = np.random.default_rng(3)
    free = [array for array in equations.tape.inputs if array.name not in equations.parameters]
    states = [equations.around.get(a.name, 0.0) + rng.uniform(-0.03, 0.03, a.shape) for a in free]
    arguments = [*states, *(equations.values[name] for name in equations.parameters)]
    seen = locals_of(equations.to_python(), arguments)
    made = json.loads(equations.to_json())
    space = {"__builtins__": {}, **FLOATS, **COMPARE}
    by_name = {array.name: value for array, value in zip(equations.tape.inputs, arguments, strict=True)}
    space |= {declared["identifier"]: by_name[declared["name"]] for declared in made["inputs"]}
    met = 0
    for equation in made["equations"]:
        value = space[equation["name"]] = eval(equation["infix"], space)
        for word, sign in ((equation["name"], 1.0), (f"neg_{equation['name']}", -1.0)):
            if word in seen:
                met += 1
                assert math.isclose(seen[word], sign * value, rel_tol=1e-9, abs_tol=1e-12), word
    assert met >= 0.9 * len(made["equations"]), "names of the sheet are not in the code"


def test_few_values_of_code_are_anonymous():
    equations = derived(*ASKED[1])
    for text in (equations.to_python(), equations.to_c(), equations.to_matlab()):
        named, nameless = (set(re.findall(pattern, text)) for pattern in (r"\b(?:neg_)?[KVw]\w*\d\b", r"\bt\d+\b"))
        assert len(nameless) < 0.2 * len(named)


def test_c_with_names_compiles_strictly_and_proves_itself(tmp_path):
    for arm, what, parameters, by in ASKED[:3]:
        for trig in ("math.h", "inline"):
            folder = tmp_path / f"{arm}-{trig[0]}"
            folder.mkdir()
            proves_itself(derived(arm, what, parameters, by).c_files(trig=trig), folder)


def test_names_of_models_do_not_get_in_the_way(tmp_path):
    """Parameters may be called as values of the sheet, words of the language, or what code is written with."""
    q = symbols("q", 2)
    words = ("K1", "V1", "s1", "c1", "np", "lead", "q1", "neg_V1", "t3", "tau1", "p", "y1", "double", "lambda")
    own = {word: parameter(word) for word in words}
    angle = own["lambda"] * np.sin(q[0]) + own["K1"] * np.cos(q[0]) + own["s1"]
    held = angle * angle * own["V1"] + own["c1"] * own["np"] - angle / own["lead"]
    tau = np.array([held * own["q1"] + own["t3"] * own["tau1"], -held * own["double"] + own["p"] * own["y1"] * q[1]])
    tape = tape_from("hostile", {"q": q, **own}, {"tau": tau + own["neg_V1"]})
    called = readable(tape).code_names
    values = {word: 0.3 + 0.1 * k for k, word in enumerate(words)}
    given = np.array([0.4, -0.7])
    space = {}
    exec(to_python(tape, called), space)
    wanted = tape.evaluate(given, *values.values())[0]
    np.testing.assert_allclose(space["hostile"](given, *values.values()), wanted, rtol=1e-14)
    function = CodeFunction(tape, code_names=called)
    proves_itself(c_library("hostile", [function], CodeAbout(values=values)), tmp_path)


def test_without_a_sheet_code_is_as_it_was():
    x = symbols("x", 2)
    tape = tape_from("gap", {"x": x}, {"y": np.sin(x[0]) - np.sin(x[0]) * x[1]})
    assert "t1 = np.sin(x0)" in to_python(tape)
    assert to_python(tape, NO_NAMES) == to_python(tape, CodeNames())


def test_sympy_has_the_names_of_the_sheet():
    made = derived(*ASKED[0]).to_sympy()
    words = {str(symbol) for symbol, _ in made.intermediates}
    assert {"c2", "K1", "V1", "neg_tau2"} <= words
    assert len(words) == len(made.intermediates)
