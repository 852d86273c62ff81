"""What code must say of the arm it is for: joints in order, gravity, tool, payload."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from torsor.model.model import Model
from torsor.model.parts import Link

KINDS = {"revolute": "turns, rad", "continuous": "turns, rad", "prismatic": "slides, m", "screw": "is a screw, rad"}


def arm_facts(model: Model, joints: Sequence[str], *, drives: bool = False) -> list[tuple[str, str]]:
    """Names and texts, a line each, in base axes and SI units."""
    facts = []
    for k, link in enumerate(model.links_on(joints)):
        facts.append(("joints" if k == 0 else "", f"q[{k}] {link.joint.name}, {KINDS[link.joint.kind]}{_range(link)}"))
    if drives:
        for k, drive in enumerate(model.drives):
            row = " + ".join(f"{r:g} {n}" for n, r in zip(model.joint_names, drive.ratio, strict=True) if r)
            facts.append(("motors" if k == 0 else "", f"[{k}] {drive.name}, rad = {row or 'as its linkage says'}"))
    facts.append(("gravity", f"{_numbers(model.base[:3, :3].T @ model.gravity)} m/s^2, base axes"))
    R, p = model.tool.placement[:3, :3], model.tool.placement[:3, 3]
    turned = "as the link" if np.array_equal(R, np.eye(3)) else f"axes {'; '.join(_numbers(column) for column in R.T)}"
    facts.append(("tool", f"on {model.link_name(model.tool.link)} at {_numbers(p)} m, {turned}"))
    held = model.payload
    facts.append(("payload", "none" if held is None else f"{held.mass:g} kg at {_numbers(held.com)} m, tool axes"))
    return facts


def _range(link: Link) -> str:
    limits = link.joint.limits.position
    return "" if limits is None else f", {limits[0]:g} to {limits[1]:g}"


def _numbers(values: Iterable[float]) -> str:
    return "(" + ", ".join(f"{x + 0.0:g}" for x in values) + ")"
