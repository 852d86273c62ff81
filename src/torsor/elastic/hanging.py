"""An elastic arm that hangs at rest where its joints are told to be, and pages of arms that sway about such joints."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from torsor.elastic.elastic_arm import Elastic
from torsor.elastic.elastic_loops import SwayingArm
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.linear_vibration import rest_page
from torsor.emit import Page
from torsor.model.transforms import Floats

SWEEPS = 30  # what loop forces add to stiffness is found on the way


def hung(elastic: Elastic, arm: SwayingArm, joints: Floats) -> tuple[Floats, Floats]:
    """u and multipliers of the arm that stands still with its rigid joints at (..., joints of the tree)."""
    inputs: dict[str, Any] = {"q": arm.tree.n}
    if not arm.loops:
        return np.asarray(page_of(elastic, arm, "rest", inputs, rest_page)(joints)), np.zeros((*joints.shape[:-1], 0))
    rest = page_of(elastic, arm, "rest", inputs | {"force": len(arm.kept)}, rest_page)
    force = np.zeros((*joints.shape[:-1], len(arm.kept)))
    for _ in range(SWEEPS):
        u, new = rest(joints, force)
        moved, force = np.abs(new - force).max(), new
        if moved <= 1e-12 * np.abs(force).max():
            break
    return np.asarray(u), np.asarray(force)


def page_of(
    elastic: Elastic, arm: SwayingArm, name: str, inputs: dict[str, Any], page: Callable[..., dict[str, Any]]
) -> Page:
    return Page(f"{elastic.model.name}_{name}", inputs, partial(page, arm), arm.facts)


def told_inputs(arm: SwayingArm) -> dict[str, Any]:
    n, m = arm.tree.n, arm.size
    return {"q": n, "qd": n, "qdd": n, "u": m, "ud": m}


def settled(elastic: Elastic, arm: SwayingArm, q: Floats) -> tuple[Floats, Floats]:
    """u and multipliers of the arm that stands still, by Newton's method from the small ones."""
    tree, at, rows = arm.tree, arm.unknown, len(arm.kept)
    still = np.zeros(tree.size)
    u, force = hung(elastic, arm, q)
    for _ in range(100):
        x = arm.x(q, u)
        left = (residual(tree, x, still, still, tree.tree.gravity) + tree.K @ x)[at]
        G, open_ = np.zeros((0, len(at))), np.zeros(0)
        if rows:
            G, open_ = arm.rows(x)[:, at], arm.left(x)
        matrix = np.block([[tree.K[np.ix_(at, at)], -G.T], [G, np.zeros((rows, rows))]])
        step = np.linalg.solve(matrix, -np.concatenate([left - G.T @ force, open_]))
        u, force = u + step[: len(u)], force + step[len(u) :]
        if np.abs(step[: len(u)]).max() <= 1e-14 * np.abs(u).max():
            break
    return u, force
