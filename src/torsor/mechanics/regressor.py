"""Inverse dynamics as a linear function of the inertial parameters: tau = Y(q, qd, qdd) pi.

Ten parameters a body, in the axes and about the origin of its link: m, m c (3), then Ixx, Iyy, Izz, Ixy, Ixz, Iyz about
the origin. Fixed links and the payload are merged into the body they ride on.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from torsor.mechanics.body_motion import motion
from torsor.mechanics.kinematics import jacobian, joined, pose, rotate, stacked, steps, unrotate
from torsor.mechanics.tree import Reals, Tree
from torsor.model.transforms import Floats, skew, times

NAMES = ("m", "mx", "my", "mz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")


def parameter_names(tree: Tree) -> tuple[str, ...]:
    return tuple(f"{name}_{tree.bodies[i].name}" for i in tree.listed for name in NAMES)


def parameters(tree: Tree) -> Floats:
    """pi, (10 bodies,), bodies in the order of the file."""
    values: list[float] = []
    for body in (tree.bodies[i] for i in tree.listed):
        R, p = body.link[:3, :3], body.link[:3, 3]
        # about the link's origin o = p: I_o = I + s^ p^ + p^ s^ - m p^ p^
        s, o = skew(body.moment), skew(p)
        I_o = times(R.T, body.inertia + times(s, o) + times(o, s) - body.mass * times(o, o), R)
        moment = times(R.T, body.moment - body.mass * p)
        values += [body.mass, *moment, *np.diag(I_o), I_o[0, 1], I_o[0, 2], I_o[1, 2]]
    return np.array(values)


def with_parameters(tree: Tree, pi: Reals) -> Tree:
    """The tree with other parameters (10 bodies,), numbers or graph scalars; no arm's need be."""
    bodies = list(tree.bodies)
    for k, i in enumerate(tree.listed):
        m, h = pi[10 * k], pi[10 * k + 1 : 10 * k + 4]
        xx, yy, zz, xy, xz, yz = pi[10 * k + 4 : 10 * k + 10]
        x, y, z = 0.5 * (yy + zz - xx), 0.5 * (xx + zz - yy), 0.5 * (xx + yy - zz)
        K = np.array([[x, -xy, -xz], [-xy, y, -yz], [-xz, -yz, z]])  # second moments about the link's origin
        R, p = bodies[i].link[:3, :3], bodies[i].link[:3, 3]
        turned = R @ h
        second = R @ K @ R.T + np.outer(p, turned) + np.outer(turned, p) + m * np.outer(p, p)
        bodies[i] = replace(bodies[i], mass=m, moment=turned + m * p, second=second)
    return replace(tree, bodies=tuple(bodies))


def regressor(tree: Tree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals) -> Reals:
    """Y (..., n, 10 bodies): each body's wrench, linear in its parameters, projected by its own Jacobian."""
    blocks = []
    motions = motion(tree, steps(tree, q), qd, qdd, gravity)
    for body, m in ((tree.bodies[i], motions[i]) for i in tree.listed):
        R_link, lever = body.link[:3, :3], body.link[:3, 3]
        w, wd = unrotate(R_link, m.w), unrotate(R_link, m.wd)
        a = unrotate(R_link, m.a + rotate(m.turning.U, lever))
        R = pose(tree, q, body.name)[..., None, :3, :3]  # R_base_link
        wrench = _wrench_per_parameter(w, wd, a)  # (..., 10, 6): force over moment, link axes
        in_base = joined(rotate(R, wrench[..., :3]), rotate(R, wrench[..., 3:]))
        blocks.append(np.swapaxes(in_base @ jacobian(tree, q, body.name), -1, -2))
    return joined(*blocks)


def _wrench_per_parameter(w: Reals, wd: Reals, a: Reals) -> Reals:
    """Newton and Euler about the link's origin, for a unit of each parameter.

    f = m a + (wd x + w x w x) mc;  n = I_o wd + w x (I_o w) + mc x a.
    """
    none = np.zeros(3)
    rows = [(a, none)]
    rows += [(np.cross(wd, e) + np.cross(w, np.cross(w, e)), np.cross(e, a)) for e in np.eye(3)]
    for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        unit = np.zeros((3, 3))
        unit[i, j] = unit[j, i] = 1.0
        rows.append((none, rotate(unit, wd) + np.cross(w, rotate(unit, w))))
    return stacked(joined(f, n) for f, n in rows)
