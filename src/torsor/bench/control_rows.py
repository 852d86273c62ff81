"""Closed loops in time: ten seconds of PD control with gravity compensation, ours in one native loop, peers' in Python.

Runge-Kutta of fourth order at 1 kHz on both sides, torque and gravity evaluated at all four stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from torsor.bench.arm_rows import ArmContest
from torsor.bench.findings import Row
from torsor.bench.peers_mujoco import MuJoCo
from torsor.bench.peers_pinocchio import Pinocchio
from torsor.measuring.agreement import difference
from torsor.measuring.stopwatch import FULL, TimedWork, repeated
from torsor.model.transforms import Floats
from torsor.simulation import Simulation

DT = 1e-3
STIFFNESS, DAMPING = 40.0, 12.0  # per kg m^2 that a joint moves: alike on arms of every size
HEAVIEST = 5.0  # kg of payload


def closed_loops(contest: ArmContest) -> Iterator[Row]:
    """One run, and many rollouts with random payloads in SIMD lanes on one thread."""
    arm, full = contest.arm, contest.effort.batch >= FULL.batch
    promised = full and arm.name == "ur5"  # a joint more costs us more than it costs a loop in Python
    until, count = (10.0, 1000) if full else (0.5, 16)
    start, reference = np.zeros(arm.n), np.full(arm.n, 0.3)
    inertia = np.diag(arm.mass_matrix(start))
    Kp, Kd = STIFFNESS * inertia, DAMPING * inertia

    def law(t: Any, q: Any, qd: Any) -> Any:
        return arm.gravity(q) + Kp * (reference - q) - Kd * qd

    loop = Simulation(arm, law, drives=False, saturation=False, limits="ignore", integrator="rk4")
    options: dict[str, Any] = {"q0": start, "until": until, "dt": DT}

    asked = start, reference, Kp, Kd, round(until / DT)

    def beside(found: Floats, payload: float) -> tuple[float, str, TimedWork | None]:
        """How far we are from Pinocchio's loop, which it is, and its work."""
        if contest.pinocchio is None:
            return 0.0, "", None
        plant = Pinocchio(arm.with_payload(payload).model) if payload else contest.pinocchio
        script = pinocchio_loop(plant, contest.pinocchio, *asked)
        return difference(found, script()), "pin aba in Python", repeated(script, 1)

    what = f"PD + gravity, {until:g} s"
    one = repeated(partial(loop.run, **options), 1)
    yield contest.row(what, one, *beside(loop.run(**options).q[-1], 0.0), 50.0 if promised else None)
    if contest.mujoco is not None:
        yield contest.row(what, one, 0.0, "mj_step in Python", repeated(mujoco_loop(contest.mujoco, *asked), 1))
    masses = np.random.default_rng(0).uniform(0.0, HEAVIEST, count)
    rollouts = partial(loop.run, every=100, parameters={"payload": masses}, threads=1, **options)
    checked = beside(rollouts().q[0, -1], float(masses[0]))
    what, ratio = f"{what}, {count} payloads", 150.0 if promised else None
    yield contest.row(what, repeated(rollouts, count), *checked, ratio)


def pinocchio_loop(
    plant: Pinocchio, nominal: Pinocchio, start: Floats, reference: Floats, Kp: Floats, Kd: Floats, steps: int
) -> Callable[[], Floats]:
    """The same loop as a script on Pinocchio has it; the law compensates the arm without payload."""
    pin, model, data, bare, spare = plant.pin, plant.model, plant.data, nominal.model, nominal.model.createData()

    def rate(q: Floats, qd: Floats) -> Floats:
        tau = pin.computeGeneralizedGravity(bare, spare, q) + Kp * (reference - q) - Kd * qd
        found: Floats = pin.aba(model, data, q, qd, tau)
        return found.copy()

    def run() -> Floats:
        q, qd, h = start.copy(), np.zeros_like(start), DT
        for _ in range(steps):
            a1 = rate(q, qd)
            v2 = qd + 0.5 * h * a1
            a2 = rate(q + 0.5 * h * qd, v2)
            v3 = qd + 0.5 * h * a2
            a3 = rate(q + 0.5 * h * v2, v3)
            v4 = qd + h * a3
            a4 = rate(q + h * v3, v4)
            q = q + h / 6.0 * (qd + 2.0 * v2 + 2.0 * v3 + v4)
            qd = qd + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        return q

    return run


def mujoco_loop(
    plant: MuJoCo, start: Floats, reference: Floats, Kp: Floats, Kd: Floats, steps: int
) -> Callable[[], Floats]:
    """MuJoCo's own step with RK4, the law once a step: less work than the other two, for reference."""
    mujoco, model, data = plant.mujoco, plant.model, plant.data

    def run() -> Floats:
        saved = model.opt.integrator, model.opt.timestep
        model.opt.integrator, model.opt.timestep = int(mujoco.mjtIntegrator.mjINT_RK4), DT
        data.qpos[:], data.qvel[:] = start, 0.0
        mujoco.mj_forward(model, data)
        for _ in range(steps):
            data.qfrc_applied[:] = data.qfrc_bias + Kp * (reference - data.qpos) - Kd * data.qvel
            mujoco.mj_step(model, data)
        model.opt.integrator, model.opt.timestep = saved
        found: Floats = data.qpos.copy()
        return found

    return run
