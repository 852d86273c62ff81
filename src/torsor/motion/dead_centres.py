"""Naming where loops end: singular configurations, and values of free joints at which a loop cannot close."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.mechanics.dyad import Dyad
from torsor.mechanics.loops import GUESS
from torsor.mechanics.posture import Posture
from torsor.model.transforms import Floats
from torsor.motion.narrowing import first_beyond, peak

if TYPE_CHECKING:
    from torsor.motion.loop_closure import LoopClosure

SAMPLES = 1440  # of a turn
TOUCHES = 1e-12  # slack that is zero where a loop is flat for a moment but never open, as a parallelogram


@dataclass(frozen=True)
class Singularity:
    """Driving ``driven`` meets a dead centre at ``value``, where ``joint`` is at ``position`` (rad or m)."""

    driven: str
    value: float
    joint: str
    position: float
    loop: str
    turns: bool = True  # whether the joint does, or slides

    def __str__(self) -> str:
        where = f"{np.degrees(self.position):.2f} deg" if self.turns else f"{self.position:.4f} m"
        return f"driving {self.driven} is singular at {self.joint} = {where}"


def slack(closure: LoopClosure, x: Floats, k: int, values: Floats) -> Floats:
    """(samples,): square of the distance to a singularity, the least of all loops; -1 where one cannot close.

    Of x (n,) with entry k at values (samples,).
    """
    many = np.broadcast_to(x, (len(values), x.size)).copy()
    many[:, k] = values
    return np.nan_to_num(closure._squares(many), nan=-1.0, posinf=np.inf)


def margins(closure: LoopClosure, x: Any) -> list[Any]:
    """Square of the distance to a singularity of each loop, on numbers or on graph scalars; below zero beyond it."""
    from torsor.algebra import symbols

    guess = symbols(GUESS, len(closure._closure.guessed)) if x.dtype == object else closure.guess(x)
    return _margins(closure, x, guess)


def margin_rate(closure: LoopClosure, x: Any, xd: Any) -> Any:
    """Of graph scalars: how fast the last of them changes, that of loops closed by Newton's method."""
    from torsor.algebra import directional, symbols

    guess = symbols(GUESS, len(closure._closure.guessed))
    closed = guess + closure._closure.newton_step(x, guess)[0]
    return directional(np.array(_margins(closure, x, closed)[-1:]), x, xd)[0]


def _margins(closure: LoopClosure, x: Any, guess: Any, signed: bool = True) -> list[Any]:
    """Loops without a closed form have a side of their singularities, on which they are put together."""
    inner = closure._closure
    posture, equations = inner.posture(x, inner.entries(guess))
    found = []
    for stage, each in zip(inner.stages, equations, strict=True):
        if isinstance(stage, Dyad):
            found.append(stage.squared_flatness(posture))
            continue
        q, flatness = closure.reference, each.flatness()
        other = signed and _margins(closure, closure.free_of(q), q[list(inner.guessed)], signed=False)[-1] < 0.0
        found.append((-1.0 if other else 1.0) * flatness * abs(flatness))
    return found


def singularities_of(closure: LoopClosure, x: Floats) -> list[Singularity]:
    found = []
    for name, k in moving(closure):
        for way in (1.0, -1.0):
            end = _dead_centre(closure, x, k, way)
            if end is not None:
                found.append(Singularity(name, end, *_flattest(closure, np.where(np.arange(x.size) == k, end, x))))
    return found


def moving(closure: LoopClosure) -> list[tuple[str, int]]:
    """Free joints that move a loop."""
    tree = closure.trees.plain
    sources = {tree.bodies[i].source for a, b in tree.ends for i in {*tree.path(a.body)} ^ {*tree.path(b.body)}}
    return [(name, k) for k, name in enumerate(closure.free) if closure.names.index(name) in sources]


def _dead_centre(closure: LoopClosure, x: Floats, k: int, way: float) -> float | None:
    """The first value of a free joint, going one way from x, at which a loop is flat."""
    values = x[k] + way * np.linspace(0.0, 2.0 * pi, SAMPLES)
    along = slack(closure, x, k, values)
    for j in range(1, SAMPLES):
        if not along[j] > 0.0:
            return _last_closed(closure, x, k, values[j - 1 : j + 1])
        if j + 1 < SAMPLES and along[j] < 1e-3 and along[j - 1] >= along[j] <= along[j + 1]:
            near = np.linspace(values[j - 1], values[j + 1], 19)
            highest, low = peak(lambda values: -slack(closure, x, k, values), near, zooms=11, points=19)
            if -highest <= TOUCHES:
                return low
    return None


