"""The closure of an arm with loops: all joints q of its tree from the driven ones x, and their rates.

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

from torsor.mechanics.constraint import Columns, Linear
from torsor.mechanics.dyad import Dyad
from torsor.mechanics.dyads import dyad_of
from torsor.mechanics.newton import StepAt, followed
from torsor.mechanics.planar_loop import planar_loop
from torsor.mechanics.posture import Posture, open_posture
from torsor.mechanics.spatial_loop import Group, spatial_loops
from torsor.mechanics.tree import Array, Tree
from torsor.model.parts import Loop
from torsor.model.transforms import Floats

Entry = dict[int, Any]  # by driven joint: a row of G


@dataclass(frozen=True, eq=False)
class Closure:
    """How the loops of one tree are closed. ``stages`` come in the order in which they are solved."""

    tree: Tree
    driven: tuple[int, ...]  # entries of q that are given
    stages: tuple[Dyad | Group, ...]
    centres: dict[int, float]  # angles are given within half a turn of these
    reference: Floats  # (tree joints,) a posture with all loops closed

    @property
    def n(self) -> int:
        return len(self.driven)

    @cached_property
    def dependent(self) -> tuple[int, ...]:
        return tuple(k for k in range(self.tree.n) if k not in self.driven)

    @cached_property
    def guessed(self) -> tuple[int, ...]:
        """Entries of q found by Newton's method, which need a guess to start from."""
        return tuple(k for stage in self.stages if isinstance(stage, Group) for k in stage.unknown)

    @property
    def is_explicit(self) -> bool:
        return not self.guessed

    def posture(self, x: Array, found: dict[int, Any]) -> tuple[Posture, list[Any]]:
        """The closed posture, and the equations of each stage there. ``found`` are entries known by Newton's method."""
        entries = {source: x[..., k] for k, source in enumerate(self.driven)} | dict(found)
        posture = Posture(self.tree, entries, self.centres)
        # in order: each stage puts what it finds into the posture, for those after it
        solved = [stage.solve(posture) if isinstance(stage, Dyad) else stage.at(posture) for stage in self.stages]
        return posture, solved

    def at(self, x: Array, found: dict[int, Any] | None = None) -> At:
        posture, equations = self.posture(x, found or {})
        return At(self, posture, equations)

    def entries(self, guess: Array) -> dict[int, Any]:
        """The guessed entries (..., d) by number."""
        return {source: guess[..., k] for k, source in enumerate(self.guessed)}

    def newton_step(self, x: Array, guess: Array) -> tuple[Array, Array]:
        """Newton's step for the guessed entries (..., d), and the sum of squares (...) of what is left of the loops."""
        equated = self.posture(x, self.entries(guess))[1][-1]
        left = equated.residual()
        step = equated.linear(equated.columns()).solve([-each for each in left])
        return np.stack(np.broadcast_arrays(*step), axis=-1), sum(each * each for each in left)

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
        return followed(step or self.newton_step, x, (known[..., list(self.driven)], known[..., list(self.guessed)]))


