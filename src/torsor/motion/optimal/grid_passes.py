"""The two passes of time-optimal timing over a grid, as machine code.

Between grid points sdd is a straight line over s, from a0 to a1, so x = sd^2 grows by h (a0 + a1), and every limit is
held at both ends of an interval. Backward: the greatest x at each point from which the rest of the path can still be
done (the controllable set of Pham & Pham, TOPP-RA, 2018). Forward: from the start, the greatest x that the limits and
the backward pass allow.

Where the limits of a change much from one end to the other, as they do beside points of no inertia, a0 = a1 = a. Then x
at the far end is x + 2 h a; put into the rows of `path_limits.py`, that leaves them linear in a, and a row whose own
inertia vanishes is an ordinary row: such points need no care. What is not linear, friction and torque-speed curves over
sqrt(x), is taken at the x where the pass arrives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from torsor.algebra.functions import absolute, equal, exp, floor, less, less_equal, maximum, minimum, select, sqrt
from torsor.drives.motors import bounds
from torsor.model.transforms import Floats
from torsor.motion.optimal.path_limits import PathLimits, TorqueRow

if TYPE_CHECKING:
    from torsor.emit import Kernel

BIG = 1e30  # stands for no limit; finite, so that no difference of two is NaN
SEARCH = 64.0  # evaluations at most that find the greatest x of a point; about ten are needed
ALIKE = 0.05  # of the width of the limits of a: where the ends of an interval differ by less, a may change over it
EVEN = 1e-13  # of x: closer than this the search ends
AllowedRange = tuple[Any, Any]


class Layout:
    """Where the numbers of an interval stand in its row: twice the width, the cap of x, and both ends' coefficients."""

    def __init__(self, limits: PathLimits) -> None:
        self.limits = limits
        rows, joints = len(limits.torque_rows), len(limits.accelerated)
        sizes = dict.fromkeys(("A", "B", "V", "up", "low", "rate"), rows)
        sizes |= {"loads": 5 * len(limits.load_terms), "falls": 3 * len(limits.fall_terms)}
        sizes |= dict.fromkeys(("qA", "qB", "most"), joints)
        sizes |= {"tool": 4 if limits.bounds_tool_acceleration else 0}
        starts = np.cumsum([0, *sizes.values()]).tolist()
        self.fields = {name: (start, sizes[name]) for name, start in zip(sizes, starts, strict=False)}
        self.block = starts[-1]
        self.size = 3 + 2 * self.block  # twice the width, cap, what the next point allows

    def ends(self, row: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The coefficients of both ends, by name."""
        blocks = [row[3 + k * self.block : 3 + (k + 1) * self.block] for k in (0, 1)]
        first, second = ({n: b[at : at + size] for n, (at, size) in self.fields.items()} for b in blocks)
        return first, second

    def facts(self) -> tuple[object, ...]:
        """All that the kernels depend on.

        Bounds that do not change with speed are given with the coefficients, so that arms may share a kernel.
        """
        limits = self.limits
        described = [(None if row.is_fixed else row.motor, self.is_damped(row)) for row in limits.torque_rows]
        of = [[r for r, _ in terms] for terms in (limits.load_terms, limits.fall_terms)]
        return described, of, self.fields

    def is_damped(self, row: TorqueRow) -> bool:
        return any(self.limits.contacts[c].law.viscous for c in row.contacts)

    def reachable(self, rows: Floats, end: float) -> Floats:
        """Backward: the greatest x (intervals + 1,) from which the rest can be done, with x at the end."""
        return np.concatenate([self._run("backward", end, rows[::-1], 1)[::-1, 0], [end]])

    def profile(self, rows: Floats, start: float, reach: Floats) -> Profile | tuple[int, float]:
        """Forward: x that is greatest everywhere. Where there is no way on: in which interval, and x there."""
        rows[:, 2] = reach[1:]
        kept = self._run("forward", start, rows, 8)
        x = np.concatenate([[start], kept[:, 0]])
        a, least, low0, high0, low1, high1, alike = kept.T[1:]
        scale = np.abs(a) + (x[:-1] + x[1:]) / rows[:, 0]
        stuck = ~(a >= least - 1e-7 * scale)
        if stuck.any():
            k = int(np.argmax(stuck))
            return k, float(x[k])
        return _with_ends(x, rows[:, 0], (low0, high0), (low1, high1), alike != 0.0)

    def ceiling(self, row: Floats, cap: float) -> float:
        """About the greatest x at the far end of an interval that leaves any a: what an end may have that is free."""
        x = np.minimum(np.geomspace(1e-12, 1e12, 600), cap)
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = admissible(self, self.ends(row)[1], x)
        return float(x[np.broadcast_to(low <= high, x.shape)].max(initial=0.0))

    def _run(self, which: Literal["backward", "forward"], first: float, rows: Floats, keep: int) -> Floats:
        """What a pass over the rows keeps (intervals, keep) of its states, the first of which begins with ``first``."""
        from torsor.emit.native_loop import Call, NativeLoop

        count, *pages = _PASSES[which]
        begin, step, *after = (Call(self._kernel(page, count), (count, 0, 0)) for page in pages)
        given, kept, again = (count, self.size), (0, keep), (count - 1, -1)
        loop = NativeLoop((step,), given, kept, again, before=(begin,), after=tuple(after))
        workspace = np.zeros(count + self.size)
        workspace[0] = first
        return np.asarray(loop.run(workspace, len(rows), given=rows))

    def _kernel(self, page: Any, count: int) -> Kernel:
        from torsor.emit.page import Page, described

        facts = page.__name__, *self.facts()
        key = described(count, self.size, *facts)
        if key not in _kernels:

            def trace(row: Any, state: Any) -> dict[str, Any]:
                return {"new_state": page(self, row, state)}

            inputs = {"row": self.size, "state": count}
            _kernels[key] = Page(f"time_optimal{page.__name__}", inputs, trace, facts).kernel
        return _kernels[key]


_kernels: dict[bytes, Kernel] = {}  # arms share them, by all that they depend on


def admissible(layout: Layout, end: dict[str, Any], x: Any, *, ahead: tuple[Any, Any] | None = None) -> AllowedRange:
    """Least and greatest a at a state with x. Traceable.

    ``ahead`` (step, y) is for a state a step away, whose x is ``x + step a``, which will be about y. Its speed is
    sqrt(x) + step a / (sqrt(x) + sqrt(y)), linear in a and exact if y is.
    """
    root = sqrt(x)
    step, sd, gain = 0.0, root, 0.0
    if ahead is not None:
        step, sd = ahead[0], sqrt(ahead[1])
        gain = step / maximum(root + sd, 1e-150)
    limits, found = layout.limits, []
    for r, row in enumerate(limits.torque_rows):
        p, k = end["A"][r] + step * end["B"][r], end["B"][r] * x
        if layout.is_damped(row):
            p, k = p + end["V"][r] * gain, k + end["V"][r] * root
        low, up = (0.0, 0.0) if row.is_fixed else bounds(row.motor, end["rate"][r] * sd)
        up, low = up + end["up"][r] - k, low + end["low"][r] - k
        for t, (of, _) in enumerate(limits.fall_terms):
            if of == r:
                most, least, rate = (end["falls"][3 * t + i] for i in range(3))
                fall = exp(-((rate * sd) * (rate * sd)))
                up, low = up - most * fall, low - least * fall
        above, below = [], []
        for t, (of, _) in enumerate(limits.load_terms):
            if of == r:
                most, least, L, P, l = (end["loads"][5 * t + i] for i in range(5))
                slope, rest = L + step * P, P * x + l
                above.append((most, slope, rest))
                below.append((-least, slope, rest))
        found += [_within(p, up, above), _within(-p, -low, below)]
    for j in range(len(limits.accelerated)):
        p, k = end["qA"][j] + step * end["qB"][j], end["qB"][j] * x
        found += [_half_line(p, end["most"][j] - k), _half_line(-p, end["most"][j] + k)]
    if limits.bounds_tool_acceleration:
        found.append(_ball(end["tool"], x, step))
    low, high = -BIG, BIG
    for least, most in found:
        low, high = maximum(low, least), minimum(high, most)
    return low, high


def _half_line(p: Any, c: Any) -> AllowedRange:
    """Where p a <= c."""
    border, positive = c / p, less(0.0, p)
    nowhere = select(less(c, 0.0), BIG, -BIG)
    return select(less(p, 0.0), border, select(positive, -BIG, nowhere)), select(positive, border, BIG)


def _within(p: Any, c: Any, terms: list[tuple[Any, Any, Any]]) -> AllowedRange:
    """Where p a + sum w |L a + m| <= c.

    A term with w >= 0 is the greater of its two straight lines: both must hold. With w < 0 it is the lesser: one is
    enough. That gives two half-lines in one direction, of which the longer holds; or, where friction of the load
    outweighs the inertia, in opposite directions. Of those, if there is a gap, the one with a = 0 is taken.
    """
    if not terms:
        return _half_line(p, c)
    (w, L, m), rest = terms[0], terms[1:]
    low1, high1 = _within(p + w * L, c - w * m, rest)
    low2, high2 = _within(p - w * L, c + w * m, rest)
    gap = less(minimum(high1, high2), maximum(low1, low2))
    first = less_equal(low1, 0.0) * less_equal(0.0, high1)
    one_low = select(gap, select(first, low1, low2), minimum(low1, low2))
    one_high = select(gap, select(first, high1, high2), maximum(high1, high2))
    both = less_equal(0.0, w)
    return select(both, maximum(low1, low2), one_low), select(both, minimum(high1, high2), one_high)


def _ball(tool: Any, x: Any, step: Any) -> AllowedRange:
    """Where |p a + r (x + step a)|^2 <= square, from the products of p and r."""
    pp, pr, rr, square = tool[0], tool[1], tool[2], tool[3]
    qq, qr = pp + (2.0 * step) * pr + (step * step) * rr, pr + step * rr
    rest = x * x * rr - square
    inside = (x * qr) * (x * qr) - qq * rest
    root = sqrt(maximum(inside, 0.0))
    moves, ok = less(0.0, qq), less_equal(0.0, inside)
    low = select(moves, (-x * qr - root) / qq, select(less_equal(rest, 0.0), -BIG, BIG))
    high = select(moves, (-x * qr + root) / qq, BIG)
    return select(ok, low, BIG), select(ok, high, -BIG)


def _combined(near: AllowedRange, far: AllowedRange, constant: AllowedRange) -> tuple[Any, Any, Any]:
    """Least and greatest mean of a over an interval, and whether a may change over it.

    From the limits at both ends, and those at the far end for an a that does not change.
    """
    (low0, high0), (low1, high1), (low2, high2) = near, far, constant
    differ = absolute(high0 - high1) + absolute(low0 - low1)
    alike = less_equal(differ, ALIKE * ((high0 - low0) + (high1 - low1)))
    alike = alike * less_equal(low0, high0) * less_equal(low1, high1)
    low = select(alike, 0.5 * (low0 + low1), maximum(low0, low2))
    high = select(alike, 0.5 * (high0 + high1), minimum(high0, high2))
    return low, high, alike


def _backward_begin(layout: Layout, row: Any, state: Any) -> Any:
    """The search begins at what the next point allows."""
    return np.array([state[0], 0.0, -1.0, BIG, 1.0, 0.0, minimum(row[1], state[0]), SEARCH], dtype=object)


def _backward_step(layout: Layout, row: Any, state: Any) -> Any:
    """One evaluation in the search for the greatest x from which some a leads to what the next point allows.

    The slack is the width of the interval of a. Until x is enclosed by one with slack and one without, the search goes
    up or down by what the slack is worth if only the next point limits x; then it is regula falsi (Illinois), with
    every eighth step a bisection. At x = 0 there is slack, because the arm can be held everywhere.
    """
    reach, low, at_low, high, at_high, side, x, left = state
    width, cap = row[0], row[1]
    near, far = layout.ends(row)
    here = admissible(layout, near, x)
    y = maximum(minimum(reach, x + width * here[1]), 0.0)
    there, constant = admissible(layout, far, y), admissible(layout, far, x, ahead=(width, y))
    least, most, _ = _combined(here, there, constant)
    slack = minimum(most, (reach - x) / width) - least
    good = less_equal(0.0, slack)
    twice_low, twice_high = less(0.0, side) * good, less(side, 0.0) * (1.0 - good)
    # steps in one direction become longer
    rises, falls = maximum(1e-6 * x, 3.0 * (x - low) * less_equal(0.0, at_low)), -3.0 * (high - x) * less(at_high, 0.0)
    low, high = select(good, x, low), select(good, high, x)
    at_low = select(good, slack, select(twice_high, 0.5 * at_low, at_low))
    at_high = select(good, select(twice_low, 0.5 * at_high, at_high), slack)
    below, above = less(at_low, 0.0), less(0.0, at_high)  # nothing is known there yet
    worth = 1.1 * width * slack
    up = minimum(cap, x + maximum(worth, rises))
    down = maximum(0.25 * x, x + minimum(worth, falls))
    # a little on the side with slack, where the search can end
    between = low + (high - low) * (at_low / (at_low - at_high)) - 0.3 * EVEN * high
    eighth = 0.125 * left  # whether this is an eighth evaluation, counted down from SEARCH
    halves = 1.0 - less(low, between) * less(between, high) * (1.0 - equal(eighth, floor(eighth)))
    trial = select(below, down, select(above, up, select(halves, 0.5 * (low + high), between)))
    met = good * maximum(less_equal(cap, x), (1.0 - above) * less_equal(slack * width, EVEN * x))
    close = (1.0 - below) * less_equal(high - low, EVEN * high)
    ended = maximum(maximum(met, close), less_equal(left, 1.0))
    result = [select(ended, low, reach), low, at_low, high, at_high, select(good, 1.0, -1.0), trial]
    return np.array([*result, select(ended, 0.0, left - 1.0)], dtype=object)


def _forward_begin(layout: Layout, row: Any, state: Any) -> Any:
    x = state[0]
    near, _ = layout.ends(row)
    low, high = admissible(layout, near, x)
    y = maximum(minimum(row[2], x + row[0] * high), 0.0)
    return np.array([x, 0.0, 0.0, low, high, 0.0, 0.0, 0.0, y, SEARCH], dtype=object)


def _forward_step(layout: Layout, row: Any, state: Any) -> Any:
    """The far end's limits at the speed where the last evaluation arrived; few are needed."""
    x, low0, high0, y, left = state[0], state[3], state[4], state[8], state[9]
    width, reach = row[0], row[2]
    _, far = layout.ends(row)
    low1, high1 = admissible(layout, far, y)
    constant = admissible(layout, far, x, ahead=(width, y))
    least, most, alike = _combined((low0, high0), (low1, high1), constant)
    to_reach = (reach - x) / width
    arrives = select(less(most, to_reach), maximum(x + width * most, 0.0), reach)
    ended = maximum(less_equal(absolute(arrives - y), 1e-14 * arrives), less_equal(left, 1.0))
    result = [x, minimum(most, to_reach), least, low0, high0, low1, high1, alike, arrives]
    return np.array([*result, select(ended, 0.0, left - 1.0)], dtype=object)


def _forward_end(layout: Layout, row: Any, state: Any) -> Any:
    return np.array([state[8], *state[1:]], dtype=object)


@dataclass(frozen=True, eq=False)
class Profile:
    """x (intervals + 1,) at the grid points, and sdd (intervals,) where each interval begins and where it ends."""

    x: Floats
    first: Floats
    last: Floats


def _with_ends(x: Floats, widths: Floats, near: AllowedRange, far: AllowedRange, alike: Any) -> Profile:
    """a at the ends of intervals whose mean is known: both are the mean, or as near to it as their limits allow."""
    mean = np.diff(x) / widths
    first = np.minimum(np.maximum(mean, near[0]), near[1])
    last = np.minimum(np.maximum(2.0 * mean - first, far[0]), far[1])
    first = 2.0 * mean - last
    bend = (last - first) / (0.5 * widths)
    with np.errstate(divide="ignore", invalid="ignore"):
        least = x[:-1] - first**2 / bend  # of a parabola that opens upward, inside of the interval
    dips = (first < 0.0) & (last > 0.0) & (least < 0.5 * np.minimum(x[:-1], x[1:]))
    changes = alike & ~dips
    return Profile(x, np.where(changes, first, mean), np.where(changes, last, mean))


# how many numbers the passes remember from one evaluation to the next, and their pages: begin, step and end
# backward: reach, low, at_low, high, at_high, side, trial, left
# forward: x, a, least, low0, high0, low1, high1, alike, y, left
_PASSES: dict[str, tuple[int, Any, Any, *tuple[Any, ...]]] = {
    "backward": (8, _backward_begin, _backward_step),
    "forward": (10, _forward_begin, _forward_step, _forward_end),
}
