"""As fast as the motors allow: the time-optimal timing of a given path.

Backward and forward passes over a grid (`grid_passes.py`) under all limits of the arm (`path_limits.py`). Then the
exact model is asked between the grid points. Where it finds a limit exceeded (by the square of the grid's width, as a
rule), that limit is drawn in by as much in that interval and the passes are repeated; intervals where this does not end
are halved. What is returned has been verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.errors import ShapeError, TorsorError
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm
from torsor.motion.curves import JointPath
from torsor.motion.narrowing import edge
from torsor.motion.optimal.grid import SHARES, Grid, grid_of, reversals, tangent_jumps
from torsor.motion.optimal.grid_passes import Layout, Profile
from torsor.motion.optimal.path_limits import PathLimits, ToolBound, limits_of
from torsor.motion.optimal.profile import Timed

WITHIN = 1e-7  # share above a limit that is let be; ten times less than what is promised
ROUNDS, HALVINGS = 8, 4
DETOURS, BELOW = 400, 0.995  # how often a pass that finds no way on is tried again; share of x that it goes below
UNLIMITED = 1e24  # of sd^2: faster than anything moves


class Infeasible(TorsorError):
    """The arm cannot go along this path. ``s`` says where on it, ``limit`` what forbids it."""

    def __init__(self, problem: str, s: float, limit: str, *, hint: str) -> None:
        super().__init__(problem, hint=hint)
        self.s, self.limit = s, limit


def time_optimal(
    arm: AnyArm,
    path: JointPath,
    *,
    drives: bool | None = None,
    start_speed: float = 0.0,
    end_speed: float | None = 0.0,
    speed: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    tool: Sequence[ToolBound] = (),
    wrench: ArrayLike | None = None,
    gravity: ArrayLike | None = None,
    points: int = 500,
    breaks: Sequence[float] = (),
) -> Timed:
    """The fastest motion along a path q(s): min T over s(t), with all limits of joints, motors and tool held.

    Limits are those of the arm: speeds, accelerations and torques of its joints; speeds, torques, torque-speed curves
    and voltages of its motors, with rotors, couplings and all friction (``drives=False`` leaves the motors out; without
    a word they are in if the arm has any). ``speed`` and ``acceleration`` (n,) stand in for those of the joints,
    infinite for none. ``tool`` bounds the tool on pieces of the path. ``start_speed`` and ``end_speed`` are ds/dt;
    an ``end_speed`` of None is free.

    ``points`` is the size of the grid before refinement; ``breaks`` are parameters at which q'' or a higher derivative
    jumps, if the path has any. At corners, where q' jumps, the motion stops. Jerk is not limited.

    An arm that cannot be held somewhere on the path, or cannot have these speeds at its ends, raises `Infeasible`.

    >>> import numpy as np, torsor
    >>> from torsor.motion.curves import Along
    >>> class Straight:
    ...     length = 1.0
    ...     def at(self, s):
    ...         none = np.zeros((len(s), 2))
    ...         return Along(s[:, None] * [1.0, 0.5], none + [1.0, 0.5], none, none)
    >>> timed = time_optimal(torsor.load("planar2"), Straight(), speed=1.0, acceleration=4.0)
    >>> round(timed.duration, 4)  # 1 rad at 1 rad/s and 4 rad/s^2: 1 + 1/4 s
    1.25
    """
    limits = limits_of(
        arm, drives=drives, wrench=wrench, gravity=gravity, speed=speed, acceleration=acceleration, tool=tool
    )
    if not (path.length > 0.0 and points >= 2):
        raise ShapeError(f"a path of length {path.length} on {points} points", hint="both must be more than nothing")
    if not (start_speed >= 0.0 and (end_speed is None or end_speed >= 0.0)):
        raise ShapeError("a speed at the ends is negative", hint="paths are gone forward; turn the path round")
    search = _Search(limits, path, float(start_speed) ** 2, None if end_speed is None else float(end_speed) ** 2)
    even = np.linspace(0.0, path.length, points + 1)
    corner = tangent_jumps(path, even)
    jumps = {*breaks, *corner, *(b for bound in tool for b in (bound.start, bound.end))}
    inside = sorted(float(s) for s in jumps if 0.0 < s < path.length)
    at_rest = [*corner, *([0.0] if start_speed == 0.0 else []), *([path.length] if end_speed == 0.0 else [])]
    grid = grid_of(even, [*inside, *reversals(limits, path, even)], at_rest)
    for _ in range(HALVINGS):
        found, worst, troubled = search.on(Grid.of(path, grid, inside, corner))
        if worst <= WITHIN:
            return found
        middles = 0.5 * (grid[:-1] + grid[1:])
        grid = np.sort(np.concatenate([grid, middles[troubled]]))
    return search.shrunk(found, Grid.of(path, found.s, inside, corner))


@dataclass(frozen=True, eq=False)
class _Search:
    limits: PathLimits
    path: JointPath
    start: float  # sd^2 at the ends
    end: float | None  # None is free

    def on(self, grid: Grid) -> tuple[Timed, float, NDArray[np.bool_]]:
        """The motion on a grid, the greatest share above a limit, and the intervals that have too much of it."""
        layout = Layout(self.limits)
        rows, cap = self._rows(layout, grid)
        peaks = np.array([row.peak for row in self.limits.torque_rows])
        drawn, drawn_q = np.zeros((len(rows), len(peaks))), np.zeros((len(rows), len(self.limits.accelerated)))
        kinds = np.cumsum([len(names) for names in self.limits.names])[:3]
        best: tuple[Timed, float, NDArray[np.bool_]] | None = None
        for _ in range(ROUNDS):
            x = self._profile(layout, rows.copy(), cap, drawn, drawn_q, grid.s)
            share = self._uses(grid, x)
            above = np.maximum(_tops(share) - 1.0, 0.0)  # (intervals, limits)
            worst = float(above.max(initial=0.0))
            if best is None or worst < best[1]:
                best = self._timed(grid, x, share), worst, above.max(axis=1, initial=0.0) > WITHIN
            if worst <= WITHIN:
                break
            extra = _beside(np.where(above > 0.3 * WITHIN, 1.2 * above + 0.3 * WITHIN, 0.0))
            speeds, torques, joints, ball = np.split(extra, kinds, axis=1)
            drawn += torques * peaks
            drawn_q += joints
            cap = self._drawn_in(cap, speeds.max(axis=1, initial=0.0))
            if ball.size:
                for field in layout.ends(rows.T):
                    field["tool"][3] *= (1.0 - ball[:, 0]) ** 2
        assert best is not None
        return best

    def shrunk(self, found: Timed, grid: Grid) -> Timed:
        """The last resort: the whole motion slower by as little as the exact model asks for."""

        def slower(rate: float) -> Profile:
            return Profile(found.x * rate**2, found.first * rate**2, found.last * rate**2)

        def holds(rate: float) -> bool:
            return float(_tops(self._uses(grid, slower(rate))).max()) - 1.0 <= WITHIN

        low = edge(0.0, 1.0, holds, halvings=40)
        if low == 0.0:
            raise Infeasible("no timing of this path holds all limits", 0.0, "", hint="look at the limits of the arm")
        return replace(self._timed(grid, slower(low), self._uses(grid, slower(low))), slowed=1.0 / low)

    def _rows(self, layout: Layout, grid: Grid) -> tuple[Floats, Floats]:
        """What the passes need of every interval, and the cap of x at every grid point."""
        limits, count, joints = self.limits, len(grid.s) - 1, self.limits.accelerated
        at_ends, places = grid.pick(grid.ends), grid.places[grid.ends.ravel()]
        rest = grid.corner.copy()
        rest[0], rest[-1] = self.start == 0.0, self.end == 0.0
        found, *held = limits.coefficients(at_ends, np.stack([rest[:-1], rest[1:]], axis=-1).ravel())
        self._require_held(np.maximum(held[0], -held[1]), places)
        found |= {"qA": at_ends.dq[:, joints], "qB": at_ends.ddq[:, joints]}
        found["most"] = np.broadcast_to(limits.acceleration[joints], found["qA"].shape)
        if limits.bounds_tool_acceleration:
            p, r, most = limits.tool_acceleration(places, at_ends)
            most = np.minimum(most, 1e12)
            found["tool"] = np.stack([(p * p).sum(-1), (p * r).sum(-1), (r * r).sum(-1), most**2], axis=-1)
        filled = np.zeros((count, layout.size))
        filled[:, 0] = 2.0 * np.diff(grid.s)
        filled[:, 3:] = np.concatenate(list(found.values()), axis=-1).reshape(count, -1)
        caps = limits.speeds(places, at_ends)
        at_end = caps.min(axis=1, initial=np.inf).reshape(count, 2)
        cap = np.minimum(np.append(at_end[:, 0], np.inf), np.insert(at_end[:, 1], 0, np.inf))
        cap[grid.corner] = 0.0
        for word, at, s, speed in (("begin", caps[0], grid.s[0], self.start), ("end", caps[-1], grid.s[-1], self.end)):
            if speed is not None and speed > at.min(initial=np.inf):
                limit = limits.names[0][int(np.argmin(at))]
                problem = f"the path cannot {word} at speed {np.sqrt(speed):g}: {limit}"
                hint = f"there the path's speed is {np.sqrt(at.min()):.6g} at most"
                raise Infeasible(problem, float(s), limit, hint=hint)
        return filled, np.minimum(cap, UNLIMITED)

    def _profile(self, layout: Layout, rows: Floats, cap: Floats, drawn: Floats, drawn_q: Floats, s: Floats) -> Profile:
        for side in layout.ends(rows.T):
            side["up"] -= drawn.T
            side["low"] += drawn.T
            side["most"] *= 1.0 - drawn_q.T
        cap, at = cap.copy(), 0
        stuck_at = np.zeros(len(cap), dtype=int)
        for _ in range(DETOURS):
            rows[:, 1] = cap[:-1]
            end = layout.ceiling(rows[-1], cap[-1]) if self.end is None else min(self.end, cap[-1])
            reach = layout.reachable(rows, end)
            if self.start > reach[0]:
                hint = f"what lies ahead can be braked for from {np.sqrt(reach[0]):.6g} at most"
                problem = f"the path cannot begin at speed {np.sqrt(self.start):g}"
                raise Infeasible(problem, 0.0, "start_speed", hint=hint)
            found = layout.profile(rows, self.start, reach)
            if isinstance(found, Profile):
                if self.end is not None and found.x[-1] < self.end * (1.0 - 1e-9):
                    hint = f"the arm reaches {np.sqrt(found.x[-1]):.6g} there"
                    problem = f"the path cannot end at speed {np.sqrt(self.end):g}"
                    raise Infeasible(problem, self.path.length, "end_speed", hint=hint)
                return found
            # friction and curves over sqrt(x) can leave a hole below what is controllable: go below it
            # a little the first time, ever more where that does not help
            at, x = found
            stuck_at[at] += 1
            cap[at] = x * BELOW ** (2.0 ** min(stuck_at[at] - 1, 10))
        hint = "friction or a torque-speed curve leaves no speed there"
        raise Infeasible(f"there is no way on at s = {s[at]:.6g}", float(s[at]), "", hint=hint)

    def _drawn_in(self, cap: Floats, above: Floats) -> Floats:
        """Speeds exceeded inside an interval are drawn in at both its ends; the ends of the path stay."""
        share = 1.0 - np.maximum(np.append(above, 0.0), np.insert(above, 0, 0.0))
        drawn: Floats = np.maximum(cap * share**2, 0.0)
        drawn[0], drawn[-1] = max(drawn[0], self.start), max(drawn[-1], self.end or 0.0)
        return drawn

    def _uses(self, grid: Grid, profile: Profile) -> Floats:
        """Shares (intervals, samples, limits) of the limits."""
        first, change = profile.first[:, None], (profile.last - profile.first)[:, None]
        a = first + SHARES * change
        gone = SHARES * np.diff(grid.s)[:, None]
        at = np.maximum(profile.x[:-1, None] + gone * (first + a), 0.0)
        at[:, -1] = profile.x[1:]
        places = grid.places[grid.samples.ravel()]
        return self.limits.uses(places, grid.pick(grid.samples), at.ravel(), a.ravel()).reshape(*at.shape, -1)

    def _timed(self, grid: Grid, profile: Profile, share: Floats) -> Timed:
        worst, names = float(max(share.max() - 1.0, 0.0)), tuple(chain.from_iterable(self.limits.names))
        x, first, last, stops = profile.x, profile.first, profile.last, tuple(grid.s[grid.corner].tolist())
        return Timed(self.path, grid.s, x, first, last, names, share.max(axis=1), worst, 1.0, stops)

    def _require_held(self, held: Floats, places: Floats) -> None:
        """Every motor can hold the arm everywhere, and let it creep along: a motion that cannot is not to be begun."""
        for row, needed in zip(self.limits.torque_rows, held.T, strict=True):
            too_much = needed > (1.0 - 1e-9) * row.peak
            if too_much.any():
                k = int(np.argmax(too_much))  # the first along the path
                problem = f"{row.name} cannot hold the arm at s = {places[k]:.6g} of {self.path.length:.6g}"
                problem += f": it would need {needed[k]:.6g} of its {row.peak:.6g} N m"
                hint = "gravity, the wrench and friction alone are too much there, however slow the motion"
                raise Infeasible(problem, float(places[k]), f"torque of {row.name}", hint=hint)


def _tops(shares: Floats) -> Floats:
    """The greatest that shares (intervals, samples, limits) can be between evenly spaced samples, (intervals, limits).

    In each gap the curve goes on as it came from the left, or as it came from the right, as a line or a parabola; the
    two meet, in a corner where a torque-speed curve has one or a gear becomes loaded the other way.
    """
    samples = [shares[:, k] for k in range(shares.shape[1])]
    top: Floats = shares.max(axis=1)
    for gap in range(len(samples) - 1):
        from_left, from_right = _onward(samples[gap::-1]), _onward(samples[gap + 1 :])
        top = np.maximum(top, np.minimum(from_left, from_right))
    return top


def _onward(samples: list[Floats]) -> Floats:
    """What a curve can reach within a step before the first of its samples."""
    if len(samples) == 1:
        return np.full_like(samples[0], np.inf)
    reached = np.maximum(samples[0], 2.0 * samples[0] - samples[1])
    if len(samples) > 2:
        reached = np.maximum(reached, 3.0 * (samples[0] - samples[1]) + samples[2])
    return reached


def _beside(above: Floats) -> Floats:
    """Also in the two intervals on both sides: what is taken away here would else appear there in the next round."""
    found = above.copy()
    for k in (1, 2):
        found[k:] = np.maximum(found[k:], above[:-k])
        found[:-k] = np.maximum(found[:-k], above[k:])
    return found
