"""From targets to joints over time."""

from typing import TYPE_CHECKING

from torsor.exports import exports
from torsor.motion.inverse.branches import Branches as Branches
from torsor.motion.inverse.unreachable import OutOfLimits as OutOfLimits
from torsor.motion.inverse.unreachable import Unreachable as Unreachable
from torsor.motion.inverse_kinematics import inverse_kinematics as inverse_kinematics

if TYPE_CHECKING:  # imported when first asked for
    from torsor.motion.commands import Blend as Blend
    from torsor.motion.commands import Command as Command
    from torsor.motion.commands import Dwell as Dwell
    from torsor.motion.commands import Endless as Endless
    from torsor.motion.commands import Follow as Follow
    from torsor.motion.commands import Gripper as Gripper
    from torsor.motion.commands import Joints as Joints
    from torsor.motion.commands import Move as Move
    from torsor.motion.commands import Pace as Pace
    from torsor.motion.commands import Payload as Payload
    from torsor.motion.commands import Place as Place
    from torsor.motion.commands import Pose as Pose
    from torsor.motion.commands import Signal as Signal
    from torsor.motion.commands import Start as Start
    from torsor.motion.commands import Tool as Tool
    from torsor.motion.dead_centres import Singularity as Singularity
    from torsor.motion.loop_closure import LoopClosure as LoopClosure
    from torsor.motion.optimal.fit_pace import Fitted as Fitted
    from torsor.motion.optimal.fit_pace import fit_pace as fit_pace
    from torsor.motion.optimal.fit_pace import slow_down as slow_down
    from torsor.motion.optimal.least_effort import least_effort as least_effort
    from torsor.motion.optimal.path_limits import ToolBound as ToolBound
    from torsor.motion.optimal.profile import Timed as Timed
    from torsor.motion.optimal.time_optimal import Infeasible as Infeasible
    from torsor.motion.optimal.time_optimal import time_optimal as time_optimal
    from torsor.motion.paths.following import Lost as Lost
    from torsor.motion.paths.tool_paths import DegenerateCircle as DegenerateCircle
    from torsor.motion.planning.piece import BeyondRange as BeyondRange
    from torsor.motion.planning.piece import Note as Note
    from torsor.motion.planning.piece import Piece as Piece
    from torsor.motion.planning.plan import Plan as Plan
    from torsor.motion.planning.plan import Samples as Samples
    from torsor.motion.planning.plan import plan as plan
    from torsor.motion.time_laws.time_law import TimeLaw as TimeLaw
    from torsor.motion.time_laws.timing import Paul as Paul
    from torsor.motion.time_laws.timing import Timing as Timing
else:
    __getattr__, __dir__ = exports(__name__)
