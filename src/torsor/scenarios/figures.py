"""Figures of a run against what its scenario asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.model.transforms import Floats
from torsor.simulation import measures

if TYPE_CHECKING:
    from torsor.scenarios.scenario import Scenario
    from torsor.simulation.outcome import Run


SEEN = 1e-3  # rad, or m: from where on two runs are apart in a picture
STOPPED = ("reason", "time", "joint", "text", "hint")


@dataclass(frozen=True, eq=False)
class Figures:
    """Errors are of what follows, joints in rad (or m) or the tool's x, y and z in m; NaN without a reference.

    ``settling_time`` is from when on the error stays within the scenario's band, NaN where it does not. ``overshoot``
    is how far beyond a point it goes, seen from the start; of a motion, how far outside of its range.
    """

    scenario: Scenario
    run: Run
    followers: tuple[str, ...]
    settling_time: Floats  # (followers,) s
    overshoot: Floats
    rms_error: Floats
    final_error: Floats
    motors: tuple[str, ...]
    peak_torque: Floats  # (motors,) N m, with its sign
    peak_time: Floats  # s
    work: Floats  # J, the integral of |torque times speed|

    @property
    def left_limits(self) -> bool:
        """Whether a joint reached its position limit, where that was looked at."""
        return any(event.joint is not None and event.name != "diverges" for event in self.run.events)

    @property
    def unsettled(self) -> tuple[str, ...]:
        """Who has not settled within the band, of a scenario that asks for it and came to its end."""
        if self.run.stopped is not None or not self.scenario.asks_to_settle:
            return ()
        return tuple(name for name, time in zip(self.followers, self.settling_time, strict=True) if np.isnan(time))

    @property
    def good(self) -> bool:
        """Whether the motion stayed finite and within limits, and settled where that is asked for."""
        stopped = self.run.stopped
        return not self.left_limits and not self.unsettled and (stopped is None or stopped.reason == "interrupted")

    def document(self) -> dict[str, Any]:
        """All of it as data, in SI units and radians; None for what there is not."""
        scenario, run, stopped = self.scenario, self.run, self.run.stopped
        errors = {word: getattr(self, word) for word in ("settling_time", "overshoot", "rms_error", "final_error")}
        of_motors = {"peak_torque": self.peak_torque, "peak_time": self.peak_time, "energy": self.work}
        return {
            "name": scenario.name,
            "file": scenario.file,
            "source": scenario.source,
            "arm": scenario.arm.name,
            "law": scenario.kind,
            "duration": scenario.duration,
            "dt": scenario.dt,
            "integrator": run.integrator,
            "good": self.good,
            "asks_to_settle": scenario.asks_to_settle,
            "unsettled": list(self.unsettled),
            "reached": float(run.time[-1]),
            "states": len(run.time),
            "stopped": stopped and {word: getattr(stopped, word) for word in STOPPED},
            "settled_within": scenario.settled,
            "follows": "tool" if scenario.tool else "joints",
            "errors": _rows(self.followers, errors),
            "motors": _rows(self.motors, of_motors),
            "final": {"q": run.q[-1].tolist(), "qd": run.qd[-1].tolist()},
            "energy": {"start": _known(run.energy[0]), "end": _known(run.energy[-1])},
            "saturated_time": _known(saturated_time(run)),
            "events": [{"time": e.time, "name": e.name, "joint": e.joint} for e in run.events],
            "notes": [*scenario.remarks, *run.notes],
        }  # fmt: skip


def measured(scenario: Scenario, run: Run) -> Figures:
    time = run.time
    followers = ("x", "y", "z") if scenario.tool else tuple(run.arm.joint_names)
    target = scenario.target(time)
    settling, overshoot, rms, final = (np.full(len(followers), np.nan) for _ in range(4))
    if target is not None:
        is_at = run.arm.pose(run.q)[:, :3, 3] if scenario.tool else run.q
        settling = measures.settling_time(time, is_at, target, scenario.settled)
        overshoot = (measures.overshoot if (target == target[0]).all() else _beyond)(is_at, target)
        rms = measures.rms_error(time, is_at, target) if len(time) > 1 else np.abs(is_at - target)[0]
        final = is_at[-1] - target[-1]
    peak_time = time[np.argmax(np.abs(run.tau), axis=0)]
    return Figures(
        scenario, run, followers, settling, overshoot, rms, final, run.motors, run.peak_torque, peak_time, run.work
    )


def _beyond(q: Floats, target: Floats) -> Floats:
    """(n,) how far outside the range of a motion it goes: what would hit a fixture."""
    over = np.maximum(q.max(axis=0) - target.max(axis=0), target.min(axis=0) - q.min(axis=0))
    return np.asarray(np.maximum(over, 0.0))


def apart(run: Run, other: Run) -> list[dict[str, Any]]:
    """How far two runs are apart at most, joint by joint, in rad or m, and since when that is seen, in s or never."""
    many = min(len(run.time), len(other.time))
    gaps = np.abs(run.q[:many] - other.q[:many])
    parts = [run.time[np.argmax(gap > SEEN)] if (gap > SEEN).any() else np.nan for gap in gaps.T]
    return [
        {"name": name, "apart": _known(gaps[:, k].max()), "parts": _known(parts[k])}
        for k, name in enumerate(run.arm.joint_names)
    ]


def saturated_time(run: Run) -> float:
    """s during which a motor did not give what was asked."""
    if len(run.time) < 2:
        return 0.0
    return float(np.diff(run.time) @ run.saturated[1:].any(axis=1))


def _rows(names: tuple[str, ...], columns: dict[str, Floats]) -> list[dict[str, Any]]:
    return [
        {"name": name} | {word: _known(values[k]) for word, values in columns.items()} for k, name in enumerate(names)
    ]


def _known(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None
