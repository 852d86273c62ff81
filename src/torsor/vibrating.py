"""``torsor.vibrate``: how far the tool of an elastic arm swings from where a program has it, and when it has settled.

The program is planned as `torsor.check` plans it. Joints follow the plan: drives are taken for ideal. What the tool
deviates by is told against the arm that only hangs in its posture, so that gravity does not count. After each stop the
swing dies down in closed form, whatever the program does next: how long that takes is the settling time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.elastic.elastic_arm import Elastic
from torsor.elastic.shaping import Shaper, shaper
from torsor.elastic.swinging import Fidelity, Swing, follow, hanging, require_open
from torsor.errors import TorsorError
from torsor.loading import load
from torsor.model.transforms import Floats
from torsor.motion import Plan
from torsor.motion.commands import Command, Place
from torsor.programs import Program, read
from torsor.programs.planner import Planner

STEP = 1e-3  # s between samples
TOLERANCE = 1e-4  # m that the tool may be off when it has settled
LONGEST = 60.0  # s after which it is said not to settle
REST = 1e-9  # rad/s or m/s: slower is at rest
LARGE = 0.1  # of a link: beyond this what bends is not small


@dataclass(frozen=True)
class Stop:
    """The end of a move, at which the arm stands still."""

    place: Place
    start: float  # s, of the move
    end: float
    deviation: float  # m, the most while it moves
    left: float  # m, the most after it, were it to stay
    settling: float | None  # s from its end until the tool stays within the tolerance; None: longer than is looked
    rest: float  # s until the next motion
    mode: str  # which frequency swings most after it, Hz and share
    shapers: dict[str, tuple[float, float]] = field(default_factory=dict)  # kind -> m left, s that it costs

    @property
    def is_settled(self) -> bool:
        return self.settling is not None and self.settling <= self.rest


@dataclass(frozen=True, eq=False)
class Vibration:
    """What `vibrate` found."""

    arm: Arm
    program: str
    fidelity: Fidelity
    tolerance: float
    swing: Swing
    stops: list[Stop]
    notes: list[str]

    @property
    def time(self) -> Floats:
        return self.swing.time

    @property
    def tip(self) -> Floats:
        """(steps, 6): displacement over turn of the tool against the rigid arm, base axes."""
        return self.swing.tip

    @property
    def settled(self) -> bool:
        return all(stop.is_settled for stop in self.stops)

    @cached_property
    def frequencies(self) -> Floats:
        """(looks, k): Hz along the path, at 200 moments."""
        q = self.swing.q[:: max(1, len(self.swing.q) // 200)]
        return self.arm.elastic.frequencies(q, drives="held")

    @property
    def headline(self) -> str:
        most = 1e3 * float(self.swing.deviation.max())
        said = f"{self.arm.name} in {self.program}"
        if self.settled:
            within = f"settles within {1e3 * self.tolerance:g} mm after every stop"
            return f"{said} {within}; the tool is off by {most:.3g} mm at most"
        late = [stop for stop in self.stops if not stop.is_settled]
        worst = max(late, key=lambda stop: np.inf if stop.settling is None else stop.settling - stop.rest)
        takes = f"more than {LONGEST:g} s" if worst.settling is None else f"{worst.settling:.3g} s"
        return (
            f"{said} does not settle within {1e3 * self.tolerance:g} mm after {len(late)} of {len(self.stops)} stops: "
            f"after line {worst.place.line} it takes {takes}, and there are {worst.rest:.3g} s"
        )

    def document(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        lowest = self.frequencies[:, 0]
        return {
            "robot": self.arm.name,
            "program": self.program,
            "settled": self.settled,
            "headline": self.headline,
            "fidelity": self.fidelity,
            "tolerance": self.tolerance,
            "time": float(self.time[-1]),
            "deviation": float(self.swing.deviation.max()),
            "frequency": {"lowest": float(lowest.min()), "highest": float(lowest.max())},
            "stops": [
                {
                    "line": stop.place.line, "start": stop.start, "end": stop.end, "deviation": stop.deviation,
                    "left": stop.left, "settling": stop.settling,
                    "rest": stop.rest if np.isfinite(stop.rest) else None, "mode": stop.mode,
                    "shapers": {kind: {"left": left, "costs": cost} for kind, (left, cost) in stop.shapers.items()},
                }
                for stop in self.stops
            ],
            "notes": self.notes,
        }  # fmt: skip


def vibrate(
    program: str | os.PathLike[str] | Program | Iterable[Command],
    robot: str | os.PathLike[str] | Arm,
    *,
    fidelity: Fidelity = 1,
    tolerance: float = TOLERANCE,
    start: Floats | None = None,
    dt: float = STEP,
) -> Vibration:
    """How an arm with elastic links or joints swings in a program, stop by stop.

    ``fidelity`` 1 is linear in what bends, 2 is not. ``tolerance`` in m is what counts as settled.
    """
    if not (np.isfinite(tolerance) and tolerance > 0.0):
        raise TorsorError(f"tolerance is {tolerance:g} m", hint="in m, above zero, such as 1e-4")
    if fidelity not in (1, 2):
        raise TorsorError(f"fidelity is {fidelity!r}", hint="1, linear in what bends, or 2")
    arm = robot if isinstance(robot, Arm) else load(robot)
    elastic = arm.elastic
    require_open(elastic)
    if isinstance(program, str | os.PathLike):
        program = read(program)
    known = program if isinstance(program, Program) else None
    planner = Planner.of(arm, known)
    commands: list[Command] = list(program.commands() if isinstance(program, Program) else program)
    plan = planner.plan(commands, start=start, strict=True)
    time, q, qd, qdd = _sampled(plan, dt)
    swing = follow(elastic, time, q, qd, qdd, fidelity)
    stops = [_stop(elastic, swing, tolerance, *each) for each in _stops(plan)]
    name = known.name if known is not None else "program"
    return Vibration(arm, name, fidelity, tolerance, swing, stops, [*planner.assumed, *_doubts(swing)])


def _sampled(plan: Plan, dt: float) -> tuple[Floats, Floats, Floats, Floats]:
    """At equal steps; the end of the plan is the first of them at or after it."""
    samples = plan.at(dt)
    count = int(np.ceil(samples.time[-1] / dt - 1e-9)) + 1
    time = np.asarray(dt * np.arange(max(count, 2)), dtype=np.float64)
    parts = [samples.q, samples.qd, samples.qdd]
    rows = [np.concatenate([part[: count - 1], np.repeat(part[-1:], len(time) - count + 1, axis=0)]) for part in parts]
    return time, rows[0], rows[1], rows[2]


def _stops(plan: Plan) -> list[tuple[Place, float, float, float]]:
    """Place, start, end and rest of each move that ends at rest."""
    moves: list[tuple[Place, float, float, bool]] = []
    for piece in plan:
        if piece.kind not in ("joint", "line", "circle") or piece.duration <= 0.0:
            continue
        rate = float(np.abs(piece.trajectory.at(np.array([piece.duration])).qd).max())
        moves.append((piece.place, piece.start, piece.end, rate < REST))
    found = []
    for k, (place, start, end, at_rest) in enumerate(moves):
        if at_rest:
            following = moves[k + 1][1] if k + 1 < len(moves) else np.inf
            found.append((place, start, end, following - end))
    return found


def _stop(
    elastic: Elastic, swing: Swing, tolerance: float, place: Place, start: float, end: float, rest: float
) -> Stop:
    dt = float(swing.time[1])
    first, last = int(start / dt), min(int(np.ceil(end / dt - 1e-9)), len(swing.time) - 1)
    q = swing.q[last]
    still = Dying(elastic, q, swing.e[last] - hanging(elastic, q), swing.ed[last])
    frequency, ratio, share = still.strongest
    shapers = {}
    for kind in ("ZV", "ZVD"):
        made = shaper(kind, frequency, ratio)
        shapers[kind] = still.left * _left(made, still), made.duration
    return Stop(
        place,
        start,
        end,
        float(swing.deviation[first : last + 1].max()),
        still.left,
        still.settling(tolerance),
        rest,
        f"{frequency:.3g} Hz {100.0 * share:.0f} %",
        shapers,
    )


def _left(made: Shaper, still: Dying) -> float:
    """What a shaper for the strongest mode leaves of all of them."""
    total = sum(still.sizes.tolist()) or 1.0
    each = zip(still.frequencies.tolist(), still.ratios.tolist(), still.sizes.tolist(), strict=True)
    return float(sum(made.left(f, min(z, 0.99)) * size for f, z, size in each) / total)


class Dying:
    """The arm that stands at a posture and swings: every mode by itself, dying down."""

    def __init__(self, elastic: Elastic, q: Floats, e: Floats, ed: Floats) -> None:
        held = elastic.at(q, drives="held")
        n = held.tree.n
        K, M, D = held.tree.K[n:, n:], held.M, held.tree.D[n:, n:]
        m = len(e)
        A = np.block([[np.zeros((m, m)), np.eye(m)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
        poles, shapes = np.linalg.eig(A)
        amplitudes = np.linalg.solve(shapes, np.concatenate([e, ed]).astype(complex))
        self.poles = poles
        self.tool = (held.tool[:3, n:] @ shapes[:m]) * amplitudes  # (3, poles): what each does at the tool
        upper = poles.imag > 0.0
        self.frequencies = np.abs(poles[upper]) / (2.0 * np.pi)
        self.ratios = -poles[upper].real / np.abs(poles[upper])
        self.sizes = 2.0 * np.linalg.norm(self.tool[:, upper], axis=0)

    def deviation(self, t: Floats) -> Floats:
        """(steps,): how far the tool is off, m."""
        return np.asarray(np.linalg.norm((self.tool @ np.exp(np.outer(self.poles, t))).real, axis=0))

    @property
    def strongest(self) -> tuple[float, float, float]:
        """Frequency in Hz, damping, and share of all that swings."""
        k = int(np.argmax(self.sizes))
        total = float(self.sizes.sum()) or 1.0
        return float(self.frequencies[k]), min(max(float(self.ratios[k]), 0.0), 0.99), float(self.sizes[k]) / total

    @property
    def left(self) -> float:
        """The most that the tool is off, m."""
        period = 1.0 / self.frequencies.min()
        return float(self.deviation(np.arange(0.0, 2.0 * period, 2.5e-4)).max())

    def settling(self, tolerance: float) -> float | None:
        """s until the tool stays within the tolerance; None where that takes longer than is looked."""
        rate = -self.poles.real
        # beyond this the sum of all that swings is within it
        lasting = np.abs(self.tool).sum(axis=0)
        if lasting.sum() <= tolerance:
            return 0.0
        slowest = float(rate[lasting > 1e-6 * lasting.max()].min())
        if slowest <= 0.0:
            return None
        end = min(float(np.log(lasting.sum() / tolerance)) / slowest, LONGEST)
        t = np.arange(0.0, end + 5e-4, 5e-4)
        over = np.flatnonzero(self.deviation(t) > tolerance)
        if not len(over):
            return 0.0
        return None if t[over[-1]] >= LONGEST - 1e-3 else float(t[over[-1]])


def _doubts(swing: Swing) -> list[str]:
    """Where what bends is not small, and what was left out."""
    said = ["drives are taken for ideal: joints are where the plan has them"]
    tree = swing.elastic.tree
    for body, own in tree.slices.items():
        mesh = tree.meshes[body]
        e = swing.e[:, own.start - tree.n : own.stop - tree.n]
        moved = np.abs(e @ tree.flexible[body].shapes.reshape(len(mesh.nodes), 6, -1)[-1, :3].T).max()
        length = mesh.beam.length
        if moved > LARGE * length:
            name = tree.tree.bodies[body].name
            said.append(
                f"{name} bends by {moved:.3g} m, {100.0 * moved / length:.0f} % of its length: too much for theory"
            )
    return said
