"""Random trees with long runs of parallel joints."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from random_arms import SEEDS, random_mass, random_pose
from torsor.model.model import Model
from torsor.model.parts import BASE, Frame, Joint, Link, Mimic

KINDS = ("revolute", "revolute", "revolute", "prismatic", "screw")


@st.composite
def parallel_trees(draw, max_links: int = 6) -> Model:
    """Most axes along z or against it, most places shifted or turned by quarters: long runs, that branch and end."""
    rng = np.random.default_rng(draw(SEEDS))
    links: list[Link] = []
    for i in range(draw(st.integers(2, max_links))):
        kind = draw(st.sampled_from(KINDS))
        along = draw(st.sampled_from((1.0, 1.0, -1.0, None)))
        axis = np.array([1.0, 0.0, 0.0]) if along is None else np.array([0.0, 0.0, along])
        place = draw(st.sampled_from(("none", "shifted", "shifted", "quarter", "general")))
        parent = i - 1 - (draw(st.integers(0, i)) if draw(st.integers(0, 3)) == 3 else 0)
        follows = Mimic("joint0", -0.5, 0.3) if i and draw(st.integers(0, 9)) == 9 else None
        joint = Joint(
            f"joint{i}", kind, axis, random_pose(rng, place), pitch=0.2 if kind == "screw" else 0.0, mimic=follows
        )
        links.append(Link(f"link{i}", parent if parent >= 0 else BASE, joint, random_mass(rng, "solid")))
    tool = Frame(draw(st.integers(0, len(links) - 1)), random_pose(rng, "general"))
    return Model(name="parallel", links=tuple(links), tool=tool, gravity=rng.uniform(-9.0, 9.0, 3), base=np.eye(4))
