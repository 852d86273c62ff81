"""An arm with loops at its free joints, or at others that say where all are: closed, and projected.

With qd = G xd virtual work gives tau = G^T tau_tree(q, qd, qdd), so M = G^T M_tree G, g = G^T g_tree and, because
C_tree qd + M_tree dG/dt xd are the velocity torques, C = G^T (C_tree G + M_tree dG/dt), for which dM/dt - 2 C is skew
again. What the loops carry is whatever the joints they move would need a motor for: Phi^T lambda there (multipliers).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from torsor.algebra.telling import retold
from torsor.mechanics import composite
from torsor.mechanics.closure import Closure
from torsor.mechanics.constraint import Columns, LinearConstraint
from torsor.mechanics.kinematics import matrix, vector
from torsor.mechanics.loop_forces import loop_forces, pushes
from torsor.mechanics.loops import GUESS
from torsor.mechanics.newton_euler import BodyPush, inverse_dynamics
from torsor.mechanics.stance import Stance
from torsor.mechanics.tree import Reals
from torsor.mechanics.turns import FOLLOWING

Entry = dict[int, Any]  # by given joint: a row of G


class ClosedStance(Stance):
    """A tree at given joints x, with its loops closed: all its joints q, and G of qd = G xd.

    Traced, a joint that a loop moves is a symbol of its own in q until ``finish`` puts in what it is: its sine and
    cosine where pages ask for these, its angle elsewhere. Until then derivatives are total ones, d/dx = partial_x + G^T
    partial_q, which holds however the loop is solved.
    """

    letter = "x"

    def __init__(self, closure: Closure, x: Reals, found: dict[int, Any] | None = None) -> None:
        self.closure, self.x = closure, x
        self.traced = x.dtype == object
        self.guess: Reals | None = None
        self.hidden: dict[int, Any] = {}
        if self.traced:
            from torsor.algebra import symbols

            self.hidden = dict(zip(closure.dependent, symbols(FOLLOWING, len(closure.dependent)), strict=True))
            found = {k: self.hidden[k] for k in closure.guessed}
            self.guess = symbols(GUESS, len(closure.guessed)) if closure.guessed else None
        self.posture, self.equations = closure.posture(x, closure.entries(closure.guess(x)) if found is None else found)
        given = dict(zip(closure.free, np.moveaxis(x, -1, 0), strict=True)) | self.hidden
        q = vector(*(given[k] for k in range(closure.tree.n))) if self.traced else self.posture.q()
        super().__init__(closure.tree, q)
        self._columns: list[Columns] = [each.columns() for each in self.equations]
        self._linear = [each.linear(columns) for each, columns in zip(self.equations, self._columns, strict=True)]
        self._G = self._rows_of_G()

    @property
    def n(self) -> int:
        return self.closure.n

    @property
    def free(self) -> Sequence[int]:
        return self.closure.free

    def _stages(self) -> Any:
        return zip(self.closure.stages, self.equations, self._columns, self._linear, strict=True)

    def _rows_of_G(self) -> dict[int, Entry]:
        """G, row by row, with the entries that are not zero by structure."""
        rows: dict[int, Entry] = {source: {k: 1.0} for k, source in enumerate(self.closure.free)}
        for stage, _, columns, linear in self._stages():
            known = (source for source in columns if source not in stage.unknown)
            _solve(rows, stage, linear, ((columns[source], rows[source]) for source in known))
        return rows

    def G(self) -> Reals:
        """(..., tree joints, given joints)."""
        return self._matrix(self._G)

    def rates(self, xd: Reals) -> Reals:
        """qd = G xd (..., tree joints)."""
        return vector(*(sum(_times(w, xd[..., j]) for j, w in self._G[k].items()) for k in range(self.tree.n)))

    def accelerations(self, qd: Reals, xdd: Reals) -> Reals:
        """qdd = G xdd + gamma (..., tree joints)."""
        return self.rates(xdd) + self.drift(qd)

    def drift(self, qd: Reals) -> Reals:
        """gamma (..., tree joints); given joints have none."""
        rates = {k: qd[..., k] for k in range(self.tree.n)}
        gamma: dict[int, Any] = {}
        for stage, each, columns, linear in self._stages():
            right = list(each.drift(rates))
            for source, column in columns.items():
                if source in gamma:
                    right = [r + c * gamma[source] for r, c in zip(right, column, strict=True)]
            gamma |= {s: -value for s, value in zip(stage.unknown, linear.solve(right), strict=True)}
        return vector(*(gamma.get(k, 0.0) for k in range(self.tree.n)))

    def G_rate(self, qd: Reals) -> Reals:
        """dG/dt, (..., tree joints, given joints)."""
        rates = {k: qd[..., k] for k in range(self.tree.n)}
        rows: dict[int, Entry] = {source: {} for source in self.closure.free}
        for stage, each, columns, linear in self._stages():
            changes: Columns = each.column_rates(rates)
            parts = []
            for source, column in columns.items():
                parts.append((changes[source], self._G[source]))
                if source not in stage.unknown:
                    parts.append((column, rows[source]))
            _solve(rows, stage, linear, parts)
        return self._matrix(rows)

    def _matrix(self, rows: dict[int, Entry]) -> Reals:
        shapes = [np.shape(value) for each in (rows, self._G) for row in each.values() for value in row.values()]
        zero = np.zeros(np.broadcast_shapes(*shapes))
        return matrix(*(tuple(rows[i].get(j, 0.0) + zero for j in range(self.closure.n)) for i in range(self.tree.n)))

    def torques(self, tau: Reals) -> Reals:
        """G^T tau, by virtual work: torques of all joints of the tree to those of the given ones."""
        total: list[Any] = [0.0] * self.closure.n
        for source in range(self.tree.n):
            for j, weight in self._G[source].items():
                total[j] = total[j] + _times(weight, tau[..., source])
        return vector(*total)

    def multipliers(self, torques: Reals) -> list[tuple[Any, ...]]:
        """What the equations of each stage push with, Phi^T lambda, so that dependent joints need no torque."""
        found: list[tuple[Any, ...]] = []
        rest: dict[int, Any] = {k: torques[..., k] for k in self.closure.dependent}
        for stage, _, columns, linear in reversed(list(self._stages())):
            lam = linear.transposed([rest[source] for source in stage.unknown])
            for source, column in columns.items():
                if source in rest and source not in stage.unknown:
                    rest[source] = rest[source] - sum(c * l for c, l in zip(column, lam, strict=True))
            found.append(lam)
        return found[::-1]

    def columns(self, A: Reals) -> Reals:
        """A G; zeros of G are left out."""
        columns: list[Any] = [np.zeros(A.shape[-2])] * self.n
        for source, row in self._G.items():
            for j, weight in row.items():
                columns[j] = columns[j] + _times(weight, A[..., :, source], 1)
        return vector(*columns)

    def rows(self, A: Reals) -> Reals:
        return np.swapaxes(self.columns(np.swapaxes(A, -1, -2)), -1, -2)

    def shares(self, joint: int) -> Mapping[int, Any]:
        return self._G[joint]

    def mass_matrix(self, M: Reals) -> Reals:
        """Symmetric by construction."""
        half = self.columns(M)
        columns = [self.torques(half[..., :, j]) for j in range(self.n)]
        return matrix(*(tuple(columns[max(i, j)][..., min(i, j)] for j in range(self.n)) for i in range(self.n)))

    def coriolis_matrix(self, C: Reals, qd: Reals) -> Reals:
        return self.rows(self.columns(C) + composite.mass_matrix(self.tree, self.q) @ self.G_rate(qd))

    def pushes(self, torques: Callable[[], Reals]) -> Sequence[BodyPush]:
        return pushes(self, self.multipliers(torques()))

    def forces(self, xd: Reals, xdd: Reals, gravity: Reals, wrench: Reals | None) -> Reals:
        """What the cut joints of the loops carry."""
        qd = self.rates(xd)
        tau = inverse_dynamics(self.tree, self.q, qd, self.accelerations(qd, xdd), gravity, wrench)
        return loop_forces(self, self.multipliers(tau))

    @property
    def guesses(self) -> dict[str, Reals]:
        return {} if self.guess is None else {GUESS: self.guess}

    def along(self, *rates: Reals) -> list[Reals]:
        """q', q'', ... (..., tree joints) on a path of which x', x'', ... are given; the third and on traced."""
        found = [self.rates(rate) for rate in rates[:1]]
        if len(rates) > 1:
            found.append(self.accelerations(found[0], rates[1]))
        for k in range(2, len(rates)):
            found.append(self.changing(found[-1], *rates[: k + 1]))
        return found

    def changing(self, value: Reals, *rates: Reals) -> Reals:
        """d value / ds on a path, of a traced array that depends on x, q and all rates x', x'', ... but the last."""
        from torsor.algebra import directional

        follow = self.rates(rates[0])[..., list(self.hidden)]
        by = np.concatenate([self.x, np.array(list(self.hidden.values()), dtype=object), *rates[:-1]])
        return np.asarray(directional(value, by, np.concatenate([rates[0], follow, *rates[1:]])))

    def slopes(self, values: Reals, xd: Reals) -> Reals:
        """Total derivatives by x, and those by xd, of a traced array, before ``finish``."""
        from torsor.algebra import jacobian

        n = self.n
        found = jacobian(values, np.concatenate([self.x, list(self.hidden.values())]))
        G = np.array([[self._G[k].get(j, 0.0) for j in range(n)] for k in self.hidden], dtype=object).reshape(-1, n)
        return np.concatenate([found[..., :n] + found[..., n:] @ G, jacobian(values, xd)], axis=-1)

    def finish(self, outputs: Any) -> Any:
        """Outputs with what the loops move put in."""
        if not self.traced:
            return outputs
        from torsor.algebra import substitute

        put = {}
        posture, turning = self.posture, self.tree.expand(self.q)
        for i, body in enumerate(self.tree.bodies):
            if body.source in posture.units and body.turn:
                unit = posture.unit(i)
                put[np.cos(turning[i])], put[np.sin(turning[i])] = unit.x, unit.y
        for source, symbol in self.hidden.items():
            if source not in self.closure.guessed:
                put[symbol] = posture.entry(source)
        outputs = {name: substitute(value, put) for name, value in outputs.items()}
        retold(lambda nodes: substitute(nodes, put))
        if self.guess is None:
            return outputs
        step = self.closure.newton_step(self.x, self.guess)[0]
        put = dict(zip((self.hidden[k] for k in self.closure.guessed), self.guess + step, strict=True))
        return {name: substitute(value, put) for name, value in outputs.items()}


def _solve(
    rows: dict[int, Entry], stage: Any, linear: LinearConstraint, parts: Iterable[tuple[tuple[Any, ...], Entry]]
) -> None:
    """Rows of the unknowns of a stage, whose equations move by the sum of columns, each with the row of its joint."""
    moving: dict[int, tuple[Any, ...]] = {}
    for column, row in parts:
        for j, weight in row.items():
            share = tuple(_times(weight, each) for each in column)
            moving[j] = share if j not in moving else tuple(a + b for a, b in zip(moving[j], share, strict=True))
    rows |= {source: {} for source in stage.unknown}
    for j, right in moving.items():
        for source, value in zip(stage.unknown, linear.solve(right), strict=True):
            rows[source][j] = -value


def _times(weight: Any, value: Any, more: int = 0) -> Any:
    """weight times value, which may have more axes at its end; a weight of 1 costs nothing."""
    if isinstance(weight, float) and weight == 1.0:
        return value
    return (np.asarray(weight)[(..., *(None,) * more)] if more else weight) * value
