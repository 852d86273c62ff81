"""What a robot program asks for, whatever its language: the list between ``programs/`` and the planner.

SI and radians; poses are T_base_tool of the tool that is mounted at that moment. Every command knows the place in the
program that it comes from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from torsor.model.transforms import Floats


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a program: file, line and column (from 1), and the line itself."""

    file: str
    line: int
    column: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, eq=False)
class Joints:
    """A target in joints. Joints beyond those given stay where they are."""

    q: tuple[float, ...]
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """A target of the tool. Without a rotation the target is a point, and the orientation follows from the move."""

    position: tuple[float, float, float]
    rotation: Floats | None = None  # (3, 3)
    name: str = ""
    branch: str = ""  # as `arm.inverse_kinematics` names them; "": the nearest; "keep, back": as it is, but for this
    status: int | None = None  # a number that the language keeps with a pose, kept as it is


Target = Joints | Pose


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast. What is None is left to the arm's limits; where several are given the slowest holds."""

    share: float | None = None  # of the joints' speed limits
    acceleration_share: float | None = None  # of the joints' acceleration limits
    speed: float | None = None  # of the tool, m/s
    acceleration: float | None = None  # of the tool, m/s^2
    turn: float | None = None  # of the tool, rad/s
    duration: float | None = None  # of the whole move, s


@dataclass(frozen=True, slots=True)
class Blend:
    """How a move goes over into the next one: it stops; or rounds the corner.

    ``zone``: leaves the path at this distance (m) before its end. ``speed``: keeps the tool's speed through the corner
    as far as the next move allows. ``joint``: joint moves overlap their braking and starting.
    """

    kind: Literal["stop", "zone", "speed", "joint"] = "stop"
    radius: float | None = None


STOP = Blend()
Orientation = Literal["variable", "constant", "path", "path-variable"]
# variable: turned evenly from start to end; constant: kept from the start; path: kept relative to the path's tangent;
# path-variable: relative to the path's tangent it turns evenly, so that the target's rotation is met at the end


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A joint-interpolated move, a line, or a circle through one via point. Other vias are passed, not touched."""

    kind: Literal["joint", "line", "circle"]
    target: Target
    place: Place
    via: tuple[Target, ...] = ()
    pace: Pace = field(default_factory=Pace)
    blend: Blend = STOP
    orientation: Orientation = "variable"


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """Where the arm is when the program begins: no motion. At most once, before the first move."""

    target: Target
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Dwell:
    """The arm rests."""

    seconds: float
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Gripper:
    """Open or close the gripper, and wait so long."""

    closed: bool
    place: Place
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Payload:
    """What the arm holds from now on, in the tool frame; mass 0 is nothing."""

    mass: float
    place: Place
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Tool:
    """From now on poses mean this frame, T_flange_tool: relative to the arm's own tool frame."""

    T: Floats  # (4, 4)
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Signal:
    """An event with no motion, kept for the time line: an output set, an input waited for."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Endless(Signal):
    """A loop that never ends was left, after so many cycles; ``place`` is where it begins."""

    cycles: int = 1


Command = Start | Move | Dwell | Gripper | Payload | Tool | Signal


def pose_matrix(pose: Pose, rotation: Floats) -> Floats:
    """T_base_tool (4, 4) of a pose, with the rotation that the move gives it."""
    T = np.eye(4)
    T[:3, :3] = rotation if pose.rotation is None else pose.rotation
    T[:3, 3] = pose.position
    return T
