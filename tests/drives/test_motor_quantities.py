"""Equations with drives: motor torques of a motion and back, equal to ``arm.drives``, in C, Python and SymPy; and
Algorithm 1 as a function of C that is called once a cycle, equal to `achievable` on the published tour."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import torsor
from c_running import CLibrary, proves_itself
from torsor.checking.checking import CheckJob
from torsor.drives import Achiever, achievable
from torsor.errors import ShapeError, Unsupported
from torsor.programs import read
from torsor.programs.pace import Factor
from torsor.programs.planner import Planner

TOUR = Path(__file__).parents[2] / "examples" / "programs" / "rl15_tour.irl"
DT = 0.01
WRENCH = np.array([-100.0, -100.0, -150.0, 0.0, 0.0, 0.0])
load = cache(torsor.load)


@cache
def derived(quantity: str, robot: str = "rl15", **options):
    return torsor.derive(load(robot), quantity, drives=True, effort="normal", **options)


def some(n: int, count: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1.5, 1.5, (3, count, n))


def relative(found, right):
    return np.abs(found - right).max() / max(1.0, np.abs(right).max())


@pytest.mark.parametrize("friction", [True, False])
@pytest.mark.parametrize("states", ["joints", "motors"])
def test_motor_torques_and_back(friction, states):
    arm = load("rl15")
    q, qd, qdd = some(6, 50)
    u = arm.drives.torques(q, qd, qdd, friction=friction)
    motion = (q, qd, qdd) if states == "joints" else derived("motor_motion")(q, qd, qdd)
    inverse = derived("inverse_dynamics", states=states, friction=friction)
    assert relative(inverse(*motion), u) < 1e-13
    forward = derived("forward_dynamics", states=states, friction=friction)
    M = arm.mass_matrix(q, drives=True)
    assert relative(forward(*motion[:2], u), motion[2]) < 1e-13 * np.linalg.cond(M).max()


def test_motion_of_motors_and_back():
    arm = load("rl15")
    q, qd, qdd = some(6, 20)
    qa, qda, qdda = derived("motor_motion")(q, qd, qdd)
    assert relative(qa, arm.drives.positions(q)) < 1e-14
    assert relative(qda, arm.drives.rates(q, qd)) < 1e-14
    for found, right in zip(derived("joint_motion")(qa, qda, qdda), (q, qd, qdd), strict=True):
        assert relative(found, right) < 1e-13


def test_masses_and_weights_at_motors():
    """With M_a = N^-T M N^-1 and u_g = N^-T g; the motor sees what `effective_inertia` says."""
    arm = load("rl15")
    q = some(6, 5)[0]
    qa = arm.drives.positions(q)
    M = derived("mass_matrix", states="motors")(qa)
    assert relative(np.diagonal(M, axis1=-2, axis2=-1), arm.drives.effective_inertia(q)) < 1e-12
    assert relative(derived("mass_matrix")(q), arm.mass_matrix(q, drives=True)) < 1e-13
    holding = arm.drives.torques(q, 0 * q, 0 * q, friction=False)
    assert relative(derived("gravity")(q), holding) < 1e-13


@pytest.mark.parametrize("real", ["double", "float"])
def test_in_c(tmp_path, real):
    arm = load("rl15")
    wanted = ["inverse_dynamics", "gravity", "motor_motion", "joint_motion"]
    equations = torsor.derive(arm, wanted, drives=True, payload=True, effort="normal")
    library = CLibrary(equations, tmp_path, real=real)
    q, qd, qdd = (each.astype(library.kind).astype(float) for each in some(6, 1000))
    tolerance = {"double": 1e-12, "float": 1e-4}[real]
    assert relative(library(0, q, qd, qdd), arm.drives.torques(q, qd, qdd)) < tolerance
    library.set(mp=5.0, rzp=0.1)
    held = arm.with_payload(5.0, [0.0, 0.0, 0.1])
    assert relative(library(0, q, qd, qdd), held.drives.torques(q, qd, qdd)) < tolerance
    motion = library(2, q, qd, qdd)
    for found, right in zip(library(3, *motion), (q, qd, qdd), strict=True):
        assert relative(found, right) < tolerance
    header = library.files.header
    assert "motors       [0] motor1, rad = 120 joint1" in header
    assert " * out  u  u, 6: N m, motors" in header
    proves_itself(library.files, tmp_path)


def test_in_python_and_sympy():
    arm = load("rl15")
    q, qd, qdd = some(6, 4)
    inverse = derived("inverse_dynamics", friction=True)
    space: dict[str, object] = {}
    exec(inverse.to_python(), space)
    assert relative(space["rl15_inverse_dynamics_with_drives"](q, qd, qdd), arm.drives.torques(q, qd, qdd)) < 1e-13
    made = inverse.to_sympy()
    given = {entry: float(x) for name, state in zip(("q", "qd", "qdd"), (q, qd, qdd), strict=True)
             for entry, x in zip(made.inputs[name], state[0], strict=True)}  # fmt: skip
    for symbol, expression in made.intermediates:
        given[symbol] = expression.subs(given).evalf()
    u = np.array([float(entry.subs(given)) for entry in made.outputs["u"]])
    assert relative(u, arm.drives.torques(q[0], qd[0], qdd[0])) < 1e-12
    latex = derived("inverse_dynamics", states="motors", friction=True).to_latex()
    assert r"{\dot q_a}_{1}" in latex
    assert r"\operatorname{sign}" in latex or r"\mathrm{sign}" in latex or "sgn" in latex


def test_symbols_beside_drives():
    arm = load("rl15")
    q, qd, qdd = some(6, 5)
    symbolic = derived("inverse_dynamics", parameters="base", friction=True)
    assert "m3" in symbolic.parameters
    assert relative(symbolic(q, qd, qdd), arm.drives.torques(q, qd, qdd)) < 1e-12


@cache
def tour() -> np.ndarray:
    """Positions of the published tour a cycle apart, at three times its accelerations."""
    program, arm = read(TOUR), load("rl15")
    job = CheckJob(Planner.of(arm, program, every=Factor(acceleration=3.0)), program)
    plan = job.planned()
    return np.concatenate([samples.q for samples in plan.sample(DT)])


def test_the_tour_in_c_cycle_by_cycle(tmp_path):
    """Every cycle from where `achievable` is, so that differences do not add up; then the whole run by itself."""
    arm, plan = load("rl15"), tour()
    done = achievable(arm, plan, DT, wrench=WRENCH)
    assert done.limited.any(axis=0).sum() >= 2
    planned = np.diff(plan, axis=0) / DT
    q = np.vstack([plan[:1], done.q[:-1]])
    qd = np.vstack([np.zeros((1, 6)), done.qd[:-1]])
    equations = torsor.derive(arm, ["achievable_motion"], drives=True, dt=DT, wrench=True, effort="normal")
    library = CLibrary(equations, tmp_path)
    pushed = np.broadcast_to(WRENCH, (len(q), 6))
    found = library(0, q, qd, planned, pushed)
    names = ("q", "qd", "qdd", "asked", "reached", "limited", "slowed")
    for name, mine in zip(names, found, strict=True):
        right = np.asarray(getattr(done, name), dtype=float)
        if name in ("limited", "slowed"):
            assert (mine == right).all(), name
        else:
            assert np.abs(mine - right).max() < 1e-9 * max(1.0, np.abs(right).max()), name
    q, qd = plan[:1].copy(), np.zeros((1, 6))
    for k in range(len(planned)):
        q, qd, *_ = library(0, q, qd, planned[k : k + 1], WRENCH[None])
    assert np.abs(q[0] - done.q[-1]).max() < 1e-9
    proves_itself(library.files, tmp_path)


def test_the_achiever_takes_the_same_steps():
    arm, plan = load("rl15"), tour()[:400]
    done = achievable(arm, plan, DT, wrench=WRENCH)
    achiever = Achiever(arm, DT, wrench=True)
    q, qd = plan[0], np.zeros(6)
    for k, planned in enumerate(np.diff(plan, axis=0) / DT):
        step = achiever.step(q, qd, planned, WRENCH)
        q, qd = step.q, step.qd
        for name in ("q", "qd", "qdd", "asked", "reached", "limited", "slowed"):
            assert np.array_equal(getattr(step, name), getattr(done, name)[k]), (k, name)
    assert repr(achiever) == "<Achiever of rl15: cycles of 0.01 s>"


@pytest.mark.parametrize(
    ("quantity", "options", "message"),
    [
        ("jacobian", {"drives": True}, "'jacobian' is not derived with drives; there are inverse_dynamics"),
        ("motor_motion", {}, "'motor_motion' is of motors; ask for drives=True"),
        ("inverse_dynamics", {"states": "motors"}, "states, friction and dt are of motors"),
        ("inverse_dynamics", {"drives": True, "states": "motor"}, "there are no 'motor' states; did you mean 'motors'"),
        ("inverse_dynamics", {"drives": True, "by": "kane"}, "dynamics with drives have one formulation"),
        ("gravity", {"drives": True, "dt": 0.1}, "dt is the cycle of achievable_motion"),
        ("achievable_motion", {"drives": True, "dt": 0.1, "friction": False}, "achievable motion is with the friction"),
        ("gravity", {"wrench": True}, "gravity does not change with a wrench"),
    ],
)
def test_mistakes_are_named(quantity, options, message):
    with pytest.raises(Unsupported) as raised:
        torsor.derive(load("rl15"), quantity, **options)
    assert str(raised.value).startswith(message)


def test_what_a_controller_must_say():
    with pytest.raises(ShapeError, match="dt is None; achievable motion needs the cycle"):
        torsor.derive(load("rl15"), "achievable_motion", drives=True)
    with pytest.raises(ShapeError, match=r"step\(\) got no wrench"):
        Achiever(load("rl15"), DT, wrench=True).step(np.zeros(6), np.zeros(6), np.zeros(6))
    with pytest.raises(Unsupported, match="'planar2' has no drives"):
        torsor.derive(load("planar2"), drives=True)


def test_on_the_command_line(tmp_path):
    from torsor.cli import main

    file = tmp_path / "lola.c"
    what = ["derive", "rl15", "--drives", "--what", "inverse-dynamics,motor-motion", "--effort", "none"]
    assert main([*what, "--to", "c", "--real", "float", "--trig", "inline", "-o", str(file)]) == 0
    flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Werror", "-DTORSOR_SELFTEST"]
    subprocess.run(["gcc", *flags, file, "-o", tmp_path / "t", "-lm"], check=True)
    assert subprocess.run([tmp_path / "t"], capture_output=True).returncode == 0
