"""CasADi: its own derivatives of Newton's and Euler's equations, and optimal control by a nonlinear programme.

The derivatives are CasADi's algorithmic differentiation of the page that the bench writes in its symbols; the
programme is a discretisation of the time-optimal problem, solved by ipopt.
"""

import casadi as ca
import numpy as np
import pytest

from timed_paths import Wave
from torsor import Arm, load, robots
from torsor.bench.peers_casadi import inverse_dynamics
from torsor.model.armfile import parse_arm_file
from torsor.motion import time_optimal

STATES = 1000
TORQUES = (35.0, 12.0)


@pytest.mark.parametrize("name", [name for name in robots() if not load(name).model.links_without_inertia])
def test_derivatives_of_the_library(table, name: str):
    arm = load(name).tree
    page = inverse_dynamics(arm.model)
    q, qd, qdd = (ca.SX.sym(each, arm.n) for each in ("q", "qd", "qdd"))
    tau = page(q, qd, qdd)
    slopes = ca.Function("slopes", [q, qd, qdd], [ca.densify(ca.jacobian(tau, x)) for x in (q, qd, qdd)])
    states = np.random.default_rng(0).uniform(-2.0, 2.0, (3, STATES, arm.n))
    expected = [[np.array(each) for each in slopes(*state)] for state in zip(*states, strict=True)]
    found = arm.inverse_dynamics_derivatives(*states)
    for what, ours, theirs in zip(("dq", "dqd", "dqdd"), found, zip(*expected, strict=True), strict=True):
        within = 1e-9
        table.hold("casadi", f"d tau / {what} of the library's arms", ours, np.array(theirs), within=within)


@pytest.fixture(scope="module")
def limited() -> Arm:
    """Two links of 1 m and 1 kg, with limited torques."""
    link = "\n".join(
        f'[[link]]\njoint = "revolute"\na = 1.0\nmass = 1.0\ncom = [-0.5, 0, 0]\ninertia = [0, 0.08, 0.08, 0, 0, 0]\n'
        f"limits = {{ torque = {torque} }}\n"
        for torque in TORQUES
    )
    return Arm(parse_arm_file(f'name = "limited"\nframes = "standard-dh"\ngravity = [0, -9.81, 0]\n{link}'))


def by_ipopt(arm: Arm, path: Wave, intervals: int) -> float:
    """The time of the best speeds at the points of a grid; torques are kept in the middle of each interval."""
    s = np.linspace(0.0, 1.0, intervals + 1)
    at = path.at(0.5 * (s[1:] + s[:-1]))
    still = np.zeros_like(at.q)
    g = arm.gravity(at.q)
    m, c = arm.inverse_dynamics(at.q, still, at.dq) - g, arm.inverse_dynamics(at.q, at.dq, at.ddq) - g
    x = ca.SX.sym("x", intervals + 1)  # squares of the speed
    along, middle = (x[1:] - x[:-1]) * (0.5 * intervals), 0.5 * (x[1:] + x[:-1])
    torques = ca.vertcat(*(ca.DM(m[:, j]) * along + ca.DM(c[:, j]) * middle + ca.DM(g[:, j]) for j in range(arm.n)))
    time = ca.sum1((2.0 / intervals) / (ca.sqrt(x[1:] + 1e-14) + ca.sqrt(x[:-1] + 1e-14)))
    options = {"ipopt.print_level": 0, "print_time": 0, "ipopt.tol": 1e-9, "ipopt.sb": "yes"}
    solve = ca.nlpsol("solve", "ipopt", {"x": x, "f": time, "g": torques}, options)
    inside = np.r_[0.0, np.ones(intervals - 1), 0.0]  # at rest at both ends
    limit = np.repeat(TORQUES, intervals)
    found = solve(x0=0.05 * inside, lbx=0.0, ubx=1e4 * inside, lbg=-limit, ubg=limit)
    assert solve.stats()["success"]
    return float(found["f"])


@pytest.mark.parametrize("seed", range(4))
def test_time_optimal_control(table, limited: Arm, seed: int):
    rng = np.random.default_rng(seed)
    start, goal = rng.uniform(-0.8, 0.8, (2, 2))
    path = Wave(start, goal, 0.1 * rng.normal(size=2), rng.uniform(2.0, 8.0, 2))
    ours = time_optimal(limited, path).duration
    theirs = by_ipopt(limited, path, 1000)
    what = "time of time-optimal paths of two links, by ipopt on 1,000 intervals"
    table.note("casadi", what, 1, abs(ours / theirs - 1.0), within=2e-3)
