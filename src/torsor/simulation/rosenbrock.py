"""A Rosenbrock method of order four for stiff loops, in machine code: Rodas of Hairer and Wanner (1996), L-stable.

    (1/(h gamma) - J) k_i = f(t + alpha_i h, y + sum a_ij k_j) + sum c_ij k_j / h + gamma_i h df/dt

J is exact, from the graph, once a step; one matrix of the size of the joints is factored for all six stages, because
M qdd + ... = tau is linearised instead of qdd itself. No iteration, so a step always costs the same.
"""

from __future__ import annotations

from functools import partial
from operator import mul
from typing import Any

import numpy as np

from torsor.algebra import jacobian, substitute, symbols
from torsor.algebra.functions import less_equal, maximum, minimum, select, sqrt
from torsor.drives.gearing import factored, substituted
from torsor.emit.native_loop import NativeLoop
from torsor.errors import Unsupported
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats
from torsor.simulation.plant import Plant
from torsor.simulation.stepper import Stepper, error_share

GAMMA = 0.25
ALPHA = (0.0, 0.386, 0.21, 0.63, 1.0, 1.0)
GAMMAS = (0.25, -0.1043, 0.1035, -0.0362, 0.0, 0.0)
A: tuple[tuple[float, ...], ...] = (
    (),
    (1.544,),
    (0.9466785280815826, 0.2557011698983284),
    (3.314825187068521, 2.896124015972201, 0.9986419139977817),
    (1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950),
    (1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0),
)
C: tuple[tuple[float, ...], ...] = (
    (),
    (-5.6688,),
    (-2.430093356833875, -0.2063599157091915),
    (-0.1073529058151375, -9.594562251023355, -20.47028614809616),
    (7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160),
    (8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054),
)
WEIGHTS = (*A[5], 1.0)
K = tuple(f"k{i}" for i in range(1, 7))
MOST = 100_000  # passes in a step of dt


