"""As fast as the motors allow: the time-optimal timing of a given path.

Backward and forward passes over a grid (`grid_passes.py`) under all limits of the arm (`path_limits.py`). Then the
exact model is asked between the grid points. Where it finds a limit exceeded (by the square of the grid's width, as a
rule), that limit is drawn in by as much in that interval and the passes are repeated; intervals where this does not end
are halved. What is returned has been verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.errors import ShapeError, TorsorError
from torsor.model.transforms import Floats
from torsor.motion.curves import Along, JointPath, without_rounding
from torsor.motion.narrowing import edge
from torsor.motion.optimal.grid_passes import Layout, Passes, Profile, Stuck, TooFast
from torsor.motion.optimal.limit_uses import Uses, uses
from torsor.motion.optimal.path_limits import Limited, PathLimits, ToolBound, limits_of
from torsor.motion.optimal.profile import Timed
from torsor.motion.optimal.reversals import reversals
from torsor.motion.optimal.tangent_jumps import tangent_jumps

WITHIN = 1e-7  # share above a limit that is let be; ten times less than what is promised
BETWEEN = (0.25, 0.5, 0.75)  # where between grid points the exact model is asked
ROUNDS, HALVINGS = 8, 4
DETOURS, BELOW = 400, 0.995  # how often a pass that finds no way on is tried again; share of x that it goes below
CLOSER = 14  # grid points added towards a point of rest, each at half the distance
UNLIMITED = 1e24  # of sd^2: faster than anything moves
BESIDE = 1e-10  # of the path: how far beside a break its two sides are looked at


class Infeasible(TorsorError):
    """The arm cannot go along this path. ``s`` says where on it, ``limit`` what forbids it."""

    def __init__(self, problem: str, s: float, limit: str, *, hint: str) -> None:
        super().__init__(problem, hint=hint)
        self.s = s
        self.limit = limit


def time_optimal(
    arm: Limited,
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
    grid = _grid(even, [*inside, *reversals(limits, path, even)], at_rest)
    for _ in range(HALVINGS):
        found, worst, troubled = search.on(_Grid.of(path, grid, inside, corner))
        if worst <= WITHIN:
            return found
        middles = 0.5 * (grid[:-1] + grid[1:])
        grid = np.sort(np.concatenate([grid, middles[troubled]]))
    return search.shrunk(found, _Grid.of(path, found.s, inside, corner))


def _grid(even: Floats, inside: Sequence[float], at_rest: Sequence[float]) -> Floats:
    """Even, with what has to be on it, and denser towards points of rest, where speed changes most over the path."""
    length, width = even[-1], even[1]
    near = [s + side * width * 0.5**k for s in at_rest for k in range(1, CLOSER) for side in (-1.0, 1.0)]
    added = [s for s in near if 0.0 < s < length]
    grid = np.unique(np.concatenate([even, inside, added]))
    fixed = np.unique(np.concatenate([inside, [0.0, length]]))
    distance = np.abs(grid[:, None] - fixed).min(axis=1)
    keep = (distance == 0.0) | (distance > 1e-6 * width)
    return np.asarray(grid[keep])


@dataclass(frozen=True, eq=False)
class _Grid:
    """A grid and the path at its points (both sides of breaks) and between them."""

    s: Floats  # (intervals + 1,)
    along: Along  # of all points looked at: grid, sides of breaks, between
    places: Floats  # their parameters
    ends: NDArray[np.intp]  # (intervals, 2) which of them are the ends of intervals
    samples: NDArray[np.intp]  # (intervals, samples) those at which the exact model is asked
    shares: Floats  # (samples,) where in its interval a sample is
    corner: NDArray[np.bool_]  # (intervals + 1,)

    @classmethod
    def of(cls, path: JointPath, s: Floats, inside: Sequence[float], corner: Sequence[float]) -> _Grid:
        count = len(s) - 1
        ends = np.stack([np.arange(count), np.arange(1, count + 1)], axis=-1)
        breaks = np.searchsorted(s, inside)
        beside = BESIDE * path.length
        left, right = s[breaks] - beside, s[breaks] + beside
        ends[breaks - 1, 1] = count + 1 + np.arange(len(breaks))
        ends[breaks, 0] = count + 1 + len(breaks) + np.arange(len(breaks))
        widths = np.diff(s)
        between = s[:-1, None] + widths[:, None] * np.array(BETWEEN)
        places = np.concatenate([s, left, right, between.ravel()])
        inner = count + 1 + 2 * len(breaks) + np.arange(between.size).reshape(between.shape)
        samples = np.column_stack([ends[:, 0], inner, ends[:, 1]])
        along = path.at(places)
        along = along._replace(dq=without_rounding(along.dq))
        return cls(s, along, places, ends, samples, np.array([0.0, *BETWEEN, 1.0]), np.isin(s, list(corner)))

    def pick(self, index: NDArray[np.intp]) -> Along:
        flat = index.ravel()
        return Along(*(part[flat] for part in self.along))


@dataclass(frozen=True, eq=False)
class _Search:
    limits: PathLimits
    path: JointPath
    start: float  # sd^2 at the ends
    end: float | None  # None is free

    def on(self, grid: _Grid) -> tuple[Timed, float, NDArray[np.bool_]]:
        """The motion on a grid, the greatest share above a limit, and the intervals that have too much of it."""
        layout = Layout(self.limits)
        rows, cap = self._rows(layout, grid)
        passes = Passes(layout)
        drawn_up, drawn_low = (np.zeros((len(rows), len(self.limits.torque_rows))) for _ in range(2))
        drawn_q = np.zeros((len(rows), len(self.limits.accelerated)))
        best: tuple[Timed, float, NDArray[np.bool_]] | None = None
        for _ in range(ROUNDS):
            x = self._profile(passes, layout, rows.copy(), cap, (drawn_up, drawn_low, drawn_q), grid)
            found = self._uses(grid, x)
            above = np.maximum(_tops(found.share) - 1.0, 0.0)  # (intervals, limits)
            worst = float(above.max(initial=0.0))
            if best is None or worst < best[1]:
                best = self._timed(grid, x, found), worst, above.max(axis=1, initial=0.0) > WITHIN
            if worst <= WITHIN:
                break
            extra = _beside(np.where(above > 0.3 * WITHIN, 1.2 * above + 0.3 * WITHIN, 0.0))
            speeds, torques, joints, ball = np.split(extra, found.kinds, axis=1)
            drawn_up += torques * found.torque_peak
            drawn_low += torques * found.torque_peak
            drawn_q += joints
            cap = self._drawn_in(cap, speeds.max(axis=1, initial=0.0))
            if ball.size:
                for field in layout.ends(rows.T):
                    field["tool"][3] *= (1.0 - ball[:, 0]) ** 2
        assert best is not None
        return best

    def shrunk(self, found: Timed, grid: _Grid) -> Timed:
        """The last resort: the whole motion slower by as little as the exact model asks for."""

        def slower(rate: float) -> Profile:
            return Profile(found.x * rate**2, found.first * rate**2, found.last * rate**2)

        def holds(rate: float) -> bool:
            return float(_tops(self._uses(grid, slower(rate)).share).max()) - 1.0 <= WITHIN

        low = edge(0.0, 1.0, holds, halvings=40)
        if low == 0.0:
            raise Infeasible("no timing of this path holds all limits", 0.0, "", hint="look at the limits of the arm")
        used = self._uses(grid, slower(low))
        return replace(self._timed(grid, slower(low), used), slowed=1.0 / low)

    def _rows(self, layout: Layout, grid: _Grid) -> tuple[Floats, Floats]:
        """What the passes need of every interval, and the cap of x at every grid point."""
        limits, count = self.limits, len(grid.s) - 1
        at_ends = grid.pick(grid.ends)
        dynamics = limits.dynamics(at_ends)
        rates = dynamics.rates.reshape(count, 2, -1)
        turning = limits.turning(rates).reshape(2 * count, -1)
        rest = grid.corner.copy()
        rest[0], rest[-1] = self.start == 0.0, self.end == 0.0
        at_rest = np.stack([rest[:-1], rest[1:]], axis=-1)
        rows = limits.rows(dynamics, at_rest.ravel(), turning)
        joints = limits.accelerated
        tool = None
        if limits.bounds_tool_acceleration:
            p, r, most = limits.tool_acceleration(grid.places[grid.ends.ravel()], at_ends)
            most = np.minimum(most, 1e12)
            tool = np.stack([(p * p).sum(-1), (p * r).sum(-1), (r * r).sum(-1), most**2], axis=-1)
        q_rows = at_ends.dq[:, joints], at_ends.ddq[:, joints]
        blocks = layout.fill(rows, q_rows, limits.acceleration[joints], tool).reshape(count, 2, -1)
        filled = np.concatenate([np.zeros((count, 3)), blocks[:, 0], blocks[:, 1]], axis=1)
        filled[:, 0] = 2.0 * np.diff(grid.s)
        caps, names = limits.speeds(grid.places[grid.ends.ravel()], at_ends)
        at_end = caps.min(axis=1, initial=np.inf).reshape(count, 2)
        cap = np.full(count + 1, np.inf)
        cap[:-1], cap[1:] = at_end[:, 0], np.minimum(cap[1:], at_end[:, 1])
        cap[1:-1] = np.minimum(at_end[1:, 0], at_end[:-1, 1])
        cap[grid.corner] = 0.0
        self._require_held(layout, grid, filled)
        self._require_ends(caps.reshape(count, 2, -1), names, grid)
        return filled, np.minimum(cap, UNLIMITED)

    def _profile(
        self,
        passes: Passes,
        layout: Layout,
        rows: Floats,
        cap: Floats,
        drawn: tuple[Floats, Floats, Floats],
        grid: _Grid,
    ) -> Profile:
        for side in layout.ends(rows.T):
            side["up"] -= drawn[0].T
            side["low"] += drawn[1].T
            side["most"] *= 1.0 - drawn[2].T
        cap, at = cap.copy(), 0
        stuck_at = np.zeros(len(cap), dtype=int)
        for _ in range(DETOURS):
            rows[:, 1] = cap[:-1]
            try:
                end = passes.ceiling(rows[-1], cap[-1]) if self.end is None else min(self.end, cap[-1])
                found = passes.profile(rows, self.start, end)
            except Stuck as stuck:
                # friction and curves over sqrt(x) can leave a hole below what is controllable: go below it
                # a little the first time, ever more where that does not help
                at = stuck.interval
                stuck_at[at] += 1
                cap[at] = stuck.x * BELOW ** (2.0 ** min(stuck_at[at] - 1, 10))
                continue
            except TooFast as fast:
                raise Infeasible(
                    f"the path cannot begin at speed {np.sqrt(self.start):g}",
                    0.0,
                    "start_speed",
                    hint=f"what lies ahead can be braked for from {np.sqrt(fast.most):.6g} at most",
                ) from None
            if self.end is not None and found.x[-1] < self.end * (1.0 - 1e-9):
                raise Infeasible(
                    f"the path cannot end at speed {np.sqrt(self.end):g}",
                    self.path.length,
                    "end_speed",
                    hint=f"the arm reaches {np.sqrt(found.x[-1]):.6g} there",
                )
            return found
        raise Infeasible(
            f"there is no way on at s = {grid.s[at]:.6g}",
            float(grid.s[at]),
            "",
            hint="friction or a torque-speed curve leaves no speed there",
        )

    def _drawn_in(self, cap: Floats, above: Floats) -> Floats:
        """Speeds exceeded inside an interval are drawn in at both its ends; the ends of the path stay."""
        share = np.ones_like(cap)
        share[:-1] = np.minimum(share[:-1], 1.0 - above)
        share[1:] = np.minimum(share[1:], 1.0 - above)
        drawn: Floats = np.maximum(cap * share**2, 0.0)
        drawn[0], drawn[-1] = max(drawn[0], self.start), max(drawn[-1], self.end or 0.0)
        return drawn

    def _uses(self, grid: _Grid, profile: Profile) -> Uses:
        first, change = profile.first[:, None], (profile.last - profile.first)[:, None]
        a = first + grid.shares * change
        gone = grid.shares * np.diff(grid.s)[:, None]
        at = np.maximum(profile.x[:-1, None] + gone * (first + a), 0.0)
        at[:, -1] = profile.x[1:]
        places = grid.places[grid.samples.ravel()]
        found = uses(self.limits, places, grid.pick(grid.samples), at.ravel(), a.ravel())
        return found.shaped(at.shape)

    def _timed(self, grid: _Grid, profile: Profile, found: Uses) -> Timed:
        worst = float(max(found.share.max() - 1.0, 0.0))
        stops = tuple(grid.s[grid.corner].tolist())
        ends = profile.x, profile.first, profile.last
        return Timed(self.path, grid.s, *ends, found.names, found.share.max(axis=1), worst, 1.0, stops)

    def _require_held(self, layout: Layout, grid: _Grid, rows: Floats) -> None:
        """Every motor can hold the arm everywhere, and let it creep along: a motion that cannot is not to be begun."""
        limits = self.limits
        for r, row in enumerate(limits.torque_rows):
            up, low = [], []
            for end in layout.ends(rows.T):
                most, least = layout.given[r] - end["up"][r], -layout.given[r] - end["low"][r]
                for t, (of, _) in enumerate(limits.load_terms):
                    if of == r:
                        size = np.abs(end["loads"][5 * t + 4])
                        most, least = most + end["loads"][5 * t] * size, least + end["loads"][5 * t + 1] * size
                for t, (of, _) in enumerate(limits.fall_terms):
                    if of == r:
                        most, least = most + end["falls"][3 * t], least + end["falls"][3 * t + 1]
                up.append(most)
                low.append(least)
            needed = np.maximum(np.array(up), -np.array(low)) / row.peak  # (2, intervals)
            too_much = needed.T.ravel() > 1.0 - 1e-9
            if too_much.any():
                k, side = divmod(int(np.argmax(too_much)), 2)  # the first along the path
                s = float(grid.places[grid.ends[k, side]])
                raise Infeasible(
                    f"{row.name} cannot hold the arm at s = {s:.6g} of {self.path.length:.6g}: it would need "
                    f"{needed[side, k] * row.peak:.6g} of its {row.peak:.6g} N m",
                    s,
                    f"torque of {row.name}",
                    hint="gravity, the wrench and friction alone are too much there, however slow the motion",
                )

    def _require_ends(self, caps: Floats, names: list[str], grid: _Grid) -> None:
        for word, at, speed in (("begin", caps[0, 0], self.start), ("end", caps[-1, 1], self.end)):
            if speed is not None and speed > at.min(initial=np.inf):
                k = int(np.argmin(at))
                raise Infeasible(
                    f"the path cannot {word} at speed {np.sqrt(speed):g}: {names[k]}",
                    float(grid.s[0 if word == "begin" else -1]),
                    names[k],
                    hint=f"there the path's speed is {np.sqrt(at[k]):.6g} at most",
                )


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
