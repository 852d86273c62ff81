"""End to end: every quantity of every arm, however it is compiled and called, equals the plain reference.

A kernel is compared with ``arm.reference`` on the whole library, on random trees and on long chains; derivatives with
complex steps through the reference. Numbers agree to 1e-12 of the largest element of their array.
"""

from __future__ import annotations

import ctypes
import subprocess
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import torsor
from library_arms import library
from random_arms import arms_and_states, random_state
from torsor import Arm
from torsor.algebra.tape import Tape
from torsor.emit import compile_kernel
from torsor.emit.c99 import to_c
from torsor.measuring.chains import chain
from torsor.mechanics.quantities import QUANTITIES

Arrays = tuple[np.ndarray, ...]
ROWS = 17
STEP = 1e-200  # of complex steps: no cancellation, so no error
SINGLE = float(np.finfo(np.float32).eps)
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
BRIEF = [name for name in QUANTITIES if not name.endswith("derivatives")]
EVERYWHERE = pytest.mark.parametrize("robot", library(few=True))


def several(found: np.ndarray | Arrays) -> Arrays:
    return found if isinstance(found, tuple) else (found,)


@dataclass(frozen=True, eq=False)
class Case:
    """A quantity of an arm, with states (17, n) and what the reference finds there."""

    arm: Arm
    quantity: str
    gravity: np.ndarray | None = None  # in world axes
    wrench: np.ndarray | None = None

    @cached_property
    def states(self) -> Arrays:
        return random_state(self.arm.n, 7, (ROWS,))[: len(QUANTITIES[self.quantity].states)]

    @property
    def options(self) -> dict[str, np.ndarray]:
        given_options = {"gravity": self.gravity, "wrench": self.wrench}
        return {name: value for name, value in given_options.items() if value is not None}

    def __call__(self, *states: np.ndarray, **more: object) -> Arrays:
        """Through the method of Arm, as users do."""
        return several(getattr(self.arm, self.quantity)(*states, **self.options, **more))

    @cached_property
    def tape(self) -> Tape:
        return self.arm.kernel(self.quantity, gravity=self.gravity is not None, wrench=self.wrench is not None).tape

    @cached_property
    def right(self) -> Arrays:
        parts = expected(self.arm, self.quantity, self.states, self.options)
        # what does not depend on a state may lack its dimensions
        outputs = zip(parts, self.tape.outputs, strict=True)
        return tuple(np.broadcast_to(part, (ROWS, *array.shape)) for part, array in outputs)

    def agrees(self, found: np.ndarray | Arrays, rows: object = ..., tolerance: float = 1e-12) -> None:
        """Whether these are the values of these rows."""
        for array, mine, right in zip(self.tape.outputs, several(found), self.right, strict=True):
            chosen = right[rows]
            assert mine.shape == chosen.shape
            worst = float(np.abs(mine - chosen).max())
            size = float(np.abs(right).max())
            assert worst <= tolerance * size, f"{array.name} differs by {worst:.3g} of {size:.3g}"

    @cached_property
    def condition(self) -> float:
        """By how much a solve with the mass matrix may enlarge what rounding does."""
        if "forward" not in self.quantity:
            return 1.0
        return float(np.linalg.cond(self.arm.reference.mass_matrix(self.states[0])).max())


def expected(arm: Arm, quantity: str, states: Arrays, options: dict[str, np.ndarray]) -> Arrays:
    """From the reference; derivatives by complex steps through it."""
    reference = arm.reference
    options = dict(options)
    if "gravity" in options:
        options["gravity"] = options["gravity"] @ arm.model.base[:3, :3]
    if quantity == "dynamics_terms":
        q, qd = states
        c = reference.inverse_dynamics(q, qd, np.zeros_like(q), gravity=np.zeros(3))
        parts: Arrays = reference.mass_matrix(q), c, reference.gravity(q, **options)
    elif quantity.endswith("derivatives"):
        page = getattr(reference, quantity.removesuffix("_derivatives"))
        if "wrench" in options:
            options["wrench"] = options["wrench"][..., None, :]
        slopes = []
        for k in range(3):
            steps = [x[:, None, :] + (1j * STEP * np.eye(x.shape[-1]) if j == k else 0.0) for j, x in enumerate(states)]
            slopes.append(np.swapaxes(page(*steps, **options).imag / STEP, -1, -2))
        parts = tuple(slopes)
    else:
        parts = several(getattr(reference, quantity)(*states, **options))
    return parts


