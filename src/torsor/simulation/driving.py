"""Driving a loop from its start to its end: in pieces that Ctrl-C can come between, with events located and noted."""

from __future__ import annotations

import time as clock
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

import numpy as np

from torsor.mechanics.newton import CLOSED
from torsor.model.transforms import Floats
from torsor.simulation.events import DEAD_CENTRE, FLAT, Happening, Threshold
from torsor.simulation.parameter_values import Changes, ParameterValues
from torsor.simulation.plant import FASTEST
from torsor.simulation.stepper import Stepper

Progress = Callable[[float], None]
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


@dataclass(frozen=True, eq=False)
class Course:
    """Runs as they are stepped: from where, by which steps, and what is given on the way."""

    y: Floats  # (runs, size)
    mode: Floats  # (runs, elements)
    values: ParameterValues
    dt: float
    steps: int
    every: int  # so many steps a state is kept
    changes: Changes  # of parameters, from a step on
    held: Floats | None = None  # (m,) torques, or a table (steps, m)

    @property
    def end(self) -> float:
        return self.dt * self.steps

    def times(self, count: int) -> Floats:
        """(count,) at which states are kept, the first one included."""
        return np.asarray(self.dt * self.every * np.arange(count), dtype=np.float64)

    def paced(self, substeps: int, whole: int) -> Course:
        """Several steps for one where the loop is stiff, one for several where it adapts."""
        steps, every = (count // whole * substeps for count in (self.steps, self.every))
        changes = {step * substeps // whole: named for step, named in self.changes.items()}
        held = self.held if self.held is None or not self.is_table else np.repeat(self.held, substeps, axis=0)
        return replace(self, dt=self.dt * whole / substeps, steps=steps, every=every, changes=changes, held=held)

    @property
    def is_table(self) -> bool:
        return self.held is not None and self.held.ndim == 2

    def row(self, stepper: Stepper, lane: int | slice) -> Floats:
        """The workspace at the start, of one run or of some together."""
        held = None if self.is_table else self.held
        end = self.end + 1e-3 * self.dt
        return stepper.start(self.y[lane], self.mode[lane], self.values.of(lane), held, self.dt, end)

    def given(self, stepper: Stepper, first: int, count: int, lanes: range) -> Floats | None:
        """Numbers for so many steps: rows of a table, or the noise of encoders, (count, lanes, n)."""
        if self.held is not None and self.is_table:
            return self.held[first : first + count]
        if stepper.controller is not None and stepper.controller.noisy:
            return np.stack([stepper.controller.noise(first, count, lane) for lane in lanes], axis=1)
        return None

    def begin(self, stepper: Stepper) -> Floats:
        """(runs, kept): what is kept of the start."""
        kept = np.zeros((len(self.y), stepper.loop.kept[1]))
        stepper.space.put(kept, y=self.y, mode=self.mode, closed=stepper.plant.guess(self.y))
        return kept


@dataclass(eq=False)
class Journey:
    """What was kept: rows of t, y, mode and u, the start first; what happened; whether it ended early."""

    rows: list[Floats]
    happenings: list[Happening] = field(default_factory=list)
    stopped: Stopped | None = None


def drive(stepper: Stepper, course: Course, lane: int = 0, *, progress: Progress | None = None) -> Journey:
    """One run, from its start to its end."""
    row, steps, every = course.row(stepper, lane), course.steps, course.every
    done, recorded, journey = 0, 0, Journey([course.begin(stepper)[lane : lane + 1]])
    first, count = stepper.loop.kept
    changes = course.values.after(course.changes, lane)
    edges = [*changes, steps]
    piece = 16  # steps
    try:
        while done < steps:
            if done in changes:
                stepper.space.put(row, p=changes[done])
                stepper.jumped(row)
            border = edges[bisect_right(edges, done)]
            whole = done % every == 0 and every <= min(piece, border - done)
            rows = min(piece, border - done) // every if whole else 1
            inner = every if whole else min(every - done % every, border - done, piece)
            given = course.given(stepper, done, rows * inner, range(lane, lane + 1))
            stepper.space.put(row, steps=0.0)
            begun = clock.perf_counter()
            kept = stepper.advance(row, rows, given if given is None or given.ndim == 2 else given[:, 0], inner)
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
                if stepper.space.at(row, "t")[0] > journey.rows[-1][-1, 0]:
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
        reached = float(journey.rows[-1][-1, 0])
        journey.stopped = Stopped("interrupted", reached, f"interrupted at {reached:g} s", "what was computed is kept")
    return journey


def _looked_into(stepper: Stepper, row: Floats, journey: Journey) -> bool:
    """Locates what happened in the last step and notes it; whether the run goes on."""
    at = stepper.space.at
    if at(row, "halt")[0] > 1.5:
        _diverged(stepper, row, journey)
        return False
    t0, y0, t1, y1 = stepper.bracket(row)
    watch = stepper.plant.watch
    numbers = partial(stepper.numbers, row)
    ends = numbers(t0, y0), numbers(t1, y1)
    for h, k in sorted((stepper.located(row, numbers, k, ends, t1 - t0), k) for k in watch.passed(*ends)):
        threshold = watch.thresholds[k]
        t, y, mode = stepper.retaken(row, h) if h < t1 - t0 else (t1, y1, at(row, "mode").copy())
        if threshold.lowest:
            if numbers(t, y)[k - 1] > 0.0:
                continue
            threshold = DEAD_CENTRE
        q, qd, _ = stepper.plant.joints(y)
        journey.happenings.append(Happening(t, threshold.name, q, qd, threshold.joint))
        if threshold.stop:
            stepper.end_at(row, t, y, mode)
            journey.stopped = _stopped(stepper, row, threshold, t, q, qd)
            return False
    stepper.resume(row)
    if len(journey.happenings) > MOST_EVENTS:
        text = f"more than {MOST_EVENTS} events by {t1:g} s"
        journey.stopped = Stopped("event", t1, text, "an event that happens at every step is none")
        return False
    return True


def _stopped(stepper: Stepper, row: Floats, threshold: Threshold, t: float, q: Floats, qd: Floats) -> Stopped:
    if threshold.singular:  # a loop has come to a dead centre, which free joints cannot pass
        from torsor.motion.dead_centres import name_singular

        guess = stepper.space.at(row, "closed") if stepper.plant.guessed else None
        text = f"{name_singular(stepper.plant.arm.closure, q, 1.0, guess)}, reached at {t:.6g} s"
        hint = "arm.closure.forward_dynamics moves all joints of the tree, which passes dead centres"
        return Stopped("singular", t, text, hint)
    if threshold.joint is None:
        return Stopped("event", t, f"{threshold.name} at {t:.6g} s")
    rate = qd[stepper.plant.arm.joint_names.index(threshold.joint)]
    hint = 'limits="report" goes on, "ignore" does not look, Buffers(stiffness, damping) stops it softly'
    return Stopped("limit", t, f"{threshold.name} at {t:.6g} s, at {rate:.3g} rad/s", hint, threshold.joint)


def _folds(stepper: Stepper, row: Floats, t: float, y: Floats) -> bool:
    """Whether a loop is nearly flat where the last step began, or cannot close where it would have led."""
    plant = stepper.plant
    singular = [k for k, each in enumerate(plant.watch.thresholds) if each.singular]
    if not singular or not np.isfinite(y).all():
        return False
    q, qd, _ = plant.joints(y)
    with np.errstate(invalid="ignore"):
        margins = stepper.numbers(row, t, y)[singular] + FLAT**2
        ahead = np.zeros(0) if plant.guessed else plant.arm.closure.margins(q + qd * stepper.space.at(row, "dt")[0])
    return bool((margins < NEAR**2).any() or not np.all(np.array(ahead, dtype=float) > 0.0))


def _diverged(stepper: Stepper, row: Floats, journey: Journey) -> None:
    at, plant = stepper.space.at, stepper.plant
    t0, y0, _, after = stepper.bracket(row)
    gap, (q, qd, _) = float(at(row, "gap")[0]), plant.joints(y0)
    stepper.end_at(row, t0, y0, at(row, "mode"))
    if _folds(stepper, row, t0, y0):
        journey.stopped = _stopped(stepper, row, DEAD_CENTRE, t0, q, qd)
        journey.happenings.append(Happening(t0, DEAD_CENTRE.name, q, qd))
        return
    rates = plant.moving(y0)[1]  # of what bends, too
    worst = int(np.argmax(np.where(np.isfinite(rates), np.abs(rates), np.inf)))
    name = plant.names[worst]
    hint = "gains too high for dt, or a law that feeds energy in: a smaller dt, or integrator='rosenbrock', tells which"
    with np.printoptions(precision=4):
        moves = (
            f"turns at {rates[worst]:.3g} rad/s" if worst < plant.bends_from else f"swings at {rates[worst]:.3g} 1/s"
        )
        text = f"the motion diverges at {t0:.6g} s: {name} {moves}, q = {q}"
        if np.abs(rates).max() < CALM and not np.isfinite(after).all():
            name = plant.names[int(np.argmin(np.isfinite(plant.moving(after)[1])))]
            text = f"the motion is no number any more from {t0:.6g} s on: {name} first, q = {q}, qd = {qd}"
            hint = "the law, a wrench or a parameter is NaN or infinite there, or the arm is singular"
        elif plant.guessed and not gap < CLOSED**2:
            text = f"the loops of {plant.arm.name!r} cannot be followed from {t0:.6g} s on, where q = {q}, qd = {qd}"
            hint = "joints turn too far in a step: a smaller dt"
        elif plant.guessed and np.abs(plant.joints(after)[1]).max() < FASTEST:
            text = f"the law, a wrench or an event asks at {t0:.6g} s for the arm where its loops do not close, q = {q}"
            hint = "joints it asks about must be within reach of where the arm is"
    journey.stopped = Stopped("diverged", t0, text, hint, name)
    journey.happenings.append(Happening(t0, "diverges", q, qd, name))