class Rosenbrock(Stepper):
    """Steps of ``dt``; with a tolerance, as many shorter ones as that takes."""

    def __init__(self, plant: Plant, dt: float, *, lanes: bool = False, tolerance: float | None = None) -> None:
        self.tolerance = tolerance
        self.many_lanes = tolerance is None
        self.variant = "fixed" if tolerance is None else "adaptive"
        super().__init__(plant, dt, lanes=lanes)

    @property
    def cells(self) -> dict[str, int]:
        n, k = self.plant.n, self.plant.k
        sizes = self.plant.sizes("left", "h", "suggested", "tolerance", "ts", "ys")
        sizes |= dict.fromkeys(("cs", *K), self.plant.size)
        sizes |= {f"share{i}": 1 for i in range(6)}
        return sizes | {"LU": (n + k) ** 2, "M": n * n, "slopes": (n + k) * (2 * n + k + 1)}

    def make(self) -> NativeLoop:
        calls = [*self.known_at(), self.page(self._linearised), self.page(self._factors, general=True)]
        for i in range(6):
            calls.append(self.page(partial(self._combine, i), *K[:i], name=f"combine{i}", general=True))
            calls += [*self.known_at("ts", "ys"), self.page(self._solve, k=K[i], share=f"share{i}")]
        options: dict[str, Any] = {}
        if self.tolerance is not None:
            options = {"again": (self.space.place["left"], self.space.place["dt"]), "most": MOST}
        end, enter = self.page(self._control, *K, general=True), self.page(self._enter, general=True)
        return self.looped(*calls, end, before=(enter,), after=self.watch(), **options)

    def start(self, y: Floats, mode: Floats, p: Floats, held: Floats | None, dt: float, end: float) -> Floats:
        row = super().start(y, mode, p, held, dt, end)
        begin = dt if self.tolerance is None else 1e-2 * dt
        shares = {f"share{i}": share for i, share in enumerate(GAMMAS)}
        self.space.put(row, suggested=begin, tolerance=self.tolerance or 0.0, **shares)
        return row

    def check(self, row: Floats) -> None:
        if self.tolerance is not None and self.space.at(row, "left")[0] > 0.0:
            t = float(self.space.at(row, "t")[0])
            raise Unsupported(
                f"{MOST} steps did not come beyond {t:g} s", hint="a larger tolerance, a smaller dt, or smaller gains"
            )

    def _enter(self, t: Reals, y: Reals, dt: Reals, suggested: Reals) -> dict[str, Any]:
        h = dt[0] if self.tolerance is None else minimum(suggested[0], dt[0])
        return {"new_t0": t, "new_y0": y, "new_h": h}

    def _linearised(self, t: Reals, y: Reals, mode: Reals, u: Reals) -> dict[str, Any]:
        """Slopes of M qdd + ... - tau and of xdot by y and t (n + k, size + 1), and M.

        Where forces of loops act, which only forward dynamics find, of qdd itself: M is one then.
        """
        plant, n = self.plant, self.plant.n
        c, cd, _ = plant.moving(y)
        reached = plant.rates(t[0], y, mode, u).ydot[n : 2 * n]
        unknown = symbols("qdd", n)
        tau, wrench, xdot, _, _ = plant.pushed(t[0], y, u)
        balance = unknown - reached if plant.has_multipliers else plant.resisting(c, cd, unknown, wrench) - tau
        slopes = jacobian(np.concatenate([balance, xdot]), np.concatenate([y, t]), "forward")
        slopes = substitute(slopes, dict(zip(unknown, reached, strict=True)))
        M = np.eye(n) if plant.has_multipliers else plant.mass(c)
        return {"slopes": slopes.ravel(), "M": M.ravel()}

    def _factors(self, slopes: Reals, M: Reals, h: Reals) -> dict[str, Any]:
        """Factors of the matrix of all stages, from the slopes of the equations of motion."""
        n, k = self.plant.n, self.plant.k
        R, M = slopes.reshape(n + k, 2 * n + k + 1), M.reshape(n, n)
        g = GAMMA * h[0]
        over = 1.0 / g
        rows = [[*(M[i] * over + R[i, n : 2 * n] + g * R[i, :n]), *R[i, 2 * n : -1]] for i in range(n)]
        for i in range(n, n + k):
            own = [(over if i - n == j else 0.0) - R[i, 2 * n + j] for j in range(k)]
            rows.append([*(-(R[i, n : 2 * n] + g * R[i, :n])), *own])
        LU = np.array(factored(rows), dtype=object)
        LU[np.diag_indices(n + k)] = 1.0 / np.diagonal(LU)
        return {"LU": LU.ravel()}

    def _combine(self, i: int, t: Reals, y: Reals, h: Reals, **ks: Reals) -> dict[str, Any]:
        used = list(ks.values())
        ahead = sum((a * k for a, k in zip(A[i], used, strict=True)), start=0.0 * y)
        behind = sum((c * k for c, k in zip(C[i], used, strict=True)), start=0.0 * y)
        return {"ts": t + ALPHA[i] * h, "ys": y + ahead, "cs": behind * (1.0 / h[0])}

    def _solve(
        self, ts: Reals, ys: Reals, mode: Reals, u: Reals, h: Reals, cs: Reals, LU: Reals, M: Reals, slopes: Reals,
        share: Reals,
    ) -> dict[str, Any]:  # fmt: skip
        n, k = self.plant.n, self.plant.k
        f = self.plant.rates(ts[0], ys, mode, u).ydot
        g = GAMMA * h[0]
        r1, r2, r3 = f[:n] + cs[:n], f[n : 2 * n] + cs[n : 2 * n], f[2 * n :] + cs[2 * n :]
        M, R = M.reshape(n, n), slopes.reshape(n + k, 2 * n + k + 1)
        late = share[0] * h[0]
        right = [*(M @ r2 - g * (R[:n, :n] @ r1) - late * R[:n, -1]), *(r3 + g * (R[n:, :n] @ r1) + late * R[n:, -1])]
        found = np.array(substituted(LU.reshape(n + k, n + k), right, over_pivot=mul), dtype=object)
        return {"k": np.concatenate([g * (found[:n] + r1), found])}

    def _control(
        self, t: Reals, y: Reals, dt: Reals, h: Reals, left: Reals, suggested: Reals, tolerance: Reals, **ks: Reals
    ) -> dict[str, Any]:
        y1 = y + sum(w * k for w, k in zip(WEIGHTS, ks.values(), strict=True))
        if self.tolerance is None:
            return {"new_t": t + dt, "new_y": y1}
        error = error_share(ks[K[5]], y, y1, tolerance[0])
        least = less_equal(h[0], 1e-9 * dt[0])  # what cannot be helped is taken as it is
        good = maximum(less_equal(error, 1.0), least)
        factor = 0.9 / sqrt(sqrt(maximum(error, 1e-8)))
        grown = select(less_equal(error, 1e300), h[0] * minimum(maximum(factor, 0.2), 5.0), 0.1 * h[0])
        cut = less_equal(left[0], h[0])
        hint = select(good, select(cut, maximum(suggested[0], grown), grown), grown)
        rest = select(good, select(cut, 0.0, left[0] - h[0]), left[0])
        found = {"new_t": select(good, t[0] + h[0], t[0]), "new_y": select(good, y1, y), "new_left": rest}
        return found | {"new_suggested": hint, "new_h": minimum(maximum(hint, 1e-10 * dt[0]), rest)}
