"""The verdict as one document of plain dicts and lists. SI units and radians; shares are of limits."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.checking.moves import MoveTaken, Peak
from torsor.checking.problems import Problem, Remark
from torsor.motion.commands import Place

if TYPE_CHECKING:
    from torsor.checking.verdict import Verdict


def document(verdict: Verdict) -> dict[str, Any]:
    advice = verdict.advice
    return {
        "feasible": verdict.feasible,
        "verdict": verdict.headline,
        "program": {"name": verdict.program, "file": verdict.file, "language": verdict.language},
        "robot": verdict.robot,
        "dt": verdict.dt,
        "time": verdict.time,
        "joints": list(verdict.joints),
        "motors": [_motor(verdict, k) for k in range(len(verdict.motors))],
        "limits_known": vars(verdict.known),
        "energy": verdict.energy,
        "peak_power": verdict.peak_power,
        "final_lag": verdict.gathered.lag.tolist(),
        "moves": [_move(move, verdict) for move in verdict.moves],
        "problems": [_problem(problem) for problem in verdict.problems],
        "advice": None if advice is None else advice.document(),
        "notes": [_remark(note) for note in verdict.notes],
        "endless": _remark(verdict.endless),
        "rewritten": None if verdict.rewritten is None else verdict.rewritten.diff,
    }


def _remark(remark: Remark | None) -> dict[str, Any] | None:
    if remark is None:
        return None
    return {"line": remark.place and remark.place.line, "text": remark.text}


def _motor(verdict: Verdict, k: int) -> dict[str, Any]:
    rms, peak = float(verdict.rms[k]), float(verdict.machine.peaks[k])
    return {
        "name": verdict.motors[k],
        "unit": verdict.machine.units[k],
        "peak_torque": peak,
        "largest_torque": float(verdict.largest[k]),
        "torque": float(verdict.peak("torque")[k]),
        "rms": rms,
        "rms_share": rms / peak,
        "speed": float(verdict.peak("motor_speed")[k]),
    }


def _move(move: MoveTaken, verdict: Verdict) -> dict[str, Any]:
    bearings = zip(verdict.machine.bearing_names, move.force.tolist(), move.moment.tolist(), strict=True)
    return {
        **_at(move.place),
        **_picked(move, "kind", "target", "start", "duration", "feasible"),
        "torque": _peak(move.torque),
        "largest_torque": move.largest.tolist(),
        "rms_share": move.rms_share.tolist(),
        "motor_speed": _peak(move.motor_speed),
        "joint_torque": _peak(move.joint_torque),
        "speed": _peak(move.speed),
        "acceleration": _peak(move.acceleration),
        "beyond_position": _peak(move.beyond),
        "saturated": [{"motor": verdict.motors[s.motor], "start": s.start, "end": s.end} for s in move.saturated],
        **_picked(move, "saturated_time", "deviation", "turned"),
        "bearings": {name: {"force": force, "moment": moment} for name, force, moment in bearings},
        **_picked(move, "energy", "drawn", "friction", "peak_power", "tool_speed"),
    }


def _problem(problem: Problem) -> dict[str, Any]:
    said = _picked(problem, "kind", "who", "share", "time", "seconds", "move")
    return {**said, **_at(problem.place), "text": problem.text}


def _picked(of: object, *names: str) -> dict[str, Any]:
    return {name: getattr(of, name) for name in names}


def _at(place: Place) -> dict[str, int]:
    return {"line": place.line, "column": place.column}


def _peak(peak: Peak) -> dict[str, Any]:
    return {"share": peak.share.tolist(), "time": peak.time.tolist()}


def finite(value: Any) -> Any:
    """The same with None for what is no number, which JSON cannot say."""
    match value:
        case float() if not isfinite(value):
            return None
        case np.floating():
            return finite(float(value))
        case dict():
            return {key: finite(each) for key, each in value.items()}
        case list() | tuple():
            return [finite(each) for each in value]
    return value
