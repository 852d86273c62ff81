"""Stepping by a fixed step with friction that sticks: Runge-Kutta of fourth order, events located inside the step.

A step is made of passes. A pass asks which stuck elements break away (the most pushed first, until all agree) and tries
the rest of the step. If a sliding element would turn back, the pass goes only as far as its rate vanishes, where it
sticks, exactly; if a stuck one would break away, as far as that. The next pass goes on from there.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from torsor.algebra.functions import equal, less, maximum, minimum, select, sqrt
from torsor.drives.friction import stacked
from torsor.emit.native_loop import NativeLoop
from torsor.errors import Unsupported
from torsor.mechanics.tree import Real, Reals
from torsor.model.transforms import Floats
from torsor.simulation.stepper import Staged

LEAST = 1e-3  # of a step: no event is located closer to where the pass began, so that passes always end
MOST = 10_000  # passes in a step


class Sticking(Staged):
    """The loop of passes; its workspace holds all that they remember."""

    many_lanes = False

    @property
    def cells(self) -> dict[str, int]:
        n, many = self.plant.n, self.plant.many
        sizes = super().cells | self.plant.sizes("left", "h", "aim", "tries", "skip")
        sizes |= {"ends": many, "over": many, "over1": many, "zdd0": n}
        return sizes | self.plant.sizes("ydot", "asked", "given", "push", "excess", "back")

    def make(self) -> NativeLoop:
        moments = self.plant.moments
        calls = [*self.known_at(), self.call(moments), self.page(self._begin, general=True)]
        for k in range(4):
            calls += [*self.known_at(t="ts", y="ys"), self.call(moments, t="ts", y="ys")]
            calls.append(self.page(self._stage, general=True, coefficients=f"stage{k}"))
        # how far stuck elements are pushed at the end of the pass
        calls += [*self.known_at(t="ts", y="ysum"), self.call(moments, t="ts", y="ysum", excess="over1")]
        calls.append(self.page(self._end, general=True))
        again, before = (self.space.place["left"], self.space.place["dt"]), (self.page(self._remember, general=True),)
        return self.looped(*calls, before=before, after=self.watch(), again=again, most=MOST)

    def check(self, row: Floats) -> None:
        if self.space.at(row, "left")[0] > 0.0:
            t = float(self.space.at(row, "t")[0])
            raise Unsupported(f"a step at {t:g} s found no end in {MOST} passes", hint="choose a smaller dt")

    def _remember(self, t: Reals, y: Reals, mode: Reals) -> dict[str, Any]:
        return {"new_t0": t, "new_y0": y, "new_mode0": mode}

    def _begin(
        self, t: Reals, y: Reals, mode: Reals, left: Reals, aim: Reals, tries: Reals, ydot: Reals, push: Reals,
        excess: Reals, back: Reals,
    ) -> dict[str, Any]:  # fmt: skip
        """Which elements break away or stay; where this pass aims."""
        many, n = self.plant.many, self.plant.n
        worst: Real = reduce(maximum, excess, 0.0)
        modes, changes = [], 0.0
        for k in range(many):
            breaks = less(0.0, excess[k]) * equal(excess[k], worst)
            turned = equal(y[n + k], 0.0) * less(0.0, back[k]) * (1.0 - less(0.0, worst))
            modes.append(select(breaks, push[k], select(turned, 0.0, mode[k])))
            changes = changes + breaks + turned
        skip = less(0.0, changes) * less(tries[0], 2.0 * many + 2.0)
        length, again = select(less(0.0, aim[0]), aim[0], left[0]), select(skip, tries[0] + 1.0, tries[0])
        found = {"new_mode": stacked(modes), "new_skip": skip, "new_tries": again, "new_h": length, "new_over": excess}
        return found | {"new_zdd0": ydot[n : 2 * n], "new_ts": t, "new_ys": y, "new_ysum": y}

    def _stage(self, t: Reals, y: Reals, h: Reals, ysum: Reals, ydot: Reals, coefficients: Reals) -> dict[str, Any]:
        return self.ahead(t, y, ysum, ydot, h[0], coefficients)

    def _end(
        self, t: Reals, y: Reals, mode: Reals, left: Reals, dt: Reals, h: Reals, aim: Reals, tries: Reals, skip: Reals,
        ends: Reals, over: Reals, over1: Reals, zdd0: Reals, ysum: Reals,
    ) -> dict[str, Any]:  # fmt: skip
        """Accepts the pass, or aims at the first element that would turn back or break away."""
        many, n = self.plant.many, self.plant.n
        zd, zdsum = y[n:], ysum[n:]
        aimed, shares = less(0.0, aim[0]), []
        for k in range(many):
            turning = _turning(mode[k] * zd[k], mode[k] * zdd0[k] * h[0], mode[k] * zdsum[k])
            shares.append(select(equal(mode[k], 0.0), _breaking(over[k], over1[k]), turning))
        first: Real = reduce(minimum, shares, 2.0)
        refused = maximum(skip[0], less(first, 1.5) * (1.0 - aimed))
        y1, mode1, ends1 = list(select(refused, y, ysum)), list(mode), list(ends)
        for k, share in enumerate(shares):
            # it ends here if it was aimed at, or if it turned back after all
            stops = maximum(aimed * ends[k], less(share, 1.5)) * (1.0 - refused)
            y1[n + k] = select(refused, zd[k], select(stops, 0.0, zdsum[k]))
            mode1[k] = select(stops, 0.0, mode[k])
            chosen = less(share, 1.5) * less(share, first * (1.0 + 1e-9) + 1e-12)
            ends1[k] = select(refused, select(skip[0], ends[k], chosen), 0.0)
        gone = select(refused, 0.0, h[0])
        # steps in full end exactly; what is left of one that was cut goes on
        rest = select(refused, left[0], select(aimed, maximum(left[0] - h[0], 0.0), 0.0))
        rest = select(less(rest, 1e-9 * dt[0]), 0.0, rest)
        target = minimum(maximum(first * h[0], LEAST * dt[0]), h[0])
        kept = (aim[0], target), (tries[0], tries[0])
        aim1, tries1 = (select(skip[0], old, select(refused, new, 0.0)) for old, new in kept)
        found = {"new_y": stacked(y1), "new_mode": mode1, "new_ends": ends1, "new_t": t[0] + gone, "new_left": rest}
        return found | {"new_aim": aim1, "new_tries": tries1}


def _turning(v0: Real, gain: Real, v1: Real) -> Real:
    """Share of a pass after which a rate vanishes, by the parabola with its start, slope and end; 2 where it does not.

    Rates are along the direction of sliding: v0 is zero or more, v1 below zero when it turns back.
    """
    bend = v1 - v0 - gain
    root = sqrt(maximum(gain * gain - 4.0 * bend * v0, 0.0))
    found = 2.0 * v0 / maximum(root - gain, 1e-300)
    return select(less(v1, 0.0), minimum(found, 1.0), 2.0)


def _breaking(over: Real, over1: Real) -> Real:
    """Share of a pass after which a push exceeds what friction holds, by the secant; 2 where it does not."""
    found = over / minimum(over - over1, -1e-300)
    return select(less(0.0, over1), minimum(maximum(found, 0.0), 1.0), 2.0)
