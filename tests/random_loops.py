"""Random planar loops, however they lie in space: four-bars and five-bars as arm models, assembled by construction."""

from __future__ import annotations

import numpy as np

from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, Frame, Joint, Link, Loop
from torsor.model.transforms import pose

Z = np.array([0.0, 0.0, 1.0])


def rotation(rng: np.random.Generator) -> np.ndarray:
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q if np.linalg.det(Q) > 0 else -Q


def body(rng: np.random.Generator) -> Mass:
    """A cloud of points, so that it is physical."""
    points, masses = rng.normal(size=(6, 3)) * 0.2, rng.uniform(0.1, 1.0, 6)
    com = masses @ points / masses.sum()
    r = points - com
    inertia = sum(m * ((v @ v) * np.eye(3) - np.outer(v, v)) for m, v in zip(masses, r, strict=True))
    return Mass(float(masses.sum()), com, inertia)


def bars(rng: np.random.Generator, cranks: int, *, kind: str = "hinge") -> Model:
    """Two chains that meet in a hinge: a four-bar (crank, coupler | rocker), or a five-bar (two bars each).

    Each link's frame is turned and shifted at random about its joint's axis and along it; the plane lies anywhere.
    """
    counts = (2, 1) if cranks == 1 else (2, 2)
    while True:
        pivots = [rng.uniform(-0.3, 0.3, 2), rng.uniform(0.4, 0.9, 2) * np.array([1.0, -1.0])]
        meet = rng.uniform(-0.8, 0.8, 2) + np.array([0.5, 0.3])
        corners = []
        for pivot, count in zip(pivots, counts, strict=True):
            bends = [rng.uniform(-0.8, 0.8, 2) + 0.5 * (pivot + meet) for _ in range(count - 1)]
            corners.append([pivot, *bends, meet])
        sides = [c[k + 1] - c[k] for c in corners for k in range(len(c) - 1)]
        u, v = corners[0][-1] - corners[0][-2], corners[1][-1] - corners[1][-2]
        sharp = abs(u[0] * v[1] - u[1] * v[0]) / np.linalg.norm(u) / np.linalg.norm(v)
        if min(np.linalg.norm(s) for s in sides) > 0.2 and sharp > 0.4:
            break
    plane = pose(rotation(rng), rng.normal(size=3))
    links: list[Link] = []
    near: dict[str, float] = {}
    ends: list[Frame] = []
    for side, chain in enumerate(corners):
        parent, heading, T_plane_parent = BASE, 0.0, np.eye(4)
        for k in range(len(chain) - 1):
            way = chain[k + 1] - chain[k]
            angle = float(np.arctan2(way[1], way[0]))
            name = f"{'ab'[side]}{k + 1}"
            sense = float(rng.choice([-1.0, 1.0]))
            # the joint's frame in the plane, turned by a constant; the link's frame is anywhere on its axis
            turn, height = rng.uniform(-3, 3), rng.normal() * 0.1
            c, s = np.cos(turn), np.sin(turn)
            T_plane_joint = pose(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]), [*chain[k], height])
            own = np.linalg.inv(T_plane_parent) if parent != BASE else plane
            # at q = q0 the link points along its way: the zero of the joint is chosen at random
            q0 = float(rng.uniform(-2.5, 2.5))
            half = np.cos(-sense * q0), np.sin(-sense * q0)
            back = pose(np.array([[half[0], -half[1], 0], [half[1], half[0], 0], [0, 0, 1.0]]))
            before = own @ T_plane_joint @ back
            after = pose(rotation(rng), rng.normal(size=3) * 0.1)
            links.append(Link(name, parent, Joint(name, "revolute", sense * Z, before, after), body(rng)))
            near[name] = q0 + rng.uniform(-0.05, 0.05)
            T_plane_parent = T_plane_joint @ after
            parent, heading = len(links) - 1, angle
        flip = pose(position=[*chain[-1], 0.05])
        ends.append(Frame(parent, np.linalg.inv(T_plane_parent) @ flip))
        del heading
    driven = ("a1",) if cranks == 1 else ("a1", "b1")
    loop = Loop("closing", kind, *ends, driven, near=tuple(near.items()))  # type: ignore[arg-type]
    tool = Frame(1, pose(rotation(rng), rng.normal(size=3) * 0.2))
    return Model("bars", tuple(links), tool, gravity=rng.normal(size=3) * 5, base=pose(rotation(rng)), loops=(loop,))


ORDERS = {  # two chains that meet in a hinge, a crank first; (joint kind, whether it is driven) of each
    "slider-crank": ([("R", True), ("R", False)], [("P", False)]),
    "swinging slide": ([("R", True)], [("R", False), ("P", False)]),
    "slide with a rod": ([("R", True)], [("P", False), ("R", False)]),
    "cylinder": ([("R", False)], [("R", False), ("P", True)]),
}


def sliders(rng: np.random.Generator, order: str) -> Model:
    """A planar loop with one slide, assembled at random, its plane and its frames anywhere."""
    plane = pose(rotation(rng), rng.normal(size=3))
    meet = np.array([0.5, 0.4]) + rng.uniform(-0.1, 0.1, 2)
    starts = np.array([0.0, 0.0]) + rng.uniform(-0.1, 0.1, 2), np.array([0.9, -0.3]) + rng.uniform(-0.1, 0.1, 2)
    links: list[Link] = []
    near: dict[str, float] = {}
    ends, driven = [], []
    for side, (chain, start) in enumerate(zip(ORDERS[order], starts, strict=True)):
        parent, T_plane_parent = BASE, np.eye(4)
        for k, (kind, is_driven) in enumerate(chain):
            # joints lie on the way to where the chains meet, somewhat beside it; slides point roughly along the rod
            way = meet - start
            at = start + k / len(chain) * way + (k > 0) * rng.uniform(-0.1, 0.1, 2)
            rod = meet - starts[0] if order == "slider-crank" else way
            angle = float(np.arctan2(*rod[::-1]) + rng.uniform(-0.3, 0.3))
            T_plane_joint = pose(_turn(angle), [*at, rng.normal() * 0.1])
            q0, sense = float(rng.uniform(-0.8, 0.8)), float(rng.choice([-1.0, 1.0]))
            axis = sense * (Z if kind == "R" else np.array([1.0, 0.0, 0.0]))
            back = pose(_turn(-sense * q0)) if kind == "R" else pose(position=-q0 * axis)
            own = plane if parent == BASE else np.linalg.inv(T_plane_parent)
            after = pose(rotation(rng), rng.normal(size=3) * 0.1)
            name = f"{'ab'[side]}{k + 1}"
            word = "revolute" if kind == "R" else "prismatic"
            links.append(Link(name, parent, Joint(name, word, axis, own @ T_plane_joint @ back, after), body(rng)))
            near[name] = q0 + rng.uniform(-0.02, 0.02)
            driven += [name] * is_driven
            T_plane_parent, parent = T_plane_joint @ after, len(links) - 1
        ends.append(Frame(parent, np.linalg.inv(T_plane_parent) @ pose(position=[*meet, 0.05])))
    loop = Loop("closing", "hinge", *ends, tuple(driven), near=tuple(near.items()))
    tool = Frame(1, pose(rotation(rng), rng.normal(size=3) * 0.2))
    return Model("sliders", tuple(links), tool, gravity=rng.normal(size=3) * 5, base=pose(rotation(rng)), loops=(loop,))


def _turn(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