class At:
    """A closure at one posture: G, and what follows from it."""

    def __init__(self, closure: Closure, posture: Posture, equations: list[Any]) -> None:
        self.closure = closure
        self.posture = posture
        self.equations = equations
        self.columns: list[Columns] = [each.columns() for each in equations]
        self.linear: list[Linear] = [
            each.linear(columns) for each, columns in zip(equations, self.columns, strict=True)
        ]
        self.rows = self._rows()

    def _rows(self) -> dict[int, Entry]:
        """G, row by row, with the entries that are not zero by structure."""
        rows: dict[int, Entry] = {source: {k: 1.0} for k, source in enumerate(self.closure.driven)}
        for stage, columns, linear in zip(self.closure.stages, self.columns, self.linear, strict=True):
            moving: dict[int, tuple[Any, ...]] = {}
            for source, column in columns.items():
                if source in stage.unknown:
                    continue
                for j, weight in rows[source].items():
                    _accumulate(moving, j, column, weight)
            for source in stage.unknown:
                rows[source] = {}
            for j, right in moving.items():
                for source, value in zip(stage.unknown, linear.solve(right), strict=True):
                    rows[source][j] = -value
        return rows

    def G(self) -> Array:
        """(..., tree joints, driven joints)."""
        batch = np.broadcast_shapes(*(np.shape(value) for row in self.rows.values() for value in row.values()))
        return _matrix(self.rows, self.closure, batch)

    def rates(self, xd: Array) -> dict[int, Any]:
        """qd = G xd by entry of q."""
        return {source: _times(row, xd) for source, row in self.rows.items()}

    def drift(self, qd: dict[int, Any]) -> dict[int, Any]:
        """gamma of qdd = G xdd + gamma, by entry of q; driven ones have none."""
        gamma: dict[int, Any] = {}
        for stage, each, columns, linear in self._stages():
            right = list(each.drift(qd))
            for source, column in columns.items():
                if source in gamma:
                    right = [r + c * gamma[source] for r, c in zip(right, column, strict=True)]
            found = {s: -value for s, value in zip(stage.unknown, linear.solve(right), strict=True)}
            gamma |= found
        return gamma

    def G_rate(self, qd: dict[int, Any]) -> Array:
        """dG/dt, (..., tree joints, driven joints)."""
        rows: dict[int, Entry] = {source: {} for source in self.closure.driven}
        for stage, each, columns, linear in self._stages():
            changes: Columns = each.column_rates(qd)
            moving: dict[int, tuple[Any, ...]] = {}
            for source, column in columns.items():
                for j, weight in self.rows[source].items():
                    _accumulate(moving, j, changes[source], weight)
                if source not in stage.unknown:
                    for j, weight in rows[source].items():
                        _accumulate(moving, j, column, weight)
            for source in stage.unknown:
                rows[source] = {}
            for j, right in moving.items():
                for source, value in zip(stage.unknown, linear.solve(right), strict=True):
                    rows[source][j] = -value
        shapes = [np.shape(value) for row in (*rows.values(), *self.rows.values()) for value in row.values()]
        return _matrix(rows, self.closure, np.broadcast_shapes(*shapes))

    def project(self, torques: Array) -> Array:
        """G^T tau, by virtual work: torques of all joints of the tree to those of the driven ones."""
        total: list[Any] = [0.0] * self.closure.n
        for source in range(self.closure.tree.n):
            for j, weight in self.rows[source].items():
                share = torques[..., source] if _is_one(weight) else weight * torques[..., source]
                total[j] = total[j] + share
        return np.stack(np.broadcast_arrays(*total), axis=-1)

    def multipliers(self, torques: Array) -> list[tuple[Any, ...]]:
        """What the equations of each stage push with, Phi^T lambda, so that dependent joints need no torque."""
        found: list[tuple[Any, ...]] = [()] * len(self.equations)
        rest: dict[int, Any] = {k: torques[..., k] for k in self.closure.dependent}
        for k in reversed(range(len(self.equations))):
            stage, columns = self.closure.stages[k], self.columns[k]
            found[k] = self.linear[k].transposed([rest[source] for source in stage.unknown])
            for source, column in columns.items():
                if source in rest and source not in stage.unknown:
                    rest[source] = rest[source] - sum(c * l for c, l in zip(column, found[k], strict=True))
        return found

    def _stages(self) -> Any:
        return zip(self.closure.stages, self.equations, self.columns, self.linear, strict=True)


def without_loops(tree: Tree) -> Closure:
    """Of a tree that has none: all its joints are given."""
    return Closure(tree, tuple(range(tree.n)), (), {}, np.zeros(tree.n))


def closure_of(
    tree: Tree, loops: Sequence[Loop], driven: Sequence[int], reference: Floats, centres: dict[int, float]
) -> Closure:
    """The order in which loops can be closed; ``reference`` (n,) is an assembled posture, which tells the modes."""
    unknown = set(range(tree.n)) - set(driven)
    waiting = list(range(len(loops)))
    stages: list[Dyad | Group] = []
    spatial = spatial_loops(tree, loops)
    while True:
        for k in waiting:
            plane = planar_loop(tree, loops[k].name, loops[k].kind, tree.ends[k])
            found = None if plane is None else dyad_of(tree, plane, k, unknown)
            if found is not None:
                break
        else:
            break
        stages.append(found)
        waiting.remove(k)
        unknown -= set(found.unknown)
    if waiting:
        stages.append(Group(tuple(spatial[k] for k in waiting), tree, tuple(sorted(unknown))))
    return Closure(tree, tuple(driven), tuple(stages), centres, reference).in_mode_of(reference)


def _accumulate(total: dict[int, tuple[Any, ...]], j: int, column: tuple[Any, ...], weight: Any) -> None:
    share = column if _is_one(weight) else tuple(c * weight for c in column)
    total[j] = share if j not in total else tuple(a + b for a, b in zip(total[j], share, strict=True))


def _is_one(weight: Any) -> bool:
    return isinstance(weight, float) and weight == 1.0


def _times(row: Entry, xd: Array) -> Any:
    total: Any = 0.0
    for j, weight in row.items():
        total = total + (xd[..., j] if _is_one(weight) else weight * xd[..., j])
    return total


def _matrix(rows: dict[int, Entry], closure: Closure, batch: tuple[int, ...]) -> Array:
    full = [
        np.stack([np.broadcast_to(rows[i].get(j, 0.0), batch) for j in range(closure.n)], axis=-1)
        for i in range(closure.tree.n)
    ]
    return np.stack(full, axis=-2)
