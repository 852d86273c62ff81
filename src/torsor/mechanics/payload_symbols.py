"""What an arm holds, as symbols: mass mp, centre of mass rxp, ryp, rzp, inertia Ixxp ... Iyzp, in tool axes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from torsor.algebra import parameter
from torsor.errors import Unsupported
from torsor.mechanics.tree import Reals, Tree
from torsor.model.mass import Mass
from torsor.model.parts import BASE
from torsor.model.transforms import times

ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
PAYLOAD_UNITS = {
    "mp": "kg, mass of the payload",
    **{f"r{axis}p": f"m, centre of mass of the payload along {axis}, tool axes" for axis in "xyz"},
    **{
        f"I{'xyz'[a]}{'xyz'[b]}p": "kg m^2, inertia of the payload about its centre of mass, tool axes"
        for a, b in ENTRIES
    },
}


@dataclass(frozen=True, eq=False)
class PayloadSymbols:
    """A payload that is said when equations are used; ``own`` is the arm's."""

    own: Mass | None

    @property
    def values(self) -> dict[str, float]:
        held = self.own or Mass.none()
        numbers = [held.mass, *held.com, *(held.inertia[place] for place in ENTRIES)]
        return dict(zip(PAYLOAD_UNITS, map(float, numbers), strict=True))

    def put_on(self, tree: Tree) -> Tree:
        """The tree, which holds nothing, with the payload on what carries its tool."""
        mount = tree.mount("tool")
        if mount.body == BASE:
            raise Unsupported(
                f"the tool of {tree.name!r} does not move", hint="its payload changes nothing: leave it out"
            )
        m, x, y, z, *moments = (parameter(name) for name in PAYLOAD_UNITS)
        central: Reals = np.empty((3, 3), dtype=object)
        for (a, b), value in zip(ENTRIES, moments, strict=True):
            central[a, b] = central[b, a] = value
        half = 0.5 * (central[0, 0] + central[1, 1] + central[2, 2])
        K = np.array([[(half if a == b else 0.0) - central[a, b] for b in range(3)] for a in range(3)], dtype=object)
        at = times(mount.rotation, np.array([x, y, z], dtype=object)) + mount.position
        body = tree.bodies[mount.body]
        loaded = replace(
            body,
            mass=body.mass + m,
            moment=body.moment + m * at,
            second=body.second + times(mount.rotation, K, mount.rotation.T) + m * np.outer(at, at),
        )
        return replace(tree, bodies=tuple(loaded if k == mount.body else b for k, b in enumerate(tree.bodies)))
