"""Chains of any length to watch the growth on: revolute joints in general position, links with full inertia."""

from __future__ import annotations

import numpy as np

from torsor.model import BASE, Frame, Joint, Link, Mass, Model
from torsor.model.transforms import Floats, pose


def chain(joints: int) -> Model:
    """A chain of so many joints; the same one every time.

    >>> chain(3)
    <Model chain3: 3 joints RRR, 3 links, 5.54008 kg>
    """
    rng = np.random.default_rng(joints)
    links = []
    for i in range(joints):
        axis = rng.normal(size=3)
        place = pose(_rotation(rng), rng.uniform(-0.3, 0.3, 3))
        joint = Joint(f"joint{i + 1}", "revolute", axis / np.linalg.norm(axis), place)
        links.append(Link(f"link{i + 1}", i - 1 if i else BASE, joint, _mass(rng)))
    return Model(
        name=f"chain{joints}",
        links=tuple(links),
        tool=Frame(joints - 1, np.eye(4)),
        gravity=np.array([0.0, 0.0, -9.81]),
        base=np.eye(4),
    )


def _mass(rng: np.random.Generator) -> Mass:
    mass, R = float(rng.uniform(0.5, 2.0)), _rotation(rng)
    second = mass * R @ np.diag(rng.uniform(0.001, 0.02, 3)) @ R.T
    inertia = np.trace(second) * np.eye(3) - second
    return Mass(mass, rng.uniform(-0.2, 0.2, 3), (inertia + inertia.T) / 2)


def _rotation(rng: np.random.Generator) -> Floats:
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return np.asarray(Q * np.linalg.det(Q))
