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
from torsor.elastic.swinging import Fidelity, Swing, follow, require_open
from torsor.errors import TorsorError
from torsor.loading import load
from torsor.model.transforms import Floats
from torsor.motion import Plan
from torsor.motion.commands import Command, Place
from torsor.programs import Program, read
from torsor.programs.planner import Planner
from torsor.vibration.stops import stop_of
from torsor.vibration.vibration import Vibration

STEP = 1e-3  # s between samples
TOLERANCE = 1e-4  # m that the tool may be off when it has settled
REST = 1e-9  # rad/s or m/s: slower is at rest


def vibrate(
    program: str | os.PathLike[str] | Program | Iterable[Command],
    robot: str | os.PathLike[str] | Arm,
    *,
    fidelity: Fidelity = 1,
    tolerance: float = TOLERANCE,
    start: Floats | None = None,
    dt: float = STEP,
) -> Vibration:
    """How an arm with elastic links or joints swings in a program, stop by stop.

    ``fidelity`` 1 is linear in what bends, 2 is not. ``tolerance`` in m is what counts as settled.
    """
    if not (np.isfinite(tolerance) and tolerance > 0.0):
        raise TorsorError(f"tolerance is {tolerance:g} m", hint="in m, above zero, such as 1e-4")
    if fidelity not in (1, 2):
        raise TorsorError(f"fidelity is {fidelity!r}", hint="1, linear in what bends, or 2")
    arm = robot if isinstance(robot, Arm) else load(robot)
    elastic = arm.elastic
    require_open(elastic)
    if isinstance(program, str | os.PathLike):
        program = read(program)
    known = program if isinstance(program, Program) else None
    planner = Planner.of(arm, known)
    commands: list[Command] = list(program.commands() if isinstance(program, Program) else program)
    plan = planner.plan(commands, start=start, strict=True)
    time, q, qd, qdd = _sampled(plan, dt)
    swing = follow(elastic, time, q, qd, qdd, fidelity)
    stops = [stop_of(elastic, swing, tolerance, *each) for each in _stops(plan)]
    name = known.name if known is not None else "program"
    return Vibration(arm, name, fidelity, tolerance, swing, stops, [*planner.assumed, *_doubts(swing)])


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
    tree = swing.elastic.tree
    said += unseen_modes(float(swing.time[1]), swing.elastic.at(swing.q[0], drives="held").frequencies)
    x = np.concatenate([swing.q, swing.e], axis=1)
    return [*said, *(f"{bent} (at {swing.time[bent.index[0]]:.3f} s)" for bent in much_bent(tree, x))]
