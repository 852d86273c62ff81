"""What an elastic arm does while its joints follow a motion: springs and links swing, the tool with them.

Joints are where they are told to be: drives are taken for ideal. ``fidelity`` 1 is linear in what bends
(``linear_vibration.py``); 2 is the page itself, by the classical Runge-Kutta method with steps from the spectrum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np

from torsor.elastic.elastic_arm import Elastic
from torsor.elastic.elastic_composite import driven
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.elastic_tree import ElasticTree
from torsor.elastic.linear_vibration import ALPHA_FORCE, rest_page, step_page
from torsor.elastic.row_stepping import along
from torsor.emit import Page
from torsor.errors import ShapeError, TorsorError, Unsupported
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats

Fidelity = Literal[1, 2]
STABLE = 2.5  # of the largest pole, times dt, that Runge-Kutta's step bears: of 2.83 if it swings, 2.79 if it is damped


@dataclass(frozen=True, eq=False)
class Swing:
    """Samples of a motion with what bends; all in base axes."""

    elastic: Elastic
    time: Floats  # (steps,)
    q: Floats  # (steps, n)
    e: Floats  # (steps, elastic coordinates): springs, then modes
    ed: Floats
    qd: Floats  # as the joints were told
    qdd: Floats

    @property
    def tree(self) -> ElasticTree:
        return self.elastic.tree

    @cached_property
    def x(self) -> Floats:
        """(steps, x): all coordinates of the tree, joints first."""
        return np.concatenate([self.q, self.e], axis=1)

    @cached_property
    def xd(self) -> Floats:
        return np.concatenate([self.qd, self.ed], axis=1)

    @cached_property
    def xdd(self) -> Floats:
        """With those accelerations of what bends that balance it."""
        n, m = self.tree.n, self.tree.size - self.tree.n
        page = _page(self.elastic, "balance", {"q": n, "qd": n, "qdd": n, "e": m, "ed": m}, _balance_page)
        return np.concatenate([self.qdd, page(self.q, self.qd, self.qdd, self.e, self.ed)], axis=1)

    @property
    def loop_forces(self) -> tuple[Floats, ...]:
        """Of each loop (steps, 6), on the link of its first end, in the axes of its second."""
        return ()

    @cached_property
    def tip(self) -> Floats:
        """(steps, 6): displacement over turn of the tool against the rigid arm, as far as it is small."""
        J = self.elastic.tool_slopes(self.q)[..., self.elastic.tree.n :]
        return np.asarray((J @ self.e[..., None])[..., 0])

    @cached_property
    def sag(self) -> Floats:
        """(steps, 6): what of it gravity alone would bend in the posture of each moment, with the same modes."""
        J = self.elastic.tool_slopes(self.q)[..., self.elastic.tree.n :]
        return np.asarray((J @ hanging(self.elastic, self.q)[..., None])[..., 0])

    @property
    def deviation(self) -> Floats:
        """(steps,): how far the tool is from where gravity alone would have it, m."""
        return np.asarray(np.linalg.norm((self.tip - self.sag)[:, :3], axis=1))

    @cached_property
    def strain_energy(self) -> Floats:
        """(steps,): stored in springs and links, J."""
        K = self.elastic.tree.K[self.elastic.tree.n :, self.elastic.tree.n :]
        return np.asarray(0.5 * np.einsum("ti,ij,tj->t", self.e, K, self.e))


def follow(elastic: Elastic, time: Floats, q: Floats, qd: Floats, qdd: Floats, fidelity: Fidelity = 1) -> Swing:
    """From rest in the first posture, along samples of a motion at equal steps of time."""
    require_open(elastic)
    steps = np.diff(time)
    if len(time) < 2 or not np.allclose(steps, steps[0], rtol=1e-6, atol=0.0) or not steps[0] > 0.0:
        raise ShapeError("samples are not at equal steps of time", hint="give time as np.arange(0.0, end, dt)")
    if not all(np.isfinite(part).all() for part in (q, qd, qdd)):
        raise TorsorError("the motion is not finite", hint="look at q, qd and qdd")
    dt = float(time[-1] - time[0]) / (len(time) - 1)
    e, ed = (_linear if fidelity == 1 else _coupled)(elastic, dt, q, qd, qdd)
    return Swing(elastic, time, q, e, ed, qd, qdd)


def require_open(elastic: Elastic) -> None:
    if elastic.by_posture:
        what = f"{elastic.model.name!r} has loops"
        raise Unsupported(what, hint="vibration along motions is for arms without them yet")


def hanging(elastic: Elastic, q: Floats) -> Floats:
    """e (..., e) of the arm that stands still at q (..., n), as far as it is small."""
    K, load = _page(elastic, "rest", {"q": elastic.tree.n}, rest_page)(q)
    return np.asarray(np.linalg.solve(K, -load[..., None])[..., 0], dtype=np.float64)


def _page(elastic: Elastic, name: str, inputs: dict[str, Any], page: Callable[..., dict[str, Any]]) -> Page:
    return Page(f"{elastic.model.name}_{name}", inputs, partial(page, elastic.tree), elastic.tree.facts)


def _balance_page(tree: ElasticTree, q: Reals, qd: Reals, qdd: Reals, e: Reals, ed: Reals) -> dict[str, Any]:
    x, xd = np.concatenate([q, e]), np.concatenate([qd, ed])
    return {"edd": driven(tree, x, xd, qdd, tree.tree.gravity)[0]}


def _linear(elastic: Elastic, dt: float, q: Floats, qd: Floats, qdd: Floats) -> tuple[Floats, Floats]:
    n, m = elastic.tree.n, elastic.tree.size - elastic.tree.n
    inputs: dict[str, Any] = {"dt": (), "q": n, "qd": n, "qdd": n, "e": m, "ed": m, "edd": m}
    step = _page(elastic, "vibration", inputs, step_page).kernel
    middle = [(1.0 - ALPHA_FORCE) * part[1:] + ALPHA_FORCE * part[:-1] for part in (q, qd, qdd)]
    start = hanging(elastic, q[0]), np.zeros(m), np.zeros(m)
    e, ed, _ = along(step, [np.full(len(q) - 1, dt), *middle], start, dt=dt)
    return e, ed


def _coupled(elastic: Elastic, dt: float, q: Floats, qd: Floats, qdd: Floats) -> tuple[Floats, Floats]:
    """The motion between samples is the quintic that has their positions, rates and accelerations."""
    n, m = elastic.tree.n, elastic.tree.size - elastic.tree.n
    inside = max(1, int(np.ceil(dt * _fastest(elastic, q[:: max(1, len(q) // 20)]) / STABLE)))
    inputs: dict[str, Any] = {"q0": n, "v0": n, "a0": n, "q1": n, "v1": n, "a1": n, "dt": (), "s": (), "h": ()}
    step = _page(elastic, "coupled", inputs | {"e": m, "ed": m}, _rk4).kernel
    start = _settled(elastic, q[0]), np.zeros(m)
    rows, h = len(q) - 1, dt / inside
    ends = [part[at] for at in (slice(0, -1), slice(1, None)) for part in (q, qd, qdd)]
    since = np.tile(h * np.arange(inside), rows)
    given = [
        *(np.repeat(part, inside, axis=0) for part in ends),
        np.full_like(since, dt),
        since,
        np.full_like(since, h),
    ]
    e, ed = along(step, [part.reshape(rows, inside, -1) for part in given], start, dt=dt, inside=inside)
    return e, ed


def _fastest(elastic: Elastic, q: Floats) -> float:
    """The largest pole at postures (..., n), 1/s: what is damped strongly may be faster than all that swings."""
    tree, n = elastic.tree, elastic.tree.n
    M = elastic.rest_mass(q)[..., n:, n:]
    K, D = (np.linalg.solve(M, part[n:, n:]) for part in (tree.K, tree.D))
    still, one = np.zeros(M.shape), np.broadcast_to(np.eye(tree.size - n), M.shape)
    rates = np.concatenate([np.concatenate([still, one], axis=-1), np.concatenate([-K, -D], axis=-1)], axis=-2)
    return float(np.abs(np.linalg.eigvals(rates)).max())


def _settled(elastic: Elastic, q: Floats) -> Floats:
    """e of the arm that stands still, by Newton's method from the small one."""
    tree = elastic.tree
    still, n = np.zeros(tree.size), tree.n
    e = hanging(elastic, q)
    K, _ = _page(elastic, "rest", {"q": n}, rest_page)(q)
    for _ in range(20):
        x = np.concatenate([q, e])
        left = (residual(tree, x, still, still, tree.tree.gravity) + tree.K @ x)[n:]
        step = np.linalg.solve(K, -left)
        e = e + step
        if np.abs(step).max() <= 1e-14 * np.abs(e).max():
            break
    return e


