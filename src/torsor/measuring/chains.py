"""Chains of any length, always the same, to watch the growth on: revolute joints, links with full inertia."""

from __future__ import annotations

import numpy as np

from torsor.model import BASE, Frame, Joint, Link, Mass, Model
from torsor.model.parts import DhRow
from torsor.model.transforms import Floats, craig_head, pose, size_of, times


def chain(joints: int) -> Model:
    """A chain of so many joints in general position.

    >>> chain(3)
    <Model chain3: 3 joints RRR, 3 links, 5.54008 kg>
    """
    rng = np.random.default_rng(joints)
    links = []
    for i in range(joints):
        axis = rng.normal(size=3)
        place = pose(_rotation(rng), rng.uniform(-0.3, 0.3, 3))
        joint = Joint(f"joint{i + 1}", "revolute", axis / size_of(axis), place)
        links.append(
            Link(f"link{i + 1}", i - 1 if i else BASE, joint, _mass(rng, (0.5, 2.0), (0.001, 0.02), (-0.2, 0.2)))
        )
    return _serial(f"chain{joints}", links)


def general_arm(n: int) -> Model:
    """n joints by modified Denavit-Hartenberg rows without a zero."""
    rng = np.random.default_rng(100 + n)
    links = []
    for i in range(n):
        a, d = map(float, rng.uniform(0.1, 0.5, 2))
        alpha = float(rng.uniform(0.3, 1.2)) * (1 if i % 2 else -1)
        joint = Joint(f"joint{i + 1}", "revolute", before=craig_head(a, alpha, d))
        mass, row = _mass(rng, (1.0, 5.0), (0.01, 0.05), (0.05, 0.3)), DhRow("modified-dh", a, alpha, d, 0.0)
        links.append(Link(f"link{i + 1}", i - 1 if i else BASE, joint, mass, row))
    return _serial(f"general{n}r", links)


def _serial(name: str, links: list[Link]) -> Model:
    tool, gravity = Frame(len(links) - 1, np.eye(4)), np.array([0.0, 0.0, -9.81])
    return Model(name=name, links=tuple(links), tool=tool, gravity=gravity, base=np.eye(4))


def _mass(
    rng: np.random.Generator, size: tuple[float, float], spread: tuple[float, float], com: tuple[float, float]
) -> Mass:
    """A body of so much mass, second moments of so much of it, and its centre so far out."""
    mass, R = float(rng.uniform(*size)), _rotation(rng)
    second = mass * times(R * rng.uniform(*spread, 3), R.T)
    inertia = np.trace(second) * np.eye(3) - second
    return Mass(mass, rng.uniform(*com, 3), (inertia + inertia.T) / 2)


def _rotation(rng: np.random.Generator) -> Floats:
    """Gram and Schmidt by hand: the last bits of LAPACK's are others on other processors, and so would be counts."""
    columns: list[Floats] = []
    for v in rng.normal(size=(3, 3)).T:
        for unit in columns:
            v = v - times(unit[None], v) * unit
        columns.append(v / size_of(v))
    x, y, z = columns
    right_handed = times(np.cross(x, y)[None], z)[0] > 0.0
    R = np.stack(columns, axis=-1)
    return R if right_handed else -R
