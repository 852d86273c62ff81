"""Stepping by a fixed step in machine code: Runge-Kutta of fourth order, events located inside the step.

A step is made of passes. A pass asks which stuck elements break away (the most pushed first, until all agree) and tries
the rest of the step. If a sliding element would turn back, the pass goes only as far as its rate vanishes, where it
sticks, exactly; if a stuck one would break away, as far as that. The next pass goes on from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.algebra.functions import equal, less, maximum, minimum, select, sqrt
from torsor.drives.friction import stacked
from torsor.errors import Unsupported
from torsor.model.transforms import Floats
from torsor.simulation.system import System

LEAST = 1e-3  # of a step: no event is located closer to where the pass began, so that passes always end
MOST = 10_000  # passes in a step
STAGES = ((0.5, 1 / 6, 0.0), (0.5, 1 / 3, 0.5), (1.0, 1 / 3, 0.5), (0.0, 1 / 6, 1.0))  # next point, weight, time


class FixedStep:
    """The loop of a system; its workspace holds all that passes remember."""

    def __init__(self, system: System, dt: float) -> None:
        from torsor.emit.native_loop import Call, NativeLoop

        self.system = system
        n, m, many = system.n, system.m, max(system.many, 1)
        sizes = {"z": n, "zd": n, "mode": many, "t": 1}
        sizes |= {
            "u": m,
            "left": 1,
            "dt": 1,
            "h": 1,
            "aim": 1,
            "tries": 1,
            "skip": 1,
            "ends": many,
            "over": many,
            "over1": many,
        }
        sizes |= {"zdd0": n, "zs": n, "zds": n, "zsum": n, "zdsum": n}
        sizes |= {f"stage{k}": 3 for k in range(4)}
        starts = np.cumsum([0, *sizes.values()]).tolist()
        self.place = dict(zip(sizes, starts, strict=False))
        self.workspace = np.zeros(starts[-1])
        self.put("dt", [dt])
        for k, stage in enumerate(STAGES):
            self.put(f"stage{k}", stage)
        begin, stage, probe, end = self._begin(), self._stage(), self._probe(), self._end()

        def call(kernel: Any, **renamed: str) -> Call:
            names = [a.name for a in (*kernel.tape.inputs, *kernel.tape.outputs)]
            return Call(kernel, tuple(self.place[renamed.get(name, name.removeprefix("new_"))] for name in names))

        stages = [call(stage, coefficients=f"stage{k}") for k in range(4)]
        self.loop = NativeLoop(
            (call(begin), *stages, call(probe), call(end)),
            given=(self.place["u"], m if system.law is None else 0),
            kept=(0, self.place["u"]),
            again=(self.place["left"], self.place["dt"]),
            most=MOST,
        )

    def put(self, name: str, values: Any) -> None:
        start = self.place[name]
        self.workspace[start : start + len(values)] = values

    def run(
        self, z: Floats, zd: Floats, mode: Floats, rows: int, inner: int, held: Floats | None
    ) -> tuple[Floats, Floats, Floats]:
        """z, zd and modes after each row of ``inner`` steps."""
        for name, values in (("z", z), ("zd", zd), ("mode", mode)):
            self.put(name, values)
        given = held if self.system.law is None else None
        kept = self.loop.run(self.workspace, rows, given=given, inner=inner)
        n, many = self.system.n, self.system.many
        expected, reached = rows * inner * self.workspace[self.place["dt"]], self.workspace[self.place["t"]]
        if abs(reached - expected) > 1e-6 * expected:
            raise Unsupported("friction chatters: a step did not end", hint='try a smaller dt, or method="adaptive"')
        return kept[:, :n], kept[:, n : 2 * n], kept[:, 2 * n : 2 * n + many]

    def _sizes(self, *names: str) -> dict[str, int]:
        system = self.system
        known = dict.fromkeys(("mode", "ends", "over", "over1"), system.many) | {"u": system.m, "coefficients": 3}
        known |= dict.fromkeys(("t", "left", "dt", "h", "aim", "tries", "skip"), 1)
        return {name: known.get(name, system.n) for name in names}

    def _begin(self) -> Any:
        """Which elements break away or stay; where this pass aims."""
        system, many = self.system, self.system.many

        def page(t: Any, z: Any, zd: Any, mode: Any, u: Any, left: Any, aim: Any, tries: Any) -> dict[str, Any]:
            now = system.moment(t[0], z, zd, mode, u)
            worst: Any = 0.0
            for k in range(many):
                worst = maximum(worst, now.excess[k])
            modes, changes = [], 0.0
            for k in range(many):
                breaks = less(0.0, now.excess[k]) * equal(now.excess[k], worst)
                back = equal(zd[k], 0.0) * less(0.0, now.back[k]) * (1.0 - less(0.0, worst))
                modes.append(select(breaks, now.push[k], select(back, 0.0, mode[k])))
                changes = changes + breaks + back
            skip = less(0.0, changes) * less(tries[0], 2.0 * many + 2.0) if many else 0.0
            return {
                "new_mode": stacked(modes) if many else [],
                "new_skip": np.array([skip]),
                "new_tries": np.array([select(skip, tries[0] + 1.0, tries[0])]) if many else tries,
                "new_h": np.array([select(less(0.0, aim[0]), aim[0], left[0])]),
                "new_over": now.excess,
                "new_zdd0": now.zdd,
                "new_zs": z,
                "new_zds": zd,
                "new_zsum": z,
                "new_zdsum": zd,
            }

        return system.kernel("begin", self._sizes("t", "z", "zd", "mode", "u", "left", "aim", "tries"), page)

    def _stage(self) -> Any:
        system = self.system

        def page(
            t: Any,
            z: Any,
            zd: Any,
            mode: Any,
            u: Any,
            h: Any,
            zs: Any,
            zds: Any,
            zsum: Any,
            zdsum: Any,
            coefficients: Any,
        ) -> dict[str, Any]:
            ahead, weight, time = coefficients
            zdd = system.moment(t[0] + time * h[0], zs, zds, mode, u).zdd
            return {
                "new_zs": z + ahead * h[0] * zds,
                "new_zds": zd + ahead * h[0] * zdd,
                "new_zsum": zsum + weight * h[0] * zds,
                "new_zdsum": zdsum + weight * h[0] * zdd,
            }

        names = ("t", "z", "zd", "mode", "u", "h", "zs", "zds", "zsum", "zdsum", "coefficients")
        return system.kernel("stage", self._sizes(*names), page)

    def _probe(self) -> Any:
        """How far stuck elements are pushed at the end of the pass."""
        system = self.system

        def page(t: Any, mode: Any, u: Any, h: Any, zsum: Any, zdsum: Any) -> dict[str, Any]:
            return {"new_over1": system.moment(t[0] + h[0], zsum, zdsum, mode, u).excess}

        return system.kernel("probe", self._sizes("t", "mode", "u", "h", "zsum", "zdsum"), page)

    def _end(self) -> Any:
        """Accepts the pass, or aims at the first element that would turn back or break away."""
        system, many = self.system, self.system.many

        def page(
            t: Any, z: Any, zd: Any, mode: Any, left: Any, dt: Any, h: Any, aim: Any, tries: Any, skip: Any, ends: Any,
            over: Any, over1: Any, zdd0: Any, zsum: Any, zdsum: Any,
        ) -> dict[str, Any]:  # fmt: skip
            aimed = less(0.0, aim[0])
            shares = [
                select(
                    equal(mode[k], 0.0),
                    _breaking(over[k], over1[k]),
                    _turning(mode[k] * zd[k], mode[k] * zdd0[k] * h[0], mode[k] * zdsum[k]),
                )
                for k in range(many)
            ]
            first: Any = 2.0
            for share in shares:
                first = minimum(first, share)
            turning = less(first, 1.5)
            refused = maximum(skip[0], turning * (1.0 - aimed)) if many else 0.0
            z1, zd1, mode1, ends1 = [], [], list(mode), list(ends)
            for i in range(system.n):
                rate = zdsum[i]
                if i < many:
                    # it ends here if it was aimed at, or if it turned back after all
                    stops = maximum(aimed * ends[i], less(shares[i], 1.5)) * (1.0 - refused)
                    rate = select(stops, 0.0, rate)
                    mode1[i] = select(stops, 0.0, mode[i])
                    chosen = less(shares[i], 1.5) * less(shares[i], first * (1.0 + 1e-9) + 1e-12)
                    ends1[i] = select(refused, select(skip[0], ends[i], chosen), 0.0)
                z1.append(select(refused, z[i], zsum[i]))
                zd1.append(select(refused, zd[i], rate))
            gone = select(refused, 0.0, h[0])
            # steps in full end exactly; what is left of one that was cut goes on
            rest = select(refused, left[0], select(aimed, maximum(left[0] - h[0], 0.0), 0.0))
            rest = select(less(rest, 1e-9 * dt[0]), 0.0, rest)
            target = minimum(maximum(first * h[0], LEAST * dt[0]), h[0])
            return {
                "new_z": stacked(z1),
                "new_zd": stacked(zd1),
                "new_mode": mode1,
                "new_t": np.array([t[0] + gone]),
                "new_left": np.array([rest]),
                "new_aim": np.array([select(skip[0], aim[0], select(refused, target, 0.0))]),
                "new_tries": np.array([select(skip[0], tries[0], select(refused, tries[0], 0.0))]),
                "new_ends": ends1,
            }

        names = ("t", "z", "zd", "mode", "left", "dt", "h", "aim", "tries", "skip", "ends", "over", "over1")
        return system.kernel("end", self._sizes(*names, "zdd0", "zsum", "zdsum"), page)


def _turning(v0: Any, gain: Any, v1: Any) -> Any:
    """Share of a pass after which a rate vanishes, by the parabola with its start, slope and end; 2 where it does not.

    Rates are along the direction of sliding: v0 is zero or more, v1 below zero when it turns back.
    """
    bend = v1 - v0 - gain
    root = sqrt(maximum(gain * gain - 4.0 * bend * v0, 0.0))
    found = 2.0 * v0 / maximum(root - gain, 1e-300)
    return select(less(v1, 0.0), minimum(found, 1.0), 2.0)


def _breaking(over: Any, over1: Any) -> Any:
    """Share of a pass after which a push exceeds what friction holds, by the secant; 2 where it does not."""
    found = over / minimum(over - over1, -1e-300)
    return select(less(0.0, over1), minimum(maximum(found, 0.0), 1.0), 2.0)
