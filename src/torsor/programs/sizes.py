"""Sizes that make sense in what a program asks for: beyond them a number is a slip, and no plan would come of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from torsor.model.ranges import FACTOR, PAYLOAD, WAITING, SensibleRange
from torsor.motion.commands import Command, Dwell, Gripper, Move, Pace, Payload, Pose, Start, Target, Tool
from torsor.programs.values import Wrong

LENGTH = SensibleRange(-1e6, 1e6, "m")
JOINT = SensibleRange(-1e6, 1e6, "rad or m")
SPEED = SensibleRange(1e-6, 1e6, "m/s")
ACCELERATION = SensibleRange(1e-6, 1e9, "m/s^2")
TURN = SensibleRange(1e-6, 1e6, "rad/s")
DURATION = SensibleRange(1e-6, WAITING.most, "s")

Size = tuple[str, SensibleRange, Iterable[float | None]]


def refuse(asked: Command | Pace) -> None:
    """Raises `Wrong` for the first number of a command, or of a pace, that makes no sense."""
    for what, sensible, numbers in _sizes(asked):
        for value in numbers:
            if value is not None and not sensible.holds(value):
                raise Wrong(f"{what} of {value:g} {sensible.unit}".rstrip(), f"{sensible} makes sense")


def _sizes(asked: Command | Pace) -> Iterator[Size]:
    match asked:
        case Pace():
            yield "a share of the limits", FACTOR, (asked.share, asked.acceleration_share)
            yield "a speed", SPEED, (asked.speed,)
            yield "an acceleration", ACCELERATION, (asked.acceleration,)
            yield "a turning speed", TURN, (asked.turn,)
            yield "a duration", DURATION, (asked.duration,)
        case Move():
            yield from map(_target, (asked.target, *asked.via))
            yield from _sizes(asked.pace)
            yield "a zone", LENGTH, (asked.blend.radius,)
        case Start():
            yield _target(asked.target)
        case Dwell() | Gripper():
            yield "a wait", WAITING, (asked.seconds,)
        case Payload():
            yield "a payload", PAYLOAD, (asked.mass,)
            yield "a coordinate", LENGTH, asked.com
        case Tool():
            yield "a coordinate", LENGTH, asked.T[:3, 3]


def _target(target: Target) -> Size:
    if isinstance(target, Pose):
        return "a coordinate", LENGTH, target.position
    return "a joint", JOINT, target.q
