"""Fingers, cameras and frames without masses, at the ends of arms that have them otherwise."""

from __future__ import annotations

from dataclasses import replace

from torsor.arm import Arm
from torsor.model.mass import Mass
from torsor.model.parts import BASE


def weighed_without(arm: Arm) -> tuple[Arm, tuple[str, ...]]:
    """The arm with its ends of unknown mass weightless, and which these are.

    Where a link of unknown mass carries one that is known, or none is known, what motors must give cannot be told: then
    the arm stays as it is.
    """
    model = arm.model
    unknown = {model.link_index(name) for name in model.links_without_inertia}
    known = {k for k, link in enumerate(model.links) if link.mass is not None and link.mass.mass and model.moving(k)}
    carrying: set[int] = set()
    for k in known:
        at = model.links[k].parent
        while at != BASE:
            carrying.add(at)
            at = model.links[at].parent
    if not unknown or not known or unknown & carrying:
        return arm, ()
    links = tuple(replace(link, mass=Mass.none()) if k in unknown else link for k, link in enumerate(model.links))
    return Arm(replace(model, links=links)), model.links_without_inertia