def _rk4(
    tree: ElasticTree, q0: Reals, v0: Reals, a0: Reals, q1: Reals, v1: Reals, a1: Reals,
    between: Reals, since: Reals, step: Reals, e: Reals, ed: Reals,
) -> dict[str, Any]:  # fmt: skip
    """One step of Runge-Kutta, ``since`` the first of two samples that far apart."""
    dt, s, h = between[()], since[()], step[()]
    over = 1.0 / dt

    def told(t: Any) -> tuple[Reals, Reals, Reals]:
        """The quintic through both samples, with rates and accelerations."""
        u = t * over
        d = q1 - q0
        c3 = 10.0 * d - (6.0 * v0 + 4.0 * v1) * dt - (1.5 * a0 - 0.5 * a1) * (dt * dt)
        c4 = -15.0 * d + (8.0 * v0 + 7.0 * v1) * dt + (1.5 * a0 - a1) * (dt * dt)
        c5 = 6.0 * d - 3.0 * (v0 + v1) * dt - 0.5 * (a0 - a1) * (dt * dt)
        q = q0 + u * (dt * v0 + u * (0.5 * (dt * dt) * a0 + u * (c3 + u * (c4 + u * c5))))
        v = v0 + u * (dt * a0 + (u * (3.0 * c3 + u * (4.0 * c4 + u * (5.0 * c5)))) * over)
        a = a0 + (u * (6.0 * c3 + u * (12.0 * c4 + u * (20.0 * c5)))) * (over * over)
        return q, v, a

    def rates(at: tuple[Reals, Reals, Reals], e: Reals, ed: Reals) -> tuple[Reals, Reals]:
        q, v, a = at
        x, xd = np.concatenate([q, e]), np.concatenate([v, ed])
        return ed, driven(tree, x, xd, a, tree.tree.gravity)[0]

    start, middle, end = told(s), told(s + 0.5 * h), told(s + h)
    k1, l1 = rates(start, e, ed)
    k2, l2 = rates(middle, e + 0.5 * h * k1, ed + 0.5 * h * l1)
    k3, l3 = rates(middle, e + 0.5 * h * k2, ed + 0.5 * h * l2)
    k4, l4 = rates(end, e + h * k3, ed + h * l3)
    return {"e": e + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4), "ed": ed + h / 6.0 * (l1 + 2.0 * (l2 + l3) + l4)}
