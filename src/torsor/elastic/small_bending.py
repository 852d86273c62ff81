"""How much links bend against their length: beyond a tenth, what holds for small deflections does no longer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from torsor.elastic.elastic_tree import ElasticTree
from torsor.model.transforms import Floats

LARGE = 0.1  # of the length of a link


class LargeDeflection(UserWarning):
    """A link bends so much that the theory of small deflections does not hold."""


@dataclass(frozen=True)
class MuchBent:
    """A link that bends too much, and where it does so most."""

    link: str
    moved: float  # m, against its clamped end
    share: float  # of its length
    point: Floats  # (3,) of the beam at rest, in link axes
    index: tuple[int, ...]  # of many samples or postures, in which

    def __str__(self) -> str:
        at = ", ".join(f"{x:.3g}" for x in self.point + 0.0)
        return (
            f"{self.link} bends by {self.moved:.3g} m at ({at}) m, {100.0 * self.share:.0f} % of its length: "
            f"too much for theory of small deflections"
        )


def much_bent(tree: ElasticTree, x: Floats) -> list[MuchBent]:
    """The links that coordinates x (..., x) bend by more than a tenth of their length."""
    found = []
    for body, at in tree.slices.items():
        mesh, shapes = tree.meshes[body], tree.flexible[body].shapes
        moved = np.linalg.norm((x[..., at] @ shapes.T).reshape(*x.shape[:-1], len(mesh.nodes), 6)[..., :3], axis=-1)
        if not np.isfinite(moved).any() or not np.nanmax(moved) > LARGE * mesh.beam.length:
            continue
        *index, node = (int(k) for k in np.unravel_index(int(np.nanargmax(moved)), moved.shape))
        most = float(moved[(*index, node)])
        own, share = tree.tree.bodies[body], most / mesh.beam.length
        point = own.link[:3, :3].T @ (mesh.nodes[node] - own.link[:3, 3])
        found.append(MuchBent(own.name, most, share, np.round(point, 12), tuple(index)))
    return found
