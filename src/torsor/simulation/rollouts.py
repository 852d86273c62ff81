"""Many runs at once: in SIMD lanes where the way of stepping allows it, else one by one; both on several threads."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats
from torsor.simulation.driving import Course, Progress, Stopped, drive
from torsor.simulation.events import Happening
from torsor.simulation.plant import FASTEST, Plant
from torsor.simulation.stepper import Stepper

LANES = 64  # rollouts that are stepped together: their workspaces fit the first caches
PIECE = 2_000_000  # steps of a rollout between two looks at the keyboard


def together(
    stepper: Stepper, course: Course, threads: int | None, progress: Progress | None
) -> tuple[Floats, NDArray[np.bool_], Stopped | None]:
    """What was kept of all (rollouts, times, kept), NaN where there is nothing; which came to their end."""
    from concurrent.futures import ThreadPoolExecutor

    from torsor.emit.threads import usable

    lanes = len(course.y)
    kept = np.full((lanes, course.steps // course.every + 1, stepper.loop.kept[1]), np.nan)
    kept[:, 0] = course.begin(stepper)
    complete, stopped = np.zeros(lanes, dtype=bool), None
    edges = [*range(0, lanes, LANES if stepper.lanes else 1), lanes]
    # Python runs one law at a time anyway
    workers = 1 if stepper.law is not None else max(1, min(threads or usable(), len(edges) - 1))
    interrupted, finished = threading.Event(), 0

    def look(t: float) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt

    def block(begin: int, end: int) -> None:
        (_side_by_side if stepper.lanes else _alone)(stepper, course, slice(begin, end), kept, look)
        complete[begin:end] = True

    with ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(block, a, b) for a, b in pairwise(edges)]
        try:
            for future in waiting:
                future.result()
                finished += 1
                if progress is not None:
                    progress(course.end * finished / len(waiting))
        except KeyboardInterrupt:
            interrupted.set()
            for future in waiting:
                future.cancel()
    if interrupted.is_set():
        text = f"interrupted after {complete.sum()} of {lanes} rollouts"
        stopped = Stopped("interrupted", 0.0, text, "the others are NaN from where they were")
    return kept, complete, stopped


def _alone(stepper: Stepper, course: Course, which: slice, kept: Floats, look: Progress) -> None:
    lane = which.start
    journey = drive(stepper, course, lane, progress=look)
    if journey.stopped is not None and journey.stopped.reason == "interrupted":
        raise KeyboardInterrupt
    found = np.vstack(journey.rows)
    whole = int((np.abs(found[:, 0] - course.times(len(found))) <= 1e-3 * course.dt).sum())  # the last may lie between
    kept[lane, :whole] = found[:whole]


def _side_by_side(stepper: Stepper, course: Course, which: slice, kept: Floats, look: Progress) -> None:
    space, rows, lanes = course.row(stepper, which), kept.shape[1] - 1, range(which.start, which.stop)
    every, most = course.every, PIECE // len(lanes)
    piece = max(1, most // every)
    for start in range(0, rows, piece):
        many = min(piece, rows - start)
        for begin in range(0, every, most):  # at once, unless it takes long from one state that is kept to the next
            look(0.0)
            inner = min(most, every - begin)
            given = course.given(stepper, start * every + begin, many * inner, lanes)
            found = stepper.loop.run(space, many, given=given, inner=inner)
        kept[which, 1 + start : 1 + start + many] = np.swapaxes(found, 0, 1)


def judged(plant: Plant, time: Floats, y: Floats, complete: NDArray[Any], notes: list[str]) -> tuple[Happening, ...]:
    """Complete rollouts that diverge or reach a limit, seen at the states that are kept; from there on they are NaN."""
    (q, qd, _), limits = plant.joints(y), plant.setting.limits
    with np.errstate(invalid="ignore"):
        wild = ~(np.abs(qd) < FASTEST)
        lower, upper = plant.position_limits
        beyond = ((q < lower) | (q > upper)) & ~((q[:, :1] < lower) | (q[:, :1] > upper))
    events = []
    for what, where, ends in (("diverges", wild, True), ("reaches its limit", beyond, limits == "stop")):
        if not where.any() or (what != "diverges" and limits not in ("stop", "report")):
            continue
        hit = np.asarray(where.any(axis=-1)) & complete[:, None]
        for lane in np.flatnonzero(hit.any(axis=-1)):
            row = int(np.argmax(hit[lane]))
            joint = plant.arm.joint_names[int(np.argmax(where[lane, row]))]
            text = f"rollout {lane}: {joint} {what}"
            events.append(Happening(float(time[row]), text, q[lane, row].copy(), qd[lane, row].copy(), joint))
            if ends:
                y[lane, row + (what != "diverges") :] = np.nan
        if hit.any():
            tail = ", and NaN from there on" if ends else ""
            notes.append(f"{hit.any(axis=-1).sum()} of {len(y)} rollouts: a joint {what}{tail} (run.events)")
    return tuple(sorted(events, key=lambda event: event.time))
