"""Sizes that make sense in what a program asks for: beyond them a number is a slip, and no plan would come of it."""

from __future__ import annotations

from torsor.model.ranges import DURATION, FACTOR, PAYLOAD, WAITING, SensibleRange
from torsor.motion.commands import Command, Dwell, Gripper, Joints, Move, Pace, Payload, Pose, Start, Target, Tool
from torsor.programs.values import Wrong

LENGTH = SensibleRange(-1e6, 1e6, "m")
JOINT = SensibleRange(-1e6, 1e6, "rad or m")
SPEED = SensibleRange(1e-6, 1e6, "m/s")
ACCELERATION = SensibleRange(1e-6, 1e9, "m/s^2")
TURN = SensibleRange(1e-6, 1e6, "rad/s")

PACE = {
    "share": ("a share of the limits", FACTOR),
    "acceleration_share": ("a share of the limits", FACTOR),
    "speed": ("a speed", SPEED),
    "acceleration": ("an acceleration", ACCELERATION),
    "turn": ("a turning speed", TURN),
    "duration": ("a duration", DURATION),
    "axis_speed": ("a speed of a joint", TURN),
    "axis_acceleration": ("an acceleration of a joint", ACCELERATION),
}


def refuse(asked: Command | Pace | Target) -> None:
    """Raises `Wrong` for the first number of what is asked for that makes no sense."""
    match asked:
        case Pace():
            for name, (what, sensible) in PACE.items():
                _within(what, sensible, getattr(asked, name))
        case Pose():
            _within("a coordinate", LENGTH, *asked.position)
        case Joints():
            _within("a joint", JOINT, *asked.q)
        case Move():
            for target in (asked.target, *asked.via):
                refuse(target)
            refuse(asked.pace)
            _within("a zone", LENGTH, asked.blend.radius)
        case Start():
            refuse(asked.target)
        case Dwell() | Gripper():
            _within("a wait", WAITING, asked.seconds)
        case Payload():
            _within("a payload", PAYLOAD, asked.mass)
            _within("a coordinate", LENGTH, *asked.com)
        case Tool():
            _within("a coordinate", LENGTH, *asked.T[:3, 3].tolist())


def _within(what: str, sensible: SensibleRange, *values: float | None) -> None:
    for value in values:
        if value is not None and not sensible.holds(value):
            raise Wrong(f"{what} of {value:g} {sensible.unit}".rstrip(), f"{sensible} makes sense")
