"""``torsor.vibrate``: how far the tool of an elastic arm swings from where a program has it, and when it has settled.

The program is planned as `torsor.check` plans it. Joints follow the plan: drives are taken for ideal. What the tool
deviates by is told against the arm that only hangs in its posture, so that gravity does not count. After each stop the
swing dies down in closed form, whatever the program does next: how long that takes is the settling time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import numpy as np

from torsor.arm import Arm
from torsor.elastic.small_bending import much_bent
from torsor.elastic.step_lengths import unseen_modes
from torsor.elastic.swinging import Fidelity, Swing, follow
from torsor.errors import TorsorError
from torsor.loading import load
from torsor.model.transforms import Floats
from torsor.motion import Plan
from torsor.motion.commands import Command, Place
from torsor.motion.planning.piece import placed
from torsor.programs import Program, read
from torsor.programs.planner import Planner
from torsor.vibration.stops import stop_of
from torsor.vibration.vibration import Vibration

STEP = 1e-3  # s between samples
TOLERANCE = 1e-4  # m that the tool may be off when it has settled
REST = 1e-9  # rad/s or m/s: slower is at rest
LOOKS, COMPARED = 4, 4  # moments at which frequencies are compared with those of all shapes, and how many of them


def vibrate(
    program: str | os.PathLike[str] | Program | Iterable[Command],
    robot: str | os.PathLike[str] | Arm,
    *,
    fidelity: Fidelity = 1,
    tolerance: float = TOLERANCE,
    start: Floats | None = None,
    dt: float = STEP,
    modes: int | None = None,
) -> Vibration:
    """How an arm with elastic links or joints swings in a program, stop by stop.

    ``fidelity`` 1 is linear in what bends, 2 is not. ``tolerance`` in m is what counts as settled. ``modes`` are shapes
    of all links together: without a word those of the arm file, and of an arm with loops the 24 that matter most.
    """
    if not (np.isfinite(tolerance) and tolerance > 0.0):
        raise TorsorError(f"tolerance is {tolerance:g} m", hint="in m, above zero, such as 1e-4")
    if fidelity not in (1, 2):
        raise TorsorError(f"fidelity is {fidelity!r}", hint="1, linear in what bends, or 2")
    arm = robot if isinstance(robot, Arm) else load(robot)
    elastic = arm.elastic
    if isinstance(program, str | os.PathLike):
        program = read(program)
    known = program if isinstance(program, Program) else None
    planner = Planner.of(arm, known)
    commands: list[Command] = list(program.commands() if isinstance(program, Program) else program)
    plan = planner.plan(commands, start=start)
    time, q, qd, qdd = _sampled(plan, dt)
    left_out = [note for note in plan.notes if note.kind == "skipped"]
    if left_out:
        raise placed(TorsorError(left_out[0].text), left_out[0].place)
    swing = follow(elastic, time, q, qd, qdd, fidelity, modes=modes)
    stops = [stop_of(swing, tolerance, *each) for each in _stops(plan)]
    name = known.name if known is not None else "program"
    said = [f"line {note.place.line}: {note.text}" for note in plan.notes if note.severity == "error"]
    notes = [*planner.assumed, *said, *_doubts(swing), *_shapes(swing)]
    return Vibration(arm, name, fidelity, tolerance, swing, stops, notes)


def _sampled(plan: Plan, dt: float) -> tuple[Floats, Floats, Floats, Floats]:
    """At equal steps; the end of the plan is the first of them at or after it."""
    samples = plan.at(dt)
    count = int(np.ceil(samples.time[-1] / dt - 1e-9)) + 1
    time = np.asarray(dt * np.arange(max(count, 2)), dtype=np.float64)
    parts = [samples.q, samples.qd, samples.qdd]
    rows = [np.concatenate([part[: count - 1], np.repeat(part[-1:], len(time) - count + 1, axis=0)]) for part in parts]
    return time, rows[0], rows[1], rows[2]


def _stops(plan: Plan) -> list[tuple[Place, float, float, float]]:
    """Place, start, end and rest of each move that ends at rest."""
    moves: list[tuple[Place, float, float, bool]] = []
    for piece in plan:
        if piece.kind not in ("joint", "line", "circle") or piece.duration <= 0.0:
            continue
        rate = float(np.abs(piece.trajectory.at(np.array([piece.duration])).qd).max())
        moves.append((piece.place, piece.start, piece.end, rate < REST))
    found = []
    for k, (place, start, end, at_rest) in enumerate(moves):
        if at_rest:
            following = moves[k + 1][1] if k + 1 < len(moves) else np.inf
            found.append((place, start, end, following - end))
    return found


def _doubts(swing: Swing) -> list[str]:
    """Where what bends is not small, and what was left out."""
    said = ["drives are taken for ideal: joints are where the plan has them"]
    said += unseen_modes(float(swing.time[1]), swing.frequencies_at(swing.q[:1])[0])
    return [*said, *(f"{bent} (at {swing.time[bent.index[0]]:.3f} s)" for bent in much_bent(swing.tree, swing.x))]


def _shapes(swing: Swing) -> list[str]:
    """Which shapes were taken in place of those of the arm file, and how far the frequencies are off by that."""
    elastic, tree = swing.elastic, swing.tree
    if not elastic.by_posture and tree is elastic.tree:
        return []
    count, asked = (sum(link.m for link in each.flexible.values()) for each in (tree, elastic.tree))
    said = []
    if elastic.sections_turn:
        said.append("sections that the file does not turn with their links do so here: they stand as in the reference")
    if count < asked:
        some = swing.q[:: max(1, len(swing.q) // LOOKS)]
        right = np.array([elastic.at(q, drives="held").frequencies[:COMPARED] for q in some])
        off = np.abs(swing.frequencies_at(some)[:, :COMPARED] / right - 1.0).max(axis=0)
        each = ", ".join(f"{100.0 * share:.2g} %" for share in off)
        said.append(
            f"{count} shapes of the links are taken of the file's {asked}: the first frequencies are off by {each}"
        )
    return said
