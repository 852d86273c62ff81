"""``torsor.vibrate``: how far the tool of an elastic arm swings from where a program has it, and when it has settled.

The program is planned as `torsor.check` plans it. Joints follow the plan: drives are taken for ideal. What the tool
deviates by is told against the arm that only hangs in its posture, so that gravity does not count. After each stop the
swing dies down in closed form, whatever the program does next: how long that takes is the settling time.

With ``shape`` every motion from one stop to the next is shaped for the mode that swings most after it, and followed
again; what is said then is of the shaped program, and ``before`` is the one as written.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial

import numpy as np

from torsor.arm import Arm
from torsor.elastic.shaping import ShapedTrajectory, ShaperKind, shaper
from torsor.elastic.small_bending import much_bent
from torsor.elastic.step_lengths import unseen_modes
from torsor.elastic.swinging import Fidelity, Swing, follow
from torsor.errors import TorsorError
from torsor.loading import load
from torsor.model.ranges import CYCLE
from torsor.model.transforms import Floats
from torsor.motion import Plan
from torsor.motion.commands import Command, Payload, Tool
from torsor.motion.curves import Trajectory
from torsor.motion.planning.piece import placed
from torsor.programs import Program, read
from torsor.programs.holding import holding
from torsor.programs.planner import Planner
from torsor.vibration.stops import stop_of
from torsor.vibration.stretches import BetweenStops, Timetable, stretches_of
from torsor.vibration.vibration import Vibration

STEP = 1e-3  # s between samples
AFTER = 1.0  # s that are looked at after the end of the program
TOLERANCE = 1e-4  # m that the tool may be off when it has settled
LOOKS, COMPARED = 4, 4  # moments at which frequencies are compared with those of all shapes, and how many of them


def vibrate(
    program: str | os.PathLike[str] | Program | Iterable[Command],
    robot: str | os.PathLike[str] | Arm,
    *,
    fidelity: Fidelity = 1,
    shape: ShaperKind | None = None,
    tolerance: float = TOLERANCE,
    start: Floats | None = None,
    dt: float = STEP,
    modes: int | None = None,
) -> Vibration:
    """How an arm with elastic links or joints swings in a program, stop by stop.

    ``fidelity`` 1 is linear in what bends, 2 is not. ``shape`` drives the program with its moves shaped: "ZV", "ZVD",
    "EI" or "blend". ``tolerance`` in m is what counts as settled. ``modes`` are shapes of all links together: without a
    word those of the arm file, and of an arm with loops the 24 that matter most.
    """
    if not (isinstance(tolerance, float | int | np.number) and np.isfinite(tolerance) and tolerance > 0.0):
        raise TorsorError(f"tolerance is {tolerance!r}", hint="a number in m, above zero, such as 1e-4")
    if not isinstance(dt, float | int | np.number):
        raise TorsorError(f"dt is {dt!r}", hint="a number in s, such as 1e-3")
    CYCLE.refuse("dt", dt)
    if fidelity not in (1, 2):
        raise TorsorError(f"fidelity is {fidelity!r}", hint="1, linear in what bends, or 2")
    if shape is not None:
        shaper(shape, 1.0)  # is there such a one? asked before the work
    arm = robot if isinstance(robot, Arm) else load(robot)
    _ = arm.elastic  # or it is said that there is none, before the work
    if isinstance(program, str | os.PathLike):
        program = read(program)
    known = program if isinstance(program, Program) else None
    planner = Planner.of(arm, known)
    commands: list[Command] = list(program.commands(arm=arm) if isinstance(program, Program) else program)
    plan = planner.plan(commands, start=start)
    arm, untold = _equipped(arm, plan)
    stretches = stretches_of(plan)
    left_out = [note for note in plan.notes if note.kind == "skipped"]
    if left_out:
        raise placed(TorsorError(left_out[0].text), left_out[0].place)
    if not stretches:
        raise TorsorError("the plan has no motion", hint="its program moves nothing")
    said = [f"line {note.place.line}: {note.text}" for note in plan.notes if note.severity == "error"] + untold
    found = partial(_followed, arm, known, fidelity, tolerance, dt, modes, [*planner.assumed, *said])
    before = found(Timetable.of(stretches))
    if shape is None:
        return before
    return found(Timetable.of(stretches, _shaped(shape, before)), shape, before)


def _equipped(arm: Arm, plan: Plan) -> tuple[Arm, list[str]]:
    """The arm with what it holds in its first move, and what is said of loads and tools it is followed without."""
    held: Payload | None = None
    tool: Floats | None = None
    has_moved, said = False, []
    for piece in plan:
        command = piece.command
        if isinstance(command, Payload) and not has_moved:
            held = command
        elif isinstance(command, Payload | Tool):
            what = f"a payload of {command.mass:g} kg" if isinstance(command, Payload) else "another tool"
            said.append(f"line {piece.place.line}: {what} is not counted: the arm is followed as it starts")
        if isinstance(command, Tool) and not has_moved:
            tool = command.T  # which what it holds is in
        has_moved = has_moved or piece.duration > 0.0
    return holding(arm, held, tool), said


def _shaped(kind: ShaperKind, before: Vibration) -> dict[BetweenStops, Trajectory]:
    """Each for the mode that swings most where it ends, where one does."""
    each = zip(before.table.stops, before.stops, strict=True)
    return {
        stretch: ShapedTrajectory(stretch, shaper(kind, stop.frequency, stop.damping))
        for (stretch, *_), stop in each
        if stop.frequency is not None
    }


def _followed(
    arm: Arm,
    program: Program | None,
    fidelity: Fidelity,
    tolerance: float,
    dt: float,
    modes: int | None,
    notes: list[str],
    table: Timetable,
    shape: ShaperKind | None = None,
    before: Vibration | None = None,
) -> Vibration:
    swing = follow(arm.elastic, *table.sampled(dt, AFTER), fidelity, modes=modes)
    stops = [stop_of(swing, tolerance, stretch.pieces[-1].place, *times) for stretch, *times in table.stops]
    said = [*notes, *_doubts(swing), *_shapes(swing)]
    if before is not None:
        off = _off_path(arm, swing, before.swing)
        said.append(f"shaped in joints, the tool leaves its planned path by {1e3 * off:.3g} mm at most")
    name = program.name if program is not None else "program"
    return Vibration(arm, name, fidelity, tolerance, swing, stops, said, table, program, shape, before)


def _off_path(arm: Arm, swing: Swing, before: Swing) -> float:
    """How far the tool of one motion is from the way of the other at most, m; nothing bent."""
    from scipy.spatial import cKDTree

    way, there = (arm.pose(each.q)[..., :3, 3] for each in (before, swing))
    near = cKDTree(way).query(there)[1]
    distances = [
        _from_side(there, way[k], way[k + 1]) for k in (np.maximum(near - 1, 0), np.minimum(near, len(way) - 2))
    ]
    return float(np.minimum(*distances).max())


def _from_side(points: Floats, a: Floats, b: Floats) -> Floats:
    """Of each point (k, 3) from the straight line between a and b, (k, 3) each."""
    along = b - a
    size = np.maximum(np.einsum("ki,ki->k", along, along), 1e-300)
    share = np.clip(np.einsum("ki,ki->k", points - a, along) / size, 0.0, 1.0)
    return np.asarray(np.linalg.norm(points - a - share[:, None] * along, axis=1))


def _doubts(swing: Swing) -> list[str]:
    """Where what bends is not small, and what was left out."""
    said = ["drives are taken for ideal: joints are where the plan has them"]
    loose = [drive.name for drive in swing.elastic.model.drives if drive.backlash]
    said += [f"gears are taken as engaged: the play of {', '.join(loose)} is left out"] if loose else []
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
        taken = swing.frequencies_at(some)[:, :COMPARED]
        right = np.array([elastic.at(q, drives="held").frequencies[: taken.shape[1]] for q in some])
        off = np.abs(taken / right - 1.0).max(axis=0)
        each = ", ".join(f"{100.0 * share:.2g} %" for share in off)
        said.append(
            f"{count} shapes of the links are taken of the file's {asked}: the first frequencies are off by {each}"
        )
    return said
