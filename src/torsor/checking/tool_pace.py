"""How fast a plan moves the tool along lines of a program, for lines that leave it to the joints' limits."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from torsor.checking.checked_arm import CheckedArm, Equipped
from torsor.checking.sampling import Planned
from torsor.motion.commands import Move
from torsor.motion.curves import Trajectory
from torsor.motion.paths.trajectories import Joined, TimedPath
from torsor.programs.pace import ToolPace

_LOOKS = 129  # points of a piece


def tool_paces(machine: CheckedArm, pieces: Iterable[Planned], lines: Collection[int]) -> dict[int, ToolPace]:
    """Of those lines that move the tool along a line or a circle. A line that is run again counts as it is slowest."""
    found: dict[int, ToolPace] = {}
    equipped = Equipped(machine)
    for piece in pieces:
        command = piece.command
        holding = equipped.after(command)
        line = command.place.line
        if not isinstance(command, Move) or command.kind == "joint" or line not in lines:
            continue
        at = piece.trajectory.at(np.linspace(0.0, piece.trajectory.duration, _LOOKS))
        speed = float(holding.tool_speed(at.q, at.qd).max())
        pace = ToolPace(speed, _acceleration(piece.trajectory))
        if speed > 0.0 and pace.acceleration > 0.0:
            old = found.get(line, pace)
            found[line] = ToolPace(min(old.speed, pace.speed), min(old.acceleration, pace.acceleration))
    return found


def _acceleration(trajectory: Trajectory) -> float:
    """The greatest sdd of the laws that paths of the tool, whose parameter is metres, are run through by."""
    parts = trajectory.parts if isinstance(trajectory, Joined) else [trajectory]
    laws = [part.time_law for part in parts if isinstance(part, TimedPath)]
    return max((float(np.abs(law.at(np.linspace(0.0, law.duration, _LOOKS))[2]).max()) for law in laws), default=0.0)