@cache
def tree(robot: str) -> Arm:
    return torsor.load(robot).tree


@pytest.mark.parametrize("quantity", BRIEF)
@EVERYWHERE
def test_every_way_to_call(robot, quantity):
    check_calls(robot, quantity)


@pytest.mark.parametrize("quantity", [name for name in QUANTITIES if name not in BRIEF])
@pytest.mark.parametrize("robot", library(few=True))
def test_every_way_to_call_derivatives(robot, quantity):
    check_calls(robot, quantity)


def check_calls(robot, quantity):
    """All in one test, so that each kernel is compiled once, whichever process the test runs in."""
    c = Case(tree(robot), quantity)
    for row in (0, 1, ROWS - 1):
        c.agrees(c(*(x[row] for x in c.states)), row)
    whole = c(*c.states)
    c.agrees(whole)
    rows_equal_single_calls(c, whole)
    threads_and_out_change_nothing(c, whole)
    nan_stays_in_its_row(c, whole)
    kernel = compile_kernel(c.tape, backend="python")
    assert kernel.backend == "python"
    c.agrees(kernel(*c.states))
    c.agrees(kernel(*(x[2] for x in c.states)), 2)


def rows_equal_single_calls(c: Case, whole: Arrays) -> None:
    """To the last bit, whatever group of lanes a row falls into."""
    alone = [c(*(x[row] for x in c.states)) for row in range(ROWS)]
    for found, *singles in zip(whole, *alone, strict=True):
        np.testing.assert_array_equal(found, np.stack(singles))
    for rows in (1, 2, 3, 5):
        for found, right in zip(c(*(x[:rows] for x in c.states)), whole, strict=True):
            np.testing.assert_array_equal(found, right[:rows])
    shaped = c(*(x[:6].reshape(2, 3, -1) for x in c.states))
    for found, right in zip(shaped, whole, strict=True):
        np.testing.assert_array_equal(found, right[:6].reshape(2, 3, *right.shape[1:]))


def threads_and_out_change_nothing(c: Case, whole: Arrays) -> None:
    many = [np.tile(x, (60, 1)) for x in c.states]  # 1020 rows
    for found, right in zip(c(*many, threads=2), whole, strict=True):
        np.testing.assert_array_equal(found, np.tile(right, (60, *[1] * (right.ndim - 1))))
    for threads, states in ((None, c.states), (2, c.states), (None, [x[3] for x in c.states])):
        batch = states[0].shape[:-1]
        outs = tuple(np.full((*batch, *array.shape), 777.0) for array in c.tape.outputs)
        answer = c(*states, out=outs if len(outs) > 1 else outs[0], threads=threads)
        for out, back, right in zip(outs, answer, whole, strict=True):
            assert back is out
            np.testing.assert_array_equal(out, right if batch else right[3])


def nan_stays_in_its_row(c: Case, whole: Arrays) -> None:
    bad = [x.copy() for x in c.states]
    for x in bad:
        x[4] = np.nan
    others = np.arange(ROWS) != 4
    for found, right in zip(c(*bad), whole, strict=True):
        np.testing.assert_array_equal(found[others], right[others])
        varies = np.ptp(right, axis=0) > 1e-9 * np.abs(right).max()  # a number that never changes may stay
        assert np.isnan(found[4][varies]).all()


def as_c(tapes: dict[str, Tape], folder: Path, real: str, trig: str) -> ctypes.CDLL:
    """All of an arm's quantities in one library."""
    sources = [to_c(tape, name=name, real=real, trig=trig).write(folder)[1] for name, tape in tapes.items()]
    library = folder / "arm.so"
    # -O0: this is about what the text says, and gcc takes long over long functions
    command = ["gcc", *STRICT, "-O0", "-shared", "-fPIC", *map(str, sources), "-o", str(library), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(library))


def run_c(library: ctypes.CDLL, name: str, tape: Tape, states: Arrays, kind: type) -> Arrays:
    function = library[f"torsor_{name}"]
    given_states = [np.ascontiguousarray(x, dtype=kind) for x in states]
    outs = [np.zeros((len(states[0]), *array.shape), kind) for array in tape.outputs]
    for row in range(len(states[0])):
        function(*(ctypes.c_void_p(a.ctypes.data + row * a.strides[0]) for a in given_states + outs))
    return tuple(outs)


