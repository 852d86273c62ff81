"""FMUs in FMPy: validated, and the same motion as `simulate`, in co-simulation to the last digits of sums."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import torsor
from c_running import STRICT
from outside_programs import require
from torsor.errors import Unsupported
from torsor.simulation import parameter

fmpy = pytest.importorskip("fmpy")
DT, STEPS = 1e-3, 300
load = cache(torsor.load)


def start_of(arm):
    if arm.model.loops:
        return arm.closure.free_of(arm.closure.reference)
    return np.linspace(-0.4, 0.5, arm.n)


def torques_of(arm, drives):
    """Others at every step, held over it."""
    m = len(arm.model.drives) if drives else arm.n
    rng = np.random.default_rng(1)
    size = np.array([d.motor.torque or 1.0 for d in arm.model.drives]) * 0.4 if drives else 1.0
    return size * np.sin(np.linspace(0.0, 9.0, STEPS)[:, None] * rng.uniform(0.5, 2.0, m) + rng.uniform(0.0, 3.0, m))


class Imported:
    """An FMU in FMPy, for one kind of use."""

    def __init__(self, file: Path, kind: str = "CoSimulation") -> None:
        self.about = fmpy.read_model_description(str(file))
        self.folder = fmpy.extract(str(file))
        self.references = {v.name: v.valueReference for v in self.about.modelVariables}
        self.fmu = fmpy.instantiate_fmu(self.folder, self.about, kind)
        self.two = self.about.fmiVersion == "2.0"

    def begin(self, **start):
        for name, value in start.items():
            self.set(name, value)
        if self.two:
            self.fmu.setupExperiment(startTime=0.0)
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(startTime=0.0)
        self.fmu.exitInitializationMode()

    def set(self, name, value):
        (self.fmu.setReal if self.two else self.fmu.setFloat64)([self.references[name]], [float(value)])

    def get(self, *names):
        references = [self.references[name] for name in names]
        return np.array((self.fmu.getReal if self.two else self.fmu.getFloat64)(references))

    def step(self, k, h=DT):
        self.fmu.doStep(currentCommunicationPoint=k * h, communicationStepSize=h)

    def close(self):
        self.fmu.freeInstance()
        shutil.rmtree(self.folder)


def words(names):
    return [name.replace("-", "_") for name in names]


def run_through(file, inputs, torques, joints, **start):
    """Positions after every step, with other inputs at each."""
    there = Imported(file)
    there.begin(**start)
    rows = [there.get(*joints)]
    for k, row in enumerate(torques):
        for name, value in zip(inputs, row, strict=True):
            there.set(name, value)
        there.step(k)
        rows.append(there.get(*joints))
    there.close()
    return np.array(rows)


CASES = [
    ("ur5", False, "2.0"),
    ("ur5", False, "3.0"),
    ("rl15", True, "3.0"),
    pytest.param("rl15", True, "2.0", marks=pytest.mark.slow),
    ("asea-irb", False, "2.0"),
    pytest.param("asea-irb", False, "3.0", marks=pytest.mark.slow),
    ("delta", False, "3.0"),
]


@pytest.mark.parametrize(("robot", "drives", "fmi"), CASES)
def test_the_same_steps_as_simulate(tmp_path, robot, drives, fmi):
    """ur5; rl15 with rotors, gears and friction that sticks; loops of asea-irb and delta: torques change each step."""
    from fmpy.validation import validate_fmu

    arm, file = load(robot), tmp_path / f"{robot}.fmu"
    torques, q0 = torques_of(arm, drives), start_of(arm)
    if not drives:
        torques = torques * 0.2 + arm.gravity(q0)
    simulation = torsor.Simulation(arm, torques, drives=drives, limits="ignore", integrator="rk4")
    run = simulation.run(q0=q0, until=STEPS * DT, dt=DT)
    assert run.stopped is None
    held = torsor.Simulation(arm, torques[0], drives=drives, limits="ignore", integrator="rk4")
    held.to_fmu(file, q0=q0, dt=DT, fmi=fmi)
    assert validate_fmu(str(file)) == []
    owners = [drive.name for drive in arm.model.drives] if drives else arm.joint_names
    inputs, joints = (
        [f"{name}.{what}" for name in words(names)] for names, what in ((owners, "torque"), (arm.joint_names, "q"))
    )
    found = run_through(file, inputs, torques, joints)
    moved = np.abs(run.q - run.q[0]).max()
    assert moved > 1e-3
    assert np.abs(found - run.q).max() < 1e-10 * max(1.0, np.abs(run.q).max())
    if drives:
        assert (run.qd == 0.0).any()  # something stuck on the way
    rates = [name.replace(".q", ".qd") for name in joints]
    there = Imported(file)
    there.begin()
    assert there.get(*rates).tolist() == [0.0] * arm.n
    tool = there.get("tool.x", "tool.y", "tool.z")
    np.testing.assert_allclose(tool, arm.pose(q0)[:3, 3], rtol=0, atol=1e-12)
    there.close()


def test_model_exchange_is_the_same_right_hand_side(tmp_path):
    """Runge-Kutta by hand over the derivatives that the FMU gives: the steps of `simulate` again."""
    arm, file, steps = load("ur5"), tmp_path / "ur5.fmu", 60
    q0, tau = start_of(arm), load("ur5").gravity(start_of(arm)) * 1.1
    simulation = torsor.Simulation(arm, tau, drives=False, limits="ignore", integrator="rk4")
    run = simulation.run(q0=q0, until=steps * DT, dt=DT)
    simulation.to_fmu(file, q0=q0, dt=DT, fmi="2.0")
    there = Imported(file, "ModelExchange")
    there.begin()
    there.fmu.enterContinuousTimeMode()
    import ctypes

    n = 2 * arm.n
    pointer = ctypes.POINTER(ctypes.c_double)
    y, ydot = np.zeros(n), np.zeros(n)

    def rates(t, at):
        there.fmu.setTime(t)
        there.fmu.setContinuousStates(at.ctypes.data_as(pointer), n)
        there.fmu.getDerivatives(ydot.ctypes.data_as(pointer), n)
        return ydot.copy()

    there.fmu.getContinuousStates(y.ctypes.data_as(pointer), n)
    for k in range(steps):
        t = k * DT
        a = rates(t, y)
        b = rates(t + DT / 2, y + DT / 2 * a)
        c = rates(t + DT / 2, y + DT / 2 * b)
        d = rates(t + DT, y + DT * c)
        y = y + DT / 6 * (a + 2 * b + 2 * c + d)
    there.close()
    assert np.abs(y[: arm.n] - run.q[-1]).max() < 1e-12


@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_friction_sticks_in_model_exchange(tmp_path, fmi):
    """A heavy push that ends: joints slide, stop and stick, by events that CVode locates."""
    file = tmp_path / "one.toml"
    file.write_text(
        'name = "one"\nframes = "standard-dh"\ngravity = [0, 0, 0]\n[[link]]\njoint = "revolute"\na = 1\nmass = 1\n'
        "com = [-0.5, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n[[drive]]\nratio = { joint1 = 10 }\n"
        'rotor = { inertia = 0.001, carrier = "base", axis = [0, 0, 1] }\n'
        'friction = { side = "motor", coulomb = 0.05, viscous = 0.001 }\n'
    )
    arm = torsor.load(file)
    simulation = torsor.Simulation(arm, [0.0], limits="ignore", integrator="rk4")
    run = simulation.run(q0=[0.1], qd0=[0.4], until=0.6, dt=DT)
    assert run.qd[-1, 0] == 0.0
    simulation.to_fmu(tmp_path / "one.fmu", q0=[0.1], qd0=[0.4], dt=DT, fmi=fmi)
    for kind, options in (("CoSimulation", {}), ("ModelExchange", {"relative_tolerance": 1e-9})):
        found = fmpy.simulate_fmu(
            str(tmp_path / "one.fmu"),
            stop_time=0.6,
            output_interval=0.01,
            fmi_type=kind,
            output=["joint1.q", "joint1.qd"],
            **options,
        )
        assert abs(found["joint1.q"][-1] - run.q[-1, 0]) < 1e-7
        assert found["joint1.qd"][-1] == 0.0


def test_a_law_inside_with_gains_and_a_reference_that_can_be_set(tmp_path):
    arm, file = load("planar2"), tmp_path / "held.fmu"
    Kp, aim = parameter("Kp"), parameter("aim", 2)

    def law(t, q, qd):
        return arm.gravity(q) + Kp * (aim - q) - 12.0 * qd

    simulation = torsor.Simulation(arm, law, limits="ignore", integrator="rk4")
    known = {"Kp": 40.0, "aim": [0.2, 0.1], "payload": 0.0}
    simulation.to_fmu(file, q0=[0.5, -0.2], dt=DT, parameters=known, inputs=["aim"])
    for given in (known, {"Kp": 90.0, "aim": [-0.3, 0.4], "payload": 2.5}):
        run = simulation.run(q0=[0.5, -0.2], until=0.2, dt=DT, parameters=given)
        start = {"Kp": given["Kp"], "payload": given["payload"], "aim[0]": given["aim"][0], "aim[1]": given["aim"][1]}
        found = run_through(file, [], np.zeros((200, 0)), ["joint1.q", "joint2.q"], **start)
        assert np.abs(found - run.q).max() < 1e-12
    about = {v.name: v for v in fmpy.read_model_description(str(file)).modelVariables}
    assert (about["aim[0]"].causality, about["Kp"].causality, about["payload"].unit) == ("input", "parameter", "kg")
    assert (about["joint1.q"].unit, about["joint1.given"].unit) == ("rad", "N.m")


def test_states_can_be_kept_and_steps_may_be_of_any_length(tmp_path):
    arm, file = load("planar2"), tmp_path / "p.fmu"
    torsor.Simulation(arm, [1.0, 0.5], limits="ignore", integrator="rk4").to_fmu(file, q0=[0.1, 0.2], dt=DT)
    there = Imported(file)
    there.begin()
    there.step(0)
    kept = there.fmu.getFMUState()
    there.step(1)
    once = there.get("joint1.q", "joint2.qd")
    there.fmu.setFMUState(kept)
    there.step(1)
    assert there.get("joint1.q", "joint2.qd").tolist() == once.tolist()
    there.fmu.freeFMUState(kept)
    there.fmu.reset()
    there.begin(**{"joint1.q": 0.4})
    assert there.get("joint1.q")[0] == 0.4
    run = torsor.simulate(arm, [1.0, 0.5], q0=[0.4, 0.2], until=0.05, dt=DT, limits="ignore", integrator="rk4")
    there.fmu.doStep(currentCommunicationPoint=0.0, communicationStepSize=0.0171)
    there.fmu.doStep(currentCommunicationPoint=0.0171, communicationStepSize=0.05 - 0.0171)
    assert abs(there.get("joint1.q")[0] - run.q[-1, 0]) < 1e-10
    with pytest.raises(fmpy.fmi1.FMICallException):
        there.set("joint1.q", 1.0)  # the start is behind
    for length in (0.0, -0.1, float("inf"), float("nan"), 1e300):
        with pytest.raises(fmpy.fmi1.FMICallException):
            there.fmu.doStep(currentCommunicationPoint=0.05, communicationStepSize=length)
    there.close()


def test_loops_that_do_not_close_are_refused(tmp_path):
    arm, file = load("asea-irb"), tmp_path / "a.fmu"
    torsor.Simulation(arm, np.zeros(6), limits="ignore", integrator="rk4").to_fmu(file, q0=start_of(arm), dt=DT)
    rng = np.random.default_rng(0)
    q = rng.uniform(-3.0, 3.0, (100, 6))
    far = q[np.isnan(arm.closure.positions(q)).any(axis=-1)][0]
    there = Imported(file)
    with pytest.raises(fmpy.fmi1.FMICallException):
        there.begin(**dict(zip((f"{name}.q" for name in words(arm.joint_names)), far, strict=True)))
    there.close()


def test_what_an_fmu_cannot_hold(tmp_path):
    arm = load("planar2")

    def called(t, q, qd):
        return np.array([float(q[0]), 0.0])

    with pytest.warns(torsor.simulation.SimulationNotice):
        simulation = torsor.Simulation(arm, called, limits="ignore")
    with pytest.raises(Unsupported, match="the law has to be called in Python; torques that are held become inputs"):
        simulation.to_fmu(tmp_path / "x.fmu", q0=[0, 0])
    with pytest.raises(Unsupported, match=r"there is no FMI '1.0'"):
        torsor.Simulation(arm, [0, 0], limits="ignore").to_fmu(tmp_path / "x.fmu", q0=[0, 0], fmi="1.0")
    with pytest.raises(Unsupported, match="nothing here has a parameter 'aim'"):
        torsor.Simulation(arm, [0, 0], limits="ignore").to_fmu(tmp_path / "x.fmu", q0=[0, 0], inputs=["aim"])
    assert list(tmp_path.iterdir()) == []


def test_the_same_model_gives_the_same_bytes(tmp_path):
    arm = load("planar2")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        simulation = torsor.Simulation(arm, [0, 0], limits="ignore", integrator="rk4")
        simulation.to_fmu(tmp_path / name / "p.fmu", q0=[0, 0])
    assert (tmp_path / "a" / "p.fmu").read_bytes() == (tmp_path / "b" / "p.fmu").read_bytes()


HARNESS = """
#include "fmu_core.h"
#include <stdio.h>
typedef struct { void *logger; void *(*a)(size_t, size_t); void (*f)(void *); void *s; void *e; } callbacks;
extern void *fmi2Instantiate(const char *, int, const char *, const char *, const callbacks *, int, int);
extern void fmi2FreeInstance(void *);
extern int fmi2SetupExperiment(void *, int, double, double, int, double);
extern int fmi2ExitInitializationMode(void *);
extern int fmi2DoStep(void *, double, double, int);
extern int fmi2GetReal(void *, const unsigned int *, size_t, double *);
extern int fmi2GetFMUstate(void *, void **);
extern int fmi2FreeFMUstate(void *, void **);
int main(void)
{
    callbacks none = {0};
    int k, round, wrong = 0;
    for (round = 0; round < 3; ++round) {
        const unsigned int first = 1;
        double q = 0.0;
        void *kept = 0;
        void *arm = fmi2Instantiate("x", 1, model_token, "", &none, 0, 0);
        wrong |= fmi2SetupExperiment(arm, 0, 0.0, 0.0, 0, 0.0) | fmi2ExitInitializationMode(arm);
        for (k = 0; k < 10000; ++k) {
            wrong |= fmi2DoStep(arm, 1e-3 * k, 1e-3, 1);
            wrong |= fmi2GetReal(arm, &first, 1, &q);
        }
        wrong |= fmi2GetFMUstate(arm, &kept) | fmi2FreeFMUstate(arm, &kept);
        fmi2FreeInstance(arm);
        printf("%.17g\\n", q);
    }
    return wrong;
}
"""


@pytest.mark.slow
def test_ten_thousand_steps_without_a_leak(tmp_path):
    """Also: the sources of an FMU compile without a warning."""
    require("valgrind")
    arm, file = load("planar2"), tmp_path / "p.fmu"
    torsor.Simulation(arm, [0, 0], limits="ignore", integrator="rk4").to_fmu(file, q0=[-1.5, 0.0], fmi="2.0")
    with zipfile.ZipFile(file) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "sources" / "harness.c").write_text(HARNESS)
    flags = [flag for flag in STRICT if flag != "-Wshadow"]
    sources = ["model.c", "fmu_core.c", "fmi2.c", "harness.c"]
    subprocess.run(["gcc", *flags, "-g", "-O1", *sources, "-o", "it", "-lm"], cwd=tmp_path / "sources", check=True)
    command = ["valgrind", "-q", "--leak-check=full", "--error-exitcode=9", "./it"]
    done = subprocess.run(command, cwd=tmp_path / "sources", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    run = torsor.simulate(arm, [0, 0], q0=[-1.5, 0.0], until=10.0, dt=DT, limits="ignore", integrator="rk4")
    assert abs(float(done.stdout.split()[0]) - run.q[-1, 0]) < 1e-6
    assert len(set(done.stdout.split())) == 1


def test_on_the_command_line(tmp_path, capsys):
    from torsor.cli import main

    file = tmp_path / "planar2.fmu"
    assert main(["derive", "planar2", "--to", "fmu", "--payload", "--fmi", "2.0", "-o", str(file)]) == 0
    about = fmpy.read_model_description(str(file))
    assert {"joint1.torque", "joint2.q", "payload"} <= {v.name for v in about.modelVariables}
    assert main(["derive", "planar2", "--to", "fmu"]) == 2
    assert capsys.readouterr().err == "an FMU is a file; name it: -o ur5.fmu\n"
    assert main(["derive", "planar2", "--to", "fmu", "--what", "gravity", "-o", str(file)]) == 2
    assert capsys.readouterr().err.startswith("an FMU is the motion of an arm")


def test_a_scenario_as_an_fmu(tmp_path, capsys):
    from torsor.cli import main

    scenario = tmp_path / "short.toml"
    scenario.write_text(
        'name = "short"\narm = "planar2"\nduration = 0.05\ndt = 1e-3\nintegrator = "rk4"\n'
        '[start]\nq = [0.5, -0.2]\n[law]\nkind = "pd-gravity"\nKp = 50.0\nKd = 20.0\n'
        '[reference]\nkind = "point"\nq = [0.2, 0.1]\n'
    )
    code = main(["simulate", str(scenario), "--fmu", str(tmp_path / "short.fmu"), "--json"])
    said = capsys.readouterr()
    assert code in (0, 1), said.err
    found = run_through(tmp_path / "short.fmu", [], np.zeros((50, 0)), ["joint1.q", "joint2.q"])
    arm = load("planar2")
    law = torsor.control.pd_gravity(arm, 50.0, 20.0, [0.2, 0.1])
    run = torsor.simulate(arm, law, q0=[0.5, -0.2], until=0.05, dt=1e-3, limits="ignore", integrator="rk4")
    assert np.abs(found - run.q).max() < 1e-12
