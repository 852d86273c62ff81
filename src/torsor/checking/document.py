"""The verdict as one document of plain dicts and lists. SI units and radians; shares are of limits."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.checking.moves import MoveTaken, Peak
from torsor.checking.problems import Problem

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
        "motors": [
            {
                "name": name,
                "unit": unit,
                "peak_torque": peak,
                "largest_torque": most,
                "torque": float(share),
                "rms": rms,
                "rms_share": rms / peak,
                "speed": float(speed),
            }
            for name, unit, peak, most, share, rms, speed in zip(
                verdict.motors,
                verdict.machine.units,
                verdict.machine.peaks.tolist(),
                verdict.largest.tolist(),
                verdict.peak("torque"),
                verdict.rms.tolist(),
                verdict.peak("motor_speed"),
                strict=True,
            )
        ],
        "limits_known": {
            "torque": verdict.known.torque,
            "speed": verdict.known.speed,
            "acceleration": verdict.known.acceleration,
            "position": verdict.known.position,
        },
        "energy": verdict.energy,
        "peak_power": verdict.peak_power,
        "final_lag": verdict.gathered.lag.tolist(),
        "moves": [_move(move, verdict) for move in verdict.moves],
        "problems": [_problem(problem) for problem in verdict.problems],
        "advice": None if advice is None else advice.document(),
        "notes": [{"line": None if n.place is None else n.place.line, "text": n.text} for n in verdict.notes],
        "rewritten": None if verdict.rewritten is None else verdict.rewritten.diff,
    }


def _move(move: MoveTaken, verdict: Verdict) -> dict[str, Any]:
    return {
        "line": move.place.line,
        "column": move.place.column,
        "kind": move.kind,
        "target": move.target,
        "start": move.start,
        "duration": move.duration,
        "feasible": move.feasible,
        "torque": _peak(move.torque),
        "largest_torque": move.largest.tolist(),
        "rms_share": move.rms_share.tolist(),
        "motor_speed": _peak(move.motor_speed),
        "speed": _peak(move.speed),
        "acceleration": _peak(move.acceleration),
        "beyond_position": _peak(move.beyond),
        "saturated": [
            {"motor": verdict.motors[span.motor], "start": span.start, "end": span.end} for span in move.saturated
        ],
        "saturated_time": move.saturated_time,
        "deviation": move.deviation,
        "turned": move.turned,
        "bearings": {
            name: {"force": force, "moment": moment}
            for name, force, moment in zip(
                verdict.machine.bearing_names, move.force.tolist(), move.moment.tolist(), strict=True
            )
        },
        "energy": move.energy,
        "drawn": move.drawn,
        "friction": move.friction,
        "peak_power": move.peak_power,
        "tool_speed": move.tool_speed,
    }


def _peak(peak: Peak) -> dict[str, Any]:
    return {"share": peak.share.tolist(), "time": peak.time.tolist()}


def _problem(problem: Problem) -> dict[str, Any]:
    place = problem.place
    return {
        "kind": problem.kind,
        "who": problem.who,
        "share": problem.share,
        "time": problem.time,
        "seconds": problem.seconds,
        "move": problem.move,
        "line": place.line,
        "column": place.column,
        "text": problem.text,
    }


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
