"""A closed loop stepped by Runge and Kutta, on its own: the laws are not proved by the room that runs them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from torsor.algebra import simplify, symbols, tape_from
from torsor.emit import compile_kernel


@dataclass
class Motion:
    time: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    x: np.ndarray
    tau: np.ndarray


def roll(plant, law, q0, qd0=None, *, until, dt, disturbance=None):
    """The motion of ``plant`` under the law: both traced into one kernel; ``disturbance`` (n,) joint torques on top."""
    n = law.n
    push = np.zeros(n) if disturbance is None else np.asarray(disturbance, dtype=float)
    q0 = np.asarray(q0, dtype=float)
    qd0 = np.zeros(n) if qd0 is None else np.asarray(qd0, dtype=float)
    t, q, qd, x = symbols("t", 1), symbols("q", n), symbols("qd", n), symbols("x", max(law.states, 1))
    tau, rates = law.torque_and_rates(t[0], q, qd, x[: law.states])
    qdd = plant.forward_dynamics(q, qd, tau + push)
    out = {"zd": np.concatenate([qd, qdd, rates]), "tau": np.asarray(tau, dtype=object)}
    kernel = compile_kernel(tape_from("loop", {"t": t, "q": q, "qd": qd, "x": x}, simplify(out)))

    def look(time, z):
        state = z[2 * n :] if law.states else np.zeros(1)
        return kernel(np.array([time]), z[:n], z[n : 2 * n], state)

    z = np.concatenate([q0, qd0, law.initial_state(q0, qd0)])
    steps = round(until / dt)
    states, torques = [z], []
    for k in range(steps):
        a, torque = look(k * dt, z)
        torques.append(torque)
        b = look((k + 0.5) * dt, z + 0.5 * dt * a)[0]
        c = look((k + 0.5) * dt, z + 0.5 * dt * b)[0]
        d = look((k + 1) * dt, z + dt * c)[0]
        z = z + dt / 6.0 * (a + 2.0 * b + 2.0 * c + d)
        states.append(z)
    torques.append(look(steps * dt, z)[1])
    z = np.array(states)
    return Motion(dt * np.arange(steps + 1), z[:, :n], z[:, n : 2 * n], z[:, 2 * n :], np.array(torques))


def largest_rise(V):
    """How much V rose at most in a step, as a share of where it began."""
    return np.diff(V).max() / V[0]
