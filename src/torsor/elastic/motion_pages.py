"""The pages behind `arm.elastic` in motion: coordinates x are the joints, then the modes of the links."""

from __future__ import annotations

from functools import partial
from typing import Any

from torsor.elastic import elastic_composite, elastic_kinematics
from torsor.elastic.constrained_motion import coupled_page
from torsor.elastic.elastic_loops import SwayingArm
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.elastic_tree import ElasticTree
from torsor.emit import Page
from torsor.mechanics.tree import Reals


def motion_pages(name: str, tree: ElasticTree, loops: SwayingArm | None, driven: list[int]) -> dict[str, Page]:
    """Of the arm with a name; ``loops`` is the same tree with its loops, ``driven`` its free joints."""
    g, k = tree.tree.gravity, tree.size
    K, D = tree.K, tree.D
    pages: dict[str, tuple[dict[str, Any], Any]] = {
        "mass": ({"x": k}, lambda x: elastic_composite.mass_matrix(tree, x)),
        "driven": (
            {"x": k, "xd": k, "qdd": tree.n},
            lambda x, xd, qdd: elastic_composite.driven(tree, x, xd, qdd, g),
        ),
        "pose": ({"x": k}, lambda x: elastic_kinematics.pose(tree, x)),
        "inverse": (
            {"x": k, "xd": k, "xdd": k, "wrench": 6},
            lambda x, xd, xdd, wrench: residual(tree, x, xd, xdd, g, wrench) + x @ K + xd @ D,
        ),
        "forward": (
            {"x": k, "xd": k, "tau": tree.n, "wrench": 6},
            lambda x, xd, tau, wrench: elastic_composite.forward_dynamics(tree, x, xd, tau, g, wrench),
        ),
    }
    facts = tree.facts
    if loops is not None:
        pages["forward"], facts = coupled_page(loops, driven), (*loops.facts, driven)
    return {
        each: Page(f"{name}_elastic_{each}", inputs, partial(_valued, page), facts)
        for each, (inputs, page) in pages.items()
    }


def _valued(page: Any, *given: Reals) -> dict[str, Any]:
    found = page(*given)
    return {"modes": found[0], "torques": found[1]} if isinstance(found, tuple) else {"value": found}
