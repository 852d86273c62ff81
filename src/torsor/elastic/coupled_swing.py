"""The page itself along a motion that joints are told, by the classical Runge-Kutta method.

Between samples the motion is the quintic that has their positions, rates and accelerations. Loops: accelerations keep
them closed, and what a step leaves of them (its own error) is taken off at the next one, along M^-1 G^T, in positions
and rates; at every sample they are closed to rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.elastic.constrained_motion import told_page
from torsor.elastic.elastic_arm import Elastic
from torsor.elastic.elastic_composite import driven
from torsor.elastic.elastic_loops import SwayingArm
from torsor.elastic.hanging import page_of, settled, told_inputs
from torsor.elastic.motion_shapes import global_motions
from torsor.elastic.row_stepping import along
from torsor.errors import TorsorError, Unsupported
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats

STABLE = 2.5  # of the largest pole, times dt, that Runge-Kutta's step bears: of 2.83 if it swings, 2.79 if it is damped
BLOCK = 256  # samples between which the motion is told at once
LOOKS = 20  # postures at which the largest pole is looked for
MOST = 1000  # steps between two samples: more would take longer than anyone waits
AT_ONCE = 200_000  # steps for which the motion is told at once, if there are no loops


def coupled(elastic: Elastic, arm: SwayingArm, dt: float, q: Floats, qd: Floats, qdd: Floats) -> tuple[Floats, Floats]:
    fastest = _fastest(elastic, arm, q[:: max(1, len(q) // LOOKS)])
    inside = max(1, int(np.ceil(dt * fastest / STABLE)))
    if inside > MOST:
        problem = f"what bends of {elastic.model.name!r} is too fast for fidelity 2"
        why = f"a pole at {fastest:.3g} 1/s asks for {inside} steps in {dt:.3g} s"
        hint = "less damping, fewer modes or softer springs, shorter steps, or fidelity 1"
        raise Unsupported(f"{problem}: {why}", hint=hint)
    return (_looped if arm.loops else _open)(elastic, arm, dt, inside, q, qd, qdd)


def _fastest(elastic: Elastic, arm: SwayingArm, q: Floats) -> float:
    """The largest pole at postures (..., joints), 1/s: what is damped strongly may be faster than all that swings."""
    own = np.ix_(arm.unknown, arm.unknown)
    if arm.tree is elastic.tree and not arm.loops:  # whose mass matrix is compiled
        M = elastic.rest_mass(q)[(..., *own)]
        K, D = (np.asarray(np.linalg.solve(M, part[own]), dtype=np.float64) for part in (arm.tree.K, arm.tree.D))
        return _largest_pole(K, D)
    found = global_motions(arm, q)  # of unit modal mass
    return max(_largest_pole(np.diag(squares), Z.T @ arm.tree.D[own] @ Z) for squares, Z in found)


def _largest_pole(K: Floats, D: Floats) -> float:
    """Of edd + D ed + K e = 0."""
    one = np.broadcast_to(np.eye(K.shape[-1]), K.shape)
    above, below = np.concatenate([0.0 * K, one], axis=-1), np.concatenate([-K, -D], axis=-1)
    return float(np.abs(np.linalg.eigvals(np.concatenate([above, below], axis=-2))).max())


def _open(
    elastic: Elastic, arm: SwayingArm, dt: float, inside: int, q: Floats, qd: Floats, qdd: Floats
) -> tuple[Floats, Floats]:
    n, m = arm.tree.n, arm.size
    inputs: dict[str, Any] = {"q0": n, "v0": n, "a0": n, "q1": n, "v1": n, "a1": n, "dt": (), "s": (), "h": ()}
    step = page_of(elastic, arm, "coupled", inputs | {"u": m, "ud": m}, _rk4).kernel
    kept = np.empty((2, len(q), m))
    kept[:, 0] = settled(elastic, arm, q[0])[0], np.zeros(m)
    h, many = dt / inside, max(1, AT_ONCE // inside)
    for first in range(0, len(q) - 1, many):
        upto = min(first + many, len(q) - 1)
        rows = upto - first
        ends = [part[at] for at in (slice(first, upto), slice(first + 1, upto + 1)) for part in (q, qd, qdd)]
        since = np.tile(h * np.arange(inside), rows)
        given = [
            *(np.repeat(part, inside, axis=0) for part in ends),
            np.full_like(since, dt),
            since,
            np.full_like(since, h),
        ]
        each = [part.reshape(rows, inside, -1) for part in given]
        kept[:, first : upto + 1] = along(step, each, kept[:, first], dt=dt, inside=inside, since=first * dt)
    return kept[0], kept[1]


def _looped(
    elastic: Elastic, arm: SwayingArm, dt: float, inside: int, q: Floats, qd: Floats, qdd: Floats
) -> tuple[Floats, Floats]:
    m, h = arm.size, dt / inside
    rates = page_of(elastic, arm, "told", told_inputs(arm), told_page).kernel.call
    now, v = settled(elastic, arm, q[0])[0], np.zeros(m)
    kept = np.empty((2, len(q), m))
    moments = 0.5 * h * np.arange(2 * inside + 1)
    for first in range(0, len(q) - 1, BLOCK):
        upto = min(first + BLOCK, len(q) - 1)
        between = slice(first, upto), slice(first + 1, upto + 1)
        (q0, v0, a0), (q1, v1, a1) = ([part[each, None] for part in (q, qd, qdd)] for each in between)
        told = quintic(q0, v0, a0, q1, v1, a1, dt, moments[:, None])  # (samples, moments, joints) each
        for k in range(upto - first):
            Q, V, A = (part[k] for part in told)
            for j in range(0, 2 * inside, 2):
                l1, _, off, off_rate = rates(Q[j], V[j], A[j], now, v)
                now, v = now - off, v - off_rate
                if j == 0:
                    kept[:, first + k] = now, v
                k2 = v + 0.5 * h * l1
                l2 = rates(Q[j + 1], V[j + 1], A[j + 1], now + 0.5 * h * v, k2)[0]
                k3 = v + 0.5 * h * l2
                l3 = rates(Q[j + 1], V[j + 1], A[j + 1], now + 0.5 * h * k2, k3)[0]
                k4 = v + h * l3
                l4 = rates(Q[j + 2], V[j + 2], A[j + 2], now + h * k3, k4)[0]
                now = now + h / 6.0 * (v + 2.0 * (k2 + k3) + k4)
                v = v + h / 6.0 * (l1 + 2.0 * (l2 + l3) + l4)
            _require_finite(now, (first + k) * dt)
    _, _, off, off_rate = rates(q[-1], qd[-1], qdd[-1], now, v)
    kept[:, -1] = now - off, v - off_rate
    return kept[0], kept[1]


def _require_finite(u: Floats, t: float) -> None:
    if not np.isfinite(u).all():
        raise TorsorError(f"what bends is not finite after {t:.4g} s", hint="look at the arm's stiffness")


def quintic(
    q0: Reals, v0: Reals, a0: Reals, q1: Reals, v1: Reals, a1: Reals, dt: Any, t: Any
) -> tuple[Reals, Reals, Reals]:
    """Position, rate and acceleration t after the first of two samples, dt apart, that have these."""
    over = 1.0 / dt
    u = t * over
    d = q1 - q0
    c3 = 10.0 * d - (6.0 * v0 + 4.0 * v1) * dt - (1.5 * a0 - 0.5 * a1) * (dt * dt)
    c4 = -15.0 * d + (8.0 * v0 + 7.0 * v1) * dt + (1.5 * a0 - a1) * (dt * dt)
    c5 = 6.0 * d - 3.0 * (v0 + v1) * dt - 0.5 * (a0 - a1) * (dt * dt)
    q = q0 + u * (dt * v0 + u * (0.5 * (dt * dt) * a0 + u * (c3 + u * (c4 + u * c5))))
    v = v0 + u * (dt * a0 + (u * (3.0 * c3 + u * (4.0 * c4 + u * (5.0 * c5)))) * over)
    a = a0 + (u * (6.0 * c3 + u * (12.0 * c4 + u * (20.0 * c5)))) * (over * over)
    return q, v, a


def _rk4(
    arm: SwayingArm, q0: Reals, v0: Reals, a0: Reals, q1: Reals, v1: Reals, a1: Reals,
    between: Reals, since: Reals, step: Reals, u: Reals, ud: Reals,
) -> dict[str, Any]:  # fmt: skip
    """One step of Runge-Kutta, ``since`` the first of two samples that far apart."""
    dt, s, h = between[()], since[()], step[()]

    def rates(t: Any, u: Reals, ud: Reals) -> tuple[Reals, Reals]:
        q, v, a = quintic(q0, v0, a0, q1, v1, a1, dt, t)
        return ud, driven(arm.tree, np.concatenate([q, u]), np.concatenate([v, ud]), a, arm.tree.tree.gravity)[0]

    k1, l1 = rates(s, u, ud)
    k2, l2 = rates(s + 0.5 * h, u + 0.5 * h * k1, ud + 0.5 * h * l1)
    k3, l3 = rates(s + 0.5 * h, u + 0.5 * h * k2, ud + 0.5 * h * l2)
    k4, l4 = rates(s + h, u + h * k3, ud + h * l3)
    return {"u": u + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4), "ud": ud + h / 6.0 * (l1 + 2.0 * (l2 + l3) + l4)}
