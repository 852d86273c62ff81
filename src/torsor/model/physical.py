"""Published inertias that no body can have, turned into ones that bodies can have without changing how the arm moves.

Papers often give only the moments that matter, e.g. a first link with Izz alone. A thin rod along a revolute joint's
axis looks the same however the joint turns, so it may be taken from one side of the joint and given to the other. With
Sigma = tr(I)/2 - I, which is positive semidefinite for real bodies, that is Sigma_child + t a a^T and
Sigma_parent - t a a^T. Across a sliding or fixed joint any Sigma may move. What is lacking flows inward like this and
ends in the base.
"""

from __future__ import annotations

import numpy as np

from torsor.model.arm_checks import depths
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, Joint
from torsor.model.transforms import Floats

ROUNDING = 1e-9  # a lack below this share of the largest moment is left to rounding


def physical_equivalent(model: Model) -> dict[str, Mass]:
    """Mass properties by link name, of an arm with the same dynamics, as far as that can be made physical.

    Only links on the way of a lack are in the result; empty for an arm that is physical as it is.
    """
    depth = depths([link.parent for link in model.links])
    masses = [Mass.none() if link.mass is None else link.mass for link in model.links]
    sigma = [_sigma(mass.inertia) for mass in masses]
    changed: set[int] = set()
    for i in sorted(range(len(sigma)), key=lambda i: -depth[i]):
        parent, joint = model.links[i].parent, model.links[i].joint
        gift = _lack(sigma[i], joint)  # in link axes
        if gift is None:
            continue
        sigma[i] = sigma[i] + gift
        changed.add(i)
        if parent != BASE:
            R = (joint.before @ joint.after)[:3, :3]  # a turn about the axis changes nothing of the gift
            sigma[parent] = sigma[parent] - R @ gift @ R.T
            changed.add(parent)
    return {
        model.links[i].name: Mass(masses[i].mass, masses[i].com, np.trace(sigma[i]) * np.eye(3) - sigma[i])
        for i in sorted(changed)
    }


def _sigma(inertia: Floats) -> Floats:
    return np.asarray(np.trace(inertia) / 2.0 * np.eye(3) - inertia)


def _lack(sigma: Floats, joint: Joint) -> Floats | None:
    """What must be given to a body across its joint to make it physical; None where nothing must, or nothing helps."""
    values, vectors = np.linalg.eigh(sigma)
    size = float(np.abs(values).max())
    if values[0] >= -ROUNDING * size:
        return None
    if joint.kind in ("prismatic", "fixed"):
        return np.asarray((vectors * np.maximum(0.0, -values)) @ vectors.T)
    a = joint.after[:3, :3].T @ joint.axis
    across = np.linalg.svd(a[None, :])[2][1:].T  # (3, 2), spans what is normal to the axis
    S, coupling = across.T @ sigma @ across, across.T @ sigma @ a
    if np.linalg.eigvalsh(S)[0] < -ROUNDING * size:
        return None
    # Schur: Sigma + t a a^T is positive semidefinite from this t on
    t = float(coupling @ np.linalg.pinv(S, rcond=1e-12, hermitian=True) @ coupling - a @ sigma @ a)
    gift: Floats = t * np.outer(a, a)
    return gift if np.linalg.eigvalsh(sigma + gift)[0] >= -ROUNDING * size else None
