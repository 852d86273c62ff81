"""What comes out of a check: names, and the numbers of a verdict."""

from __future__ import annotations

from torsor.checking import Verdict
from torsor.study.base import StudyOutput

PACE = "speed", "acceleration"
MEASURES = {
    "feasible": StudyOutput("", "1 where the arm can do the program, 0 where not"),
    "time": StudyOutput("s", "that the program takes"),
    "torque": StudyOutput("", "largest share of a motor's torque"),
    "line": StudyOutput("", "of the program, where that is"),
    "joint_torque": StudyOutput("", "largest share of a joint's torque limit, behind its gear"),
    "speed": StudyOutput("", "largest share of a joint's speed limit"),
    "acceleration": StudyOutput("", "largest share of a joint's acceleration limit"),
    "motor_speed": StudyOutput("", "largest share of a motor's speed"),
    "energy": StudyOutput("J", "that the motors give"),
    "peak_power": StudyOutput("W", "of all motors"),
    "deviation": StudyOutput("m", "that the tool leaves its path by where motors saturate"),
    "problems": StudyOutput("", "how many there are"),
}
# Those that loads on one plan tell.
OF_LOADS = ("feasible", "time", "torque", "joint_torque", "line", "speed", "acceleration", "motor_speed")


def told(verdict: Verdict) -> dict[str, float]:
    """All that can come out, of one verdict."""
    torque = verdict.peak("torque")
    worst = int(torque.argmax()) if torque.size else 0
    moves = verdict.moves
    line = max(moves, key=lambda move: move.torque.share[worst]).place.line if moves and torque.size else 0
    found = {word: float(verdict.peak(word).max(initial=0.0)) for word in ("joint_torque", *PACE, "motor_speed")}
    return found | {
        "feasible": float(verdict.feasible),
        "time": verdict.time,
        "torque": float(torque.max(initial=0.0)),
        "line": float(line),
        "energy": verdict.energy,
        "peak_power": verdict.peak_power,
        "deviation": max((move.deviation for move in moves), default=0.0),
        "problems": float(len(verdict.problems)),
        **{f"torque.{name}": float(share) for name, share in zip(verdict.motors, torque, strict=True)},
    }
