"""Drives built a second way: each rotor a rigid body on a joint of its own, held to the gear by virtual work.

The model with drives lumps rotors on their carriers as bodies at rest, so the carrier gets I a a^T there; in the
extended model the rotor is a link with that inertia, turning about its axis.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, Drive, Joint, Link


def pure_inertia(drive: Drive) -> Mass:
    return Mass(0.0, np.zeros(3), drive.rotor_inertia * np.outer(drive.axis, drive.axis))


def lumped(model: Model) -> Model:
    """The same arm with every rotor's inertia also on its carrier, as part of the link."""
    links = list(model.links)
    for drive in model.drives:
        if drive.carrier != BASE:
            link = links[drive.carrier]
            links[drive.carrier] = replace(link, mass=(link.mass or Mass.none()) + pure_inertia(drive))
    return replace(model, links=tuple(links), allow_nonphysical=True)


def with_rotor_bodies(model: Model) -> Model:
    """The arm without drives and with a link for each rotor, after its own links."""
    rotors = tuple(
        Link(f"rotor{k}", drive.carrier, Joint(f"spin{k}", "revolute", axis=drive.axis), pure_inertia(drive))
        for k, drive in enumerate(model.drives)
    )
    return replace(model, links=model.links + rotors, drives=(), allow_nonphysical=True)
