"""Driving a loop from its start to its end: in pieces that Ctrl-C can come between, with events located and noted."""

from __future__ import annotations

import time as clock
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from torsor.model.transforms import Floats
from torsor.simulation.events import Guard, Happening, passed
from torsor.simulation.roots import crossing
from torsor.simulation.stepping import Stepper

PIECE = 0.2  # seconds of machine code between two looks at the keyboard
MOST_EVENTS = 10_000
CALM = 1e3  # rad/s: from where a motion does not become NaN by growing within a step
NEAR = 0.05  # sine at a dead centre within which a step may jump over it


@dataclass(frozen=True, eq=False)
class Stopped:
    """Why a run ended before its time."""

    reason: Literal["interrupted", "limit", "event", "singular", "diverged"]
    time: float
    text: str
    hint: str = ""
    joint: str | None = None

    def __str__(self) -> str:
        return f"{self.text}; {self.hint}" if self.hint else self.text


@dataclass
class Journey:
    """What was kept: rows of t, y, mode and u; what happened; whether it ended early."""

    rows: list[Floats] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    stopped: Stopped | None = None


def drive(
    stepper: Stepper,
    row: Floats,
    steps: int,
    every: int,
    *,
    table: Floats | None = None,
    changes: Mapping[int, Floats] | None = None,
    lane: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Journey:
    """Steps from the state in the workspace ``row``; ``changes`` are parameters that hold from a step on."""
    done, recorded, journey = 0, 0, Journey()
    first, count = stepper.loop.kept
    changes = dict(changes or {})
    edges = [*sorted(changes), steps]
    piece = 16
    try:
        while done < steps:
            if done in changes:
                stepper.space.at(row, "p")[:] = changes[done]
                stepper.jumped(row)
            border = edges[bisect_right(edges, done)]
            whole = done % every == 0 and border - done >= every
            rows = min(piece, (border - done) // every) if whole else 1
            inner = every if whole else min(every - done % every, border - done)
            given = _given(stepper, table, done, rows * inner, lane)
            stepper.space.at(row, "steps")[:] = 0.0
            begun = clock.perf_counter()
            kept = stepper.advance(row, rows, given, inner)
            spent = clock.perf_counter() - begun
            if stepper.law is not None:
                stepper.law.raise_error()
            stepper.check(row)
            halted = stepper.space.at(row, "halt")[0]
            done += int(stepper.space.at(row, "steps")[0]) if halted else rows * inner
            if whole and len(kept):
                journey.rows.append(kept)
                recorded += len(kept)
            if halted and not _looked_into(stepper, row, journey):
                last = journey.rows[-1][-1, 0] if journey.rows else 0.0
                if stepper.space.at(row, "t")[0] > last:
                    journey.rows.append(row[None, first : first + count].copy())
                break
            if recorded < done // every:  # the step that halted, or the last of a row in pieces
                journey.rows.append(row[None, first : first + count].copy())
                recorded += 1
            if progress is not None:
                progress(float(stepper.space.at(row, "t")[0]))
            if spent < PIECE / 2:
                piece *= 2
            elif spent > PIECE:
                piece = max(1, piece // 2)
    except KeyboardInterrupt:
        reached = float(journey.rows[-1][-1, 0]) if journey.rows else 0.0
        journey.stopped = Stopped("interrupted", reached, f"interrupted at {reached:g} s", "what was computed is kept")
    return journey


def _given(stepper: Stepper, table: Floats | None, start: int, count: int, lane: int) -> Floats | None:
    if table is not None:
        return table[start : start + count]
    if stepper.controller is not None and stepper.controller.noisy:
        return stepper.controller.noise(start, count, lane)
    return np.zeros((count, 0)) if stepper.loop.given[1] == 0 else None


def _looked_into(stepper: Stepper, row: Floats, journey: Journey) -> bool:
    """Locates what happened in the last step and notes it; whether the run goes on."""
    at = stepper.space.at
    if at(row, "halt")[0] > 1.5:
        _diverged(stepper, row, journey)
        return False
    t0, y0, t1, y1 = stepper.bracket(row)
    before, after = stepper.values(t0, y0), stepper.values(t1, y1)
    found = sorted(
        (_located(stepper, row, k, before[k], after[k], t1 - t0), k) for k in passed(stepper.guards, before, after)
    )
    for h, k in found:
        guard = stepper.guards[k]
        if h < t1 - t0:
            t, y, mode = stepper.retaken(row, h)
        else:
            t, y, mode = t1, y1, at(row, "mode").copy()
        q, qd = _joints(stepper, y)
        moment = float(np.ravel(t)[0])
        journey.happenings.append(Happening(moment, guard.name, q, qd, guard.joint))
        if guard.stop:
            journey.stopped = _stopped(stepper, guard, moment, q, qd)
            at(row, "t")[:] = moment
            at(row, "y")[:] = y
            if stepper.plant.many:
                at(row, "mode")[:] = mode
            return False
    stepper.resume(row)
    if len(journey.happenings) > MOST_EVENTS:
        text = f"more than {MOST_EVENTS} events by {t1:g} s"
        journey.stopped = Stopped("event", t1, text, "an event that happens at every step is none")
        return False
    return True


def _located(stepper: Stepper, row: Floats, k: int, before: float, after: float, whole: float) -> float:
    """The step from where the last one began to where guard ``k`` passes through zero."""

    def value(h: float) -> float:
        t, y, _ = stepper.retaken(row, h)
        return float(stepper.values(float(np.ravel(t)[0]), y)[k])

    return crossing(value, before, after, whole)


def _stopped(stepper: Stepper, guard: Guard, t: float, q: Floats, qd: Floats) -> Stopped:
    if guard.singular:
        return _singular(stepper, t, q)
    if guard.joint is None:
        return Stopped("event", t, f"{guard.name} at {t:.6g} s")
    text = f"{guard.name} at {t:.6g} s, at {qd[_index(stepper, guard.joint)]:.3g} rad/s"
    hint = 'limits="report" goes on, "ignore" does not look, Buffers(stiffness, damping) stops it softly'
    return Stopped("limit", t, text, hint, guard.joint)


def _singular(stepper: Stepper, t: float, q: Floats) -> Stopped:
    """A loop has come to a dead centre, which driven joints cannot pass."""
    from torsor.motion.dead_centres import name_singular

    text = f"{name_singular(stepper.plant.arm.closure, q, near=1.0)}, reached at {t:.6g} s"
    hint = "arm.closure.forward_dynamics moves all joints of the tree, which passes dead centres"
    return Stopped("singular", t, text, hint)


def _folds(stepper: Stepper, q: Floats, ahead: Floats) -> bool:
    """Whether a loop cannot close where the last step would have led."""
    if not stepper.plant.arm.model.loops:
        return False
    with np.errstate(invalid="ignore"):
        margins = np.array([stepper.plant.arm.closure.margins(each) for each in (q, ahead)], dtype=float)
    return bool((margins[0] < NEAR**2).any() or not (margins[1] > 0.0).all())


def _diverged(stepper: Stepper, row: Floats, journey: Journey) -> None:
    at, n = stepper.space.at, stepper.plant.n
    t0 = float(at(row, "t0")[0])
    q, qd = _joints(stepper, at(row, "y0").copy())
    if np.isfinite(q).all() and _folds(stepper, q, q + qd * float(at(row, "dt")[0])):
        journey.stopped = _singular(stepper, t0, q)
        at(row, "y")[:], at(row, "t")[:] = at(row, "y0"), t0
        journey.happenings.append(Happening(t0, "dead centre", q, qd))
        return
    worst = int(np.argmax(np.where(np.isfinite(qd), np.abs(qd), np.inf)))
    name = stepper.plant.arm.joint_names[worst]
    hint = "gains too high for dt, or a law that feeds energy in: a smaller dt, or integrator='rosenbrock', tells which"
    with np.printoptions(precision=4):
        text = f"the motion diverges at {t0:.6g} s: {name} turns at {qd[worst]:.3g} rad/s, q = {q}"
        if np.abs(qd).max() < CALM and not np.isfinite(at(row, "y")).all():
            lost = int(np.argmin(np.isfinite(_joints(stepper, at(row, "y"))[1])))
            name = stepper.plant.arm.joint_names[lost]
            text = f"the motion is no number any more from {t0:.6g} s on: {name} first, q = {q}, qd = {qd}"
            hint = "the law, a wrench or a parameter is NaN or infinite there, or the arm is singular"
    journey.stopped = Stopped("diverged", t0, text, hint, name)
    at(row, "y")[:] = at(row, "y0")
    at(row, "t")[:] = t0
    journey.happenings.append(Happening(t0, "diverges", q[:n], qd[:n], name))


def _joints(stepper: Stepper, y: Floats) -> tuple[Floats, Floats]:
    n, plant = stepper.plant.n, stepper.plant
    q, qd = y[:n], y[n : 2 * n]
    return (plant.coordinates.B @ q, plant.coordinates.B @ qd) if plant.many else (q.copy(), qd.copy())


def _index(stepper: Stepper, joint: str) -> int:
    return stepper.plant.arm.joint_names.index(joint)
