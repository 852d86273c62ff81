"""The serial chain that carries the tool: a tree of its own, whatever else hangs on the arm.

An arm with closed loops is a tree with side branches (crank, rod); its tool still rides on one chain of joints, and
that chain is what inverse kinematics solves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from torsor.mechanics.tree import Mount, Tree
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class ToolChain:
    """The bodies from the base to the tool as a tree, and which entries of the whole tree's q move them."""

    tree: Tree
    sources: tuple[int, ...]

    @property
    def factors(self) -> Floats:
        return np.array([body.factor for body in self.tree.bodies])

    @property
    def shifts(self) -> Floats:
        return np.array([body.shift for body in self.tree.bodies])


def tool_chain(tree: Tree) -> ToolChain | None:
    """The chain of the tool, None where two of its joints are moved by one entry of q, or by a multiple of it."""
    mount = tree.mount("tool")
    path = tree.path(mount.body)
    bodies = [tree.bodies[i] for i in path]
    sources = tuple(body.source for body in bodies)
    if not path or len(set(sources)) < len(sources) or any(abs(body.factor) != 1.0 for body in bodies):
        return None
    chain = replace(
        tree,
        n=len(bodies),
        bodies=tuple(replace(body, parent=i - 1, source=i, place=i) for i, body in enumerate(bodies)),
        frames={"tool": Mount(len(bodies) - 1, mount.rotation, mount.position)},
        rotors=(),
    )
    return ToolChain(chain, sources)
