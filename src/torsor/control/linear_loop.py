"""``Linearisation``: a loop near a state, its poles, sampled, with optimal gains, and for python-control."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.errors import ShapeError, Unsupported
from torsor.model.transforms import Floats
from torsor.report.notebook_looks import captioned

Complexes = NDArray[np.complex128]


class Pole(NamedTuple):
    """A pole, or a pair of them: how fast, how damped, how soon gone."""

    value: complex  # 1/s; of a pair the one above the axis
    frequency: float  # rad/s, |s|
    damping: float  # -Re s / |s|; 1 for what does not swing, below 0 for what grows
    time_constant: float  # s, -1 / Re s; infinite on the axis, negative for what grows


class SampledLoop(NamedTuple):
    """A loop between samples: z[k + 1] = A z[k] + B w[k]."""

    A: Floats
    B: Floats
    dt: float


@dataclass(frozen=True, eq=False)
class Linearisation:
    """dz/dt = A (z - z0) + B w + what it is at z0: z = (q, qd, x of the law), w torques that come on top.

    ``C`` gives the torque of the law, tau = C (z - z0). All may have leading dimensions, along a trajectory.
    """

    A: Floats  # (..., 2n + states, 2n + states)
    B: Floats  # (..., 2n + states, n)
    C: Floats  # (..., n, 2n + states)
    n: int

    @property
    def poles(self) -> Complexes:
        """Eigenvalues of A (..., 2n + states), 1/s, fastest first."""
        found = np.asarray(np.linalg.eigvals(self.A), dtype=np.complex128)
        return np.take_along_axis(found, np.argsort(-np.abs(found), axis=-1, kind="stable"), axis=-1)

    @property
    def stable(self) -> Any:
        """Whether all poles lie in the left half plane; of an equilibrium this decides nearby (Lyapunov)."""
        return (self.poles.real < 0.0).all(axis=-1)

    def pole_table(self) -> list[Pole]:
        """Poles with frequency, damping and time constant, slowest first; of a pair the one above the axis."""
        self._single("poles as a table")
        found = []
        for s in self.poles[::-1]:
            if s.imag >= 0.0:
                size, real = float(abs(s)), float(s.real)
                damping = 0.0 if size == 0.0 else -real / size
                found.append(Pole(complex(s), size, damping, float("inf") if real == 0.0 else -1.0 / real))
        return found

    def discrete(self, dt: float) -> SampledLoop:
        """The same between samples ``dt`` apart, torques held: A_d = exp(A dt), B_d = int_0^dt exp(A s) ds B, exact.

        >>> import numpy as np
        >>> loop = Linearisation(np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0], [1.0]]), np.zeros((1, 2)), 1)
        >>> loop.discrete(0.1).B.ravel().round(6).tolist()
        [0.005, 0.1]
        """
        if not dt > 0.0 or not np.isfinite(dt):
            raise ShapeError(f"dt is {dt}", hint="the sample time in s, above zero")
        from scipy.linalg import expm

        size, n = self.A.shape[-1], self.B.shape[-1]
        whole = np.zeros((*self.A.shape[:-2], size + n, size + n))
        whole[..., :size, :size], whole[..., :size, size:] = self.A * dt, self.B * dt
        both: Floats = np.asarray(expm(whole), dtype=np.float64)
        return SampledLoop(both[..., :size, :size], both[..., :size, size:], dt)

    def lqr(self, Q: ArrayLike, R: ArrayLike, *, dt: float | None = None) -> Floats:
        """K (n, states) of w = -K (z - z0) for which int z^T Q z + w^T R w is least; with ``dt`` the sum over samples.

        ``Q`` and ``R`` are matrices, or their diagonals. It needs states that torques can reach.
        """
        self._single("optimal gains")
        size, n = self.A.shape[-1], self.B.shape[-1]
        Q, R = _weights("Q", Q, size), _weights("R", R, n)
        if not (np.linalg.eigvalsh(Q) > -1e-12 * max(1.0, float(np.abs(Q).max()))).all():
            raise ShapeError("Q has a negative direction", hint="positive semidefinite: no state is wished to be large")
        if not (np.linalg.eigvalsh(R) > 0.0).all():
            raise ShapeError("R is not positive definite", hint="every torque costs something")
        from scipy.linalg import solve_continuous_are, solve_discrete_are

        try:
            if dt is None:
                P = solve_continuous_are(self.A, self.B, Q, R)
                return np.asarray(np.linalg.solve(R, self.B.T @ P), dtype=np.float64)
            A, B, _ = self.discrete(dt)
            P = solve_discrete_are(A, B, Q, R)
            return np.asarray(np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A), dtype=np.float64)
        except np.linalg.LinAlgError:
            text = "no gains make this loop stable with finite cost"
            hint = "a state that torques do not reach, or that Q does not see, swings for ever"
            raise Unsupported(text, hint=hint) from None

    def to_control(self, dt: float | None = None) -> Any:
        """A ``control.StateSpace`` of python-control, where that is installed; its outputs are the states."""
        try:
            make = import_module("control").ss
        except (ImportError, AttributeError):  # a folder of that name is no library
            raise Unsupported("to_control needs python-control", hint="pip install control") from None
        self._single("a state space")
        size, n = self.A.shape[-1], self.B.shape[-1]
        A, B = (self.A, self.B) if dt is None else self.discrete(dt)[:2]
        known = (A, B, np.eye(size), np.zeros((size, n)))
        return make(*known) if dt is None else make(*known, dt)

    def __repr__(self) -> str:
        if self.A.ndim > 2:
            return f"<Linearisation at {self.A.shape[:-2]} states: {self.A.shape[-1]} states, {self.n} joints>"
        slowest = self.pole_table()[0]
        how = "stable" if self.stable else "not stable"
        return f"<Linearisation {self.A.shape[-1]} states, {how}, slowest pole {slowest.value:.4g} 1/s>"

    def _repr_html_(self) -> str:
        if self.A.ndim > 2:
            return repr(self).replace("<", "&lt;")
        rows = [
            (f"{p.value:.4g}" if p.value.imag else f"{p.value.real:.4g}", f"{p.frequency:.4g}", f"{p.damping:.4g}",
             f"{p.time_constant:.4g}")
            for p in self.pole_table()
        ]  # fmt: skip
        how = "stable" if self.stable else "not stable"
        titles = ("pole [1/s]", "frequency [rad/s]", "damping", "time constant [s]")
        return captioned(f"{self.A.shape[-1]} states, {how}", titles, rows)

    def _single(self, what: str) -> None:
        if self.A.ndim > 2:
            raise ShapeError(f"{what}: this is linearised at {self.A.shape[:-2]} states", hint="linearise at one")


def _weights(name: str, value: ArrayLike, size: int) -> Floats:
    given = np.asarray(value, dtype=np.float64)
    if given.ndim == 0:
        given = np.full(size, float(given))
    matrix: Floats = np.diag(given) if given.ndim == 1 else given
    if matrix.shape != (size, size) or not np.isfinite(matrix).all():
        raise ShapeError(f"{name} has shape {given.shape}", hint=f"({size}, {size}), or its diagonal ({size},), finite")
    if not np.allclose(matrix, matrix.T, rtol=0, atol=1e-12 * max(1.0, float(np.abs(matrix).max()))):
        raise ShapeError(f"{name} is not symmetric", hint="z^T Q z knows its symmetric part only: give that")
    return matrix
