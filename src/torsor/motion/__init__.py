"""From targets to joints over time."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from torsor.motion.inverse.branches import Branches
from torsor.motion.inverse.unreachable import OutOfLimits, Unreachable
from torsor.motion.inverse_kinematics import inverse_kinematics

if TYPE_CHECKING:  # planning is imported when it is first asked for
    from torsor.motion.commands import (
        Blend,
        Command,
        Dwell,
        Gripper,
        Joints,
        Move,
        Pace,
        Payload,
        Place,
        Pose,
        Signal,
        Start,
        Tool,
    )
    from torsor.motion.laws.timelaws import Law
    from torsor.motion.laws.timing import Paul, Timing
    from torsor.motion.optimal.fit_pace import Fitted, fit_pace, slow_down
    from torsor.motion.optimal.path_limits import ToolBound
    from torsor.motion.optimal.profile import Timed
    from torsor.motion.optimal.time_optimal import Infeasible, time_optimal
    from torsor.motion.planning.notes import BeyondRange, Note
    from torsor.motion.planning.plan import Piece, Plan, Samples, plan

__all__ = [
    "BeyondRange",
    "Blend",
    "Branches",
    "Command",
    "Dwell",
    "Fitted",
    "Gripper",
    "Infeasible",
    "Joints",
    "Law",
    "Move",
    "Note",
    "OutOfLimits",
    "Pace",
    "Paul",
    "Payload",
    "Piece",
    "Place",
    "Plan",
    "Pose",
    "Samples",
    "Signal",
    "Start",
    "Timed",
    "Timing",
    "Tool",
    "ToolBound",
    "Unreachable",
    "fit_pace",
    "inverse_kinematics",
    "plan",
    "slow_down",
    "time_optimal",
]

_HOMES = (
    "planning.plan",
    "commands",
    "laws.timing",
    "laws.timelaws",
    "planning.notes",
    "optimal.fit_pace",
    "optimal.path_limits",
    "optimal.time_optimal",
)


def __getattr__(name: str) -> Any:
    if name in __all__:
        for home in (import_module(f"torsor.motion.{each}") for each in _HOMES):
            if hasattr(home, name):
                return getattr(home, name)
    raise AttributeError(f"module 'torsor.motion' has no attribute {name!r}")
