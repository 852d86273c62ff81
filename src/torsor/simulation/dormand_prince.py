"""Dormand and Prince's method of order 5(4) in machine code: steps chosen to a tolerance, dense output, events located.

Steps go beyond the times that are asked for; states at those come from the interpolant of order four. Where torques
change at every time (a table, a sampled controller) steps end there. Where an element of dry friction stops or breaks
away the step is cut at that moment, found by stepping again, and another begins there.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from torsor.algebra.functions import absolute, equal, less, less_equal, maximum, minimum, select, sqrt
from torsor.emit.native_loop import Call, NativeLoop
from torsor.errors import Unsupported
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats
from torsor.simulation.plant import Plant
from torsor.simulation.stepper import Stepper, error_share

A: tuple[tuple[float, ...], ...] = (
    (),
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
C = (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
ERROR = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
DENSE = (
    -12715105075 / 11282082432, 0.0, 87487479700 / 32700410799, -10690763975 / 1880347072,
    701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423,
)  # fmt: skip
K = tuple(f"k{i}" for i in range(1, 8))
R = tuple(f"r{i}" for i in range(1, 6))
MOST_PASSES = 1_000_000  # in one interval of output
MOST_EVENTS = 100_000  # in a run


class DormandPrince(Stepper):
    many_lanes = False
    known = "closedn"  # as modes: what is kept belongs to the times that are asked for

    def __init__(self, plant: Plant, dt: float, *, tolerance: float) -> None:
        self.tolerance = tolerance
        self.clipped = plant.torque.kind in ("table", "sampled")
        if plant.torque.kind == "sampled" and plant.many:
            raise Unsupported("a sampled law and dry friction are stepped at dt", hint="integrator='rk4'")
        super().__init__(plant, dt)

    @property
    def cells(self) -> dict[str, int]:
        sizes = self.plant.sizes(
            "tn", "h", "ts", "ys", "ahead", "resume", "fresh", "end", "longest", "clip", "hd", "td", "met", "lost",
            "tolerance", "asked", "given", "push", "excess", "back",
        )  # fmt: skip
        sizes |= dict.fromkeys(("e", "moden", "moded"), self.plant.many)  # modes now, and those of the last step
        return sizes | dict.fromkeys(("yn", "kf", *K, *R), self.plant.size) | {self.known: self.plant.guessed}

    def call(self, kernel: Any, **renamed: str) -> Call:
        """Kernels work on the modes of now; those that are kept belong to the times that are asked for."""
        return super().call(kernel, **{"mode": "moden", "shown": "mode", "new_shown": "mode", **renamed})

    def make(self) -> NativeLoop:
        now = (*self.known_at(t="tn", y="yn"), self._rates("tn", "yn", "kf"))
        first = (*now, self.page(self._first, general=True))
        self.trying, self.controlled = (*first, *self._stages()), self.page(self._control, *K, *R, general=True)
        pushes = now if self.plant.many else ()
        look = (*pushes, *self.watch(t="tn", y="yn"), self.page(self._look, general=True))
        return self.looped(
            *self.trying[len(first) :], self.controlled, *look,
            before=(self.page(self._aim, general=True), *first),
            after=(self.page(self._dense, *R, general=True), *self.closings(to="closed")),
            again=(self.space.place["ahead"], -1), most=MOST_PASSES,
        )  # fmt: skip

    def start(self, y: Floats, mode: Floats, p: Floats, held: Floats | None, dt: float, end: float) -> Floats:
        row = super().start(y, mode, p, held, dt, end)
        known = {"tolerance": self.tolerance, "end": end, "longest": 20.0 * self.dt, "clip": float(self.clipped)}
        self.space.put(row, h=min(self.dt, dt), **known)
        return row

    def put(self, row: Floats, y: Floats, mode: Floats) -> None:
        super().put(row, y, mode)
        self.space.put(row, yn=y, tn=self.space.at(row, "t"), fresh=1.0, moden=mode)
        if self.plant.many and self.plant.torque.kind != "table":
            self._settle(row)

    # the loop

    def _aim(self, t: Reals, dt: Reals, tn: Reals, h: Reals, clip: Reals, resume: Reals) -> dict[str, Any]:
        """The next time that is asked for, and how far it is."""
        target = select(resume[0], t[0], t[0] + dt[0])
        ahead = target - tn[0]
        h1 = select(clip[0], minimum(h[0], ahead), h[0])
        return {"new_t": target, "new_ahead": ahead, "new_h": h1, "new_resume": 0.0 * resume}

    def _first(self, kf: Reals, k1: Reals, fresh: Reals, clip: Reals) -> dict[str, Any]:
        """k1 where no step handed it on: at the start, after an event, and where torques have changed."""
        return {"new_k1": select(maximum(fresh[0], clip[0]), kf, k1), "new_fresh": 0.0 * fresh}

    def _rates(self, t: str, y: str, k: str) -> Call:
        """The right-hand side, as ``k``; with friction also what pushes its elements."""
        if self.plant.many:
            return self.call(self.plant.moments, t=t, y=y, ydot=k)

        def rhs(t: Reals, y: Reals, mode: Reals, u: Reals) -> dict[str, Any]:
            return {"ydot": self.plant.rates(t[0], y, mode, u).ydot}

        return self.page(rhs, t=t, y=y, ydot=k)

    def _stages(self) -> tuple[Call, ...]:
        calls: list[Call] = []
        for i in range(1, 7):
            used = [k for a, k in zip(A[i], K, strict=False) if a]
            calls.append(self.page(partial(self._combine, i), *used, name=f"combine{i}", general=True))
            calls += [*self.known_at(t="ts", y="ys"), self._rates("ts", "ys", K[i])]
        return tuple(calls)

    def _combine(self, i: int, tn: Reals, yn: Reals, h: Reals, **ks: Reals) -> dict[str, Any]:
        total = sum(A[i][K.index(name)] * k for name, k in ks.items())
        return {"new_ts": tn + C[i] * h, "new_ys": yn + h[0] * total}

    def _control(
        self, t: Reals, t0: Reals, y0: Reals, tn: Reals, yn: Reals, h: Reals, ys: Reals, longest: Reals, clip: Reals,
        end: Reals, hd: Reals, td: Reals, mode: Reals, moded: Reals, tolerance: Reals, **given: Reals,
    ) -> dict[str, Any]:  # fmt: skip
        """Accepts the step and makes its interpolant, or makes it shorter."""
        ks, rs = [given[name] for name in K], [given[name] for name in R]
        wrong = h[0] * sum(e * k for e, k in zip(ERROR, ks, strict=True) if e)
        error = error_share(wrong, yn, ys, tolerance[0])
        good = less_equal(error, 1.0)  # false for what is no number
        eighth = sqrt(sqrt(sqrt(maximum(error, 1e-12))))
        factor = 0.9 / (eighth * sqrt(eighth))  # the power 3/16, a little less than 1/5
        grown = h[0] * minimum(maximum(factor, 0.2), 5.0)
        grown = select(less(error, 1e300), grown, 0.1 * h[0])
        # at the end of an interval a step may have been cut short: the next begins with what it could have been
        reached = tn[0] + h[0]
        limit = select(clip[0], t[0], end[0])
        arrived = good * less(limit - reached, 1e-9 * h[0])
        now = select(arrived, minimum(limit, reached + 1e-9 * h[0]), reached)
        tn1 = select(good, now, tn[0])
        left = select(clip[0], select(arrived, longest[0], t[0] - tn1), end[0] - tn1)
        least = 1e-14 * maximum(absolute(tn1), 1e-6)
        step = minimum(minimum(maximum(grown, least), longest[0]), maximum(left, least))
        moved = ys - yn
        bent = h[0] * ks[0] - moved
        fresh = [yn, moved, bent, moved - h[0] * ks[6] - bent,
                 h[0] * sum(d * k for d, k in zip(DENSE, ks, strict=True) if d)]  # fmt: skip
        moved_on = {"t0": (tn, t0), "y0": (yn, y0), "yn": (ys, yn), "k1": (ks[6], ks[0]), "hd": (h, hd), "td": (tn, td)}
        moved_on |= dict(zip(R, zip(fresh, rs, strict=True), strict=True)) | {"moded": (mode, moded)}
        outputs = {f"new_{name}": select(good, *either) if either[0].size else [] for name, either in moved_on.items()}
        lost = (1.0 - less(error, 1e300)) * less_equal(h[0], 2.0 * least)  # no number however short the step
        return outputs | {"new_tn": tn1, "new_h": step, "new_ahead": t[0] - tn1, "new_lost": lost}

    def _look(
        self, yn: Reals, mode: Reals, excess: Reals, e: Reals, halt: Reals, ahead: Reals, lost: Reals
    ) -> dict[str, Any]:
        """After a step: did an element stop or break away, or something happen that is watched for?"""
        friction, stop = self._friction(yn, mode, excess), maximum(halt[0], 2.0 * lost[0])
        for before, after in zip(e, friction, strict=True):
            stop = maximum(stop, less_equal(before, 0.0) * less(0.0, after))
        return {"new_e": friction, "new_halt": stop, "new_ahead": select(equal(stop, 0.0), ahead[0], -1.0)}

    def _friction(self, y: Reals, mode: Reals, excess: Reals) -> Reals:
        """Above zero once a sliding element has turned back, or a stuck one is pushed beyond what holds it."""
        n = self.plant.n
        return np.array([select(equal(mode[k], 0.0), excess[k], -mode[k] * y[n + k]) for k in range(self.plant.many)])

    def _dense(
        self, t: Reals, hd: Reals, td: Reals, tn: Reals, mode: Reals, moded: Reals, **rs: Reals
    ) -> dict[str, Any]:
        """The state at the time that is asked for, by the interpolant."""
        r1, r2, r3, r4, r5 = (rs[name] for name in R)
        s = (t[0] - td[0]) / hd[0]
        o = 1.0 - s
        shown = select(less(t[0], tn[0]), moded, mode) if self.plant.many else []
        return {"new_y": r1 + s * (r2 + o * (r3 + s * (r4 + o * r5))), "new_shown": shown}

    # in Python: what happens at events

    def advance(self, row: Floats, rows: int, given: Floats | None, inner: int) -> Floats:
        at, found, done, rows = self.space.at, [], 0, rows * inner
        jumps = self.clipped and self.plant.many  # torques that jump may start or stop elements at once
        while done < rows:
            piece = 1 if jumps else rows - done
            rest = None if given is None else given[done : done + piece]
            if jumps and rest is not None:
                at(row, "u")[: self.plant.m] = rest[0]
                self._settle(row)
            found.append(self.loop.run(row, piece, given=rest))
            done += len(found[-1])
            if at(row, "halt")[0] == 0.0:
                if at(row, "ahead")[0] > 0.0:
                    t = float(at(row, "tn")[0])
                    raise Unsupported(f"{MOST_PASSES} steps did not come beyond {t:g} s", hint="a larger tolerance")
                continue
            if at(row, "halt")[0] > 1.5 or not self._stuck_or_started(row):
                break
        self.space.put(row, steps=done)
        return np.concatenate(found)[inner - 1 :: inner]

    def bracket(self, row: Floats) -> tuple[float, Floats, float, Floats]:
        at = self.space.at
        first = ("tn", "yn", "tn", "ys") if at(row, "lost")[0] else ("t0", "y0", "tn", "yn")
        t0, y0, t1, y1 = (at(row, name).copy() for name in first)
        return float(t0[0]), y0, float(t1[0]), y1

    def jumped(self, row: Floats) -> None:
        """Goes back from where the last step ended to the time that was asked for."""
        at = self.space.at
        self.put(row, at(row, "y").copy(), at(row, "mode").copy())

    def resume(self, row: Floats) -> None:
        self.space.put(row, halt=0.0, resume=1.0)

    def retaken(self, row: Floats, h: float) -> tuple[float, Floats, Floats]:
        again, at = row.copy(), self.space.at
        self._try(again, h)
        return float(at(row, "t0")[0]) + h, at(again, "ys").copy(), at(row, "moden").copy()

    def _try(self, row: Floats, h: float) -> None:
        """The stages of a step of ``h`` from where the last one began."""
        self.space.put(row, tn=self.space.at(row, "t0"), yn=self.space.at(row, "y0"), h=h, fresh=1.0)
        self.once(row, *self.trying)

    def _stuck_or_started(self, row: Floats) -> bool:
        """Goes to the first moment at which an element stopped or broke away; False where another thing happened."""
        at, many, n = self.space.at, self.plant.many, self.plant.n
        if not many:
            return False
        t0, y0, t1, y1 = self.bracket(row)
        mode = at(row, "moden").copy()

        def pushed(t: float, y: Floats) -> Floats:
            return self._outputs(t, y, mode, row)[0]

        ends = pushed(t0, y0), pushed(t1, y1)
        passed = np.flatnonzero((ends[0] <= 0.0) & (ends[1] > 0.0)).tolist()
        moments = [(self.located(row, pushed, k, ends, t1 - t0), k) for k in passed]
        if not moments:
            return False
        h, _ = min(moments)
        t, y, _ = self.retaken(row, h)
        if self.plant.watch.passed(self.numbers(row, t0, y0), self.numbers(row, t, y)):
            return False  # that comes first
        at(row, "met")[:] += 1.0
        if at(row, "met")[0] > MOST_EVENTS:
            raise Unsupported(f"more than {MOST_EVENTS} events by {t1:g} s", hint="friction chatters here")
        step, tolerance = float(at(row, "h")[0]), at(row, "tolerance").copy()
        self._try(row, h)
        self.space.put(row, tolerance=1e300)  # whatever its error: it is part of a step that was good enough
        self.once(row, self.controlled)
        y = at(row, "yn")
        for moment, which in moments:
            if moment <= h * (1.0 + 1e-12):
                if mode[which]:
                    y[n + which], at(row, "moden")[which] = 0.0, 0.0
                else:
                    at(row, "moden")[which] = np.sign(self._outputs(t0 + h, y, mode, row)[1][which])
        step = max(min(step, float(at(row, "longest")[0])), 1e-12)
        self.space.put(row, tolerance=tolerance, h=step, halt=0.0, resume=1.0, fresh=1.0)
        self._settle(row)
        return True

    def _outputs(self, t: float, y: Floats, mode: Floats, row: Floats) -> tuple[Floats, ...]:
        """Friction values, pushes, excesses and turning back."""
        u = self.space.at(row, "u").copy() if self.law is None else self.law.general(np.array([t]), y)
        more = self.more(row, y)
        _, _, _, push, excess, back = self.plant.moments.general(np.array([t]), y, mode, u, *more)
        return np.asarray(self._friction(y, mode, excess), dtype=np.float64), push, excess, back

    def _settle(self, row: Floats) -> None:
        """Modes that agree: the most pushed element breaks away first, one that would be turned back sticks."""
        at, many, n = self.space.at, self.plant.many, self.plant.n
        t, y, mode = float(at(row, "tn")[0]), at(row, "yn").copy(), at(row, "moden")
        for _ in range(2 * many + 2):
            _, push, excess, back = self._outputs(t, y, mode.copy(), row)
            if excess.max() > 0.0:
                k = int(np.argmax(excess))
                mode[k] = push[k]
                continue
            turned = (y[n : n + many] == 0.0) & (back > 0.0)
            if not turned.any():
                break
            mode[turned] = 0.0
        at(row, "e")[:] = self._outputs(t, y, mode.copy(), row)[0]
