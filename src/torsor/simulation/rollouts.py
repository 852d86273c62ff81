"""Starting runs, one or many at once: rollouts in SIMD lanes and threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.arm import Arm
from torsor.errors import ShapeError
from torsor.model.transforms import Floats
from torsor.simulation.driving import Stopped, drive
from torsor.simulation.events import FASTEST, Happening
from torsor.simulation.laws import Torque, initial_states
from torsor.simulation.outcome import Run
from torsor.simulation.parameters import Changes, Values
from torsor.simulation.plant import Plant
from torsor.simulation.stepping import Stepper

LANES = 64  # rollouts that are stepped together: their workspaces fit the first caches
PIECE = 2_000_000  # steps of a rollout between two looks at the keyboard


@dataclass(frozen=True, eq=False)
class Job:
    """All that a run is made of, at the pace of its steps."""

    plant: Plant
    law: Any
    torque: Torque
    q: Floats
    qd: Floats
    values: Values
    dt: float
    steps: int
    every: int
    table: Floats | None
    changes: Changes
    progress: Callable[[float], None] | None
    until: float


def count(q: Floats, qd: Floats, values: Values) -> int | None:
    """How many rollouts, None for a single run."""
    sizes = {
        word: len(array)
        for word, array, ndim in (("q0", q, 1), ("qd0", qd, 1), ("parameters", values.flat, 1))
        if array.ndim > ndim
    }
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{word} for {size}" for word, size in sizes.items())
        raise ShapeError(f"rollouts do not agree: {listed}", hint="one number of rollouts for all")
    return next(iter(sizes.values()), None)


def start_of(job: Job, lane: int | None) -> tuple[Floats, Floats]:
    """State y and modes at the start."""
    plant = job.plant
    q, qd = (a if a.ndim == 1 else a[lane or 0] for a in (job.q, job.qd))
    x = initial_states(job.law, q, qd) if job.torque.states and job.torque.kind != "sampled" else np.zeros(0)
    if plant.many:
        T = plant.coordinates.T
        q, qd = T @ q, T @ qd
    return np.concatenate([q, qd, x]), np.sign(qd[: plant.many])


def workspace(stepper: Stepper, job: Job, y: Floats, mode: Floats, lane: int) -> Floats:
    held = job.torque.held if job.torque.kind == "held" else None
    row = stepper.start(0.0, y, mode, job.dt, job.values.of(lane), held)
    if "end" in stepper.space.place:
        stepper.space.at(row, "end")[:] = job.dt * (job.steps + 1e-3)
    return row


def parameter_changes(job: Job, lane: int) -> dict[int, Floats]:
    """Parameters that hold from a step on: payloads grasped and released, what follows a schedule."""
    return job.values.after(job.changes, lane)


def called_along(job: Job, time: Floats, y: Floats) -> Floats:
    """The torques (and rates) of a law that is called, at the states that were kept."""
    n, plant = job.plant.n, job.plant
    B = plant.coordinates.B if plant.many else np.eye(n)
    rows = []
    for t, state in zip(time.tolist(), y, strict=True):
        u, xdot = job.torque(t, B @ state[:n], B @ state[n : 2 * n], state[2 * n :])
        rows.append(np.concatenate([np.broadcast_to(np.asarray(u, dtype=np.float64), (plant.m,)), xdot]))
    return np.array(rows)


def outcome(
    arm: Arm, plant: Plant, time: Floats, y: Floats, mode: Floats, u: Floats, p: Floats, events: tuple[Happening, ...],
    notes: tuple[str, ...], stopped: Stopped | None, integrator: str, values: Values,
) -> Run:  # fmt: skip
    n = plant.n
    q, qd, x = y[..., :n], y[..., n : 2 * n], y[..., 2 * n : plant.size]
    elements: tuple[str, ...] = ()
    stuck = np.zeros((*q.shape[:-1], 0), dtype=bool)
    if plant.many:
        B = plant.coordinates.B
        q, qd, elements, stuck = q @ B.T, qd @ B.T, plant.coordinates.names, mode == 0.0
    arrays = [np.ascontiguousarray(a) for a in (time, q, qd, x, stuck)]
    for array in arrays:
        array.flags.writeable = False
    time, q, qd, x, stuck = arrays
    return Run(
        arm, time, q, qd, x, stuck, elements, events, notes, stopped, integrator, values.named, plant, y, mode, u, p
    )


def together(
    arm: Arm,
    job: Job,
    stepper: Callable[[bool], Stepper],
    lanes: int,
    name: str,
    notes: list[str],
    limits: Any,
    threads: int | None,
) -> Run:
    """All rollouts: in lanes where the way of stepping allows it, else one by one; both on several threads."""
    from concurrent.futures import ThreadPoolExecutor

    from torsor.emit.threads import cores

    one = stepper(False)
    wide = one.many_lanes and job.torque.kind != "called" and not job.changes
    if wide:
        one = stepper(True)
    rows = job.steps // job.every
    width = one.loop.kept[1]
    kept = np.full((lanes, rows + 1, width), np.nan)
    for lane in range(lanes):
        y, mode = start_of(job, lane)
        one.space.at(kept[lane, 0], "y")[:] = y
        if job.plant.many:
            one.space.at(kept[lane, 0], "mode")[:] = mode
    edges = [*range(0, lanes, LANES if wide else 1), lanes]
    workers = max(1, min(threads or cores(), len(edges) - 1))
    if job.torque.kind == "called":
        workers = 1  # Python runs one of them at a time anyway
    finished, complete = 0, np.zeros(lanes, dtype=bool)
    interrupted = threading.Event()

    def look(t: float) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt

    def block(begin: int, end: int) -> None:
        if not wide:
            y, mode = start_of(job, begin)
            journey = drive(one, workspace(one, job, y, mode, begin), job.steps, job.every, table=job.table,
                            changes=parameter_changes(job, begin), lane=begin, progress=look)  # fmt: skip
            if journey.stopped is not None and journey.stopped.reason == "interrupted":
                raise KeyboardInterrupt
            found = np.vstack(journey.rows) if journey.rows else np.zeros((0, width))
            due = job.dt * job.every * np.arange(1, len(found) + 1)
            whole = int((np.abs(found[:, 0] - due) <= 1e-3 * job.dt).sum())  # the last may lie between two times
            kept[begin, 1 : 1 + whole] = found[:whole]
            complete[begin] = True
            return
        y = kept[begin:end, 0, one.space.place["y"] : one.space.place["y"] + job.plant.size]
        held = job.torque.held if job.torque.kind == "held" else None
        p = job.values.flat if job.values.flat.ndim == 1 else job.values.flat[begin:end]
        space = one.start(0.0, y, np.zeros(0), job.dt, p, held)
        piece = max(1, PIECE // ((end - begin) * job.every))
        for start in range(0, rows, piece):
            look(0.0)
            many = min(piece, rows - start)
            given = _given(one, job, start * job.every, many * job.every, begin, end)
            found = one.loop.run(space, many, given=given, inner=job.every)
            kept[begin:end, 1 + start : 1 + start + many] = np.swapaxes(found, 0, 1)
        complete[begin:end] = True

    stopped = None
    with ThreadPoolExecutor(max_workers=workers) as pool:
        waiting = [pool.submit(block, a, b) for a, b in pairwise(edges)]
        try:
            for future in waiting:
                future.result()
                finished += 1
                if job.progress is not None:
                    job.progress(job.until * finished / len(waiting))
        except KeyboardInterrupt:
            interrupted.set()
            for future in waiting:
                future.cancel()
    if interrupted.is_set():
        text = f"interrupted after {complete.sum()} of {lanes} rollouts"
        stopped = Stopped("interrupted", 0.0, text, "the others are NaN from where they were")
    at = one.space.at
    y, mode, u = at(kept, "y"), at(kept, "mode"), at(kept, "u")
    u[:, 0] = u[:, 1]
    time = np.asarray(job.dt * job.every * np.arange(rows + 1))
    if job.torque.kind == "called":
        u = np.array([called_along(job, time, lane) for lane in y])
    events = _judged(arm, job, time, y, complete, limits, notes)
    ps = job.values.along(time, job.changes, job.dt)
    ps = np.broadcast_to(ps, (lanes, rows + 1, ps.shape[-1]))
    return outcome(arm, job.plant, time, y, mode, u, ps, events, tuple(notes), stopped, name, job.values)


def _given(stepper: Stepper, job: Job, start: int, steps: int, begin: int, end: int) -> Floats | None:
    if job.table is not None:
        return job.table[start : start + steps]
    controller = stepper.controller
    if controller is not None and controller.noisy:
        return np.stack([controller.noise(start, steps, lane) for lane in range(begin, end)], axis=1)
    return None if stepper.loop.given[1] else np.zeros((steps, 0))


def _judged(
    arm: Arm, job: Job, time: Floats, y: Floats, complete: NDArray[np.bool_], limits: Any, notes: list[str]
) -> tuple[Happening, ...]:
    """Complete rollouts that diverge or reach a limit, seen at the states that are kept; from there on they are NaN."""
    n, plant = job.plant.n, job.plant
    q, qd = y[..., :n], y[..., n : 2 * n]
    if plant.many:
        q, qd = q @ plant.coordinates.B.T, qd @ plant.coordinates.B.T
    with np.errstate(invalid="ignore"):
        wild = ~(np.abs(qd) < FASTEST)
        lower, upper = plant.position_limits
        beyond = ((q < lower) | (q > upper)) & ~((q[:, :1] < lower) | (q[:, :1] > upper))
    events = []
    for what, where, ends in (("diverges", wild, True), ("reaches its limit", beyond, limits == "stop")):
        if what != "diverges" and limits not in ("stop", "report"):
            continue
        hit: NDArray[np.bool_] = np.asarray(where.any(axis=-1)) & complete[:, None]
        for lane in np.flatnonzero(hit.any(axis=-1)):
            row = int(np.argmax(hit[lane]))
            joint = arm.joint_names[int(np.argmax(where[lane, row]))]
            text = f"rollout {lane}: {joint} {what}"
            events.append(Happening(float(time[row]), text, q[lane, row].copy(), qd[lane, row].copy(), joint))
            if ends:
                y[lane, row + (what != "diverges") :] = np.nan
        affected = int(hit.any(axis=-1).sum())
        if affected:
            tail = ", and NaN from there on" if ends else ""
            notes.append(f"{affected} of {len(y)} rollouts: a joint {what}{tail} (run.events)")
    return tuple(sorted(events, key=lambda event: event.time))
