"""Which triangle a planar loop is."""

from __future__ import annotations

from torsor.mechanics.dyad import Dyad
from torsor.mechanics.planar_loop import PlanarLoop
from torsor.mechanics.slide_dyad import SlideDyad
from torsor.mechanics.tree import Tree


def dyad_of(tree: Tree, loop: PlanarLoop, number: int, unknown: set[int]) -> Dyad | None:
    """The dyad of a loop of which these entries of q are unknown, None where it is no triangle."""
    chains = (loop.first, loop.second)
    places = [
        [k for k, segment in enumerate(chain.segments) if tree.bodies[segment.body].source in unknown]
        for chain in chains
    ]
    segments = [chain.segments[k] for chain, ks in zip(chains, places, strict=True) for k in ks]
    bodies = [tree.bodies[s.body] for s in segments]
    if len(bodies) != 2 or not any(s.sense for s in segments) or bodies[0].source == bodies[1].source:
        return None
    if any(abs(body.factor) != 1.0 for body in bodies):
        return None
    kind = Dyad if all(s.sense for s in segments) else SlideDyad
    if len(places[0]) == 1:
        return kind(loop, number, tree, *chains, False, places[0][0], places[1][0], True)
    which = 0 if places[0] else 1
    inner, outer = places[which]
    return kind(loop, number, tree, chains[which], chains[1 - which], which == 1, inner, outer, False)
