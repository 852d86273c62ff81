"""From joints to motors: q_a(q), its slopes N and how torques come back. On floats in any dimensions, or traced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import add, truediv
from typing import Any

import numpy as np

from torsor.errors import Unsupported
from torsor.mechanics.transmissions import Linear, Transmission, transmission_of
from torsor.mechanics.tree import Reals
from torsor.model.model import Model
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class Gearing:
    """The transmissions of all drives of an arm, m motors for n coordinates: its joints, and ``more`` behind them."""

    model: Model
    more: int = 0  # coordinates that no gear turns, of springs and of links that bend

    @property
    def n(self) -> int:
        return self.model.n + self.more

    @cached_property
    def transmissions(self) -> tuple[Transmission, ...]:
        return tuple(transmission_of(self.model, drive) for drive in self.model.drives)

    @cached_property
    def constant(self) -> Floats | None:
        """N where it is the same everywhere: gears and couplings, no linkage."""
        if not all(isinstance(t, Linear) for t in self.transmissions):
            return None
        N = np.array([drive.ratio for drive in self.model.drives], dtype=np.float64).reshape(-1, self.model.n)
        return np.hstack([N, np.zeros((len(N), self.more))])

    @cached_property
    def inverse(self) -> Floats | None:
        """N^-1 (n, m) of the arm's joints where N is constant: of its doubles, exact but for one rounding of each.

        Listings and code hold these numbers, and a last bit must not depend on how a processor's library divides.
        """
        if self.constant is None:
            return None
        self.require_square()
        n = self.model.n
        rows = [[Fraction(x) for x in row] for row in self.constant[:, :n].tolist()]
        unit = [[Fraction(int(i == k)) for k in range(n)] for i in range(n)]
        for k in range(n):
            pivot = next(i for i in range(k, n) if rows[i][k])
            for table in (rows, unit):
                table[k], table[pivot] = table[pivot], table[k]
            for i in range(n):
                if i != k and rows[i][k]:
                    times = rows[i][k] / rows[k][k]
                    rows[i] = [x - times * y for x, y in zip(rows[i], rows[k], strict=True)]
                    unit[i] = [x - times * y for x, y in zip(unit[i], unit[k], strict=True)]
        return np.array([[float(x / rows[i][i]) for x in unit[i]] for i in range(n)])

    @property
    def square(self) -> bool:
        return len(self.model.drives) == self.model.n

    @cached_property
    def main_joints(self) -> tuple[int, ...]:
        """The joint each motor is there for: the one it drives most, and each joint once where that is possible.

        The last motor of a wrist may turn with several joints alike: the others choose before it.
        """
        sizes = np.array([np.abs(drive.ratio) for drive in self.model.drives])
        if self.constant is None:  # the slope of a linkage may vanish at q = 0, where ratios are taken
            some = np.random.default_rng(0).uniform(-0.5, 0.5, size=(5, self.n))
            sizes = np.abs(self.slopes(some)).mean(axis=0)[:, : self.model.n]
        joints, free = [0] * len(sizes), set(range(self.model.n))
        padded = np.sort(np.hstack([sizes, np.zeros((len(sizes), 1))]), axis=1)
        for motor in np.argsort(padded[:, -2] / padded[:, -1], kind="stable"):
            best = max(free or range(self.model.n), key=lambda j, motor=motor: sizes[motor, j])
            if sizes[motor, best] == 0.0:
                best = int(np.argmax(sizes[motor]))
            joints[motor] = best
            free.discard(best)
        if self.square and free:
            from scipy.optimize import linear_sum_assignment

            joints = linear_sum_assignment(-np.log(sizes + 1e-30))[1].tolist()
        return tuple(joints)

    def positions(self, q: Reals) -> Reals:
        """q_a (..., m)."""
        return np.stack([np.asarray(t.position(q[..., : self.model.n])) for t in self.transmissions], axis=-1)

    def slopes(self, q: Reals) -> Reals:
        """N = dq_a/dq (..., m, n)."""
        if self.constant is not None:
            N = self.constant
            return N if q.dtype == object else np.broadcast_to(N, (*q.shape[:-1], *N.shape))
        joints = q[..., : self.model.n]
        N = np.stack([np.broadcast_to(t.slope(joints), joints.shape) for t in self.transmissions], axis=-2)
        return np.concatenate([N, np.zeros((*N.shape[:-1], self.more))], axis=-1) if self.more else N

    def rates(self, q: Reals, qd: Reals) -> Reals:
        """qd_a = N qd (..., m)."""
        if self.constant is not None and qd.dtype != object and q.shape == qd.shape:
            terms = (qd[..., k, None] * column for k, column in enumerate(self.constant.T))
            return np.asarray(reduce(add, terms))  # in whole columns, as rows are short
        return np.asarray((self.slopes(q) * qd[..., None, :]).sum(axis=-1))

    def to_joints(self, q: Reals, u: Reals) -> Reals:
        """tau = N^T u_a."""
        return np.asarray((self.slopes(q) * u[..., :, None]).sum(axis=-2))

    def to_motors(self, q: Reals, tau: Reals) -> Reals:
        """u_a = N^-T tau by virtual work. (D.3) prints tau_i / k_i, which breaks the power balance of coupled axes."""
        self.require_square()
        tau = tau[..., : self.model.n]
        if self.inverse is not None:
            return np.asarray((self.inverse.T * tau[..., None, :]).sum(axis=-1))
        q = q[..., : self.model.n]
        N = self.slopes(q)[..., : self.model.n]
        if q.dtype != object and tau.dtype != object:
            tau = np.broadcast_to(tau, np.broadcast_shapes(tau.shape, q.shape))
            return np.linalg.solve(np.swapaxes(N, -1, -2), tau[..., None])[..., 0]
        joints = range(self.model.n)
        # rows of N^T are joints, columns motors; this order puts the large slopes on the diagonal
        rows = [[N[..., self.main_joints.index(k), j] for k in joints] for j in joints]
        ordered = gauss(rows, [tau[..., j] for j in joints])
        return np.stack([ordered[joint] for joint in self.main_joints], axis=-1)

    def require_square(self) -> None:
        if not self.square:
            has = f"{self.model.name!r} has {len(self.model.drives)} motors for {self.model.n} joints"
            hint = "give one drive for each joint; forward dynamics work with any number"
            raise Unsupported(f"{has}: joint torques do not say what each motor gives", hint=hint)


def gauss(rows: Sequence[Sequence[Any]], right: Sequence[Any]) -> list[Any]:
    """x of A x = b by elimination in the order given; structural zeros cost nothing. Traceable."""
    return substituted(factored(rows), right)


def factored(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """L and U of A = L U in one square, unit L."""
    A = [list(row) for row in rows]
    for k, pivot in enumerate(A):
        over = 1.0 / pivot[k]
        for row in A[k + 1 :]:
            if not is_zero(row[k]):
                row[k] = row[k] * over
                for j in range(k + 1, len(A)):
                    if not is_zero(pivot[j]):
                        row[j] = row[j] - row[k] * pivot[j]
    return A


def substituted(LU: Any, right: Sequence[Any], over_pivot: Callable[[Any, Any], Any] = truediv) -> list[Any]:
    """x of L U x = b; ``over_pivot`` is mul where the diagonal holds 1 / u."""
    n, x = len(right), list(right)

    def rest(i: int, known: range) -> Any:
        return reduce(lambda left, j: left if is_zero(LU[i][j]) else left - LU[i][j] * x[j], known, x[i])

    for i in range(n):
        x[i] = rest(i, range(i))
    for i in reversed(range(n)):
        x[i] = over_pivot(rest(i, range(i + 1, n)), LU[i][i])
    return x


def is_zero(value: Any) -> bool:
    """Of a number, or a node that is one; an array of numbers is taken as it comes."""
    return isinstance(value, int | float | np.floating) and value == 0.0
