"""Stepping by an adaptive method of high order between events, each located: an element sticks, or breaks away."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from torsor.errors import Unsupported
from torsor.model.transforms import Floats
from torsor.simulation.system import System

MOST_EVENTS = 100_000


def adaptive(
    system: System, y: tuple[Floats, Floats, Floats], times: Floats, held: Callable[[int], Floats], tolerance: float
) -> tuple[Floats, Floats, Floats]:
    """z, zd and modes at the times, (len(times), ...); torques are held between them where there is no law."""
    z, zd, mode = (np.array(part) for part in y)
    found: list[tuple[Floats, Floats, Floats]] = [(z.copy(), zd.copy(), mode.copy())]
    stepper = _Stepper(system, tolerance)
    whole = system.law is not None  # smooth torques need no stop at every time
    stops = [(times[0], times[1:])] if whole else [(a, np.array([b])) for a, b in pairwise(times)]
    for k, (start, wanted) in enumerate(stops):
        found += stepper.go(float(start), (z, zd, mode), wanted, held(k))
        z, zd, mode = found[-1]
    return tuple(np.array(part) for part in zip(*found, strict=True))  # type: ignore[return-value]


class _Stepper:
    def __init__(self, system: System, tolerance: float) -> None:
        n, m, many = system.n, system.m, system.many
        sizes = {"t": 1, "z": n, "zd": n, "mode": many, "u": m}
        self.system, self.n, self.many, self.tolerance = system, n, many, tolerance
        self.events = 0
        self.kernel = system.kernel(
            "moment", sizes, lambda t, z, zd, mode, u: vars(system.moment(t[0], z, zd, mode, u))
        )

    def moment(self, t: float, z: Floats, zd: Floats, mode: Floats, u: Floats) -> tuple[Floats, ...]:
        cell = mode if self.many else np.zeros(1)
        zdd, *others = self.kernel(np.array([t]), z, zd, cell, u)
        return zdd, *(other[: self.many] for other in others)

    def settle(self, t: float, z: Floats, zd: Floats, mode: Floats, u: Floats) -> Floats:
        """Modes that agree: the most pushed element breaks away first, one that would be turned back sticks."""
        for _ in range(2 * self.many + 2):
            _, push, excess, turning = self.moment(t, z, zd, mode, u)
            if self.many and excess.max() > 0.0:
                k = int(np.argmax(excess))
                mode[k] = push[k]
                continue
            back = (zd[: self.many] == 0.0) & (turning > 0.0)
            if not back.any():
                break
            mode[back] = 0.0
        return mode

    def go(
        self, t: float, state: tuple[Floats, Floats, Floats], wanted: Floats, u: Floats
    ) -> list[tuple[Floats, Floats, Floats]]:
        from scipy.integrate import solve_ivp

        z, zd, mode = (part.copy() for part in state)
        n, found = self.n, []
        end, next_wanted = float(wanted[-1]), 0
        while next_wanted < len(wanted):
            mode = self.settle(t, z, zd, mode, u)
            now, events = mode.copy(), self._events(mode, u)
            run = solve_ivp(
                lambda t, y, now=now: np.concatenate([y[n:], self.moment(t, y[:n], y[n:], now, u)[0]]),
                (t, end),
                np.concatenate([z, zd]),
                method="DOP853",
                rtol=self.tolerance,
                atol=1e-3 * self.tolerance,
                events=events,
                dense_output=True,
                max_step=(end - t) or 1.0,
            )
            if run.status == -1:
                raise Unsupported(f"the motion cannot be followed beyond {run.t[-1]:g} s", hint=run.message)
            stop = float(run.t[-1])
            while next_wanted < len(wanted) and wanted[next_wanted] <= stop:
                y = run.sol(wanted[next_wanted]) if wanted[next_wanted] < stop else run.y[:, -1]
                found.append((*_exact(y, z, zd, now, n), now.copy()))
                next_wanted += 1
            z, zd = _exact(run.y[:, -1], z, zd, now, n)
            t = stop
            if run.status == 1:
                self.events += 1
                if self.events > MOST_EVENTS:
                    raise Unsupported(f"more than {MOST_EVENTS} events by {t:g} s", hint="friction chatters here")
                mode = self._after(t, z, zd, mode, u, [len(each) > 0 for each in run.t_events])
        return found

    def _events(self, mode: Floats, u: Floats) -> list[Any]:
        n = self.n

        def sticking(k: int) -> Any:
            def event(t: float, y: Floats) -> float:
                return float(y[n + k])

            event.terminal, event.direction = True, -float(mode[k])  # type: ignore[attr-defined]
            return event

        def breaking(k: int) -> Any:
            def event(t: float, y: Floats) -> float:
                return float(self.moment(t, y[:n], y[n:], mode, u)[2][k])

            event.terminal, event.direction = True, 1.0  # type: ignore[attr-defined]
            return event

        return [sticking(k) if mode[k] else breaking(k) for k in range(self.many)]

    def _after(self, t: float, z: Floats, zd: Floats, mode: Floats, u: Floats, happened: list[bool]) -> Floats:
        push = self.moment(t, z, zd, mode, u)[1]
        for k, did in enumerate(happened):
            if did and mode[k]:
                zd[k], mode[k] = 0.0, 0.0
            elif did:
                mode[k] = push[k]
        return mode


def _exact(y: Floats, z: Floats, zd: Floats, mode: Floats, n: int) -> tuple[Floats, Floats]:
    """The state with stuck coordinates as they were, to the last bit."""
    z1, zd1 = y[:n].copy(), y[n:].copy()
    stuck = np.flatnonzero(mode == 0.0)
    z1[stuck], zd1[stuck] = z[stuck], 0.0
    return z1, zd1
