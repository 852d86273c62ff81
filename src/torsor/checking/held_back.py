"""What holds each line back: the limit that it comes nearest to, or its own numbers where it is far from all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torsor.checking.problems import AT_THE_TOOL

if TYPE_CHECKING:
    from torsor.checking.moves import MoveTaken
    from torsor.checking.verdict import Verdict

AT_LIMIT = 0.97  # of a limit: what comes nearer is held back by it


def held_back(verdict: Verdict) -> list[tuple[int, str]]:
    """Lines that move, in order, and what holds each back where it is worst."""
    found: dict[int, tuple[float, str]] = {}
    for move in verdict.moves:
        if move.kind in ("joint", "line", "circle", "follow"):
            share, text = _nearest(verdict, move)
            line = move.place.line
            if line not in found or share > found[line][0]:
                found[line] = share, text
    return [(line, _told(share, text)) for line, (share, text) in sorted(found.items())]


def _nearest(verdict: Verdict, move: MoveTaken) -> tuple[float, str]:
    machine = verdict.machine
    limits = [
        ("torque", machine.motors, "the torque of {}"),
        ("motor_speed", machine.motors, "the speed of {}"),
        ("speed", machine.joints, "the speed limit of {}"),
        ("acceleration", machine.joints, "the acceleration limit of {}"),
        ("joint_torque", machine.joints, "the torque limit of {}"),
        ("at_tool", tuple(f"{kind} of the data sheet" for kind in AT_THE_TOOL), "the {}"),
    ]
    shares = [
        (float(share), phrase.format(name))
        for column, names, phrase in limits
        if column in machine.judged
        for name, share in zip(names, getattr(move, column).share, strict=True)
    ]
    return max(shares, key=lambda each: each[0], default=(0.0, "nothing that is known"))


def _told(share: float, text: str) -> str:
    if share >= AT_LIMIT:
        return text
    if not share > 0.0:  # unknown limits are passed by nothing
        return "what the program says, or the time law: no limit is known that it comes near to"
    if share < 0.005:
        return f"what the program says, or the time law: far from {text}"
    return f"what the program says, or the time law: {100.0 * share:.0f} % of {text}"