@EVERYWHERE
def test_c(robot, tmp_path):
    check_c(robot, QUANTITIES, "double", "math.h", tmp_path)


@pytest.mark.parametrize(("real", "trig"), [("double", "inline"), ("float", "math.h"), ("float", "inline")])
@pytest.mark.parametrize("robot", library(few=True))
def test_other_c(robot, real, trig, tmp_path):
    """Without derivatives, whose tapes are long."""
    check_c(robot, BRIEF, real, trig, tmp_path)


def check_c(robot, names, real, trig, tmp_path):
    cases = {name: Case(tree(robot), name) for name in names}
    library = as_c({name: c.tape for name, c in cases.items()}, tmp_path, real, trig)
    for name, c in cases.items():
        if real == "double":
            c.agrees(run_c(library, name, c.tape, c.states, np.float64))
        else:
            c.agrees(run_c(library, name, c.tape, c.states, np.float32), tolerance=max(1e-4, SINGLE * c.condition))


LOADED = [(name, signature) for name, signature in QUANTITIES.items() if signature.knows & {"gravity", "wrench"}]


@pytest.mark.parametrize(("quantity", "signature"), LOADED, ids=[name for name, _ in LOADED])
@pytest.mark.parametrize("robot", ["planar2", "scara", "stanford", "asea-irb"])
def test_gravity_and_wrench(robot, quantity, signature):
    """The base of planar2 is tipped, so that world and base axes differ."""
    rng = np.random.default_rng(3)
    gravity = rng.uniform(-9.0, 9.0, 3)
    wrench = rng.uniform(-20.0, 20.0, (ROWS, 6)) if "wrench" in signature.knows else None
    c = Case(tree(robot), quantity, gravity, wrench)
    found = c(*c.states)
    c.agrees(found)
    alone = Case(c.arm, quantity, gravity, None if wrench is None else wrench[5])
    for one, all_ in zip(alone(*(x[5] for x in c.states)), found, strict=True):
        np.testing.assert_array_equal(one, all_[5])
    plain = Case(c.arm, quantity)(*c.states)
    assert any(np.abs(a - b).max() > 1e-6 * np.abs(b).max() for a, b in zip(found, plain, strict=True))


@pytest.mark.parametrize("quantity", ["pose", "jacobian", "jacobian_dot_qd"])
@EVERYWHERE
def test_frames(robot, quantity):
    arm = tree(robot)
    states = random_state(arm.n, 8, (3,))[: len(QUANTITIES[quantity].states)]
    for link in (arm.model.links[len(arm.model.links) // 2], arm.model.links[-1]):
        found = getattr(arm, quantity)(*states, frame=link.name)
        right = getattr(arm.reference, quantity)(*states, frame=link.name)
        assert np.abs(found - right).max() <= 1e-12 * max(1.0, np.abs(right).max())


REST = sorted(set(QUANTITIES) - {"inverse_dynamics", "forward_dynamics"})


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(arms_and_states(batch=(ROWS,), max_links=5), st.sampled_from(REST))
def test_random_trees(arm_and_states, other):
    model, states = arm_and_states
    arm = Arm(model)
    assume(np.linalg.cond(arm.reference.mass_matrix(states[0])).max() < 1e8)
    # a torque may be small only because large loads cancel in it
    load = float(np.abs(arm.reference.bearing_loads(*states)).max())
    for quantity in ("inverse_dynamics", "forward_dynamics", other):
        c = Case(arm, quantity)
        c.__dict__["states"] = states[: len(QUANTITIES[quantity].states)]
        size = 0.0 if quantity in ("pose", "jacobian", "jacobian_dot_qd") else load * c.condition
        size *= 10.0 if quantity.endswith("derivatives") else 1.0
        for found, right in zip(c(*c.states), c.right, strict=True):
            assert np.abs(found - right).max() <= 1e-12 * max(size, float(np.abs(right).max()))


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "forward_dynamics"])
@pytest.mark.parametrize(
    "joints", [1, 2, pytest.param(33, marks=pytest.mark.slow), pytest.param(64, marks=pytest.mark.slow)]
)
def test_chains(joints, quantity):
    """Tapes of some ten to thirty thousand values, the longest cut into blocks."""
    c = Case(Arm(chain(joints)), quantity)
    whole = c(*c.states)
    c.agrees(whole)
    c.agrees(c(*(x[0] for x in c.states)), 0)
