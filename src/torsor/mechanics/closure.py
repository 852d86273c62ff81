"""The closure of an arm with loops: all joints q of its tree from the free ones x, and their rates.

q = q(x), qd = G(x) xd, qdd = G xdd + gamma, with G and gamma from the equations of the loops, differentiated once and
twice: Phi_q qd = 0. Loops that are triangles once the loops before them are closed are solved one after the other in
closed form (``dyad.py``); those that are left over are solved together by Newton's method (``spatial_loop.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from torsor.mechanics.dyad import Dyad
from torsor.mechanics.kinematics import vector
from torsor.mechanics.newton import StepAt, followed
from torsor.mechanics.planar_loop import planar_loop
from torsor.mechanics.posture import Posture, open_posture
from torsor.mechanics.slide_dyad import dyad_of
from torsor.mechanics.spatial_loop import ClosureGroup, spatial_loops
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import Loop
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class Closure:
    """How the loops of one tree are closed. ``stages`` come in the order in which they are solved."""

    tree: Tree
    free: tuple[int, ...]  # entries of q that are given
    stages: tuple[Dyad | ClosureGroup, ...]
    centres: dict[int, float]  # angles are given within half a turn of these
    reference: Floats  # (tree joints,) a posture with all loops closed

    @property
    def n(self) -> int:
        return len(self.free)

    @cached_property
    def dependent(self) -> tuple[int, ...]:
        return tuple(k for k in range(self.tree.n) if k not in self.free)

    @cached_property
    def guessed(self) -> tuple[int, ...]:
        """Entries of q found by Newton's method, which need a guess to start from."""
        return tuple(k for stage in self.stages if isinstance(stage, ClosureGroup) for k in stage.unknown)

    @property
    def is_explicit(self) -> bool:
        return not self.guessed

    def posture(self, x: Reals, found: dict[int, Any]) -> tuple[Posture, list[Any]]:
        """The closed posture, and the equations of each stage there. ``found`` are entries known by Newton's method."""
        entries = {source: x[..., k] for k, source in enumerate(self.free)} | dict(found)
        posture = Posture(self.tree, entries, self.centres)
        # in order: each stage puts what it finds into the posture, for those after it
        return posture, [each.solve(posture) if isinstance(each, Dyad) else each.at(posture) for each in self.stages]

    def entries(self, guess: Reals) -> dict[int, Any]:
        """The guessed entries (..., d) by number."""
        return {source: guess[..., k] for k, source in enumerate(self.guessed)}

    def newton_step(self, x: Reals, guess: Reals) -> tuple[Reals, Reals]:
        """Newton's step for the guessed entries (..., d), and the sum of squares (...) of what is left of the loops."""
        equated = self.posture(x, self.entries(guess))[1][-1]
        left = equated.residual()
        step = equated.linear(equated.columns()).solve([-each for each in left])
        return vector(*step), sum(each * each for each in left)

    def in_mode_of(self, q: Floats) -> Closure:
        """The same in the assembly of closed postures q (..., tree joints)."""
        known = open_posture(self.tree, q)
        stages = (each.with_mode(each.mode_at(known)) if isinstance(each, Dyad) else each for each in self.stages)
        return replace(self, stages=tuple(stages))

    def guess(self, x: Floats, near: Floats | None = None, step: StepAt | None = None) -> Floats:
        """Guessed entries (..., d) for numbers x, on from a closed posture; without a word from the reference.

        ``step`` is ``newton_step``, compiled. NaN where a loop does not close.
        """
        if self.is_explicit:
            return np.zeros((*x.shape[:-1], 0))
        known = self.reference if near is None else near
        return followed(step or self.newton_step, x, (known[..., list(self.free)], known[..., list(self.guessed)]))


def without_loops(tree: Tree) -> Closure:
    """Of a tree that has none: all its joints are given."""
    return Closure(tree, tuple(range(tree.n)), (), {}, np.zeros(tree.n))


def closure_of(
    tree: Tree, loops: Sequence[Loop], free: Sequence[int], reference: Floats, centres: dict[int, float]
) -> Closure:
    """The order in which loops can be closed; ``reference`` (n,) is an assembled posture, which tells the modes."""
    unknown = set(range(tree.n)) - set(free)
    waiting = list(range(len(loops)))
    stages: list[Dyad | ClosureGroup] = []
    planes = [planar_loop(tree, loop.name, loop.kind, ends) for loop, ends in zip(loops, tree.ends, strict=True)]
    while triangles := [d for k in waiting if (p := planes[k]) and (d := dyad_of(tree, p, k, unknown))]:
        stages.append(triangles[0])
        waiting.remove(triangles[0].number)
        unknown -= set(triangles[0].unknown)
    if waiting:
        spatial = spatial_loops(tree, loops)
        stages.append(ClosureGroup(tuple(spatial[k] for k in waiting), tree, tuple(sorted(unknown))))
    return Closure(tree, tuple(free), tuple(stages), centres, reference).in_mode_of(reference)
