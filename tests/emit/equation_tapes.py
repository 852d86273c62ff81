"""Tapes to print as equations, and ways to compute what was printed: exactly, with many digits, and in floats."""

from __future__ import annotations

import ast
import json
import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np

import torsor
from torsor.algebra import parameter, simplify, symbols, tape_from
from torsor.mechanics import closed_form, newton_euler
from torsor.mechanics.asking import trace


def sign(x):
    return (x > 0) - (x < 0)


COMPARE = {
    "lt": lambda a, b: Fraction(a < b),
    "le": lambda a, b: Fraction(a <= b),
    "eq": lambda a, b: Fraction(a == b),
    "select": lambda c, a, b: a if c != 0 else b,
}
ARITHMETIC = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
}
RATIONAL = {"abs": abs, "sign": sign, "min": min, "max": max, "floor": math.floor, **COMPARE}
DIGITS = {name: getattr(mpmath, name) for name in ("sin", "cos", "exp", "atan2")}
DIGITS["sqrt"] = lambda x: mpmath.sqrt(abs(x))  # stays real; any function would do
FLOATS = {name: getattr(math, name) for name in ("sin", "cos", "exp", "sqrt", "atan2", "floor")} | {"abs": abs}


def interpreted(tape, scalars, functions, number):
    """The results of a tape, instruction by instruction, in any kind of number."""
    table = ARITHMETIC | functions
    values = []
    for step in tape.code:
        if step.op == "input":
            values.append(scalars[int(step.value)])
        elif step.op == "const":
            values.append(number(step.value))
        else:
            values.append(table[step.op](*(values[arg] for arg in step.args)))
    return [values[k] for k in tape.results]


class _Numbers(ast.NodeTransformer):
    def visit_BinOp(self, node):
        if isinstance(node.op, ast.Pow):  # exponents stay integers
            return ast.BinOp(self.visit(node.left), node.op, node.right)
        return self.generic_visit(node)

    def visit_Constant(self, node):
        return ast.Call(ast.Name("number", ast.Load()), [node], [])


def printed(document, arrays, functions, number=float):
    """The results of a JSON document, computed from its text: equations in order, then the outputs' entries."""
    made = json.loads(document)
    space = {"__builtins__": {}, "number": number, **functions}
    for declared in made["inputs"]:
        space[declared["identifier"]] = arrays[declared["name"]]

    def compute(infix, exact):
        tree = ast.parse(infix, mode="eval")
        if exact:
            for node in ast.walk(tree):
                if isinstance(node, ast.Subscript):
                    node.slice = ast.Name(f"at_{ast.unparse(node.slice).replace(', ', '_').strip('()')}", ast.Load())
                    at = ast.unparse(node.slice)[3:].split("_")
                    space[ast.unparse(node.slice)] = tuple(int(k) for k in at) if len(at) > 1 else int(at[0])
            tree = ast.fix_missing_locations(_Numbers().visit(tree))
        return eval(compile(tree, "<infix>", "eval"), space)

    for equation in made["equations"]:
        assert equation["name"] not in space, equation["name"]
        space[equation["name"]] = compute(equation["infix"], number is not float)

    def flat(entries):
        return [x for part in entries for x in flat(part)] if isinstance(entries, list) else [entries]

    return [compute(entry, number is not float) for each in made["outputs"] for entry in flat(each["entries"])]


def random_arrays(tape, seed, kind=float):
    rng = np.random.default_rng(seed)
    arrays = {}
    for array in tape.inputs:
        block = np.empty(array.shape, dtype=object if kind is not float else float)
        for place in np.ndindex(*array.shape):
            block[place] = kind(int(rng.integers(-40, 41))) / kind(8)
        arrays[array.name] = block if array.shape else block[()]
    return arrays


def scalars_of(tape, arrays):
    return [x for array in tape.inputs for x in np.asarray(arrays[array.name], dtype=object).ravel()]


def assert_floats_agree(tape, document, seed=0):
    """What was printed, in floats, against the tape: to 1e-12 of the largest entry of its output."""
    arrays = random_arrays(tape, seed)
    found = np.array(printed(document, arrays, FLOATS | COMPARE), dtype=float)
    wanted = tape.evaluate(*(arrays[array.name] for array in tape.inputs))
    at = 0
    for block in wanted:
        part = found[at : at + block.size].reshape(block.shape)
        at += block.size
        np.testing.assert_allclose(part, block, rtol=0, atol=1e-12 * max(1e-300, float(np.abs(block).max(initial=0))))


def inverse_dynamics(name):
    return trace(torsor.load(name)._trees, "inverse_dynamics")


def _symbolic(tree):
    """The tree with symbols for its nonzero masses, centres of mass, second moments and lengths."""
    inputs = {}

    def named(name, value):
        if not value:
            return 0.0
        inputs[name] = parameter(name)
        return inputs[name]

    bodies = []
    for i, body in enumerate(tree.bodies, 1):
        mass = named(f"m{i}", body.mass)
        com = [named(f"r{axis}{i}", x) for axis, x in zip("xyz", body.moment, strict=True)]
        second = np.zeros((3, 3), dtype=object)
        for a in range(3):
            for b in range(a, 3):
                second[a, b] = second[b, a] = named(f"I{'xyz'[a]}{'xyz'[b]}{i}", body.second[a, b])
        place = [named(f"{letter}{i}", round(x, 12)) for letter, x in zip("abd", body.position, strict=True)]
        moment = mass * np.array(com, dtype=object)
        bodies.append(replace(body, mass=mass, moment=moment, second=second, position=np.array(place, dtype=object)))
    inputs["g"] = parameter("g")
    return replace(tree, bodies=tuple(bodies), gravity=np.array([0.0, 0.0, -inputs["g"]], dtype=object)), inputs


def symbolic_inverse_dynamics(name):
    tree, parameters = _symbolic(torsor.load(name)._trees.plain)
    states = {key: symbols(key, tree.n) for key in ("q", "qd", "qdd")}
    tau = newton_euler.inverse_dynamics(tree, *states.values(), tree.gravity)
    return tape_from(f"{name}_inverse_dynamics", states | parameters, simplify({"tau": tau}))


def coefficients(name, *, symbolic=False):
    """Burdick's M, c, b and g."""
    tree, parameters = torsor.load(name)._trees.lean, {}
    if symbolic:
        tree, parameters = _symbolic(torsor.load(name)._trees.plain)
    q, n = symbols("q", tree.n), tree.n
    found = closed_form.coefficients(tree, q, tree.gravity)
    M, c, b = (np.zeros((n,) * rank, dtype=object) for rank in (2, 2, 3))
    for (i, j), value in found.M.items():
        M[i, j] = M[j, i] = value
    for place, value in found.c.items():
        c[place] = value
    for place, value in found.b.items():
        b[place] = value
    outputs = {"M": M, "c": c, "b": b, "g": np.array(found.g, dtype=object)}
    return tape_from(f"{name}_coefficients", {"q": q} | parameters, simplify(outputs))