def _last_closed(closure: LoopClosure, x: Floats, k: int, ends: Floats) -> float:
    """Between a value that closes and one that does not, sixteen at a time down to rounding."""

    def opens(values: Floats) -> Floats:  # (p, 1)
        return np.append(np.where(slack(closure, x, k, values[:, 0])[:-1] > 0.0, -1.0, 1.0), 1.0)[:, None]

    return float(first_beyond(opens, ends[:, None], zooms=13, points=18)[0])  # the last one does


def _flattest(
    closure: LoopClosure, x: Floats, near: float = 1e-6, guess: Floats | None = None
) -> tuple[str, float, str, bool]:
    """What a dead centre is named by: the first joint of the file that is moved by the loop that is flat there.

    A loop that is ``near`` to being flat is taken for one that is.
    """
    inner = closure._closure
    known = inner.entries(closure.guess(x) if guess is None else guess)
    entries = dict(zip(inner.free, x, strict=True)) | known
    posture = Posture(inner.tree, entries, inner.centres)
    best = (np.inf, inner.stages[-1])
    with np.errstate(all="ignore"):
        for stage in inner.stages:
            if isinstance(stage, Dyad):
                flatness = float(np.nan_to_num(stage.flatness(posture), nan=0.0))
                stage.solve(posture, flat=flatness < near)
                best = min(best, (flatness, stage), key=lambda each: each[0])
        stage = best[1]
        source = min(stage.unknown)
        loop = closure.model.loops[stage.numbers[0]].name
        turns = closure.model.independent[source].joint.kind != "prismatic"
        return closure.names[source], float(posture.entry(source)), loop, turns


def name_singular(closure: LoopClosure, x: Floats, near: float = 1e-6, guess: Floats | None = None) -> str:
    """What is wrong with a posture that is singular, or as ``near`` to it; ``guess`` are joints known to close it."""
    joint, position, loop, turns = _flattest(closure, x, near, guess)
    drivers = " or ".join(name for name, _ in moving(closure))
    return f"{Singularity(drivers, 0.0, joint, position, loop, turns)}: loop {loop!r} may go either way there"


def explain_open(closure: LoopClosure, x: Floats) -> tuple[str, str]:
    """Why a loop does not close at x, and the nearest value of a free joint at which all do."""
    where = ", ".join(f"{name} = {value:.6g}" for name, value in zip(closure.free, x, strict=True))
    inner = closure._closure
    posture = Posture(inner.tree, dict(zip(inner.free, x, strict=True)), inner.centres)
    problem = f"the loops of {closure.model.name!r} do not close at {where}"
    if not inner.is_explicit:
        guess = closure.reference
        guess[list(inner.free)] = x
        loop, how = closure.equations.most_open(closure.equations.nearest(guess[None], inner.free)[0][0])
        problem = f"loop {loop!r} of {closure.model.name!r} does not close at {where}: {how}"
    with np.errstate(all="ignore"):
        for stage in inner.stages:
            if isinstance(stage, Dyad):
                base, least, most = (float(each) for each in stage.reach(posture))
                if not least <= base <= most:
                    gap = base - most if base > most else least - base
                    problem = f"loop {stage.loop.name!r} cannot close at {where}: {gap:.3g} m are missing"
                    break
                stage.solve(posture)
    edges = []
    for name, k in moving(closure):
        for way in (1.0, -1.0):
            values = x[k] + way * np.linspace(0.0, pi, SAMPLES // 2)
            closes = np.flatnonzero(slack(closure, x, k, values) > 0.0)
            if closes.size and closes[0]:
                edge = _last_closed(closure, x, k, values[[closes[0], closes[0] - 1]])
                edges.append((abs(edge - x[k]), name, edge))
    if not edges:
        return problem, "no single free joint can be moved so that it does"
    _, name, edge = min(edges, key=lambda each: each[0])
    slides = any(link.joint.name == name and link.joint.kind == "prismatic" for link in closure.model.links)
    value = f"{edge:.4f} m" if slides else f"{edge:.4f} rad ({np.degrees(edge):.2f} deg)"
    return problem, f"it does from {name} = {value} on"
